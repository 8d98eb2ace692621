"""Blinding, proved by type and by counterfactual, on the loop itself."""

import asyncio
import dataclasses
import json
from collections.abc import Iterator
from enum import Enum
from typing import get_args, get_type_hints

import pytest
from pydantic import BaseModel

from factory.audit.policy import may_read
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.records.base import Record
from factory.records.blueprint import Blueprint
from factory.records.conversation import Cut, Message, ReactionPlan, ReleasedLine, Round, Segment, Utterance
from factory.records.enums import InterruptionType
from factory.records.ledger import USER_SIDE, Label, Read, Role
from factory.records.shared import SmallWords
from factory.records.workflow import Workflow
from factory.simulate.cut import IN_PASSING
from factory.simulate.ledger import LedgerChain
from factory.simulate.loop import play_round
from factory.simulate.roles import Made
from factory.simulate.turn import Cast
from factory.simulate.views import AssistantPlan, AssistantView, IntentView, PlannerView, ReactionView, UserView
from factory.workflow.library import Library
from factory.workflow.lookup import Script
from tests.dataset.runs import SEED, SPEC


def records_within(kind: object) -> Iterator[type[Record]]:
    """Every record that a type can hold, at any depth."""
    if isinstance(kind, type) and issubclass(kind, Record):
        yield kind
        for field in get_type_hints(kind).values():
            yield from records_within(field)
    for argument in get_args(kind):
        yield from records_within(argument)


@pytest.mark.parametrize(
    ("view", "parts"),
    [
        (ReactionView, {ReactionView, Message, IntentView, ReleasedLine}),
        (UserView, {UserView, Message, ReactionPlan}),
    ],
)
def test_a_callers_view_holds_only_these_records(view: type[Record], parts: set[type[Record]]) -> None:
    assert set(records_within(view)) == parts
    # None of them has a place for an utterance as meant, its segments or its cut.
    assert not parts & {Utterance, Segment, Cut, Round, PlannerView, AssistantView, AssistantPlan, Blueprint, Workflow}


@pytest.mark.parametrize(
    ("view", "fields"),
    [
        (ReactionView, {"heard", "intent", "type", "lines", "facts", "seed"}),
        (UserView, {"heard", "plan", "type", "facts", "seed"}),
    ],
)
def test_a_callers_view_has_only_these_fields_and_takes_no_other(view: type[Record], fields: set[str]) -> None:
    assert set(view.model_fields) == fields
    assert view.model_config["extra"] == "forbid"


def objects_within(root: object, seen: set[int]) -> Iterator[object]:
    """Every object that can be reached from another by attributes and elements."""
    if id(root) in seen or isinstance(root, str | bytes | int | float | None | Enum | type):
        return
    seen.add(id(root))
    yield root
    inside: list[object] = []
    if isinstance(root, dict):
        inside += [*root.keys(), *root.values()]
    elif isinstance(root, list | tuple | set | frozenset):
        inside += root
    if isinstance(root, BaseModel):
        inside += root.__dict__.values()
    elif dataclasses.is_dataclass(root):
        inside += [getattr(root, field.name) for field in dataclasses.fields(root)]
    elif hasattr(root, "__dict__"):
        inside += vars(root).values()
    for value in inside:
        yield from objects_within(value, seen)


def blueprints(library: Library) -> list[Blueprint]:
    return list(plan_corpus(SPEC, library, SEED))


def test_the_two_sides_of_a_cast_share_no_object_that_knows_the_workflow(library: Library) -> None:
    for blueprint in blueprints(library):
        cast = Engine(library).players(blueprint).cast
        agent = {id(o): o for o in objects_within(cast.agent, set())}
        caller = {id(o): o for o in objects_within(cast.caller, set())}

        assert any(isinstance(o, Workflow | Script) for o in agent.values())
        assert {type(o) for o in caller.values() if isinstance(o, Record | Script | Library)} == {SmallWords}
        shared = [agent[i] for i in agent.keys() & caller.keys()]
        # What is left are the caller's phrases, which fit any call, and empty tuples.
        assert all(not o for o in shared)


@dataclasses.dataclass
class Reworded:
    """An agent that says the same up to the cut, and behind it other words of the same length."""

    honest: Cast
    cut: Cut

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        return await self.honest.agent.plan(view)

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        out, word = [], 0
        made = await self.honest.agent.speak(view)
        for segment in made.value:
            words = segment.text.split(" ")
            kept = [w if word + i <= self.cut.cut_word else other(w) for i, w in enumerate(words)]
            word += len(words)
            out.append(Segment(act=segment.act, text=" ".join(kept)))
        return dataclasses.replace(made, value=tuple(out))


def other(word: str) -> str:
    """Another word with the same marks, capitals and duration, so that the cutter sees the same places."""
    if word.casefold() in IN_PASSING:
        alike = sorted(w for w in IN_PASSING if len(w) == len(word))
        swapped = alike[(alike.index(word.casefold()) + 1) % len(alike)]
        return swapped.capitalize() if word[0].isupper() else swapped
    return "".join("7" if c.isdigit() else ("X" if c.isupper() else "x") if c.isalpha() else c for c in word)


