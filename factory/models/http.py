"""HTTP as the clients need it, below the SDKs: bounded, without redirects, and without the environment's headers."""

from collections.abc import Mapping
from typing import Any

from httpx2 import AsyncBaseTransport, AsyncClient, ReadError, Request, Response, Timeout

MOST_ANSWER_BYTES = 16_000_000
"""A longer answer is none: the longest reply, with the thoughts before it, has less than a million.

Counted behind the decompression, so that a small body cannot become a large one.
"""

MOST_CONNECT_S = 10.0
"""Seconds that a connection may take: what has none by then was not sent, and costs nothing."""

DIRECT: Mapping[str, AsyncBaseTransport | None] = {
    f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")
}
"""Hosts that no proxy is asked for: what the environment names as one knows another machine under these names."""

_SENT = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"anthropic-version",
        b"connection",
        b"content-length",
        b"content-type",
        b"host",
        b"transfer-encoding",
        b"user-agent",
    }
)
_SENT_BEGINS = b"x-stainless-"
"""Of the SDKs: which try this is, and how long it may take."""

_OF_THE_WIRE = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})


def timeouts(seconds: float) -> Timeout:
    """How long a call may wait for each of its parts; for a connection less than for the whole."""
    return Timeout(seconds, connect=min(MOST_CONNECT_S, seconds / 2))


class BoundedHttp(AsyncClient):
    """Sends the SDKs' requests; to be mixed in before a SDK's own default client.

    The environment's headers (`OPENAI_ORG_ID`, `ANTHROPIC_CUSTOM_HEADERS`, …) reach the maker's own address only, and
    the key is the one of the roles file in any case.
    """

    def __init__(self, key: str, is_makers: bool, **how: Any) -> None:
        """Takes the key to send, and whether the address is the maker's own; the rest is `AsyncClient`'s."""
        self._authorization = f"Bearer {key}"
        self._is_makers = is_makers
        super().__init__(follow_redirects=False, mounts=DIRECT, **how)

    async def send(self, request: Request, *, stream: bool = False, **how: Any) -> Response:
        """The answer, read whole.

        Raises:
            httpx2.ReadError: if it is longer than `MOST_ANSWER_BYTES`.
        """
        if not self._is_makers:
            for name, _ in request.headers.raw:
                if name.lower() not in _SENT and not name.lower().startswith(_SENT_BEGINS):
                    del request.headers[name.decode("ascii")]
        request.headers["authorization"] = self._authorization
        answer = await super().send(request, stream=True, **how)
        try:
            content = await _read(answer, request)
        finally:
            await answer.aclose()
        # As bytes: not every server's are text.
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _OF_THE_WIRE]
        return Response(answer.status_code, headers=headers, content=content, request=request)


async def _read(answer: Response, request: Request) -> bytes:
    chunks, size = [], 0
    async for chunk in answer.aiter_bytes():
        size += len(chunk)
        if size > MOST_ANSWER_BYTES:
            raise ReadError(f"the answer is longer than {MOST_ANSWER_BYTES // 1_000_000} MB", request=request)
        chunks.append(chunk)
    return b"".join(chunks)
