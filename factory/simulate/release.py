"""What code hands to the caller's side: authored lines whose ground was heard, and the facts they need.

This is one of the declared channels between the sides. It never looks at undelivered text: it gets the acts
that were wholly heard before the onset and the heard words, and refuses everything else.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from factory.errors import BlindingError
from factory.records.acts import Act
from factory.records.blueprint import SUCCESS, Blueprint, CalmReply, Interruption, ReplyKind, RoundPlan
from factory.records.callers import FactValue
from factory.records.conversation import ReleasedLine
from factory.records.enums import InterruptionType
from factory.records.lines import placeholders
from factory.records.shared import CallerPhrases
from factory.workflow.lookup import RETRY, Script, question_of, stage_of
from factory.workflow.phrases import holds_words
from factory.workflow.walk import holds


@dataclass(frozen=True)
class Released:
    """Lines and facts for the caller's side, and what the turn gives to the agent's.

    Attributes:
        lines: By kind; the texts' placeholders are names in `facts`.
        facts: Values for those placeholders.
        gives: Slots that the caller's turn fills or revises.
    """

    lines: tuple[ReleasedLine, ...]
    facts: dict[str, str]
    gives: dict[str, str]


@dataclass(frozen=True)
class Heard:
    """What a caller has heard when they speak.

    Attributes:
        acts: Every act that was wholly heard so far, this turn's up to the onset.
        text: Every word heard so far.
        spoken: What the agent's lines may read, to look up values that were said aloud.
    """

    acts: Set[str]
    text: str
    spoken: Mapping[str, str]


def release(
    script: Script, phrases: CallerPhrases, blueprint: Blueprint, plan: RoundPlan, heard: Heard, taken_back: Set[str]
) -> Released:
    """The lines and facts for one caller turn.

    Args:
        script: The workflow.
        phrases: What callers say everywhere.
        blueprint: The conversation's blueprint.
        plan: This round's entry.
        heard: What the caller has heard.
        taken_back: Slots that the caller has already revised.

    Raises:
        BlindingError: if a line's ground was not heard, or a value in it was neither the caller's nor heard.
    """
    if plan.interruption is not None:
        lines, gives = _interrupting(script, phrases, blueprint, plan.interruption, heard)
    else:
        assert plan.reply is not None
        lines, gives = _calm(script, phrases, blueprint, plan.reply, heard)
    names = {name for line in lines for text in line.texts for name in placeholders(text)}
    facts = {name: _value(name, blueprint.facts, heard, taken_back) for name in sorted(names)}
    return Released(tuple(lines), facts, gives)


def _calm(
    script: Script, phrases: CallerPhrases, blueprint: Blueprint, reply: CalmReply, heard: Heard
) -> tuple[list[ReleasedLine], dict[str, str]]:
    if reply.kind is ReplyKind.CLOSING:
        words = phrases.speech[script.workflow.intent(blueprint.intent).speaks]
        texts = words.closings if blueprint.outcome == SUCCESS else words.closings_unhappy
        return [ReleasedLine(kind="closing", texts=texts)], {}
    assert reply.question is not None
    _require_heard(reply.question, heard)
    profile = script.workflow.intent(blueprint.intent).profile
    act = script.act(reply.question)
    if reply.kind is ReplyKind.FAIL:
        assert act.failure is not None
        return [ReleasedLine(kind="fail", texts=act.failure.fails.for_profile(profile))], {}
    return [_answer(script, blueprint, act)], _gives(blueprint, act)


def _interrupting(
    script: Script, phrases: CallerPhrases, blueprint: Blueprint, interruption: Interruption, heard: Heard
) -> tuple[list[ReleasedLine], dict[str, str]]:
    intent = script.workflow.intent(blueprint.intent)
    profile, kind, words = intent.profile, interruption.type, phrases.speech[intent.speaks]
    if kind is InterruptionType.FILLER:
        return [ReleasedLine(kind="filler", texts=words.fillers)], {}
    if kind is InterruptionType.IMPATIENT:
        if interruption.answers is None:
            return [ReleasedLine(kind="hurry", texts=words.hurry)], {}
        _require_heard(interruption.answers, heard)
        act = script.act(interruption.answers)
        return [
            _answer(script, blueprint, act),
            ReleasedLine(kind="hurry_before_answer", texts=words.hurry_before_answer),
            ReleasedLine(kind="hurry_after_answer", texts=words.hurry_after_answer),
        ], _gives(blueprint, act)
    if kind is InterruptionType.CORRECTION:
        assert interruption.slot is not None
        act = script.workflow.question_of(interruption.slot)[1]
        fact = blueprint.facts[interruption.slot]
        assert act.corrects is not None and fact.corrected is not None
        texts = act.corrects.for_profile(profile)
        return [ReleasedLine(kind="correction", texts=texts)], {interruption.slot: fact.corrected}
    assert interruption.move is not None
    move = script.moves[interruption.move]
    if move.after is not None:
        _require_heard(move.after, heard)
    elif move.stage is not None and move.stage not in {stage_of(ref) for ref in heard.acts}:
        raise BlindingError(f"a caller's line belongs to `{move.stage}`, of which nothing was wholly heard yet")
    lines = [ReleasedLine(kind="move", texts=move.source.says.for_profile(profile))]
    if interruption.answers is None:
        return lines, {}
    _require_heard(interruption.answers, heard)
    act = script.act(interruption.answers)
    return [_answer(script, blueprint, act), *lines], _gives(blueprint, act)


def _answer(script: Script, blueprint: Blueprint, act: Act) -> ReleasedLine:
    """The replies of the first branch that holds for this caller."""
    assert act.replies is not None
    workflow = script.workflow
    for reply in act.replies:
        if holds(reply.when, blueprint.facts, workflow.known_user_information):
            return ReleasedLine(kind="answer", texts=reply.says.for_profile(workflow.intent(blueprint.intent).profile))
    raise BlindingError(f"{workflow.id}: no reply of `{act.id}` holds for {blueprint.conversation_id}")


def _gives(blueprint: Blueprint, act: Act) -> dict[str, str]:
    return {act.fills: blueprint.facts[act.fills].value} if act.fills else {}


def _require_heard(ref: str, heard: Heard) -> None:
    if not {ref, question_of(ref), question_of(ref) + RETRY} & set(heard.acts):
        raise BlindingError(f"a caller's line is grounded on `{ref}`, which was not wholly heard before the onset")


def _value(name: str, facts: Mapping[str, FactValue], heard: Heard, taken_back: Set[str]) -> str:
    """A caller fact, or a value that the agent has said aloud."""
    base, _, field = name.partition(".")
    if base in facts:
        fact = facts[base]
        value = {"": fact.corrected if base in taken_back else fact.value, "wrong": fact.wrong}.get(field)
        value = fact.corrected if field == "corrected" else value
        if value is not None:
            return value
    if name in heard.spoken and holds_words(heard.text, heard.spoken[name]):
        return heard.spoken[name]
    raise BlindingError(f"a caller's line needs `{name}`, which the caller neither knows nor has heard")
