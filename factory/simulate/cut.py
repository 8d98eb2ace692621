"""The cutter: where a caller cuts in, decided by code from the words alone.

The cut falls in the first sentence of the planned act, mid-thought: never in the utterance's last sentence,
never on a sentence's end, with enough heard and enough left. Onset and cut are so far apart that an overlap
in the type's range can be had at any pace from 2 to 4 words a second, so audio never changes the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from factory.errors import FactoryError
from factory.records.conversation import Cut, Segment
from factory.records.enums import InterruptionType
from factory.speech import say
from factory.workflow.sentences import sentences

HEARD_WORDS = 3
"""Words of the cut sentence that are delivered at the least; two of them end before the onset."""
LEFT_WORDS = 3
"""Words of the cut sentence that stay undelivered at the least."""
SLOWEST_WPS, FASTEST_WPS = 2.0, 4.0
"""The paces, in words a second, at which every cut has to work."""

OVERLAP_S: dict[InterruptionType, tuple[float, float]] = {
    InterruptionType.FILLER: (0.15, 0.50),
    InterruptionType.IMPATIENT: (0.40, 1.20),
    InterruptionType.CORRECTION: (0.40, 1.20),
    InterruptionType.PUSHBACK: (0.15, 1.20),
    InterruptionType.NORMAL: (0.15, 1.20),
    InterruptionType.TOPIC_SWITCH: (0.15, 1.20),
}
"""Least and most overlap in seconds, by type (IHBench, rules of the cut)."""

_FUNCTION_WORDS = (
    "a an and are as at be been but by can could do for from had has have he her his i if in is it its me my of on or "
    "our she so some than that the their them then there they this to us was we were will with would which who you "
    "your id ill im ive thats theres theyd theyll theyre theyve weve youd youll youre youve"
)
IN_PASSING = frozenset(_FUNCTION_WORDS.split())
"""Function words, as their letters alone: fluent English says them without stress."""
_MOST_OVERLAPPED = 6
"""Words between onset and cut at the most."""
_SPARE_S = 0.06
"""What no word is sure of: some are said quicker than the others of their length."""
_MONEY = re.compile(r"[$€£¥]|^[A-Z]{3}$")
_PAUSING = ",;:.!?…"


class CutNotPossible(FactoryError):
    """The words offer no place for a cut; the agent's turn is worded anew."""


@dataclass(frozen=True)
class Sentence:
    """A sentence's place among the words of an utterance: first and last word index."""

    first: int
    last: int
    segment: int


def sentence_spans(segments: Sequence[Segment]) -> tuple[Sentence, ...]:
    """The sentences of an utterance as word spans; a sentence never reaches over two segments."""
    spans: list[Sentence] = []
    word = 0
    for index, segment in enumerate(segments):
        for sentence in sentences(segment.text):
            count = len(sentence.split(" "))
            spans.append(Sentence(word, word + count - 1, index))
            word += count
    return tuple(spans)


def nominal_duration_s(word: str, words_per_s: float) -> float:
    """Seconds that a word takes at a pace.

    A word of five letters takes exactly one beat; a fixed part of 18 % stands for what every word costs, the rest grows
    with its letters, and a digit, which is a word when it is said, counts as five. Words that are said in passing take
    half of it. Both were measured: word times in 132 utterances of this corpus's agents by the embedded engine have
    medians of 0.25 s for other words of four letters, 0.44 s of eight, and 0.08 s for "the".
    """
    size = sum(5 if c.isdigit() else 1 for c in word if c.isalnum()) or 1
    said_in_passing = "".join(c for c in word.casefold() if c.isalpha()) in IN_PASSING
    return (0.18 + 0.82 * size / 5) / words_per_s * (0.5 if said_in_passing else 1.0)


def overlap_window_s(words: Sequence[str], cut: Cut, words_per_s: float) -> tuple[float, float]:
    """Least and most overlap: the caller starts between the onset word's end and the next word's end."""
    spoken = [nominal_duration_s(w, words_per_s) for w in words[cut.onset_word + 1 : cut.cut_word + 1]]
    return sum(spoken[1:]), sum(spoken)


