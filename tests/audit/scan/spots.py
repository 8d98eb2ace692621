"""Places in a call where something unheard can be said, found by plain search in its texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from factory.audit.scan.call import ScannedCall
from tests.audit.scan.stored import Case

FRAMES_VALUE = (
    "Is that the one with {x}?",
    "So it's {x}, then.",
    "Hmm, {x}, I thought so.",
    "You mean {x}, don't you?",
    "And {x} is right, isn't it?",
    "I've got {x} here.",
    "Why {x}, of all things?",
)
FRAMES_WORDS = (
    "{x}, you were going to say?",
    "Yeah, {x}, I know.",
    "Okay, so {x}.",
    "I mean, {x}, right?",
    "But {x}, isn't that so?",
)


def known_text(call: ScannedCall, number: int, released: bool = True) -> str:
    """All that reached the caller by round `number`, as one text."""
    texts = list(call.own)
    for turn in call.turns[: number + 1]:
        texts += turn.released if released else ()
        texts.append(turn.heard)
    for turn in call.turns[:number]:
        texts += [turn.talked_over, turn.caller or ""]
    return plain(" ".join(texts))


def plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9$:.@'-]+", text.lower().replace("’", "'"))).replace(". ", " ")


def caller_rounds(call: ScannedCall) -> list[int]:
    return [n for n, turn in enumerate(call.turns) if turn.caller]


@dataclass(frozen=True)
class Spot:
    """A place in a call where something unheard can be said."""

    call: ScannedCall
    round: int
    unheard: str

    @property
    def known(self) -> str:
        return known_text(self.call, self.round)

    def case(self, kind: str, said: str, leak: bool = True, **more: object) -> Case:
        return Case("", kind, leak, False, self.call.conversation_id, self.round, said, unheard=self.unheard, **more)  # type: ignore[arg-type]


def undelivered(call: ScannedCall) -> Iterator[Spot]:
    for n in caller_rounds(call):
        if call.turns[n].undelivered:
            yield Spot(call, n, call.turns[n].undelivered)


def to_come(call: ScannedCall, least: int = 1) -> Iterator[Spot]:
    for n in caller_rounds(call):
        for turn in call.turns[n + least :]:
            for part in turn.parts:
                if part.planned:
                    yield Spot(call, n, part.text)


def base(call: ScannedCall) -> Iterator[Spot]:
    for n in caller_rounds(call):
        for passage in (*call.stage_texts, *call.guidelines, *call.known_user):
            yield Spot(call, n, passage.text)


def literals(spots: Iterator[Spot], pattern: str) -> Iterator[tuple[Spot, str]]:
    for spot in spots:
        for literal in re.findall(pattern, spot.unheard):
            digits = re.sub(r"\D", "", literal)
            if literal.lower() not in spot.known and digits not in re.sub(r"\D", "", spot.known):
                yield spot, literal


def framed(frames: Sequence[str], words: str, spot: Spot, random: Random) -> str:
    """The words in a frame, behind what the caller really says there, or in place of it."""
    said = random.choice(frames).format(x=words)
    said = said[0].upper() + said[1:]
    real = spot.call.turns[spot.round].caller
    return f"{real} {said}" if random.random() < 0.5 and len(real or "") > 12 else said


def lowered(text: str) -> str:
    return text if re.match(r"I\b|[A-Z]{2}|I'", text) else text[0].lower() + text[1:]
