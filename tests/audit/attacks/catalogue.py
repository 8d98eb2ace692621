"""All attacks, in the order in which `docs/flow-report.md` tells of them."""

from typing import Any

from . import behind, builder, dataset, forged, freeze, ledger, prompts, roles
from .attack import Attack

CATALOGUE: tuple[Attack[Any], ...] = (
    *roles.ATTACKS,
    *builder.ATTACKS,
    *prompts.ATTACKS,
    *ledger.ATTACKS,
    *behind.ATTACKS,
    *dataset.ATTACKS,
    *forged.ATTACKS,
    *freeze.ATTACKS,
)

PASSES: tuple[Attack[Any], ...] = (*roles.PASSES, *builder.PASSES, *freeze.PASSES)
"""What nothing catches, carried out all the same, so that nobody takes the list for complete."""