def play(cast: Cast, blueprint: Blueprint, rounds: tuple[Round, ...]) -> Round:
    return asyncio.run(play_round(cast, blueprint, rounds, 0, LedgerChain(blueprint.conversation_id)))


def test_given_the_cut_other_undelivered_words_change_nothing_on_the_callers_side(library: Library) -> None:
    compared: dict[InterruptionType, int] = {}
    for blueprint in blueprints(library):
        cast = Engine(library).players(blueprint).cast
        rounds: tuple[Round, ...] = ()
        for entry in blueprint.rounds:
            honest = play(cast, blueprint, rounds)
            if entry.interruption is not None and not entry.continues:
                assert honest.agent.cut is not None
                reworded = Reworded(cast, honest.agent.cut)
                swapped = play(dataclasses.replace(cast, agent=reworded), blueprint, rounds)
                assert swapped.agent.undelivered != honest.agent.undelivered
                assert swapped.agent.cut == honest.agent.cut
                assert swapped.caller == honest.caller  # words, plan, releases, and the digests of both views
                compared[entry.interruption.type] = compared.get(entry.interruption.type, 0) + 1
            rounds = (*rounds, honest)
    assert set(compared) == set(InterruptionType)
    assert sum(compared.values()) >= 12


def test_other_undelivered_words_in_earlier_rounds_change_nothing_later(library: Library) -> None:
    """The same over whole calls; only what a filler's rest delivers later may make a difference."""
    for blueprint in blueprints(library):
        cast = Engine(library).players(blueprint).cast
        honest: tuple[Round, ...] = ()
        swapped: tuple[Round, ...] = ()
        for entry in blueprint.rounds:
            done = play(cast, blueprint, honest)
            cut = done.agent.cut
            filler = entry.interruption is not None and entry.interruption.type is InterruptionType.FILLER
            if cut is not None and not entry.continues and not filler:
                swapped = (*swapped, play(dataclasses.replace(cast, agent=Reworded(cast, cut)), blueprint, swapped))
            else:
                swapped = (*swapped, play(cast, blueprint, swapped))
            honest = (*honest, done)
        assert [r.agent.text for r in honest] != [r.agent.text for r in swapped]
        assert [r.caller for r in honest] == [r.caller for r in swapped]


def test_one_heard_word_that_differs_does_change_the_digests(library: Library) -> None:
    """Else the two tests above could not fail."""
    blueprint = blueprints(library)[0]
    cast = Engine(library).players(blueprint).cast
    number = next(i for i, entry in enumerate(blueprint.rounds) if entry.interruption is not None)
    rounds: tuple[Round, ...] = ()
    for _ in range(number):
        rounds = (*rounds, play(cast, blueprint, rounds))
    honest = play(cast, blueprint, rounds)
    assert honest.agent.cut is not None and honest.caller is not None
    early = Cut(onset_word=honest.agent.cut.onset_word, cut_word=honest.agent.cut.cut_word).model_copy(
        update={"cut_word": honest.agent.cut.onset_word - 1}
    )
    swapped = play(dataclasses.replace(cast, agent=Reworded(cast, early)), blueprint, rounds)
    assert swapped.caller is not None
    assert swapped.caller.user_view != honest.caller.user_view


def test_the_rubric_writer_may_read_no_controls_and_only_the_control_writer_reads_a_rubric() -> None:
    assert not any(may_read(role, Label.CONTROLS) for role in Role)
    assert [role for role in Role if may_read(role, Label.RUBRIC)] == [Role.CONTROL_WRITER]
    assert not any(may_read(role, Label.CALLER_VALUES) for role in USER_SIDE)


@pytest.mark.parametrize(
    ("role", "view", "of_the_line", "together"),
    [
        ("planner", PlannerView, set(), set()),
        # Slots and revised, rotation and seed are one item each; nothing remains to be said in the first turn.
        ("assistant", AssistantView, {"turn", "attempt"}, {"revised", "rotation", "remainder"}),
        ("reaction_planner", ReactionView, set(), set()),
        ("user", UserView, set(), set()),
    ],
)
def test_every_read_names_a_part_of_the_view_and_every_part_is_read(
    library: Library, role: str, view: type[Record], of_the_line: set[str], together: set[str]
) -> None:
    blueprint = blueprints(library)[0]
    chain = LedgerChain(blueprint.conversation_id)
    asyncio.run(play_round(Engine(library).players(blueprint).cast, blueprint, (), 0, chain))
    lines = [json.loads(line) for line in chain.take()]
    reads = [Read.model_validate(read) for line in lines if line["role"] == role for read in line["reads"]]
    assert len({read.item for read in reads}) == len(reads) == len(set(view.model_fields) - of_the_line - together)
