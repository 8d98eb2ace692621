"""What an engine has to provide: two sides that never share an object."""

from typing import Protocol

from factory.records.conversation import ReactionPlan, Segment
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView, ReactionView, UserView


class AgentSide(Protocol):
    """The roles that know the workflow and what was meant."""

    @property
    def engine(self) -> str:
        """Names the engine in the ledger."""
        ...

    async def plan(self, view: PlannerView) -> AssistantPlan:
        """Plans the agent's turn as if nobody interrupted."""
        ...

    async def speak(self, view: AssistantView) -> tuple[Segment, ...]:
        """Words the agent's turn, act by act."""
        ...


class CallerSide(Protocol):
    """The roles that know only what was heard."""

    @property
    def engine(self) -> str:
        """Names the engine in the ledger."""
        ...

    async def react(self, view: ReactionView) -> ReactionPlan:
        """Plans what the caller says."""
        ...

    async def speak(self, view: UserView) -> str:
        """Words the caller's turn."""
        ...
