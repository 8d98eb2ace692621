"""One conversation's log, against its blueprint and the freeze."""

from collections.abc import Iterator, Sequence

from factory.compose.controls import prove
from factory.errors import FactoryError
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.enums import InterruptionType
from factory.records.rubric import Item
from factory.records.run import Manifest
from factory.rubric.context import history_digest
from factory.run.freeze import frozen_item
from factory.run.log import Progress
from factory.simulate.cut import cut_faults
from factory.simulate.state import standing


def log_faults(blueprint: Blueprint, progress: Progress, rounds: tuple[Round, ...]) -> Iterator[str]:
    """Where a log is not the conversation that was planned; its rounds are taken without canaries."""
    name = f"conversations/{blueprint.conversation_id}.jsonl"
    if not progress.finished or len(rounds) != len(blueprint.rounds):
        yield f"{name}: the conversation is not finished"
        return
    if progress.blueprint != blueprint.digest():
        yield f"{name}: the log belongs to another blueprint"
    for number, (done, plan) in enumerate(zip(rounds, blueprint.rounds, strict=True)):
        place = f"{name}: round {number}"
        planned = plan.interruption.type if plan.interruption else None
        said = done.caller.type if done.caller else None
        if said is not planned:
            yield f"{place}: planned {planned}, found {said}"
        if (done.caller is None) != (plan.interruption is None and plan.reply is None):
            yield f"{place}: the caller speaks where nothing is planned, or the reverse"
        if (done.agent.cut is None) != (planned is None):
            yield f"{place}: a cut without an interruption, or the reverse"
        if done.agent.cut is not None and said is not None:
            for fault in cut_faults(done.agent.segments, done.agent.cut, said):
                yield f"{place}: {fault}"
        if said is InterruptionType.FILLER:
            following = rounds[number + 1].agent.text if number + 1 < len(rounds) else None
            if following != done.agent.undelivered.strip():
                yield f"{name}: round {number + 1}: does not go on from the exact word of the cut"
        for fact in _strange_facts(blueprint, rounds[: number + 1]):
            yield f"{place}: the caller's `{fact}` is not the blueprint's"


def _strange_facts(blueprint: Blueprint, rounds: tuple[Round, ...]) -> Iterator[str]:
    """Names under which the last caller turn says or gives another value than the caller's facts hold."""
    caller = rounds[-1].caller
    if caller is None:
        return
    revised = standing(blueprint, rounds[:-1]).revised
    for name, said in caller.facts.items():
        slot, _, field = name.partition(".")
        known = blueprint.facts.get(slot)
        if known is not None:
            now = known.corrected if slot in revised else known.value
            wanted = {"": now, "corrected": known.corrected, "wrong": known.wrong}.get(field)
            if wanted is not None and wanted != said:  # a value that they do not know was heard from the agent
                yield name
    for slot, given in caller.gives.items():
        known = blueprint.facts.get(slot)
        corrects = caller.type is InterruptionType.CORRECTION
        if known is None or given != (known.corrected if corrects else known.value):
            yield slot


def item_faults(
    blueprint: Blueprint, items: Sequence[Item], rounds: tuple[Round, ...], manifest: Manifest
) -> Iterator[str]:
    """Where the items of a log are not those that were planned and frozen, or their controls prove nothing."""
    name = blueprint.conversation_id
    wanted = [(turn + 1, planned.type) for turn, planned in blueprint.interruptions]
    if [(item.turn, item.type) for item in items] != wanted:
        found = ", ".join(f"{item.turn} {item.type}" for item in items) or "none"
        yield f"{name}: its items are {found}, not {', '.join(f'{turn} {kind}' for turn, kind in wanted)}"
    for item in items:
        if item.conversation_id != name:
            yield f"{item.item_id}: stands in the log of {name}"
        frozen = manifest.items.get(item.item_id)
        if frozen is None:
            yield f"{item.item_id}: is not in the manifest"
        elif frozen != frozen_item(item):
            yield f"{item.item_id}: rubric or controls are not the frozen ones"
        if item.history != history_digest(rounds[: item.turn]):
            yield f"{item.item_id}: the transcript before it is not the one that the rubric was written for"
        try:
            prove(item)
        except FactoryError as exc:
            yield str(exc)
