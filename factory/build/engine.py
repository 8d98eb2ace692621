"""The engine of a build: from a blueprint to those who play it."""

from dataclasses import dataclass
from pathlib import Path

from factory.build.players import Behind, Composed, Modelled, Players
from factory.compose.agent import ComposerAgent
from factory.compose.caller import ComposerCaller
from factory.models.agent import ModelAgent
from factory.models.ask import Asker, Sends
from factory.models.caller import ModelCaller
from factory.models.prompt import Prompts
from factory.models.store import ReplyStore
from factory.records.blueprint import Blueprint
from factory.records.models import Models
from factory.simulate.canary import canary_word, plant_in_workflow
from factory.simulate.roles import AgentSide, CallerSide
from factory.simulate.turn import Cast
from factory.workflow.library import Library
from factory.workflow.lookup import Script

MOST_RERUNS = 6
"""Rewinds of one draw before it is dropped and the conversation drawn anew."""
MOST_RERUNS_OF_MODELS = 12
"""The same where models write: they break a rule more often than authored words do."""
AGENT_SIDE, CALLER_SIDE = "agent", "caller"
"""Whose replies a file holds: the two sides never share a store."""


class ModelSide:
    """What the model engine needs besides the workflows; belongs to one event loop.

    Attributes:
        prompts: The templates.
    """

    def __init__(self, models: Models, sender: Sends, replies: Path) -> None:
        """Takes who plays which role, what sends requests, and the folder of the replies that were paid for."""
        replies.mkdir(exist_ok=True)
        self._models = models
        self._sender = sender
        self._replies = replies
        self.prompts = Prompts()

    def asker(self, conversation_id: str, side: str) -> Asker:
        """What asks for one side of a conversation."""
        return Asker(self._models, self._sender, ReplyStore(self._replies / f"{conversation_id}.{side}.jsonl"))


@dataclass(frozen=True)
class Engine:
    """Who plays the conversations of a build, from a library of workflows.

    Attributes:
        canary_seed: Decides the canary words; None in an ordinary build.
        side: The model engine; the composer plays where it is None.
    """

    library: Library
    canary_seed: int | None = None
    side: ModelSide | None = None

    @property
    def most_reruns(self) -> int:
        """Rewinds of one draw before it is dropped."""
        return MOST_RERUNS if self.side is None else MOST_RERUNS_OF_MODELS

    def players(self, blueprint: Blueprint) -> Players:
        """All who have a part in one conversation."""
        script = self.library.script(blueprint.workflow)
        canary = None
        if self.canary_seed is not None:
            canary = canary_word(self.canary_seed, blueprint.conversation_id)
            script = Script(plant_in_workflow(script.workflow, blueprint.intent, canary))
        agent, caller, behind = self._sides(blueprint, script)
        cast = Cast(
            script=script,
            phrases=self.library.shared.caller,
            workflow_digest=self.library.digest(blueprint.workflow),
            agent=agent,
            caller=caller,
            canary=canary,
        )
        return Players(cast, behind)

    def _sides(self, blueprint: Blueprint, script: Script) -> tuple[AgentSide, CallerSide, Behind]:
        """The agent's side with the script that it plays from, the caller's side, and those behind the call."""
        shared = self.library.shared
        if self.side is None:
            return ComposerAgent(script, shared.agent), ComposerCaller(shared.caller), Composed()
        of_agent, of_caller = (self.side.asker(blueprint.conversation_id, s) for s in (AGENT_SIDE, CALLER_SIDE))
        prompts = self.side.prompts
        # Whoever works behind the call reads it as it is published, without canaries.
        plain = self.library.script(blueprint.workflow)
        return (
            ModelAgent(of_agent, script, shared.agent, prompts),
            ModelCaller(of_caller, prompts),
            Modelled(of_agent, prompts, plain, shared.agent),
        )
