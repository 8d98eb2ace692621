"""Near-duplicate turns: turns that come again, almost word for word, in another call.

Two turns are alike where at most a fifth of the words of both, taken together, have to be taken out or put in
to make one of the other (`rapidfuzz`, Indel distance over words). Which turns are compared is found by their rarest
words, and misses nothing: see `_prefix`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rapidfuzz.distance import Indel

from factory.quality.measured import Measured
from factory.quality.turns import Turn, Turns, Words, of_side
from factory.records.enums import Speaker

FEWEST_WORDS: Final = 6
"""Own words of a turn that counts: shorter ones are common English."""
CORPUS_GROUP: Final = 45
"""Calls among which a corpus's duplicates are looked for, so that corpora of different size compare."""
WORKFLOW_GROUP: Final = 10
"""Calls among which one workflow's duplicates are looked for."""

Token = tuple[str, int]
"""A word with how often it stood in the turn before, so that a turn's words become a set."""


def near_duplicates(calls: Sequence[Turns], side: Speaker, group: int) -> Measured | None:
    """The share of turns that have a near duplicate in another call of their group, over all full groups.

    Args:
        calls: The calls, in a seeded order.
        side: Whose turns.
        group: Calls of a group.

    Returns:
        The share, with the turn that comes again in the most calls; None where no turn is long enough.
    """
    total = again = most = 0
    place = None
    for members in _groups(calls, group):
        turns = [turn for call in members for turn in of_side(call, side) if len(turn.own_words) >= FEWEST_WORDS]
        others = elsewhere(turns)
        total += len(turns)
        for turn in turns:
            calls_alike = others[turn.own_words] - {turn.conversation_id}
            again += bool(calls_alike)
            if len(calls_alike) > most:
                most = len(calls_alike)
                place = turn.place(f"almost the same is said in {most} of {len(members) - 1} other calls")
    return Measured(again / total, place, enough=len(calls) >= group) if total else None


def elsewhere(turns: Iterable[Turn]) -> Mapping[Words, set[str]]:
    """For the own words of every turn, the ids of all calls in which something alike is said, its own included."""
    said: defaultdict[Words, set[str]] = defaultdict(set)
    for turn in turns:
        said[turn.own_words].add(turn.conversation_id)
    found = {words: set(calls) for words, calls in said.items()}
    for one, other in _candidates(tuple(said)):
        if alike(one, other):
            found[one] |= said[other]
            found[other] |= said[one]
    return found


def alike(one: Words, other: Words) -> bool:
    """Whether the words of two turns differ by a fifth at the most."""
    most = (len(one) + len(other)) // 5
    return int(Indel.distance(one, other, score_cutoff=most)) <= most


def _groups(calls: Sequence[Turns], size: int) -> tuple[Sequence[Turns], ...]:
    """Full groups of a size in order; where not even one is full, all calls as one group."""
    return tuple(calls[i : i + size] for i in range(0, len(calls) - size + 1, size)) or (calls,)


def _candidates(texts: Sequence[Words]) -> Iterator[tuple[Words, Words]]:
    """Every pair that can be alike, once: those with a word in common among the rarest ones of both."""
    tokens = [_tokens(words) for words in texts]
    frequency = Counter(token for each in tokens for token in each)
    holders: defaultdict[Token, list[int]] = defaultdict(list)
    for index, each in enumerate(tokens):
        met = set()
        for token in _prefix(each, frequency):
            met.update(holders[token])
            holders[token].append(index)
        for earlier in sorted(met):
            yield texts[earlier], texts[index]


def _tokens(words: Words) -> list[Token]:
    seen: Counter[str] = Counter()
    tokens = []
    for word in words:
        tokens.append((word, seen[word]))
        seen[word] += 1
    return tokens


def _prefix(tokens: list[Token], frequency: Mapping[Token, int]) -> list[Token]:
    """The rarest third of a turn's words and one more.

    Alike texts of a and b words share at least 2/5 (a + b) of them, so neither is shorter than 2/3 of the other,
    and they share at least 2/3 of each. With all words of the corpus in one order, the first shared one is then
    followed by all the others, and so stands in the first third, or right behind it, of both.
    """
    ordered = sorted(tokens, key=lambda token: (frequency[token], token))
    return ordered[: len(tokens) // 3 + 1]