def overlap_can_be_had(words: Sequence[str], cut: Cut, kind: InterruptionType, spare_s: float = 0.0) -> bool:
    """Whether the type's range of overlap, less what is to be spared at both ends, can be met at either pace."""
    low, high = OVERLAP_S[kind]
    for pace in (SLOWEST_WPS, FASTEST_WPS):
        least, most = overlap_window_s(words, cut, pace)
        if least > high - spare_s or most < low + spare_s:
            return False
    return True


def choose_cut(segments: Sequence[Segment], act: int, kind: InterruptionType, rng: Random) -> Cut:
    """Chooses onset and cut in the first sentence of a segment.

    Args:
        segments: The utterance as meant.
        act: Index of the segment that gets cut; what the caller acts on lies before it.
        kind: The interruption type; decides the overlap that must be possible.
        rng: Chooses among the possible pairs; the middle of the sentence is preferred.

    Raises:
        CutNotPossible: if no pair fits every rule.
    """
    spans = sentence_spans(segments)
    span = next(s for s in spans if s.segment == act)
    if span is spans[-1]:
        raise CutNotPossible("the planned act stands in the last sentence, which is never cut")
    words = " ".join(s.text for s in segments).split(" ")
    speakable = _speakable(words[span.first : span.last + 1], span.first)
    pairs = [
        Cut(onset_word=onset, cut_word=cut)
        for cut in range(span.first + HEARD_WORDS - 1, span.last - LEFT_WORDS + 1)
        for onset in range(max(span.first + 1, cut - _MOST_OVERLAPPED), cut)
        if {onset, onset + 1, cut} <= speakable and overlap_can_be_had(words, Cut(onset_word=onset, cut_word=cut), kind)
    ]
    if not pairs:
        raise CutNotPossible(f"no onset and cut in the {span.last - span.first + 1} words of the sentence fit")
    ample = [p for p in pairs if overlap_can_be_had(words, p, kind, _SPARE_S)]
    pairs = ample or pairs
    # Mid-thought, and no pause from the onset on: nobody knows how long it would be.
    fluent = [p for p in pairs if not any(word[-1] in _PAUSING for word in words[p.onset_word : p.cut_word + 1])]
    pairs = fluent or [p for p in pairs if words[p.cut_word][-1] not in _PAUSING] or pairs
    middle = (span.first + span.last) / 2
    reach = max(2.0, (span.last - span.first) / 4)
    central = [p for p in pairs if abs(p.cut_word - middle) <= reach]
    return rng.choice(central or pairs)


def _speakable(words: Sequence[str], first: int) -> frozenset[int]:
    """Which words of a sentence, counted from `first`, have an end of their own when they are said.

    A dash has no sound, and "$35 million" is said as one thing.
    """
    said = {place for place, word in enumerate(words) if any(character.isalnum() for character in word)}
    if any(_MONEY.search(word) for word in words):
        spoken = say(" ".join(words))
        said = {place for place in said if not spoken.is_shared(place)}
    return frozenset(first + place for place in said)


def cut_faults(segments: Sequence[Segment], cut: Cut, kind: InterruptionType) -> tuple[str, ...]:
    """What is wrong with a cut, in words; empty where every rule holds. Used on files by the auditor."""
    spans = sentence_spans(segments)
    words = " ".join(s.text for s in segments).split(" ")
    if cut.cut_word >= len(words):
        return ("the cut word lies behind the utterance's end",)
    span = next(s for s in spans if s.first <= cut.cut_word <= s.last)
    faults = []
    if span is spans[-1]:
        faults.append("the cut falls in the last sentence")
    if cut.cut_word == span.last:
        faults.append("the cut falls on a sentence's end")
    if cut.onset_word < span.first + 1:
        faults.append("the caller starts before two words of the sentence were heard")
    if span.last - cut.cut_word < LEFT_WORDS:
        faults.append(f"fewer than {LEFT_WORDS} words of the sentence are left")
    if not overlap_can_be_had(words, cut, kind):
        low, high = OVERLAP_S[kind]
        faults.append(f"no overlap of {low} to {high} s is possible at every pace")
    return tuple(faults)
