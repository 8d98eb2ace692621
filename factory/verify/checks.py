"""Of checks A to P of the reference (IHBench, the verifier's list) those that code can decide.

Each check reads a finished conversation and its blueprint and names the round in which a fault lies, so that
the conversation can be rewound to it. Three letters have no check of their own, since the composer cannot break
them: a reaction without ground (K), an answer that leaks (M) and a jump ahead (O) would need a line that code did
not release. What only a reader can judge is not decided here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from factory.records.base import Record
from factory.records.blueprint import Blueprint
from factory.records.conversation import RerunReason, Round
from factory.records.enums import InterruptionType
from factory.rubric.checker import DISMISSIVE
from factory.simulate.cut import cut_faults
from factory.simulate.state import agent_scope, standing
from factory.workflow.aloud import LONGEST_AGENT_TURN, LONGEST_CALLER_TURN, MARKUP
from factory.workflow.fill import fill_known, flatten
from factory.workflow.lookup import Script
from factory.workflow.phrases import bare_words, holds_phrase, shares_phrase


class CheckId(StrEnum):
    """The reference's letters, with what each is about."""

    FILLER_CONTINUES = "A"
    FRESH_START = "B"
    IMPATIENT_SKIPS = "C"
    CORRECTION_USED = "D"
    TOPIC_ENGAGED = "E"
    NOT_DEFENSIVE = "F"
    CALLER_KNOWS_STAGES = "G"
    REACTS_TO_HEARD = "H"
    NATURAL = "I"
    CONSISTENT = "J"
    SENSITIVE_LATE = "L"
    CALLER_REGISTER = "N"
    CUT_PLACE = "P"


class Issue(Record):
    """A fault: which check, in which round, what about it, and the reason under which the round is run again."""

    check: CheckId
    round: int
    message: str
    reason: RerunReason


@dataclass(frozen=True)
class Case:
    """A conversation with all that the checks read."""

    script: Script
    blueprint: Blueprint
    rounds: tuple[Round, ...]


def check_conversation(case: Case) -> tuple[Issue, ...]:
    """Every issue of a conversation, by round; empty if it is clean."""
    issues = [issue for check in _CHECKS for issue in check(case)]
    return tuple(sorted(issues, key=lambda issue: (issue.round, issue.check)))


def _after(case: Case, *kinds: InterruptionType) -> Iterator[tuple[Round, Round]]:
    """Pairs of an interrupted round of some types and the round behind it."""
    for done, following in zip(case.rounds, case.rounds[1:], strict=False):
        if done.caller is not None and done.caller.type in kinds:
            yield done, following


def _filler_continues(case: Case) -> Iterator[Issue]:
    for done, following in _after(case, InterruptionType.FILLER):
        if following.agent.text != done.agent.undelivered.strip():
            yield Issue(
                check=CheckId.FILLER_CONTINUES,
                round=following.index,
                message="the turn after a filler is not exactly the undelivered rest",
                reason=RerunReason.CONTINUATION_NOT_EXACT,
            )


def _fresh_start(case: Case) -> Iterator[Issue]:
    kinds = set(InterruptionType) - {InterruptionType.FILLER}
    for done, following in _after(case, *kinds):
        rest, text = bare_words(done.agent.undelivered), bare_words(following.agent.text)
        if text[:4] == rest[:4] or shares_phrase(following.agent.text, done.agent.delivered):
            yield Issue(
                check=CheckId.FRESH_START,
                round=following.index,
                message="the turn after an interruption completes the cut sentence or repeats what was heard",
                reason=RerunReason.AGENT_REPEATS_HEARD,
            )


def _impatient_skips(case: Case) -> Iterator[Issue]:
    for done, following in _after(case, InterruptionType.IMPATIENT):
        cut = case.blueprint.rounds[done.index].interruption
        assert cut is not None
        ref = case.blueprint.rounds[done.index].acts[cut.cut].ref
        whole = next((s.text for s in done.agent.segments if s.act == ref), "")
        if shares_phrase(following.agent.text, whole):
            yield Issue(
                check=CheckId.IMPATIENT_SKIPS,
                round=following.index,
                message="a hurried caller is told again what they cut off",
                reason=RerunReason.AGENT_REPEATS_HEARD,
            )


def _corrections_hold(case: Case) -> Iterator[Issue]:
    """D and J: a revised value is used at once, and the old one never returns."""
    for done in case.rounds:
        before = standing(case.blueprint, case.rounds[: done.index])
        for slot, old in before.revised.items():
            if _returns(case, done, old, before.slots):
                yield Issue(
                    check=CheckId.CONSISTENT,
                    round=done.index,
                    message=f"the revised value `{old}` of {slot} returns",
                    reason=RerunReason.OLD_VALUE_RETURNS,
                )
        if before.after is InterruptionType.CORRECTION:
            interruption = case.blueprint.rounds[done.index - 1].interruption
            assert interruption is not None and interruption.slot is not None
            value = before.slots[interruption.slot]
            if not holds_phrase(done.agent.text, value):
                yield Issue(
                    check=CheckId.CORRECTION_USED,
                    round=done.index,
                    message=f"the corrected value `{value}` is not taken over",
                    reason=RerunReason.AGENT_WORDING,
                )


def _returns(case: Case, done: Round, old: str, slots: dict[str, str]) -> bool:
    """Whether an agent's turn says a revised value, other than in lines that were authored with it."""
    if any(holds_phrase(value, old) for value in slots.values()):
        return False
    known = flatten(case.script.workflow.known_user_information)
    return any(
        holds_phrase(segment.text, old)
        and not any(holds_phrase(fill_known(line, known), old) for line in case.script.wordings(segment.act))
        for segment in done.agent.segments
    )


