"""Which call is recorded under which condition."""

from collections.abc import Sequence

from factory.corpus.conditions import ordered_condition
from factory.corpus.seeds import rng_for
from factory.records.spec import ConditionShare
from factory.speech.conditions import Condition


def condition_of(shares: Sequence[ConditionShare], ordinal: int, seed: int) -> Condition:
    """The condition of conversation number `ordinal` (from 0) of a corpus.

    In every block of as many conversations as the shares add up to, each condition comes as often as its share, in an
    order drawn from `seed`; an ordinal's condition depends on no other's.

    Raises:
        SpeechError: As `ordered_condition`.
    """
    block = [share for share in shares for _ in range(share.share)]
    number, place = divmod(ordinal, len(block))
    rng_for(seed, "condition", number).shuffle(block)
    return ordered_condition(block[place])
