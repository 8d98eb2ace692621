"""Controls: for every item a reference recovery and wrong ones of named kinds, which prove its rubric."""

from collections.abc import Iterator

from factory.compose.agent import ComposerAgent
from factory.corpus.seeds import derive_seed
from factory.errors import RubricError
from factory.records.blueprint import ActUse
from factory.records.conversation import Segment
from factory.records.enums import InterruptionType
from factory.records.lines import placeholders
from factory.records.rubric import Control, ControlKind, Criterion, Item, RuleKind
from factory.records.shared import Shared
from factory.rubric.checker import broken_rules, check_response
from factory.rubric.context import Interrupted
from factory.simulate.views import AssistantPlan, AssistantView, joined
from factory.workflow.fill import fill
from factory.workflow.phrases import PHRASE_WORDS, bare_words

CAUGHT_BY: dict[ControlKind, frozenset[RuleKind]] = {
    ControlKind.RESTARTS: frozenset({RuleKind.NO_HEARD_REPEAT, RuleKind.EXACT_CONTINUATION}),
    ControlKind.REPEATS_HEARD: frozenset({RuleKind.NO_HEARD_REPEAT, RuleKind.EXACT_CONTINUATION}),
    ControlKind.IGNORES_CALLER: frozenset({RuleKind.FRESH_START}),
    ControlKind.WRONG_STAGE: frozenset({RuleKind.MENTIONS_EACH, RuleKind.EXACT_CONTINUATION}),
    ControlKind.STALLS: frozenset({RuleKind.MENTIONS_EACH, RuleKind.ASKS, RuleKind.EXACT_CONTINUATION}),
    ControlKind.ACKNOWLEDGES_FILLER: frozenset({RuleKind.EXACT_CONTINUATION}),
    ControlKind.DEFENSIVE: frozenset({RuleKind.NOT_DEFENSIVE}),
    ControlKind.KEEPS_OLD_VALUE: frozenset({RuleKind.NO_OLD_VALUE}),
    ControlKind.RE_EXPLAINS: frozenset({RuleKind.SKIPS_CUT_CONTENT}),
    ControlKind.STAYS_ON_TOPIC_SWITCH: frozenset({RuleKind.MENTIONS_EACH, RuleKind.ASKS}),
}
"""Which rule has to catch each kind of wrong recovery; one of them is enough."""


WORDINGS = 6
"""Wordings of a reference recovery that are tried until one keeps every rule."""


def write_item(item: Interrupted, agent: ComposerAgent, shared: Shared, criteria: tuple[Criterion, ...]) -> Item:
    """An item with its rubric and the controls that prove it.

    Args:
        item: What was interrupted.
        agent: Words the controls.
        shared: Phrases of wrong recoveries.
        criteria: The rubric, task fulfilment first; see `factory.rubric.write`.

    Raises:
        RubricError: if the rubric does not pass the reference, or lets a wrong recovery of its kinds pass.
    """
    wordings = (reference(item, agent, attempt) for attempt in range(WORDINGS))
    right = next((text for text in wordings if not _broken(criteria, text)), None) or reference(item, agent)
    controls = [Control(kind=ControlKind.REFERENCE, text=right)]
    for kind, texts in _wrong(item, agent, shared):
        wrong = next((text for text in texts if _broken(criteria, text) & CAUGHT_BY[kind]), texts[0])
        controls.append(Control(kind=kind, text=wrong))
    written = Item(
        conversation_id=item.blueprint.conversation_id,
        turn=item.turn,
        type=item.interruption.type,
        history=item.history_digest,
        task_fulfilment=criteria[0],
        recovery=criteria[1:],
        controls=tuple(controls),
    )
    prove(written)
    return written


def _broken(criteria: tuple[Criterion, ...], response: str) -> frozenset[RuleKind]:
    return frozenset(kind for criterion in criteria for kind in broken_rules(criterion, response))


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
    criteria = (item.task_fulfilment, *item.recovery)
    for control in item.controls[1:]:
        if not _broken(criteria, control.text) & CAUGHT_BY[control.kind]:
            raise RubricError(f"{item.item_id}: the rubric lets a wrong recovery pass ({control.kind}): {control.text}")


def reference(item: Interrupted, agent: ComposerAgent, attempt: int = 0) -> str:
    """The right recovery, in the workflow's own words; another attempt words it another way."""
    if item.interruption.type is InterruptionType.FILLER:
        return joined(item.standing.remainder)
    return joined(agent.word(_view(item, item.next_acts, attempt)))


