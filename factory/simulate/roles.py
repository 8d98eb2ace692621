"""What an engine has to provide: two sides that never share an object."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from factory.errors import FactoryError
from factory.records.conversation import ReactionPlan, Segment, Settled
from factory.records.models import ModelCall
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView, ReactionView, UserView

T = TypeVar("T")

BY_CODE = "code"
"""Stands in the ledger for whatever no engine had to write."""
COMPOSER = "composer"
"""Stands in the ledger for the engine that needs no model."""


@dataclass(frozen=True)
class Made(Generic[T]):
    """What a role made.

    Attributes:
        value: What came out.
        engine: Who made it, as the ledger has it: `composer`, `code`, or a model's name.
        call: How the model was asked, where one was.
    """

    value: T
    engine: str
    call: ModelCall | None = None


class NothingMade(FactoryError):
    """A role made nothing that can be used; its round is run again.

    Attributes:
        engine: Who was asked.
        call: How, with what was wrong with each reply.
        settled: The agent's words and their cut, where it was the caller's side that made nothing: they stand.
        value: Nothing; stands where `Made` has what came out.
    """

    engine: str
    call: ModelCall | None
    settled: Settled | None = None
    value: None = None


class AgentSide(Protocol):
    """The roles that know the workflow and what was meant."""

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        """Plans the agent's turn as if nobody interrupted."""
        ...

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        """Words the agent's turn, act by act."""
        ...


class CallerSide(Protocol):
    """The roles that know only what was heard."""

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        """Plans what the caller says."""
        ...

    async def speak(self, view: UserView) -> Made[str]:
        """Words the caller's turn."""
        ...
