"""Every input of the caller's side can be made again from the published rows alone."""

from collections.abc import Iterator

import pytest

from factory.dataset.read import read_conversations, read_turns
from factory.dataset.rebuild import rebuild_caller_views
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, TurnRow
from factory.dataset.write import CONVERSATIONS, TURNS, write_dataset
from factory.errors import RunError
from factory.run.folder import RunFolder
from factory.workflow.library import Library

from .runs import build_run

Call = tuple[ConversationRow, tuple[TurnRow, ...]]


def published(folder: RunFolder) -> Iterator[Call]:
    return zip(read_conversations(folder.dataset / CONVERSATIONS), read_turns(folder.dataset / TURNS), strict=True)


def digests(rows: tuple[TurnRow, ...], conversation: ConversationRow) -> list[tuple[int, str, str]]:
    views = rebuild_caller_views(rows, conversation)
    return [(index, reaction.digest(), user.digest()) for index, reaction, user in views]


def recorded(rows: tuple[TurnRow, ...]) -> list[tuple[int, str, str]]:
    return [(row.round, row.reaction_view, row.user_view) for row in rows if isinstance(row, CallerRow)]


def test_the_digests_are_those_that_the_rows_hold(spoken: RunFolder) -> None:
    calls = list(published(spoken))
    assert sum(len(recorded(rows)) for _, rows in calls) == 38
    for conversation, rows in calls:
        assert digests(rows, conversation) == recorded(rows)


def test_they_are_so_in_a_build_with_canaries_too(tmp_path_factory: pytest.TempPathFactory, library: Library) -> None:
    folder = build_run(tmp_path_factory.mktemp("canaries") / "run", library, audio=False, canaries=True)
    write_dataset(folder, library)
    for conversation, rows in published(folder):
        assert digests(rows, conversation) == recorded(rows)


def edited(rows: tuple[TurnRow, ...], **values: object) -> tuple[TurnRow, ...]:
    """The rows with the agent's interrupted turns changed."""
    return tuple(
        row.model_copy(update=values) if isinstance(row, AgentRow) and row.onset_word is not None else row
        for row in rows
    )


def test_undelivered_words_play_no_part(spoken: RunFolder) -> None:
    for conversation, rows in published(spoken):
        other = edited(rows, undelivered=" something else.", as_meant="Something else.", segments=())
        assert digests(other, conversation) == recorded(rows)


@pytest.mark.parametrize("change", [{"onset_word": 0}, {"text": "Something that was never said in this call."}])
def test_another_onset_or_other_words_are_noticed(spoken: RunFolder, change: dict[str, object]) -> None:
    for conversation, rows in published(spoken):
        assert digests(edited(rows, **change), conversation) != recorded(rows)


def test_rows_of_another_call_are_refused(spoken: RunFolder) -> None:
    (conversation, _), (_, rows), *_ = published(spoken)
    with pytest.raises(RunError, match=conversation.conversation_id):
        digests(rows, conversation)


def test_a_missing_message_is_refused(spoken: RunFolder) -> None:
    conversation, rows = next(published(spoken))
    with pytest.raises(RunError, match="message 4 is not where it belongs"):
        digests((*rows[:4], *rows[5:]), conversation)
