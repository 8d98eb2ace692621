"""What the published files say of themselves: heard against delivered, delivered against meant, file against file."""

from collections.abc import Iterator, Sequence

from factory.audit.findings import MOST_SHOWN, Findings, Kind, shown
from factory.dataset.rebuild import heard_of, rebuild_caller_views
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, PublishedTurn, TurnRow
from factory.dataset.schema import turn_columns
from factory.records.conversation import first_words
from factory.simulate.views import ReactionView, UserView

OTHER_WORDS = " and then something wholly different would have been said at this place instead."
"""Takes the place of every undelivered part in the counterfactual."""
_BEFORE = 20
"""Characters that are quoted before the first one that differs."""
_IN_TURNS = {
    "assistant_transcript": "text", "assistant_original": "as_meant",
    "user_transcript": "text", "interruption_type": "interruption_type",
}  # fmt: skip
"""The column of `turns.parquet` that has to hold the same, by the field of a numbered turn."""


def agent_row_fits(row: AgentRow, findings: Findings) -> bool:
    """Whether what was heard, delivered and not delivered fits the cut and the utterance as meant."""
    before = findings.total

    def add(kind: Kind, message: str) -> None:
        findings.add(kind, message, row.conversation_id, row.round)

    if row.heard != heard_of(row):
        add(Kind.HEARD_DIFFERS, "the heard text is not the delivered text up to the onset word")
    if row.text + row.undelivered != row.as_meant:
        add(Kind.DELIVERED_DIFFERS, "delivered and undelivered text are not the utterance as meant")
    if " ".join(segment.text for segment in row.segments) != row.as_meant:
        add(Kind.DELIVERED_DIFFERS, "the segments are not the utterance as meant")
    if (row.onset_word is None) != (row.cut_word is None):
        add(Kind.DELIVERED_DIFFERS, "there is an onset without a cut, or a cut without an onset")
    elif row.onset_word is not None and row.cut_word is not None and row.onset_word >= row.cut_word:
        add(Kind.HEARD_DIFFERS, f"the onset word {row.onset_word} is not before the cut word {row.cut_word}")
    delivered = row.as_meant if row.cut_word is None else first_words(row.as_meant, row.cut_word + 1)
    if row.text != delivered:
        add(Kind.DELIVERED_DIFFERS, "the delivered text does not end at the cut word")
    return findings.total == before


def compare_transcripts(conversation: ConversationRow, rows: Sequence[TurnRow], findings: Findings) -> None:
    """Holds the numbered turns of `conversations.parquet` against the messages of `turns.parquet`."""
    published = tuple(_turns(rows))
    if len(published) != len(conversation.turns):
        findings.add(
            Kind.TRANSCRIPT_DIFFERS,
            f"conversations.parquet has {len(conversation.turns)} turns, turns.parquet {len(published)}",
            conversation.conversation_id,
        )
    for number, _, message in transcript_differences(conversation, rows):
        findings.add(Kind.TRANSCRIPT_DIFFERS, message, conversation.conversation_id, number)


def transcript_differences(conversation: ConversationRow, rows: Sequence[TurnRow]) -> Iterator[tuple[int, str, str]]:
    """Where the two files have different texts: the turn, from 0, its field, and both texts in words."""
    for number, (turn, wanted) in enumerate(zip(conversation.turns, _turns(rows), strict=False)):
        columns = turn_columns(number + 1)
        for field in sorted(wanted.model_fields_set):
            one, other = getattr(turn, field), getattr(wanted, field)
            if one != other:
                has, wants = _quoted(one, other)
                yield (
                    number,
                    field,
                    f"`{columns[field]}` in conversations.parquet is {has}, "
                    f"but `{_IN_TURNS[field]}` in turns.parquet is {wants}",
                )


def _whole(text: str | None) -> str:
    return "empty" if text is None else f"“{shown(text)}”"


def _quoted(one: str | None, other: str | None) -> tuple[str, str]:
    """Two texts that differ, from a little before the first place where they do."""
    if one is None or other is None:
        return _whole(one), _whole(other)
    if max(len(one), len(other)) <= MOST_SHOWN:
        return _whole(one), _whole(other)
    same = min(len(one), len(other))
    differ = next((at for at in range(same) if one[at] != other[at]), same)
    start = max(0, differ - _BEFORE)
    start = one.find(" ", start, differ) + 1 or start  # at a word, where there is one
    begin = "…" if start else ""
    return f"“{begin}{shown(one[start:])}”", f"“{begin}{shown(other[start:])}”"


def _turns(rows: Sequence[TurnRow]) -> Iterator[PublishedTurn]:
    """The messages as numbered turns, as far as both files hold the same."""
    for agent, caller in zip(rows[::2], (*rows[1::2], None), strict=False):
        yield PublishedTurn(
            assistant_transcript=agent.text,
            assistant_original=agent.as_meant if isinstance(agent, AgentRow) and agent.cut_word is not None else None,
            user_transcript=caller.text if caller is not None else None,
            interruption_type=caller.interruption_type if isinstance(caller, CallerRow) else None,
        )


def with_other_words(rows: Sequence[TurnRow]) -> tuple[TurnRow, ...]:
    """The same call, given the cuts, in which every undelivered part was meant to be something else."""
    return tuple(_otherwise(row) if isinstance(row, AgentRow) and row.undelivered else row for row in rows)


def _otherwise(row: AgentRow) -> AgentRow:
    whole = row.text + OTHER_WORDS
    segments = (row.segments[0].model_copy(update={"text": whole}),) if row.segments else ()
    return row.model_copy(update={"undelivered": OTHER_WORDS, "as_meant": whole, "segments": segments})


def unmoved_inputs(
    conversation: ConversationRow, rows: Sequence[TurnRow], views: dict[int, tuple[ReactionView, UserView]]
) -> dict[int, tuple[bool, bool]]:
    """For each round, whether the caller side's two inputs stay the same when all undelivered words are others.

    Equal views have equal digests, so the records themselves are compared.

    Raises:
        RunError: if the rows are not one call's messages, agent and caller in turn.
    """
    return {
        number: (reaction == views[number][0], user == views[number][1])
        for number, reaction, user in rebuild_caller_views(with_other_words(rows), conversation)
    }
