"""Controls: for every item a reference recovery and wrong ones of named kinds, which prove its rubric."""

from collections.abc import Iterator

from factory.compose.agent import ComposerAgent
from factory.corpus.seeds import derive_seed
from factory.errors import RubricError
from factory.records.blueprint import ActUse
from factory.records.conversation import Segment
from factory.records.enums import InterruptionType
from factory.records.rubric import Control, ControlKind, Criterion, Item, RuleKind
from factory.records.shared import Shared
from factory.records.workflow import placeholders
from factory.rubric.checker import broken_rules, check_response
from factory.rubric.context import Interrupted
from factory.rubric.write import recovery, task_fulfilment
from factory.simulate.views import AssistantPlan, AssistantView, joined
from factory.workflow.fill import fill
from factory.workflow.phrases import PHRASE_WORDS, bare_words

CAUGHT_BY: dict[ControlKind, frozenset[RuleKind]] = {
    ControlKind.RESTARTS: frozenset({RuleKind.NO_HEARD_REPEAT, RuleKind.EXACT_CONTINUATION}),
    ControlKind.REPEATS_HEARD: frozenset({RuleKind.NO_HEARD_REPEAT, RuleKind.EXACT_CONTINUATION}),
    ControlKind.IGNORES_CALLER: frozenset({RuleKind.FRESH_START}),
    ControlKind.WRONG_STAGE: frozenset({RuleKind.MENTIONS_EACH, RuleKind.EXACT_CONTINUATION}),
    ControlKind.STALLS: frozenset({RuleKind.MENTIONS_EACH, RuleKind.EXACT_CONTINUATION}),
    ControlKind.ACKNOWLEDGES_FILLER: frozenset({RuleKind.EXACT_CONTINUATION}),
    ControlKind.DEFENSIVE: frozenset({RuleKind.NOT_DEFENSIVE}),
    ControlKind.KEEPS_OLD_VALUE: frozenset({RuleKind.NO_OLD_VALUE}),
    ControlKind.RE_EXPLAINS: frozenset({RuleKind.SKIPS_CUT_CONTENT}),
    ControlKind.STAYS_ON_TOPIC_SWITCH: frozenset({RuleKind.MENTIONS_EACH}),
}
"""Which rule has to catch each kind of wrong recovery; one of them is enough."""


def write_item(item: Interrupted, agent: ComposerAgent, shared: Shared) -> Item:
    """An item with its rubric and controls.

    Raises:
        RubricError: if the rubric does not pass the reference, or lets a wrong recovery of its kinds pass.
    """
    controls = [Control(kind=ControlKind.REFERENCE, text=reference(item, agent))]
    controls += [Control(kind=kind, text=text) for kind, text in _wrong(item, agent, shared)]
    written = Item(
        conversation_id=item.blueprint.conversation_id,
        turn=item.turn,
        type=item.interruption.type,
        history=item.history_digest,
        task_fulfilment=task_fulfilment(item),
        recovery=recovery(item),
        controls=tuple(controls),
    )
    prove(written)
    return written


def prove(item: Item) -> None:
    """Holds an item's rubric against its controls.

    Raises:
        RubricError: as `write_item`.
    """
    broken = check_response(item, item.reference)
    if broken:
        raise RubricError(
            f"{item.item_id}: the rubric fails its own reference recovery by {', '.join(broken)}: {item.reference}"
        )
    criteria: tuple[Criterion, ...] = (item.task_fulfilment, *item.recovery)
    for control in item.controls[1:]:
        caught = {kind for criterion in criteria for kind in broken_rules(criterion, control.text)}
        if not caught & CAUGHT_BY[control.kind]:
            raise RubricError(f"{item.item_id}: the rubric lets a wrong recovery pass ({control.kind}): {control.text}")


def reference(item: Interrupted, agent: ComposerAgent) -> str:
    """The right recovery, in the workflow's own words."""
    if item.interruption.type is InterruptionType.FILLER:
        return joined(item.standing.remainder)
    return joined(agent.word(_view(item, item.next_acts)))


