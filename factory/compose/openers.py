"""Small starts of spoken messages ("Uh,", "Sorry,"), and where one reads well."""

import re

from factory.workflow.phrases import bare_words
from factory.workflow.sentences import sentences

_LOWERABLE = frozenset(
    """
    a about actually after again all also an and any are as at back because before best both but by can can't
    cause could couldn't did didn't do does doesn't don't either every everything for from give go got had has
    have he her here here's his hmm hold how if in is isn't it it'd it'll it's just last let let's look make
    maybe mine most my neither next no nobody nope not nothing now of off oh okay on once one only or other our
    out people please probably put quick really said same say send she should shouldn't since so some somebody
    someone something sometimes somewhere still sure take tell thanks that that'd that'll that's the their them
    then there there's these they they'd they'll they're they've this those though to too two uh um until use
    wait was wasn't we we'd we'll we're we've well were what what'd what's when when's where where's which
    while who who's whose why will with won't would wouldn't yeah yep yes you you'd you'll you're you've your
    """.split()  # noqa: SIM905  (a list of two hundred quoted words is no easier to read)
)
"""Words whose capital only says that a sentence begins."""

_FIRST_PERSON = frozenset({"I", "I'm", "I've", "I'd", "I'll"})

_STARTS = frozenset(
    {"and", "but", "so", "oh", "well", "wait", "yeah", "yep", "yes", "okay", "hmm", "um", "uh", "sorry"}
)
_ANSWERS = frozenset({"yes", "yeah", "yep", "no", "nope", "hi", "hello", "hey"})
"""Words of a line that has its own way to begin, wherever they stand."""
_OPEN = frozenset(
    {"what", "what's", "which", "how", "how's", "when", "when's", "where", "where's", "who", "who's", "why"}
)
"""Words of a question that yes or no does not answer."""
_REFUSALS = frozenset({"no", "nope", "not", "never", "neither", "nothing", "none"})
_AGREEMENTS = frozenset({"yeah", "okay", "right", "yep", "yes", "so"})
"""Words with which a start agrees or concludes, where they end it: "Yeah, but wait," does neither."""
_IMPERFECT = re.compile(r"\b(?:uh|um|er|hmm|you know|i mean)\b|\blike,", re.IGNORECASE)
_BEFORE_VALUE = re.compile(r"(?<=[\w']) \{")
_CLAUSE = re.compile(
    r"(?<=[\w'},] )(and|but|because) (?=(?:I|we|he|she|they|it|that|there|you|my|the|nobody|somebody)(?:'\w+)?\b)"
)
_NAMING = re.compile(r"\b([Ii]t's|[Tt]hat's|[Tt]here's|[Ii]t was|[Ii]s that) (?=(?:a|an|the|my|our|from|about|for) )")
_EARLY = re.compile(r"\b(?:uh|um|like|i mean|you know|hmm|wait|sorry|actually)\b", re.IGNORECASE)


def hesitates(text: str) -> bool:
    """Whether a line begins with a small start of its own, agrees or greets, or hesitates in its first words."""
    answers = not _ANSWERS.isdisjoint(bare_words(text))
    early = " ".join(text.split()[:4])
    return _first_word(text).lower() in _STARTS or answers or bool(_EARLY.search(early))


def refuses(text: str) -> bool:
    """Whether a line says no, so that a start that agrees does not fit."""
    words = [word.strip(",.!?") for word in text.lower().split()]
    return any(w in _REFUSALS or w.endswith("n't") for w in words) or text.lower().startswith("i'd rather")


def agrees(start: str) -> bool:
    """Whether a small start agrees or concludes, and so does not stand before a refusal."""
    return not _AGREEMENTS.isdisjoint(bare_words(start)[-1:])


def asks_openly(text: str) -> bool:
    """Whether the last question in a text asks for more than yes or no ("Which day suits you?")."""
    asked = [sentence for sentence in sentences(text) if sentence.endswith("?")]
    return bool(asked) and not _OPEN.isdisjoint(bare_words(asked[-1]))


def can_follow(text: str) -> bool:
    """Whether a line reads well behind a comma: its first word can be written small, or need not be."""
    first = _first_word(text)
    return first.lower() in _LOWERABLE or first in _FIRST_PERSON or text[0] in "{0123456789$"


def behind(start: str, text: str) -> str:
    """A line behind a start; a capital that only began the sentence goes."""
    first = _first_word(text)
    if not start.endswith((".", "?", "!")) and first.lower() in _LOWERABLE and first not in _FIRST_PERSON:
        text = text[:1].lower() + text[1:]
    return f"{start} {text}"


def pausing(text: str, pause: str, search: str) -> str:
    """A line with a pause where people make one; one that hesitates anywhere already stays as it is.

    Before the first value that is looked for ("It's, uh, {visit_day}."), or else where a clause or the name of a
    thing begins ("but, uh, I can't", "it's, um, the letter").

    Args:
        text: The line.
        pause: A sound of hesitation with its comma.
        search: What is said instead while a value is looked for.
    """
    if _IMPERFECT.search(text):
        return text
    if _BEFORE_VALUE.search(text):
        return _BEFORE_VALUE.sub(f", {search} {{", text, count=1)
    clause = _CLAUSE if _CLAUSE.search(text) else _NAMING
    return clause.sub(rf"\1, {pause} ", text, count=1)


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0].rstrip(",.!?")
