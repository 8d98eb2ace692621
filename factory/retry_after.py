"""How long a server asks to wait before the next request, by the headers of its answer."""

import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds that a server asks to wait: from milliseconds, seconds or an HTTP date; None where it says nothing.

    Args:
        headers: Of its answer, by names in small letters; read for `retry-after-ms` and `retry-after`.
        now_s: The time of day, in Unix seconds.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return None if seconds is None else max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now_s)
    except (ValueError, OverflowError):
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
