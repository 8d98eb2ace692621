"""Makes the labelled set anew: `python -m tests.audit.scan.make_labelled`.

Fifty composed calls, one of each workflow, and turns planted into them: leaks of eight kinds and clean turns that are
hard. What is planted is taken from the calls' texts by seed, or written by hand (`by_hand.py`). Nothing of the scan is
used to choose it. Every second case of a kind is held out.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from num2words import num2words  # type: ignore[import-untyped]

from factory.audit.scan.call import ScannedCall, call_of_rows
from factory.build.conversations import compose
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall
from factory.dataset.publish import conversation_row, turn_rows
from factory.workflow.library import standard_library
from tests.audit.scan import by_hand
from tests.audit.scan.stored import CALLS, LABELLED, Case, call_line, write_lines
from tests.bench.bench import scaled

SEED = 21
DRAW = 2
"""Draw of what is planted; raised whenever the held-out half was looked at and something was changed after it."""
COUNT = 90
"""Calls composed, of which the first of each workflow is kept."""
EACH = 72
"""Cases of each kind that is taken from the calls' texts."""

MONEY = r"\$\d[\d,]*(?:\.\d\d)?"
PHONE = r"\b555-\d{4}\b"
CODE = r"\b[A-Z]{2}-\d{4,}\b"
TIME = r"\b\d{1,2}:\d\d [ap]m\b"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = rf"\b(?:{MONTHS}) \d{{1,2}}(?:st|nd|rd|th)\b"


def composed() -> list[ScannedCall]:
    library = standard_library()
    engine, kept = Engine(library), {}
    for blueprint in plan_corpus(scaled(load_spec("balanced"), COUNT), library, SEED):
        if blueprint.workflow in kept:
            continue
        workflow = library.workflow(blueprint.workflow)
        call = FinishedCall(blueprint, workflow, asyncio.run(compose(engine, blueprint)), {})
        row = conversation_row(call, domain_of(workflow, [workflow]), "", {})
        kept[blueprint.workflow] = call_of_rows(row, tuple(turn_rows(call)))
    return [kept[name] for name in sorted(kept)]


# --- what a caller knows, by plain search in texts


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


# --- other spellings, apart from those of the scan


DIGIT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def one_by_one(digits: str, random: Random) -> str:
    words = ["oh" if d == "0" and i and random.random() < 0.5 else DIGIT[int(d)] for i, d in enumerate(digits)]
    return " ".join(words)


def in_pairs(digits: str) -> str:
    if len(digits) % 2 or any(digits[i] == "0" for i in range(0, len(digits), 2)):
        return " ".join(DIGIT[int(d)] for d in digits)
    return " ".join(num2words(int(digits[i : i + 2])).replace("-", " ") for i in range(0, len(digits), 2))


def respelled(literal: str, random: Random) -> str:
    if literal.startswith("$"):
        whole, _, cents = literal[1:].replace(",", "").partition(".")
        words = num2words(int(whole)).replace(",", "")
        if cents:
            return f"{words} {num2words(int(cents))}" if int(cents) >= 10 else f"{words} dollars"
        return random.choice((f"{words} dollars", f"{words} bucks", f"{words.replace(' and ', ' ')} dollars"))
    if re.fullmatch(TIME, literal):
        hour, minute = literal.split()[0].split(":")
        if minute == "30" and random.random() < 0.5:
            return f"half past {num2words(int(hour))}"
        return (
            f"{num2words(int(hour))} {'oh ' if minute[0] == '0' else ''}{num2words(int(minute))}"
            if int(minute)
            else f"{num2words(int(hour))} o'clock"
        )
    digits = re.sub(r"\D", "", literal)
    if digits[:3] == "555" and len(digits) == 7 and random.random() < 0.4:
        return f"triple five, {in_pairs(digits[3:])}"
    return one_by_one(digits, random) if random.random() < 0.6 else in_pairs(digits)


def redated(literal: str, random: Random) -> str:
    month, day = re.fullmatch(rf"({MONTHS}) (\d+)\w\w", literal).groups()  # type: ignore[union-attr]
    number, spoken = MONTHS.split("|").index(month) + 1, num2words(int(day), to="ordinal")
    return random.choice(
        (
            f"the {spoken} of {month}",
            f"{month} {spoken}",
            f"the {day}{literal[-2:]} of {month}",
            f"{number}/{day}",
            f"{month[:3]} {day}",
            f"the {spoken} of next month",
        )
    )


