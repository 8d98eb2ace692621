"""What the published files say of each other: a difference names its columns and quotes both texts."""

from collections.abc import Callable

from factory.audit.findings import MOST_SHOWN, Finding, Kind
from factory.audit.options import AuditOptions
from factory.audit.report import audit_run
from factory.dataset.parquet import Row, read_schema
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.run.folder import RunFolder

from .runs import interrupted, rewrite_conversations, rewrite_turn


def differing(run: RunFolder) -> list[Finding]:
    report = audit_run(run, run.identity(), AuditOptions(scanned=False))
    return [finding for finding in report.findings if finding.kind is Kind.TRANSCRIPT_DIFFERS]


def renaming(call: str, column: str, value: str | None) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        if row["conversation_id"] == call:
            row[column] = value

    return change


def test_a_changed_word_is_quoted_from_both_files_by_the_columns_that_hold_it(run: RunFolder) -> None:
    _, caller = interrupted(run)
    rewrite_turn(run, "caller", text="completely other words")
    (finding,) = differing(run)
    column = f"user_turn_{caller['round'] + 1}_transcript"
    assert finding.round == caller["round"]
    assert finding.message.startswith(f"`{column}` in conversations.parquet is “{caller['text'][:10]}")
    assert finding.message.endswith("but `text` in turns.parquet is “completely other words”")
    assert column in read_schema(run.dataset / CONVERSATIONS).names
    assert "text" in read_schema(run.dataset / TURNS).names


def test_of_long_texts_the_place_is_quoted_at_which_they_differ(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    long = "and so on " * 50
    name = f"user_turn_{agent['round'] + 1}_transcript"
    rewrite_conversations(run, renaming(agent["conversation_id"], name, f"{long}with an apple {long}"))
    rewrite_turn(run, "caller", text=f"{long}with an orange {long}")
    (finding,) = differing(run)
    assert "with an apple" in finding.message and "with an orange" in finding.message
    assert len(finding.message) < 2 * MOST_SHOWN + 150


def test_a_text_that_one_file_lacks_is_told_to_be_empty(run: RunFolder) -> None:
    agent, caller = interrupted(run)
    name = f"user_turn_{agent['round'] + 1}_interruption_type"
    rewrite_conversations(run, renaming(agent["conversation_id"], name, None))
    (finding,) = differing(run)
    assert finding.message == (
        f"`{name}` in conversations.parquet is empty, but `interruption_type` in turns.parquet is "
        f"“{caller['interruption_type']}”"
    )


def test_what_is_quoted_can_command_no_terminal(run: RunFolder) -> None:
    rewrite_turn(run, "caller", text="\x1b[2J\u202e")
    (finding,) = differing(run)
    assert "\x1b" not in finding.message and "\u202e" not in finding.message
