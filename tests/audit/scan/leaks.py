"""Turns that leak: each says something that its caller had not heard."""

import re
from collections.abc import Iterator
from dataclasses import replace
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
    plain,
    to_come,
    undelivered,
)
from tests.audit.scan.stored import Case

FRAMES_DATE = (
    "So until {x}, then?",
    "Does it have to be {x}?",
    "I'm away on {x}, I'm afraid.",
    "What if I can't make {x}?",
    "Oh, {x} is fine with me.",
)
FRAMES_HALF = (
    "What's that about {x}, though?",
    "I don't care about {x}.",
    "Hold on, did somebody say {x}?",
    "My sister had trouble with {x} once.",
    "As for {x}, I'm not so sure.",
    "Is it because of {x}, or what?",
)
FRAMES_STAGE = (
    "Are we still at {x}?",
    "So next is {x}, I suppose.",
    "Can we do {x} first?",
    "I thought we'd begin with {x}.",
    "Let's just {x} and be done.",
)
FRAMES_FUTURE = (
    "Aren't you going to tell me that {x}?",
    "And after that you'll say {x}.",
    "Let's get to where {x}, please.",
    "I know already, {x}.",
)
FRAMES_ANSWER = (
    "Before you ask, {x}",
    "You'll want to know this as well. {x}",
    "And so you have it, {x}",
    "{x}",
)


def numbers(call: ScannedCall, random: Random) -> Iterator[Case]:
    pattern = "|".join((MONEY, PHONE, CODE, TIME))
    found = [*literals(undelivered(call), pattern), *literals(base(call), pattern), *literals(to_come(call), pattern)]
    for spot, literal in random.sample(found, min(len(found), 3)):
        yield spot.case("number_respelled", framed(FRAMES_VALUE, respelled(literal, random), spot, random))


def dates(call: ScannedCall, random: Random) -> Iterator[Case]:
    found = [*literals(undelivered(call), DATE), *literals(base(call), DATE), *literals(to_come(call), DATE)]
    for spot, literal in random.sample(found, min(len(found), 4)):
        yield spot.case("date_rephrased", framed(FRAMES_DATE, redated(literal, random), spot, random))


def verbatim(call: ScannedCall, random: Random) -> Iterator[Case]:
    spots = [*undelivered(call), *random.sample([*base(call)], 12)]
    for spot in random.sample(spots, len(spots)):
        words = spot.unheard.split()
        length = random.randint(6, 10)
        if len(words) < length:
            continue
        start = random.randint(0, len(words) - length)
        piece = " ".join(words[start : start + length]).strip(".,;:!?")
        if not re.search(r"[.?!]", piece) and plain(piece) not in spot.known:
            yield replace(spot, unheard=piece).case("verbatim", framed(FRAMES_WORDS, lowered(piece), spot, random))


def halves(call: ScannedCall, random: Random) -> Iterator[Case]:
    """The first or the second half of a clause of seven words or more, with a word in it that nobody said before."""
    spots = [*undelivered(call), *random.sample([*to_come(call)], 12)]
    for spot in random.sample(spots, len(spots)):
        clauses = [c.split() for c in re.split(r"[.,?!;:]", spot.unheard) if len(c.split()) >= 7]
        for words in random.sample(clauses, len(clauses)):
            middle = (len(words) + 1) // 2
            piece = " ".join(random.choice((words[:middle], words[middle - 1 :])))
            new = [w for w in re.findall(r"[a-z]{6,}", plain(piece)) if w not in spot.known]
            if new and not re.search(r"\d", piece):
                yield replace(spot, unheard=piece).case(
                    "half_phrase", framed(FRAMES_HALF, lowered(piece), spot, random)
                )
                break


def stage_names(call: ScannedCall, random: Random) -> Iterator[Case]:
    for name in random.sample(call.stages, len(call.stages)):
        spot = Spot(call, random.choice(caller_rounds(call)), name)
        if len(name.split()) > 1 and plain(name) not in spot.known:
            yield spot.case("stage_name", framed(FRAMES_STAGE, lowered(name), spot, random))


def futures(call: ScannedCall, random: Random) -> Iterator[Case]:
    spots = [*to_come(call, least=2)]
    for spot in random.sample(spots, len(spots)):
        clause = re.split(r"[,.;:]", spot.unheard)[0]
        if "?" not in spot.unheard and len(clause.split()) >= 6 and plain(clause) not in spot.known:
            yield spot.case("future_step", framed(FRAMES_FUTURE, lowered(clause), spot, random))


def early_answers(call: ScannedCall, random: Random) -> Iterator[Case]:
    for n in random.sample(caller_rounds(call), len(caller_rounds(call))):
        turn = call.turns[n]
        facts = [f for f in turn.facts if re.search(r"\d", f) or len(f.split()) > 1]
        asked = next((m for m, t in enumerate(call.turns) if turn.question in t.asked), n)
        earlier = [m for m in caller_rounds(call) if m < asked]
        if turn.question is None or not earlier:
            continue
        spot = Spot(call, random.choice(earlier), "")
        texts = [a for a in turn.answers if any(f in a for f in facts) and plain(a) not in spot.known]
        texts = [a for a in texts if not any(plain(f) in spot.known for f in facts)]
        if texts:
            answer = random.choice(texts)
            said = random.choice(FRAMES_ANSWER).format(x=answer)
            yield replace(spot, unheard=answer).case("unasked_answer", said)