# --- leaks


FRAMES_VALUE = (
    "Is that the one with {x}?",
    "So it's {x}, then.",
    "Hmm, {x}, I thought so.",
    "You mean {x}, don't you?",
    "And {x} is right, isn't it?",
    "I've got {x} here.",
    "Why {x}, of all things?",
)
FRAMES_DATE = (
    "So until {x}, then?",
    "Does it have to be {x}?",
    "I'm away on {x}, I'm afraid.",
    "What if I can't make {x}?",
    "Oh, {x} is fine with me.",
)
FRAMES_WORDS = (
    "{x}, you were going to say?",
    "Yeah, {x}, I know.",
    "Okay, so {x}.",
    "I mean, {x}, right?",
    "But {x}, isn't that so?",
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


def literals(spots: Iterator[Spot], pattern: str) -> Iterator[tuple[Spot, str]]:
    for spot in spots:
        for literal in re.findall(pattern, spot.unheard):
            digits = re.sub(r"\D", "", literal)
            if literal.lower() not in spot.known and digits not in re.sub(r"\D", "", spot.known):
                yield spot, literal


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


def framed(frames: Sequence[str], words: str, spot: Spot, random: Random) -> str:
    """The words in a frame, behind what the caller really says there, or in place of it."""
    said = random.choice(frames).format(x=words)
    said = said[0].upper() + said[1:]
    real = spot.call.turns[spot.round].caller
    return f"{real} {said}" if random.random() < 0.5 and len(real or "") > 12 else said


def lowered(text: str) -> str:
    return text if re.match(r"I\b|[A-Z]{2}|I'", text) else text[0].lower() + text[1:]


# --- clean turns


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


Maker = Callable[[ScannedCall, Random], Iterator[Case]]
FROM_TEXTS: tuple[tuple[Maker, int], ...] = (
    *(
        (verbatim, EACH),
        (numbers, EACH),
        (dates, EACH),
        (halves, EACH),
        (stage_names, EACH),
        (futures, EACH - len(by_hand.FUTURE)),
    ),
    *((early_answers, EACH), (own_facts, 60), (heard_values, 60), (continued, 40), (own_hidden, 40)),
    *((freely_said, 60), (quoted, 30)),
)


def made(calls: list[ScannedCall]) -> Iterator[Case]:
    for maker, count in FROM_TEXTS:
        random = Random(f"{SEED} {DRAW} {maker.__name__}")
        by_call = [iter(list(maker(call, random))) for call in calls]
        random.shuffle(by_call)
        cases: list[Case] = []
        while by_call and len(cases) < count:
            by_call = [one for one in by_call if (case := next(one, None)) is not None and (cases.append(case) or True)]
        yield from cases[:count]
    by_id = {call.conversation_id: call for call in calls}
    for kind, leak, entries in (
        ("paraphrase", True, by_hand.PARAPHRASES),
        ("future_step", True, by_hand.FUTURE),
        ("restated", False, by_hand.RESTATED),
    ):
        for conversation, number, said in entries:
            spot = Spot(by_id[conversation], number, by_id[conversation].turns[number].undelivered if leak else "")
            yield spot.case(kind, said, leak=leak)
    random = Random(f"{SEED} {DRAW}")
    for kind, texts in (("small_talk", by_hand.SMALL_TALK), ("common_phrase", by_hand.COMMON)):
        for text in texts:
            call = random.choice(calls)
            cut = [spot.round for spot in undelivered(call)] or caller_rounds(call)
            yield Spot(call, random.choice(cut), "").case(kind, text, leak=False)


def main() -> None:
    calls = composed()
    counts: dict[str, int] = {}
    cases = []
    for case in made(calls):
        number = counts[case.kind] = counts.get(case.kind, 0) + 1
        cases.append(replace(case, id=f"{case.kind}-{number}", held_out=number % 2 == 0))
    write_lines(CALLS, map(call_line, calls))
    write_lines(LABELLED, (case.line() for case in cases))
    print(counts, CALLS.stat().st_size, LABELLED.stat().st_size)


if __name__ == "__main__":
    main()
