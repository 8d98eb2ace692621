"""The time-line of a run: from the first word to the freeze and the answers, in the order that the chain proves."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from factory.audit.flow import FlowReport
from factory.audit.report_parts import OrderResult
from factory.records.freeze import FreezeResult
from factory.records.ledger import Role
from factory.report.labels import counted, words


class State(StrEnum):
    """How a stop of the time-line stands: `open` is one at which there is nothing to prove yet."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the time-line.

    Attributes:
        title: What happened.
        text: What is known of it.
        state: Whether it is proved.
        digest: A digest that it is known by.
    """

    title: str
    text: str
    state: State
    digest: str = ""


def stops(report: FlowReport) -> tuple[Stop, ...]:
    """The stops of a run, the earliest first."""
    return tuple((*_in_the_chain(report), *_frozen(report.order.freeze), _answers(report.order)))


def _in_the_chain(report: FlowReport) -> Iterator[Stop]:
    """What the ledger's chains show."""
    order, chain = report.order, report.chain
    written = _calls(report, Role.SYSTEM_WRITER)
    if written:
        yield Stop("System messages", f"{counted(written, 'role call')}, each before its first round.", State.HOLDS)
    again = report.reruns.rewinds + report.reruns.redrawn
    played = f"{counted(report.heard.turns, 'agent turn')}, {report.heard.cut:,} of them cut into."
    yield Stop("Rounds", played + (f" Run again: {again:,}." if again else ""), State.HOLDS)
    read = _calls(report, Role.VERIFIER)
    if read:
        yield Stop("Readings", f"{counted(read, 'reading')} of finished calls by a verifier.", State.HOLDS)
    yield Stop(
        "Rubrics and controls",
        f"{order.in_chain:,} of {counted(order.items, 'item')} in the chain, each behind the last round of its call.",
        _state(order.in_chain == order.items),
    )
    yield Stop(
        "Ledger closed",
        f"{chain.unbroken:,} of {counted(chain.conversations, 'chain')} unbroken up to the root.",
        _state(chain.unbroken == chain.conversations),
        chain.root,
    )


def _calls(report: FlowReport, role: Role) -> int:
    return sum(use.calls for use in report.models.uses if use.role is role) if report.models else 0


def _frozen(freeze: FreezeResult | None) -> Iterator[Stop]:
    """The freeze and its versions, and the commitment to it."""
    if freeze is None:
        yield Stop("Freeze", "There is no readable manifest, so nothing is frozen.", State.FAILS)
        return
    for earlier in freeze.earlier:
        yield Stop(f"Version {earlier.version}, given up", f"Reason: {earlier.reason}", State.OPEN, earlier.root)
    text = f"{counted(freeze.items, 'item')} under one root. " + (
        " ".join(freeze.faults) or "The root was proved again."
    )
    yield Stop(f"Freeze, version {freeze.version}", text, _state(not freeze.faults), freeze.root)
    if freeze.commitment is None:
        yield Stop("Commitment", "None lies in the run folder.", State.OPEN)
        return
    day = freeze.commitment.committed_on
    text = f"On {day.isoformat()}, as its author states." if day is not None else "Its author states no day."
    yield Stop("Commitment", text, State.HOLDS, freeze.commitment.seal)


def _answers(order: OrderResult) -> Stop:
    answers = order.answers
    if answers is None:
        return Stop("Answers", "None were given to this audit.", State.OPEN)
    text = f"{answers.accepted:,} of {counted(answers.seen, 'answer')} accepted under the root."
    refused = ", ".join(f"{words(kind.value).lower()} ({number:,})" for kind, number in answers.refused.items())
    return Stop(
        "Answers", text + (f" Refused: {refused}." if refused else ""), _state(answers.accepted == answers.seen)
    )


def _state(holds: bool) -> State:
    return State.HOLDS if holds else State.FAILS
