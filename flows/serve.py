"""The server's process: Prefect's API on a socket that it is given, until whoever started it is gone.

Run as a file, not as a module, so that it starts with as little as can be.
"""

import os
import socket
import sys
import threading


def main() -> None:
    """Serves on the socket whose file descriptor is the only argument."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import uvicorn

    config = uvicorn.Config("prefect.server.api.server:create_app", factory=True, log_level="error", lifespan="on")
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])


def _end_with_parent() -> None:
    """Ends the process when standard input closes, which the system does even after `kill -9` of the parent."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
