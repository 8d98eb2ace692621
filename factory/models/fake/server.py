"""Runs the fake server on loopback: one process, one address, until Ctrl-C."""

import asyncio
import socket
from pathlib import Path

from factory.errors import FactoryError
from factory.interrupt import raise_at_ctrl_c
from factory.models.fake.app import FakeServer
from factory.models.fake.journal import Journal

LOOPBACK = ("127.0.0.1", "localhost")
KEEP_ALIVE_S = 600
"""Longer than any client pauses: a connection that the server closes first may swallow a call."""


def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    log: Path | None = None,
    keep_bodies: Path | None = None,
    seed: int = 0,
) -> None:
    """Serves until it is told to stop (Ctrl-C).

    Args:
        host: A name of the machine's own loopback; the server has no lock on its door.
        port: 0 for a free one.
        log: Where every call is appended as a JSON line.
        keep_bodies: Where every prompt is appended, whole, as a JSON line.
        seed: For the draws of the scenarios.

    Raises:
        FactoryError: if the host is another, the port is taken, or a file cannot be written.
    """
    if host not in LOOPBACK:
        raise FactoryError(f"the fake server serves {LOOPBACK[0]} only, not {host}: anyone could ask it")
    journal = Journal(log, keep_bodies)
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # else asyncio leaves Nagle on
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK[0], port))
        listener.listen(2048)
    except OSError as exc:
        listener.close()
        raise FactoryError(f"port {port} cannot be served: {exc.strerror}; choose another") from None
    address = f"http://{LOOPBACK[0]}:{listener.getsockname()[1]}"
    try:
        print(_GREETING.format(address=address), flush=True)
        _run(FakeServer(journal, seed), listener)
    except KeyboardInterrupt:
        pass  # that is how it ends
    print("Fake server ended.", flush=True)


def run_server(port: int, log: Path | None, keep_bodies: Path | None, seed: int) -> None:
    """What the command `factory fake-server` does; see `serve`."""
    raise_at_ctrl_c()
    serve(port=port, log=log, keep_bodies=keep_bodies, seed=seed)


_GREETING = """\
Fake server: openai {address}/v1, anthropic {address} (Ctrl-C ends it). A roles file for it:

providers:
  fake: {{kind: openai, base_url: "{address}/v1", free: true}}
defaults: {{provider: fake, model: player, max_output_tokens: 32000}}

Other models play what can go wrong, e.g. "player;slow=0.2;429=0.25;500=0.25;retry-after=0.05". Calls: {address}/_log"""


def _run(app: FakeServer, listener: socket.socket) -> None:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """Hands the connection's transport to the application: scenarios break connections."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.app_state = {**self.app_state, "transport": transport}

    config = uvicorn.Config(
        app,
        http=Protocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # it takes broken connections for errors; ours are printed where they occur
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])
