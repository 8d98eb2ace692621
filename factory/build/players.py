"""Who plays a conversation and who writes behind it: the composer, or models."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from factory.models.ask import Asks
from factory.models.brief import act_brief, brief_of
from factory.models.errors import UnusableReply
from factory.models.modifier import edit
from factory.models.prompt import Prompts
from factory.models.rubric import write_rubric
from factory.models.system_message import write_system_message
from factory.models.verifier import VerifierFinding, find_faults
from factory.records.blueprint import Blueprint
from factory.records.conversation import Message, Round, Segment
from factory.records.rubric import Criterion
from factory.records.shared import AgentPhrases
from factory.rubric.context import Interrupted
from factory.rubric.write import write_criteria
from factory.simulate.roles import BY_CODE, COMPOSER, Made, NothingMade
from factory.simulate.state import Standing
from factory.simulate.turn import Cast
from factory.verify.checks import Case
from factory.workflow.lookup import Script

T = TypeVar("T")


class Behind(Protocol):
    """The writers behind the call.

    None means that there is nobody for it, `NothingMade` that somebody was asked in vain; in both cases code's word
    stands.
    """

    async def system_message(self, seed: int) -> Made[str] | NothingMade | None:
        """The agent's system message as a template with `{known_user_information}`."""
        ...

    async def criteria(self, item: Interrupted, seed: int) -> Made[tuple[Criterion, ...]]:
        """The rubric of an interruption: task fulfilment first."""
        ...

    async def faults(self, case: Case, seed: int) -> Made[tuple[VerifierFinding, ...]] | NothingMade | None:
        """What a reader finds in a finished conversation that keeps every rule."""
        ...

    async def edited(self, faulty: "Faulty", seed: int) -> Made[tuple[Segment, ...]] | NothingMade | None:
        """The agent's words of a round with a fault mended; None where nobody can."""
        ...


@dataclass(frozen=True)
class Faulty:
    """A round in whose agent's words a fault was found.

    Attributes:
        history: What was delivered before it.
        standing: Where the conversation stood then.
    """

    blueprint: Blueprint
    done: Round
    history: tuple[Message, ...]
    standing: Standing
    finding: VerifierFinding


@dataclass(frozen=True)
class Players:
    """All who have a part in one conversation; the two sides of the cast share nothing that knows the workflow."""

    cast: Cast
    behind: Behind


class Composed:
    """Behind the call, the embedded engine: rubrics by rule, and no reader."""

    async def system_message(self, seed: int) -> None:
        """The published one is made from the workflow when the dataset is written."""

    async def criteria(self, item: Interrupted, seed: int) -> Made[tuple[Criterion, ...]]:
        """By rule."""
        return Made(write_criteria(item), COMPOSER)

    async def faults(self, case: Case, seed: int) -> None:
        """Every line was authored, and released by code: there is nothing left for a reader."""

    async def edited(self, faulty: Faulty, seed: int) -> None:
        """Nobody edits authored words."""


class Modelled:
    """Behind the call, models. Where one makes nothing usable, code's own wording stands, and the ledger shows it."""

    def __init__(self, asker: Asks, prompts: Prompts, script: Script, phrases: AgentPhrases) -> None:
        """Takes what asks, the prompts, and the workflow."""
        self._asker = asker
        self._prompts = prompts
        self._script = script
        self._phrases = phrases
        self._brief = brief_of(script)

    async def system_message(self, seed: int) -> Made[str] | NothingMade | None:
        """By the system-message writer."""
        return await _or_nothing(write_system_message(self._asker, self._prompts, self._brief, seed))

    async def criteria(self, item: Interrupted, seed: int) -> Made[tuple[Criterion, ...]]:
        """Decided by code, worded by the rubric writer."""
        try:
            return await write_rubric(self._asker, self._prompts, self._brief, item, seed)
        except UnusableReply as exc:
            return Made(write_criteria(item), BY_CODE, exc.call)

    async def faults(self, case: Case, seed: int) -> Made[tuple[VerifierFinding, ...]] | NothingMade | None:
        """By the verifier."""
        return await _or_nothing(find_faults(self._asker, self._prompts, self._brief, case, seed))

    async def edited(self, faulty: Faulty, seed: int) -> Made[tuple[Segment, ...]] | NothingMade | None:
        """By the modifier."""
        plan = faulty.blueprint.rounds[faulty.done.index]
        acts = tuple(act_brief(self._script, self._phrases, use, faulty.standing.slots) for use in plan.acts)
        editing = edit(self._asker, self._prompts, faulty.done, acts, faulty.history, faulty.finding, seed)
        return await _or_nothing(editing)


async def _or_nothing(making: Awaitable[Made[T]]) -> Made[T] | NothingMade:
    """What a model makes; where it makes nothing usable, that is an outcome too, and no end of the conversation."""
    try:
        return await making
    except UnusableReply as exc:
        return exc
