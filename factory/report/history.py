"""A finished conversation's log, with what was run again and why."""

from dataclasses import dataclass

from factory.errors import RunError
from factory.records.conversation import Rerun, RerunReason, Round
from factory.records.rubric import Item
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.simulate.canary import without_canary


@dataclass(frozen=True, slots=True)
class CallHistory:
    """What became of one conversation.

    Attributes:
        rounds: The rounds that stand, as an ordinary build has them.
        items: One frozen item for each interruption, by number of the interrupting caller turn.
        reruns: Every rewind, also of draws that were dropped later.
        standing_reruns: The rewinds of the draw that stands.
        drops: Why each earlier draw was dropped.
    """

    rounds: tuple[Round, ...]
    items: dict[int, Item]
    reruns: tuple[Rerun, ...]
    standing_reruns: tuple[Rerun, ...]
    drops: tuple[RerunReason, ...]


def read_history(folder: RunFolder, conversation_id: str) -> CallHistory:
    """Reads a conversation's log.

    Raises:
        RunError: if the log is damaged or the conversation not finished.
    """
    path = folder.conversation_file(conversation_id)
    progress = read_progress(path)
    if not progress.finished:
        raise RunError(f"{path}: the conversation is not finished; run the build again to go on with it")
    return CallHistory(
        rounds=without_canary(tuple(progress.rounds)),
        items={item.turn: item for item in progress.items},
        reruns=tuple(progress.reruns),
        standing_reruns=tuple(progress.standing_reruns),
        drops=tuple(drop.reason for drop in progress.drops),
    )
