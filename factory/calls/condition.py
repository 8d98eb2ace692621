"""Which call is recorded under which condition."""

from collections.abc import Sequence
from dataclasses import replace

from factory.corpus.seeds import rng_for
from factory.records.spec import ConditionShare
from factory.speech import SpeechError
from factory.speech.conditions import Condition, Loss, find_condition

_BURST_FRAMES = 2.0
"""Packets lost in a row where an entry adds a loss to a condition that has none."""


def ordered_condition(share: ConditionShare) -> Condition:
    """The condition that an entry of a spec orders.

    Raises:
        SpeechError: There is none of that name, or a figure does not fit it.
    """
    condition = find_condition(share.name)
    if condition.is_clean and (share.snr_db, share.packet_loss, share.caller_level_db) != (None, None, None):
        raise SpeechError(f"{share.name}: is the call as it was mixed, and has no figures; name another condition.")
    if share.snr_db is not None:
        condition = replace(condition, snr_db=share.snr_db)
    if share.caller_level_db is not None:
        condition = replace(condition, caller_level_db=share.caller_level_db)
    if share.packet_loss is not None:
        burst_frames = condition.loss.burst_frames if condition.loss else _BURST_FRAMES
        condition = replace(condition, loss=Loss(share.packet_loss, burst_frames) if share.packet_loss else None)
    return condition


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
