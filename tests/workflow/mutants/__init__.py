"""Workflows that break one rule each, by what the rule is about."""

from .authoring import AUTHORING
from .caller import CALLER
from .edits import Mutant
from .repeats import REPEATS
from .slots import SLOTS
from .structure import STRUCTURE
from .style import STYLE
from .supply import SUPPLY
from .wording import WORDING

MUTANTS: list[Mutant] = [*STRUCTURE, *SLOTS, *WORDING, *REPEATS, *STYLE, *CALLER, *SUPPLY, *AUTHORING]
"""The check that fires, a place where it does, and the change that makes it."""