def _view(item: Interrupted, acts: tuple[ActUse, ...], after: InterruptionType | None = None) -> AssistantView:
    standing = item.standing
    return AssistantView(
        workflow="",
        history=item.history,
        plan=AssistantPlan(acts=acts),
        after=after or standing.after,
        answered=standing.answered,
        slots=standing.slots,
        revised=standing.revised,
        turn=item.turn,
        attempt=0,
        rotation=item.blueprint.rotation,
        seed=derive_seed(item.blueprint.seed, item.turn, "control"),
    )


def _wrong(item: Interrupted, agent: ComposerAgent, shared: Shared) -> Iterator[tuple[ControlKind, str]]:
    kind = item.interruption.type
    rest = item.utterance.undelivered.strip()
    heard = item.utterance.delivered
    pick = item.blueprint.rotation + item.turn
    if len(bare_words(heard)) >= PHRASE_WORDS:
        yield ControlKind.RESTARTS, item.utterance.text
    yield ControlKind.WRONG_STAGE, _wrong_stage(item)
    yield ControlKind.STALLS, shared.wrong.stalling[pick % len(shared.wrong.stalling)]
    if kind is InterruptionType.FILLER:
        reply = shared.wrong.filler_reply[pick % len(shared.wrong.filler_reply)]
        yield ControlKind.ACKNOWLEDGES_FILLER, f"{reply} {rest}"
        yield ControlKind.REPEATS_HEARD, f"{' '.join(heard.split(' ')[-6:])} {rest}"
        return
    yield ControlKind.IGNORES_CALLER, rest
    if kind is InterruptionType.PUSHBACK:
        defence = shared.wrong.defensive[pick % len(shared.wrong.defensive)]
        yield ControlKind.DEFENSIVE, f"{defence} {_worded(item, agent, item.next_acts[1:])}"
    elif kind is InterruptionType.CORRECTION:
        yield ControlKind.KEEPS_OLD_VALUE, _keeps_old(item, agent, shared, pick)
    elif kind is InterruptionType.IMPATIENT:
        cut = next(s for s in item.utterance.segments if s.act == item.cut_act)
        yield ControlKind.RE_EXPLAINS, f"{cut.text} {_worded(item, agent, item.next_acts)}"
    elif kind is InterruptionType.TOPIC_SWITCH:
        yield ControlKind.STAYS_ON_TOPIC_SWITCH, _worded(item, agent, item.next_acts[:1])


def _worded(item: Interrupted, agent: ComposerAgent, acts: tuple[ActUse, ...]) -> str:
    view = _view(item, acts)
    return joined(tuple(Segment(act=use.ref, text=agent.text(use, view)) for use in acts))


def _keeps_old(item: Interrupted, agent: ComposerAgent, shared: Shared, pick: int) -> str:
    slot = item.interruption.slot
    assert slot is not None
    called = item.script.workflow.question_of(slot)[1].called or slot
    doubt = fill(
        shared.wrong.skeptical[pick % len(shared.wrong.skeptical)],
        {"called": called, "old": item.standing.revised[slot]},
    )
    return f"{doubt} {_worded(item, agent, item.next_acts[1:])}"


def _wrong_stage(item: Interrupted) -> str:
    """A question of another stage, worded as if the call stood there."""
    here = {item.script.stage(u.ref).id for u in item.next_acts if ":" not in u.ref and u.ref != "steer"}
    stages = item.script.workflow.stages
    start = (item.blueprint.rotation + item.turn) % len(stages)
    wanted = task_fulfilment(item)
    for stage in (*stages[start:], *stages[:start]):
        for act in stage.acts:
            if stage.id in here or not act.is_question:
                continue
            text = next((t for t in act.say if not _unfilled(t, item)), None)
            if text is None:
                continue
            worded = fill(text, item.scope)
            if broken_rules(wanted, worded) or item.interruption.type is InterruptionType.FILLER:
                return worded
    raise RubricError(f"{item.blueprint.conversation_id}#{item.turn}: no question of another stage could be found")


def _unfilled(text: str, item: Interrupted) -> bool:
    return any(name not in item.scope for name in placeholders(text))