def _view(item: Interrupted, acts: tuple[ActUse, ...], attempt: int = 0) -> AssistantView:
    standing = item.standing
    return AssistantView(
        workflow="",
        history=item.history,
        plan=AssistantPlan(acts=acts),
        after=standing.after,
        answered=standing.answered,
        slots=standing.slots,
        revised=standing.revised,
        turn=item.turn,
        attempt=attempt,
        rotation=item.blueprint.rotation,
        seed=derive_seed(item.blueprint.seed, item.turn, "control"),
    )


def _wrong(item: Interrupted, agent: ComposerAgent, shared: Shared) -> Iterator[tuple[ControlKind, list[str]]]:
    """The kinds of wrong recovery that this interruption can have, each with ways to word it."""
    kind = item.interruption.type
    rest = item.utterance.undelivered.strip()
    heard = item.utterance.delivered
    phrases = shared.wrong
    if len(bare_words(heard)) >= PHRASE_WORDS:
        yield ControlKind.RESTARTS, [item.utterance.text]
    yield ControlKind.WRONG_STAGE, _wrong_stage(item)
    yield ControlKind.STALLS, _turned(item, phrases.stalling)
    if kind is InterruptionType.FILLER:
        yield ControlKind.ACKNOWLEDGES_FILLER, [f"{reply} {rest}" for reply in _turned(item, phrases.filler_reply)]
        yield ControlKind.REPEATS_HEARD, [f"{' '.join(heard.split(' ')[-6:])} {rest}"]
        return
    yield ControlKind.IGNORES_CALLER, [rest]
    if kind is InterruptionType.PUSHBACK:
        going_on = _worded(item, agent, item.next_acts[1:])
        yield ControlKind.DEFENSIVE, [f"{defence} {going_on}" for defence in _turned(item, phrases.defensive)]
    elif kind is InterruptionType.CORRECTION and not item.authored(item.old_value):
        going_on = _worded(item, agent, item.next_acts[1:], kept=item.old_value)
        doubts = [_doubt(item, text) for text in _turned(item, phrases.skeptical)]
        yield ControlKind.KEEPS_OLD_VALUE, [f"{doubt} {going_on}" for doubt in doubts]
    elif kind is InterruptionType.IMPATIENT:
        cut = next(s for s in item.utterance.segments if s.act == item.cut_act)
        yield ControlKind.RE_EXPLAINS, [f"{cut.text} {_worded(item, agent, item.next_acts)}"]
    elif kind is InterruptionType.TOPIC_SWITCH:
        answer = item.next_acts[:1]
        yield ControlKind.STAYS_ON_TOPIC_SWITCH, [_worded(item, agent, answer, i) for i in range(WORDINGS)]


def _turned(item: Interrupted, variants: tuple[str, ...]) -> list[str]:
    """Variants in an order that changes from item to item."""
    start = (item.blueprint.rotation + item.turn) % len(variants)
    return [*variants[start:], *variants[:start]]


def _worded(
    item: Interrupted, agent: ComposerAgent, acts: tuple[ActUse, ...], attempt: int = 0, kept: str | None = None
) -> str:
    """Some acts in words; with `kept`, as an agent says them who did not take a correction over."""
    view = _view(item, acts, attempt)
    if kept is not None and item.interruption.slot is not None:
        view = view.model_copy(update={"slots": view.slots | {item.interruption.slot: kept}})
    return joined(tuple(Segment(act=use.ref, text=agent.text(use, view)) for use in acts))


def _doubt(item: Interrupted, text: str) -> str:
    assert item.interruption.slot is not None
    return fill(text, {"called": item.called(item.interruption.slot), "old": item.old_value})


def _wrong_stage(item: Interrupted) -> list[str]:
    """Questions of other stages, worded as if the call stood there."""
    here = {item.script.stage(u.ref).id for u in item.next_acts if ":" not in u.ref and u.ref != "steer"}
    stages = item.script.workflow.stages
    start = (item.blueprint.rotation + item.turn) % len(stages)
    return [
        fill(text, item.scope)
        for stage in (*stages[start:], *stages[:start])
        if stage.id not in here
        for act in stage.acts
        if act.is_question
        for text in act.say[:1]
        if all(name in item.scope for name in placeholders(text))
    ]
