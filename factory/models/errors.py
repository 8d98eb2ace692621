"""What can go wrong with a call to a model, in kinds that tell whether asking again can help."""

from enum import StrEnum

from factory.errors import FactoryError
from factory.records.models import ModelCall
from factory.simulate.roles import NothingMade


class ErrorKind(StrEnum):
    """Kinds of failure; see `HEALS` for those that pass."""

    RATE_LIMIT = "rate limit"
    QUOTA = "quota"
    AUTHENTICATION = "authentication"
    CONTEXT_TOO_LONG = "context too long"
    REPLY_CUT = "reply cut"
    REFUSAL = "refusal"
    INVALID_REPLY = "invalid reply"
    TIMEOUT = "time-out"
    SERVER = "server"
    CONNECTION = "connection"
    REQUEST = "request"


HEALS = frozenset({ErrorKind.RATE_LIMIT, ErrorKind.TIMEOUT, ErrorKind.SERVER, ErrorKind.CONNECTION})
"""Kinds that pass by themselves: the very same request may be sent again."""

OF_ONE_CALL = frozenset({ErrorKind.REPLY_CUT, ErrorKind.REFUSAL, ErrorKind.INVALID_REPLY, ErrorKind.CONTEXT_TOO_LONG})
"""Kinds that say something about one prompt and its replies, not about the provider."""


class ModelError(FactoryError):
    """A call that brought no usable reply.

    Attributes:
        kind: What went wrong.
        retry_after_s: Seconds that the server asks to wait before the next call; None where it says nothing.
        maybe_billed: Whether the provider may take money for the call all the same.
    """

    def __init__(
        self, kind: ErrorKind, message: str, retry_after_s: float | None = None, maybe_billed: bool = False
    ) -> None:
        """Takes the kind, one line for a person (never a key), how long to wait, and whether it may cost something."""
        super().__init__(message)
        self.kind = kind
        self.retry_after_s = retry_after_s
        self.maybe_billed = maybe_billed

    @property
    def heals(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in HEALS


class UnusableReply(ModelError, NothingMade):
    """A model answered, as often as it was asked, and no reply could be used."""

    def __init__(self, kind: ErrorKind, message: str, call: ModelCall) -> None:
        """Takes what was wrong with the last reply, and the call with all of them."""
        super().__init__(kind, message)
        self.engine = call.model
        self.call = call
