"""What the roles of real calls were given, and what the composer made of it: material for tests of the models."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

from factory.compose.agent import ComposerAgent
from factory.compose.caller import ComposerCaller
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.models.brief import ActBrief, Brief, act_brief, brief_of
from factory.records.conversation import ReactionPlan, Round, Segment
from factory.records.enums import InterruptionType
from factory.rubric.context import Interrupted
from factory.simulate.ledger import LedgerChain
from factory.simulate.loop import play_round
from factory.simulate.roles import Made
from factory.simulate.turn import Cast
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView, ReactionView, UserView
from factory.verify.checks import Case
from factory.workflow.library import standard_library
from factory.workflow.lookup import Script
from tests.bench.bench import scaled

V = TypeVar("V")
T = TypeVar("T")


@dataclass(frozen=True)
class Seen(Generic[V, T]):
    """One call of a role: the workflow it belongs to, its view, and what the composer made."""

    script: Script
    view: V
    made: T


Turn = Seen[AssistantView, tuple[Segment, ...]]


@dataclass
class Calls:
    """Every call of every role."""

    planner: list[Seen[PlannerView, AssistantPlan]] = field(default_factory=list)
    assistant: list[Turn] = field(default_factory=list)
    reaction: list[Seen[ReactionView, ReactionPlan]] = field(default_factory=list)
    user: list[Seen[UserView, str]] = field(default_factory=list)
    finished: list[Case] = field(default_factory=list)

    def turn(self, after: InterruptionType | None, such: Callable[[Turn], bool] = lambda _: True) -> Turn:
        """The first agent's turn of that kind; not the call's first."""
        return next(seen for seen in self.assistant if seen.view.after is after and seen.view.turn and such(seen))

    def reacting(self, kind: InterruptionType | None, *lines: str) -> Seen[ReactionView, ReactionPlan]:
        """The first reaction of that kind to lines of just these kinds, if any are named."""
        return next(
            seen
            for seen in self.reaction
            if seen.view.type is kind and (not lines or tuple(line.kind for line in seen.view.lines) == lines)
        )

    def interrupted(self, kind: InterruptionType) -> Interrupted:
        """The first interruption of a type, in its place."""
        return next(
            Interrupted(case.script, case.blueprint, case.rounds[: turn + 1])
            for case in self.finished
            for turn, interruption in case.blueprint.interruptions
            if interruption.type is kind
        )

    def speaking(self, kind: InterruptionType | None, such: Callable[[UserView], bool] = lambda _: True) -> UserView:
        """The first view of a caller's words of that kind."""
        return next(seen.view for seen in self.user if seen.view.type is kind and such(seen.view))


class _Agent:
    def __init__(self, script: Script, calls: Calls) -> None:
        self._script, self._calls = script, calls
        self._composer = ComposerAgent(script, standard_library().shared.agent)

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        made = await self._composer.plan(view)
        self._calls.planner.append(Seen(self._script, view, made.value))
        return made

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        made = await self._composer.speak(view)
        self._calls.assistant.append(Seen(self._script, view, made.value))
        return made


class _Caller:
    def __init__(self, script: Script, calls: Calls) -> None:
        self._script, self._calls = script, calls
        self._composer = ComposerCaller(standard_library().shared.caller)

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        made = await self._composer.react(view)
        self._calls.reaction.append(Seen(self._script, view, made.value))
        return made

    async def speak(self, view: UserView) -> Made[str]:
        made = await self._composer.speak(view)
        self._calls.user.append(Seen(self._script, view, made.value))
        return made


@lru_cache(maxsize=2)
def seen_calls(count: int = 24, seed: int = 11) -> Calls:
    """All that the roles saw in calls of the demonstration's proportions."""
    library, calls = standard_library(), Calls()
    for blueprint in plan_corpus(scaled(load_spec("demo"), count), library, seed):
        script = library.script(blueprint.workflow)
        agent, caller = _Agent(script, calls), _Caller(script, calls)
        cast = Cast(script, library.shared.caller, library.digest(blueprint.workflow), agent, caller)
        chain, rounds = LedgerChain(blueprint.conversation_id), tuple[Round, ...]()
        while len(rounds) < len(blueprint.rounds):
            rounds += (asyncio.run(play_round(cast, blueprint, rounds, 0, chain)),)
        calls.finished.append(Case(script, blueprint, rounds))
    return calls


def briefs(script: Script, view: AssistantView) -> tuple[Brief, tuple[ActBrief, ...]]:
    """What the assistant is told of the workflow and of the acts of its turn."""
    phrases = standard_library().shared.agent
    return brief_of(script), tuple(act_brief(script, phrases, use, view.slots) for use in view.plan.acts)
