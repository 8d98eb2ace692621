"""Rebuilds every input of the caller's side from published rows alone, for an auditor to compare digests.

No program state and no workflow is read. The history is made from what was delivered and the onset word, so
that the undelivered columns play no part.
"""

from collections.abc import Iterable, Iterator

from factory.dataset.about import intent_view_of
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, TurnRow, mapping
from factory.errors import RunError
from factory.records.conversation import Message, first_words
from factory.records.enums import Speaker
from factory.simulate.views import ReactionView, UserView


def rebuild_caller_views(
    turn_rows: Iterable[TurnRow], conversation: ConversationRow
) -> Iterator[tuple[int, ReactionView, UserView]]:
    """The views of both caller roles, for each round in which the caller speaks.

    Args:
        turn_rows: The call's rows of `turns.parquet`, in order.
        conversation: Its row of `conversations.parquet`; audio need not be read.

    Yields:
        Round index, what the reaction planner saw, what the user saw. Their digests have to be the row's
        `reaction_view` and `user_view`.

    Raises:
        RunError: if the rows are not one call's messages, agent and caller in turn.
    """
    intent = intent_view_of(conversation.user_intent)
    delivered: list[Message] = []
    heard = ""
    for index, row in enumerate(turn_rows):
        _require_in_place(row, index, conversation.conversation_id)
        if isinstance(row, AgentRow):
            heard = heard_of(row)
        else:
            listened = (*delivered[:-1], Message(speaker=Speaker.AGENT, text=heard))
            facts = mapping(row.facts)
            yield (
                row.round,
                ReactionView(
                    heard=listened,
                    intent=intent,
                    type=row.interruption_type,
                    lines=row.released,
                    facts=facts,
                    seed=row.reaction_seed,
                ),
                UserView(
                    heard=listened,
                    plan=row.reaction_plan,
                    type=row.interruption_type,
                    facts=facts,
                    seed=row.user_seed,
                ),
            )
        delivered.append(Message(speaker=row.speaker, text=row.text))


def heard_of(row: AgentRow) -> str:
    """What the caller had heard of a turn when they started to speak, from delivered text and onset word."""
    return row.text if row.onset_word is None else first_words(row.text, row.onset_word + 1)


def _require_in_place(row: TurnRow, index: int, conversation_id: str) -> None:
    expected = CallerRow if index % 2 else AgentRow
    if (row.conversation_id, row.message_index, row.round) != (conversation_id, index, index // 2) or not isinstance(
        row, expected
    ):
        raise RunError(
            f"turns.parquet: {conversation_id}: message {index} is not where it belongs (found message "
            f"{row.message_index} of {row.conversation_id}, by the {row.speaker}); build the dataset again"
        )
