"""Speech services on loopback: what they answer is a script, one step a request; the last step is repeated."""

import base64
import io
import json
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import soundfile

from factory.speech import Clip

Step = Callable[["Handler"], None]


@dataclass
class Asked:
    """One request that came."""

    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Service:
    """A service that is up."""

    script: Sequence[Step]
    asked: list[Asked] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    address: str = ""


class Handler(BaseHTTPRequestHandler):
    service: Service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.service.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        step = self.service.script[min(len(self.service.asked), len(self.service.script)) - 1]
        with suppress(BrokenPipeError, ConnectionResetError):
            step(self)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(*script: Step) -> Iterator[Service]:
    """A service with that script, ended behind the block."""
    service = Service(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"service": service}))
    service.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield service
    finally:
        service.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def answer(body: bytes, kind: str = "application/octet-stream") -> Step:
    """The whole body."""

    def step(handler: Handler) -> None:
        _head(handler, 200, {"content-type": kind, "content-length": str(len(body))})
        handler.wfile.write(body)

    return step


def break_off(body: bytes) -> Step:
    """Half of the body that was announced, and the connection is closed."""

    def step(handler: Handler) -> None:
        _head(handler, 200, {"content-length": str(len(body))})
        handler.wfile.write(body[: len(body) // 2])

    return step


def refuse(status: int, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Step:
    """A status that is no success."""

    def step(handler: Handler) -> None:
        _head(handler, status, {"content-length": str(len(body)), **(headers or {})})
        handler.wfile.write(body)

    return step


def hang(handler: Handler) -> None:
    handler.service.ended.wait(30)


def trickle(handler: Handler) -> None:
    """A byte now and then, for as long as anybody listens."""
    _head(handler, 200, {})
    while not handler.service.ended.is_set():
        handler.wfile.write(b" ")
        time.sleep(0.02)


def _head(handler: Handler, status: int, headers: Mapping[str, str]) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()


def mp3(clip: Clip) -> bytes:
    """A clip as MP3, as Google sends speech."""
    buffer = io.BytesIO()
    soundfile.write(buffer, clip.samples, clip.sample_rate, format="MP3")
    return buffer.getvalue()


def google(audio: bytes) -> bytes:
    """Google's page of replies, with that audio."""
    frame = ["wrb.fr", "jQ1olc", json.dumps([base64.b64encode(audio).decode()]), None, None, None, "generic"]
    row = json.dumps([frame, ["di", 87], ["af.httprm", 87, "-5431", 12]], separators=(",", ":"))
    return f')]}}\'\n\n{len(row)}\n{row}\n25\n[["e",4,null,null,143]]\n'.encode()


def google_texts(asked: Sequence[Asked]) -> list[list[object]]:
    """What Google would read in the requests: text, language and speed of each."""
    calls = [json.loads(parse_qs(request.body.decode())["f.req"][0]) for request in asked]
    assert all(call[0][0][0] == "jQ1olc" for call in calls)
    return [json.loads(call[0][0][1])[:3] for call in calls]


def streamed_wav(clip: Clip, rate_hz: int | None = None) -> bytes:
    """A clip as OpenAI streams it: the header is sent before the length is known."""
    wav = bytearray(clip.to_wav_bytes())
    wav[4:8] = wav[40:44] = b"\xff\xff\xff\xff"
    if rate_hz is not None:
        wav[24:28] = struct.pack("<I", rate_hz)
    return bytes(wav)
