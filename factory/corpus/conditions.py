"""The conditions that a spec orders: those of `factory.speech`, with the figures of the order."""

from dataclasses import replace

from factory.records.spec import ConditionShare
from factory.speech import SpeechError
from factory.speech.conditions import CONDITIONS, Condition, Loss, find_condition

_BURST_FRAMES = 2.0
"""Packets lost in a row where an entry adds a loss to a condition that has none."""


def ordered_condition(share: ConditionShare) -> Condition:
    """The condition that an entry of a spec orders.

    Raises:
        SpeechError: There is none of that name, or a figure does not fit it.
    """
    condition = find_condition(share.name)
    if condition.is_clean and (share.snr_db, share.packet_loss, share.caller_level_db) != (None, None, None):
        raise SpeechError(
            f"Condition {share.name!r} is the call as it was mixed and has no figures; name another condition."
        )
    if share.snr_db is not None:
        if condition.background is None:
            noisy = ", ".join(known.name for known in CONDITIONS if known.background)
            raise SpeechError(
                f"Condition {share.name!r} has no background that speech could be louder than; leave the SNR out, or "
                f"use one of: {noisy}."
            )
        condition = replace(condition, snr_db=share.snr_db)
    if share.caller_level_db is not None:
        condition = replace(condition, caller_level_db=share.caller_level_db)
    if share.packet_loss is not None:
        burst_frames = condition.loss.burst_frames if condition.loss else _BURST_FRAMES
        condition = replace(condition, loss=Loss(share.packet_loss, burst_frames) if share.packet_loss else None)
    return condition
