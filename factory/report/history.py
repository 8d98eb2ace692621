"""A finished conversation's log, with what was run again and why."""

from dataclasses import dataclass

from factory.errors import RunError
from factory.records.conversation import Rerun, RerunReason, Round
from factory.records.rubric import Item
from factory.run.files import read_lines
from factory.run.folder import RunFolder
from factory.run.log import Kind, Line, read_progress
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
    drops, before = _drops(read_lines(path)) if progress.draw else ((), 0)
    return CallHistory(
        rounds=without_canary(tuple(progress.rounds)),
        items={item.turn: item for item in progress.items},
        reruns=tuple(progress.reruns),
        standing_reruns=tuple(progress.reruns[before:]),
        drops=drops,
    )


def _drops(lines: list[str]) -> tuple[tuple[RerunReason, ...], int]:
    """Why draws were dropped, and how many rewinds came before the draw that stands."""
    reasons: list[RerunReason] = []
    reruns = before = 0
    for line in map(Line.from_json, lines):
        if line.kind is Kind.RERUN:
            reruns += 1
        elif line.kind is Kind.DROPPED:
            before = reruns
            if line.rerun is not None:
                reasons.append(line.rerun.reason)
    return tuple(reasons), before
