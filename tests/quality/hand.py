"""Calls written by hand, with whatever a test wants said in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from factory.dataset.calls import FinishedCall
from factory.quality.measure import Measurement
from factory.quality.turns import Turns, turns_of
from factory.records.blueprint import Blueprint, CalmReply, ReplyKind, RoundPlan
from factory.records.callers import FactValue
from factory.records.conversation import CallerTurn, Cut, ReactionPlan, ReleasedLine, Round, Segment, Utterance
from factory.records.enums import InterruptionType, Profile
from factory.records.ledger import GENESIS
from factory.records.quality import Figure, FigureId, QualityReport
from factory.records.workflow import Workflow
from factory.workflow.lookup import Script
from tests.workflow.base import Edit

TELL = "open_call.who_calls"
FIXED = "open_call.recorded"
"""A disclosure whose wording may recur."""


@dataclass(frozen=True)
class Said:
    """One round.

    Attributes:
        agent: The agent's words; a mapping gives them act by act.
        onset: The last word that the caller hears before they cut in; two words later the agent stops.
        gives: Slots that the caller's words fill or revise.
        authored: The line that the caller's words were made of; the words themselves where there is none.
    """

    agent: str | Mapping[str, str]
    caller: str | None = None
    onset: int | None = None
    type: InterruptionType | None = None
    gives: Mapping[str, str] = field(default_factory=dict)
    authored: str = ""


@cache
def workflow(workflow_id: str = "utilities/meter_visit") -> Workflow:
    """The small workflow of the workflow room's tests, with one fixed disclosure in it."""
    return Edit().put("id", workflow_id).put("stages.open_call.acts.recorded.fixed", "true").workflow()


def call(
    name: str, *rounds: Said, of: str = "utilities/meter_visit", facts: Mapping[str, str] | None = None
) -> FinishedCall:
    """A finished call of these rounds."""
    calm = RoundPlan(acts=(), reply=CalmReply(kind=ReplyKind.CLOSING))
    return FinishedCall(
        blueprint=Blueprint(
            conversation_id=name,
            ordinal=0,
            rotation=0,
            workflow=of,
            intent="night_worker",
            seed=1,
            facts={slot: FactValue(value=value) for slot, value in (facts or {}).items()},
            outcome="success",
            stages=("open_call",),
            rounds=(calm,) * len(rounds),
        ),
        workflow=workflow(of),
        rounds=tuple(_round(i, said) for i, said in enumerate(rounds)),
        items={},
    )


def _round(index: int, said: Said) -> Round:
    acts = {TELL: said.agent} if isinstance(said.agent, str) else said.agent
    cut = None if said.onset is None else Cut(onset_word=said.onset, cut_word=said.onset + 2)
    utterance = Utterance(segments=tuple(Segment(act=a, text=t) for a, t in acts.items()), cut=cut)
    if said.caller is None:
        return Round(index=index, agent=utterance)
    caller = CallerTurn(
        text=said.caller,
        type=said.type,
        plan=ReactionPlan(gist=said.caller, manner=Profile.COOPERATIVE),
        released=(ReleasedLine(kind="answer", texts=(said.authored,)),),
        facts={},
        gives=dict(said.gives),
        reaction_seed=1,
        user_seed=2,
        reaction_view=GENESIS,
        user_view=GENESIS,
    )
    return Round(index=index, agent=utterance, caller=caller)


def turns(*calls: FinishedCall) -> tuple[Turns, ...]:
    """The turns of each call."""
    return tuple(map(turns_of, calls))


def report(*calls: FinishedCall) -> QualityReport:
    """The report on these calls."""
    measurement = Measurement()
    for each in calls:
        measurement.add(each, Script(each.workflow))
    return measurement.report()


def figure(found: QualityReport, name: FigureId) -> Figure:
    """One figure of a report."""
    return next(each for each in found.figures if each.id is name)


def spoken(lines: Sequence[str], of: str = "utilities/meter_visit") -> tuple[FinishedCall, ...]:
    """A call for each line, which the caller says in it; the agent's words differ from call to call."""
    return tuple(call(f"call-{i:03d}", Said(f"word{i}", line), of=of) for i, line in enumerate(lines))
