"""Ids of data items, as the ledger has them: what they name, and in which attempt at which round."""

import re
from dataclasses import dataclass

_MADE_BY_CODE = {
    "entry": "order",
    "meant": "history as meant",
    "delivered": "history as delivered",
    "heard": "history as heard",
    "slots": "values given so far",
    "values": "values given so far",
    "answered": "question just answered",
    "after": "type of the interruption before",
    "type": "type of interruption",
    "rest": "rest of a turn",
    "cut_utterance": "utterance as meant, without canary",
    "edited_utterance": "utterance to edit",
    "lines": "released lines",
    "facts": "released facts",
    **{f"{role}_seed": "seed" for role in ("planner", "assistant", "cutter", "reaction", "user", "control")},
}
_MADE_BY_CALLS = {
    "plan": "agent's plan",
    "utterance": "utterance as meant",
    "cut": "place of the cut",
    "reaction": "reaction plan",
    "caller": "caller's words",
    "rubric": "rubric",
    "controls": "controls",
    "rerun": "decision to run again",
    "edit": "agent's words as settled",
}
_OF_A_ROUND = _MADE_BY_CODE | _MADE_BY_CALLS
_OF_THE_CALL = {"workflow": "workflow", "intent": "intent", "system_message": "system message"}
_WORDS = _OF_A_ROUND | _OF_THE_CALL | {"findings": "findings"}

_ROUND_FORM = re.compile(r"r(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})/([a-z_]+)")
_FINDINGS_FORM = re.compile(r"(0|[1-9]\d{0,5})/findings")


@dataclass(frozen=True, slots=True)
class ItemId:
    """What an id names.

    Attributes:
        name: The item's name in its round, or in the call.
        round: None where it belongs to no round.
        attempt: None where it belongs to no round.
    """

    name: str
    round: int | None = None
    attempt: int | None = None

    @property
    def words(self) -> str:
        """What it is, for people."""
        return _WORDS[self.name]


def id_of(round: int, attempt: int, name: str) -> str:
    """The id of an item of a round."""
    return f"r{round}.{attempt}/{name}"


def parse(item: str) -> ItemId | None:
    """What an id names; None if it is of no form that an id has."""
    if match := _ROUND_FORM.fullmatch(item):
        return ItemId(match[3], int(match[1]), int(match[2])) if match[3] in _OF_A_ROUND else None
    if item in _OF_THE_CALL:
        return ItemId(item)
    return ItemId("findings") if _FINDINGS_FORM.fullmatch(item) else None
