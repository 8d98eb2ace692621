"""A finished conversation's log, with what was run again and why."""

from dataclasses import dataclass

from factory.records.conversation import Rerun, RerunReason, Round
from factory.records.rubric import Item
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
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
    progress = read_finished(folder, conversation_id)
    return CallHistory(
        rounds=without_canary(tuple(progress.rounds)),
        items={item.turn: item for item in progress.items},
        reruns=tuple(progress.reruns),
        standing_reruns=tuple(progress.standing_reruns),
        drops=tuple(drop.reason for drop in progress.drops),
    )
