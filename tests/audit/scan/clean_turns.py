"""Turns that are clean and look as if they leaked: all that they say had reached their caller."""

import re
from collections.abc import Iterator
from random import Random

from factory.audit.scan.call import ScannedCall
from tests.audit.scan.spelling import CODE, DATE, MONEY, PHONE, TIME, redated, respelled
from tests.audit.scan.spots import (
    FRAMES_VALUE,
    FRAMES_WORDS,
    Spot,
    base,
    caller_rounds,
    framed,
    literals,
    lowered,
    to_come,
    undelivered,
)
from tests.audit.scan.stored import Case


def own_facts(call: ScannedCall, random: Random) -> Iterator[Case]:
    """Values of the agent's that the caller has from elsewhere, spelled otherwise."""
    pattern = "|".join((MONEY, PHONE, CODE, TIME, DATE))
    found = [*literals(undelivered(call), pattern), *literals(base(call), pattern), *literals(to_come(call), pattern)]
    for spot, literal in random.sample(found, min(len(found), 3)):
        other = redated(literal, random) if re.fullmatch(DATE, literal) else respelled(literal, random)
        if other.endswith("of next month"):
            other = literal
        own = random.choice(
            ("has {x} noted on a slip of paper", "was told {x} at the counter", "remembers {x} from last year")
        )
        said = framed(FRAMES_VALUE, other, spot, random)
        yield spot.case("own_fact", said, leak=False, own=(own.format(x=literal),))


def heard_values(call: ScannedCall, random: Random) -> Iterator[Case]:
    """Values that the agent has said, in another spelling."""
    pattern = "|".join((MONEY, PHONE, CODE, TIME, DATE))
    found = [
        (Spot(call, n, literal), literal)
        for n in caller_rounds(call)
        for turn in call.turns[: n + 1]
        for literal in re.findall(pattern, turn.heard)
    ]
    for spot, literal in random.sample(found, min(len(found), 2)):
        other = redated(literal, random) if re.fullmatch(DATE, literal) else respelled(literal, random)
        yield spot.case("heard_value", framed(FRAMES_VALUE, other, spot, random), leak=False)


def continued(call: ScannedCall, random: Random) -> Iterator[Case]:
    """What a filler cut, said again once the agent has gone on with it."""
    for n in caller_rounds(call)[:-1]:
        rest, after = call.turns[n].undelivered, call.turns[n + 1]
        if not rest or not after.caller or not after.heard.startswith(rest[:20]):
            continue
        words = after.heard.split()
        if len(words) >= 6:
            start = random.randint(0, len(words) - 6)
            piece = " ".join(words[start : start + random.randint(4, 6)]).strip(".,;:!?")
            spot = Spot(call, n + 1, piece)
            yield spot.case("repeat_after_filler", framed(FRAMES_WORDS, lowered(piece), spot, random), leak=False)


def own_hidden(call: ScannedCall, random: Random) -> Iterator[Case]:
    for text in call.hidden:
        spot = Spot(call, random.choice(caller_rounds(call)), text)
        said = random.choice(("The thing with me is, {x}.", "Well, my story is this, {x}.", "Just so you know, {x}."))
        yield spot.case("own_hidden", said.format(x=re.sub(r"^(?:is|has) ", "", text)), leak=False)


def freely_said(call: ScannedCall, random: Random) -> Iterator[Case]:
    """What the caller really says there, without the line that it was made from: only its other wordings are left."""
    rounds = [n for n in caller_rounds(call) if len((call.turns[n].caller or "").split()) > 6]
    rounds = [n for n in rounds if not call.turns[n].facts]
    for n in random.sample(rounds, min(2, len(rounds))):
        yield Spot(call, n, "").case("freely_said", call.turns[n].caller or "", leak=False, unreleased=True)


def quoted(call: ScannedCall, random: Random) -> Iterator[Case]:
    """The agent's own words said back."""
    n = random.choice([n for n in caller_rounds(call) if len(call.turns[n].heard.split()) > 8])
    words = call.turns[n].heard.split()
    start = random.randint(0, len(words) - 6)
    piece = " ".join(words[start : start + 6]).strip(".,;:!?")
    yield Spot(call, n, piece).case(
        "quote", framed(FRAMES_WORDS, lowered(piece), Spot(call, n, piece), random), leak=False
    )
