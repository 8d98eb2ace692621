"""Conversations made once for the tests that read them."""

import asyncio
from dataclasses import dataclass
from functools import lru_cache

from factory.build.conversations import compose, composed_items
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.rubric import Item
from factory.records.spec import Spec
from factory.verify.checks import Case
from factory.workflow.library import standard_library
from tests.bench.bench import scaled


@dataclass(frozen=True)
class Call:
    """One finished conversation with its items."""

    blueprint: Blueprint
    rounds: tuple[Round, ...]
    items: tuple[Item, ...]

    def case(self, rounds: tuple[Round, ...] | None = None) -> Case:
        """The conversation as the checks take it, or with other rounds."""
        library = standard_library()
        return Case(
            script=library.script(self.blueprint.workflow),
            blueprint=self.blueprint,
            rounds=rounds or self.rounds,
        )


@lru_cache(maxsize=4)
def calls(count: int = 24, seed: int = 11) -> tuple[Call, ...]:
    """Calls of the demonstration's proportions from the standard workflows, none of them repaired."""
    return _made(scaled(load_spec("demo"), count), seed)


@lru_cache(maxsize=1)
def reference() -> tuple[Call, ...]:
    """The reference corpus as `factory build ihbench-45` writes it."""
    return _made(load_spec("ihbench-45"), 0)


def _made(spec: Spec, seed: int) -> tuple[Call, ...]:
    library = standard_library()
    engine = Engine(library)
    made = []
    for blueprint in plan_corpus(spec, library, seed):
        rounds = asyncio.run(compose(engine, blueprint))
        made.append(Call(blueprint, rounds, composed_items(engine, blueprint, rounds)))
    return tuple(made)
