"""One attempt at a round: who plays it, where it stands, and how each call gets its line in the ledger."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from factory.corpus.seeds import derive_seed
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.conversation import Round, Settled
from factory.records.ledger import USER_SIDE, Label, Read, Role
from factory.records.models import ModelCall
from factory.records.shared import CallerPhrases
from factory.simulate.disguise import canary_in
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.roles import AgentSide, CallerSide, Made, NothingMade
from factory.simulate.state import Standing
from factory.workflow.lookup import Script

T = TypeVar("T")


class CanarySpoken(NothingMade):
    """The caller's side made something that holds a planted word, which it cannot have heard."""

    def __init__(self, engine: str, call: ModelCall | None) -> None:
        """Takes who made it and how they were asked; what they made goes nowhere."""
        super().__init__("the caller's side said a word that was planted where it must not look")
        self.engine, self.call = engine, call


@dataclass(frozen=True)
class Cast:
    """Who plays a conversation, and from what.

    Attributes:
        script: The workflow; only the agent's side and code read it.
        phrases: The caller's shared phrases; code releases them.
        workflow_digest: Digest of the workflow file, which stands for it in views.
        canary: A word that is planted at the end of what will be cut off; None in an ordinary build.
    """

    script: Script
    phrases: CallerPhrases
    workflow_digest: str
    agent: AgentSide
    caller: CallerSide
    canary: str | None = None


@dataclass(frozen=True)
class Call:
    """What the ledger says of a call before it is made; `makes` names what comes out."""

    role: Role
    branch: str
    view: str
    reads: tuple[Read, ...]
    makes: tuple[Label, str]


@dataclass(frozen=True)
class Turn:
    """One attempt at a round while it is played.

    Attributes:
        rounds: The rounds before.
        before: Where they leave the conversation.
        number: The round's index, and the attempt.
        settled: The agent's words, where they are.
    """

    cast: Cast
    blueprint: Blueprint
    rounds: tuple[Round, ...]
    entry: RoundPlan
    before: Standing
    number: tuple[int, int]
    chain: LedgerChain
    settled: Settled | None

    @property
    def engine_is_needed(self) -> bool:
        """Whether the agent's side has to be asked: not where its words are settled."""
        return self.settled is None and not self.entry.continues

    @property
    def cut_as_in(self) -> int:
        """The attempt whose draw decides the place of the cut."""
        return self.number[1] if self.settled is None or self.settled.cut_as_in is None else self.settled.cut_as_in

    def seed(self, role: Role) -> int:
        """The seed of a role's draws in this attempt."""
        attempt = self.cut_as_in if role is Role.CUTTER else self.number[1]
        return derive_seed(self.blueprint.seed, self.number[0], attempt, role.value)

    def item(self, name: str) -> str:
        """The id of a data item of this attempt."""
        return f"r{self.number[0]}.{self.number[1]}/{name}"

    def add(self, call: Call, made: Made[T] | NothingMade, content: object) -> None:
        """Adds a call's line to the ledger; `content` is None where nothing was made."""
        label, name = call.makes
        self.chain.add(
            turn=self.number,
            role=call.role,
            branch=call.branch,
            engine=made.engine,
            call=made.call,
            view=call.view,
            reads=call.reads,
            wrote=data_item(label, self.item(name), content),
        )

    async def ask(self, call: Call, making: Awaitable[Made[T]], content: Callable[[T], object]) -> T:
        """What a role makes, with its line in the ledger; one that makes nothing has a line too.

        Raises:
            NothingMade: as the role does, or if the caller's side made something that holds a canary: then nobody
                gets to see it.
        """
        try:
            made = await making
        except NothingMade as exc:
            self.add(call, exc, None)
            raise
        if call.role in USER_SIDE and self._holds_canary(content(made.value)):
            heard = CanarySpoken(made.engine, made.call)
            self.add(call, heard, None)
            raise heard
        self.add(call, made, content(made.value))
        return made.value

    def _holds_canary(self, content: object) -> bool:
        """Whether something holds a planted word, in whatever writing."""
        return self.cast.canary is not None and canary_in(str(content), self.cast.canary) is not None
