"""Looks for canaries where none may be: in what the caller's side was given, in what it said, in what is published.

A canary is found in disguise too, and in pieces that are spread over the turns of a call (`factory.simulate.disguise`).
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from factory.audit.expected import CALLER_ROLES, ExpectedRound
from factory.audit.findings import AddIn, Findings, Kind
from factory.audit.tally import Tally
from factory.dataset.rows import BaselineRow, ConversationRow, TurnRow
from factory.records.base import Record
from factory.simulate.canary import canary_word
from factory.simulate.disguise import Writing, canary_in, pieces_in


class CanarySearch:
    """Searches all that one call's caller side was given and said, and all that is published of the call."""

    def __init__(self, canary: str, tally: Tally, add: AddIn) -> None:
        """Takes the conversation's canary, and what counts and gets what is found."""
        self._canary = canary
        self._tally = tally
        self._add = add
        self._known: dict[str, Writing | None] = {}

    def search(self, conversation: ConversationRow, rows: Sequence[TurnRow], rounds: Sequence[ExpectedRound]) -> None:
        """Searches one call.

        Args:
            conversation: Its row.
            rows: Its messages.
            rounds: The same as rounds, with the rebuilt inputs of the caller's side.
        """
        for expected in rounds:
            if expected.caller is None or expected.views is None:
                continue
            number = expected.agent.round
            for role, view in zip(CALLER_ROLES, expected.views, strict=True):
                self._look(view, Kind.CANARY_HEARD, f"the {role.value} was given a canary", number)
            self._look(expected.caller.text, Kind.CANARY_HEARD, "the caller says a canary", number)
        self._look_across(rounds)
        for row in rows:
            self._look(row, Kind.CANARY_PUBLISHED, f"message {row.message_index} holds a canary", row.round)
        self._look(conversation, Kind.CANARY_PUBLISHED, "the row of conversations.parquet holds a canary", None)

    def _look(self, where: Record | str, kind: Kind, message: str, round: int | None) -> None:
        self._tally.searched += 1
        writing = self._writing(where)
        if writing is not None:
            self._tally.found += 1
            self._add(kind, _told(message, writing), round)

    def _look_across(self, rounds: Sequence[ExpectedRound]) -> None:
        """Looks for pieces that lie in several turns, each of which by itself may be anything."""
        spoke = [expected.caller for expected in rounds if expected.caller is not None]
        series = {
            "what the caller was told holds a canary": [expected.agent.heard for expected in rounds],
            "the caller plans to say a canary": [caller.reaction_plan.gist for caller in spoke],
            "the caller says a canary": [caller.text for caller in spoke],
        }
        for message, texts in series.items():
            if pieces_in(texts, self._canary):
                self._tally.found += 1
                self._add(Kind.CANARY_HEARD, _told(message, Writing.PIECES), None)

    def _writing(self, where: Record | str) -> Writing | None:
        """How a text, or any text in a record, holds a canary; each text is looked at once.

        What is new is looked at in one go, since nearly always nothing is in it.
        """
        texts = list(_texts(where))
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        together = canary_in("\n".join(new), self._canary) if new else None
        self._known.update({text: together and canary_in(text, self._canary) for text in new})
        return next((found for text in texts if (found := self._known[text]) is not None), together)


def _texts(value: object) -> Iterator[str]:
    """Every text in a record, at any depth, also in names; no members of closed sets, and no sound."""
    if isinstance(value, Enum | bytes):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, Record):
        yield from _texts(tuple(value.__dict__.values()))
    elif isinstance(value, dict):
        yield from _texts((*value.keys(), *value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def search_recoveries(rows: Iterable[BaselineRow], seed: int, tally: Tally, findings: Findings) -> None:
    """Searches the published recoveries.

    Args:
        rows: The rows of `baseline.parquet`.
        seed: What the canaries of the run come from.
        tally: Counts what is searched and found.
        findings: Gets what is found.
    """
    for row in rows:
        tally.searched += 1
        writing = canary_in(row.response, canary_word(seed, row.conversation_id))
        if writing is not None:
            tally.found += 1
            message = _told("a recovery in baseline.parquet holds a canary", writing)
            findings.add(Kind.CANARY_PUBLISHED, message, row.conversation_id, row.turn - 1)


def _told(message: str, writing: Writing) -> str:
    """A message with the writing, where that is not the plain one."""
    return message if writing is Writing.PLAIN else f"{message}, {writing.value}"