def _moves_engaged(case: Case) -> Iterator[Issue]:
    """E and F: what the caller brought up is answered first, and never dismissed."""
    kinds = (InterruptionType.PUSHBACK, InterruptionType.NORMAL, InterruptionType.TOPIC_SWITCH)
    for done, following in _after(case, *kinds):
        assert done.caller is not None
        cut = case.blueprint.rounds[done.index].interruption
        assert cut is not None and cut.move is not None
        slots = standing(case.blueprint, case.rounds[: following.index]).slots
        scope = agent_scope(case.script, slots)
        mentions = case.script.answer(f"answer:{cut.move}").mentions
        if not any(holds_phrase(following.agent.text, fill_known(m, scope)) for m in mentions):
            yield Issue(
                check=CheckId.TOPIC_ENGAGED,
                round=following.index,
                message="what the caller brought up is not answered",
                reason=RerunReason.AGENT_WORDING,
            )
    for done in case.rounds:
        if any(holds_phrase(done.agent.text, phrase) for phrase in DISMISSIVE):
            yield Issue(
                check=CheckId.NOT_DEFENSIVE,
                round=done.index,
                message="the agent is dismissive",
                reason=RerunReason.AGENT_WORDING,
            )


def _caller_knows_no_stages(case: Case) -> Iterator[Issue]:
    """G: a caller never names a stage."""
    names = [stage.name for stage in case.script.workflow.stages if len(stage.name.split()) > 1]
    for done in case.rounds:
        if done.caller is None:
            continue
        for name in names:
            if holds_phrase(done.caller.text, name):
                yield Issue(
                    check=CheckId.CALLER_KNOWS_STAGES,
                    round=done.index,
                    message=f"the caller names the stage `{name}`",
                    reason=RerunReason.CALLER_KNOWS_TOO_MUCH,
                )


def _reacts_to_heard(case: Case) -> Iterator[Issue]:
    """H: no number, date or id in a caller's words that they neither know nor have heard."""
    secrets = flatten(case.script.workflow.known_user_information)
    own = {v for fact in case.blueprint.facts.values() for v in (fact.value, fact.corrected, fact.wrong) if v}
    heard = ""
    for done in case.rounds:
        heard += " " + done.agent.heard
        if done.caller is not None:
            said = done.caller.text
            for name, value in secrets.items():
                telling = any(c.isdigit() for c in value)
                if telling and value not in own and holds_phrase(said, value) and not holds_phrase(heard, value):
                    yield Issue(
                        check=CheckId.REACTS_TO_HEARD,
                        round=done.index,
                        message=f"the caller says {name} before it was heard",
                        reason=RerunReason.CALLER_KNOWS_TOO_MUCH,
                    )
        heard += done.agent.delivered[len(done.agent.heard) :]


def _natural(case: Case) -> Iterator[Issue]:
    """I and N: nothing that nobody would say aloud; a caller never talks in paragraphs."""
    for done in case.rounds:
        text = done.agent.text
        if MARKUP.search(text) or len(text.split()) > LONGEST_AGENT_TURN or "  " in text:
            yield Issue(
                check=CheckId.NATURAL,
                round=done.index,
                message="the agent's words hold mark-up or are too long to be spoken",
                reason=RerunReason.AGENT_WORDING,
            )
        if done.caller is not None:
            said = done.caller.text
            if MARKUP.search(said) or len(said.split()) > LONGEST_CALLER_TURN or "  " in said or not said:
                yield Issue(
                    check=CheckId.CALLER_REGISTER,
                    round=done.index,
                    message="the caller's words hold mark-up, are empty or too long to be spoken",
                    reason=RerunReason.CALLER_WORDING,
                )


def _sensitive_late(case: Case) -> Iterator[Issue]:
    """L: nothing sensitive is said before the caller is verified."""
    workflow = case.script.workflow
    verifying = [s.id for s in workflow.stages if s.verification]
    if not verifying:
        return
    known = flatten(workflow.known_user_information)
    secret = [v for name, v in known.items() if name.split(".")[0] in workflow.sensitive]
    order = {stage.id: i for i, stage in enumerate(workflow.stages)}
    last = max(order[s] for s in verifying)
    for done in case.rounds:
        stages = [s.act.split(".")[0] for s in done.agent.segments if ":" not in s.act and "." in s.act]
        if stages and max(order.get(s, 0) for s in stages) > last:
            return
        if any(holds_phrase(done.agent.text, value) for value in secret):
            yield Issue(
                check=CheckId.SENSITIVE_LATE,
                round=done.index,
                message="sensitive information is spoken before verification",
                reason=RerunReason.SENSITIVE_TOO_EARLY,
            )


def _cut_place(case: Case) -> Iterator[Issue]:
    for done in case.rounds:
        if done.agent.cut is None or done.caller is None or done.caller.type is None:
            continue
        for fault in cut_faults(done.agent.segments, done.agent.cut, done.caller.type):
            yield Issue(check=CheckId.CUT_PLACE, round=done.index, message=fault, reason=RerunReason.CUT_NOT_POSSIBLE)


_CHECKS: tuple[Callable[[Case], Iterator[Issue]], ...] = (
    _filler_continues,
    _fresh_start,
    _impatient_skips,
    _corrections_hold,
    _moves_engaged,
    _caller_knows_no_stages,
    _reacts_to_heard,
    _natural,
    _sensitive_late,
    _cut_place,
)
