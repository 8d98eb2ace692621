"""The labelled set as it is stored: calls once, and cases that change one turn of them."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from factory.audit.scan.call import AgentPart, Passage, ScannedCall, ScannedTurn

HERE = Path(__file__).parent
CALLS = HERE / "calls.jsonl"
LABELLED = HERE / "labelled.jsonl"


@dataclass(frozen=True)
class Case:
    """One turn with a label.

    Attributes:
        kind: Of the leak, or of what makes a clean turn hard.
        leak: Whether the turn gives away what was not heard.
        held_out: Whether it is kept for measuring; the others set the thresholds.
        said: The caller's words in `round` of `call`.
        own: What this caller knows beside what the call has of them.
        unreleased: Whether the line that the caller's words were made from is left out of those that were handed
            over, as if they spoke freely.
        unheard: The words that it leaks, in a leak.
    """

    id: str
    kind: str
    leak: bool
    held_out: bool
    call: str
    round: int
    said: str
    own: tuple[str, ...] = ()
    unreleased: bool = False
    unheard: str = ""

    def line(self) -> str:
        return json.dumps({k: v for k, v in vars(self).items() if v or k in ("leak", "round")}, ensure_ascii=False)

    def in_call(self, call: ScannedCall) -> ScannedCall:
        """The call with this turn in its place."""
        turns = list(call.turns)
        turn = turns[self.round]
        lines = tuple(line for line in turn.released if not (self.unreleased and _is_source(line, self.said)))
        turns[self.round] = replace(turn, caller=self.said, plan="", released=lines)
        return replace(call, turns=tuple(turns), own=(*call.own, *self.own))


def _is_source(line: str, said: str) -> bool:
    words = set(re.findall(r"[a-z']+", line.lower()))
    return len(words & set(re.findall(r"[a-z']+", said.lower()))) >= 0.7 * len(words)


def call_line(call: ScannedCall) -> str:
    """A call as a line: the agent's parts, and how far into them was heard and delivered."""
    kept = {name: getattr(call, name) for name in ("conversation_id", "topic", "stages", "own", "hidden")}
    for name in ("stage_texts", "guidelines", "known_user"):
        kept[name] = [[p.place, p.text] for p in getattr(call, name)]
    kept["turns"] = [_stored_turn(turn) for turn in call.turns]
    return json.dumps(kept, ensure_ascii=False)


def _stored_turn(turn: ScannedTurn) -> dict[str, object]:
    stored: dict[str, object] = {
        "agent": [[int(part.planned), part.text] for part in turn.parts],
        "heard": len(turn.heard),
    }
    if turn.undelivered:
        text = " ".join(part.text for part in turn.parts)
        stored["delivered"] = len(text) - len(turn.undelivered)
    for name, value in (
        ("caller", turn.caller),
        ("released", turn.released),
        ("answers", turn.answers),
        ("facts", turn.facts),
        ("asked", sorted(turn.asked)),
        ("question", turn.question),
    ):
        if value:
            stored[name] = value
    return stored


def _turn(stored: dict) -> ScannedTurn:  # type: ignore[type-arg]
    parts = tuple(AgentPart(text, bool(planned)) for planned, text in stored["agent"])
    text = " ".join(part.text for part in parts)
    heard, delivered = stored["heard"], stored.get("delivered", len(text))
    return ScannedTurn(
        heard=text[:heard],
        talked_over=text[heard:delivered].strip(),
        undelivered=text[delivered:].strip(),
        parts=parts,
        caller=stored.get("caller"),
        released=tuple(stored.get("released", ())),
        answers=tuple(stored.get("answers", ())),
        facts=tuple(stored.get("facts", ())),
        asked=frozenset(stored.get("asked", ())),
        question=stored.get("question"),
    )


@cache
def stored_calls() -> dict[str, ScannedCall]:
    """The calls by id."""
    return {call.conversation_id: call for call in map(_call, CALLS.read_text().splitlines())}


def _call(line: str) -> ScannedCall:
    data = json.loads(line)
    passages = {
        name: tuple(Passage(place, text) for place, text in data.pop(name))
        for name in ("stage_texts", "guidelines", "known_user")
    }
    turns = tuple(map(_turn, data.pop("turns")))
    names = ("stages", "own", "hidden")
    rest = {name: tuple(data.pop(name)) for name in names}
    return ScannedCall(**data, **rest, **passages, turns=turns, with_releases=True)


@cache
def stored_cases() -> tuple[Case, ...]:
    """All cases."""
    return tuple(map(_case, LABELLED.read_text().splitlines()))


def _case(line: str) -> Case:
    data = json.loads(line)
    data["own"] = tuple(data.get("own", ()))
    data.setdefault("held_out", False)
    return Case(**data)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))
