"""What lies between caller and recording: the telephone, the place the caller is in, a bad network.

Everything here is a pure function of samples and seed; nothing is downloaded, all sounds are made.
"""

from factory.speech.conditions.channel import apply_condition
from factory.speech.conditions.condition import CONDITIONS, Condition, find_condition
from factory.speech.conditions.packet_loss import Loss

__all__ = [
    "CONDITIONS",
    "Condition",
    "Loss",
    "apply_condition",
    "find_condition",
]
