"""The finished calls of a run folder, one at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

from factory.errors import RunError
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.enums import InterruptionType
from factory.records.rubric import Item
from factory.records.workflow import Workflow
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.simulate.canary import without_canary
from factory.workflow.library import Library


@dataclass(frozen=True)
class FinishedCall:
    """A call as it is published: without canaries.

    Attributes:
        rounds: All of its rounds.
        items: Its items by the number of the interrupting user turn, from 1.
        system_message: The agent's system message as a template, where a model wrote it.
    """

    blueprint: Blueprint
    workflow: Workflow
    rounds: tuple[Round, ...]
    items: dict[int, Item]
    system_message: str | None = None

    @property
    def conversation_id(self) -> str:
        """The call's id."""
        return self.blueprint.conversation_id

    @property
    def interruptions(self) -> tuple[tuple[int, InterruptionType], ...]:
        """Number of each interrupting user turn, from 1, with its type."""
        return tuple(
            (number, done.caller.type)
            for number, done in enumerate(self.rounds, 1)
            if done.caller is not None and done.caller.type is not None
        )


def finished_calls(folder: RunFolder, library: Library) -> Iterator[FinishedCall]:
    """Every call of a run in order, one held at a time.

    Raises:
        RunError: if one is not finished or its log is damaged; names the file.
        WorkflowError: if a workflow cannot be read.
    """
    for blueprint in folder.built():
        progress = read_finished(folder, blueprint.conversation_id)
        call = FinishedCall(
            blueprint=blueprint,
            workflow=library.workflow(blueprint.workflow),
            rounds=without_canary(tuple(progress.rounds)),
            items={item.turn: item for item in progress.items},
            system_message=progress.system_message,
        )
        if [(turn, item.type) for turn, item in call.items.items()] != list(call.interruptions):
            path = folder.conversation_file(call.conversation_id)
            raise RunError(f"{path}: its items are not its interruptions; the log is damaged, build with --fresh")
        yield call
