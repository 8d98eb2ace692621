"""OpenAI's voices, or those of a server that speaks its format: over the network, asked for by name only.

The key is the environment's `OPENAI_API_KEY`, the address its `OPENAI_BASE_URL` or the maker's own;
the key is in no error and nothing that is written.

The pace is made here: servers take `speed` or leave it as they like, and say nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from factory.speech.clip import Clip, settle
from factory.speech.engine import Voice, require_speakable
from factory.speech.errors import SpeechError
from factory.speech.network import Service, ServiceError, Terms, open_http
from factory.speech.recording import read_recording
from factory.speech.stretch import stretch

if TYPE_CHECKING:
    from httpx2 import Request
    from openai import OpenAI

NAME = "openai"
KEY = "OPENAI_API_KEY"

_ADDRESS = "OPENAI_BASE_URL"
_MODEL = "gpt-4o-mini-tts"
_OWN_ADDRESS = "https://api.openai.com/v1"
_OPENAI_TERMS = Terms(limit_s=60.0)
_REVISION = 1  # to be raised with whatever changes the samples
_PACES = (0.7, 1.4)
# All that another server than the maker's is sent; the environment may have headers that are meant for the maker.
_SENT = frozenset({"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"})


def _voice(name: str, description: str) -> Voice:
    return Voice(name, 1.0, 1.0, 1.0, description, speaker=name)


_VOICES = (
    _voice("alloy", "woman, even"),
    _voice("ash", "man, warm"),
    _voice("ballad", "man, soft"),
    _voice("coral", "woman, friendly"),
    _voice("echo", "man, calm"),
    _voice("fable", "British, lively"),
    _voice("nova", "woman, bright"),
    _voice("onyx", "man, deep"),
    _voice("sage", "woman, calm"),
    _voice("shimmer", "woman, light"),
    _voice("verse", "man, lively"),
    _voice("marin", "woman, natural"),
    _voice("cedar", "man, natural"),
)


class OpenAIEngine:
    """Speech by OpenAI's `audio.speech`; one instance may be shared by threads.

    Args:
        environ: Where key and address are.
        model: The model.
        terms: How it is asked.
        clock: Gives the seconds that limits and pauses are measured in.
        sleep: Waits for so many seconds.

    Raises:
        SpeechError: There is no key, or the address is none or holds a secret.
    """

    name = NAME
    paces = _PACES

    def __init__(
        self,
        environ: Mapping[str, str],
        model: str = _MODEL,
        terms: Terms = _OPENAI_TERMS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._key = _key_of(environ)
        self._address = _address_of(environ)
        self._model = model
        self._terms = terms
        self._service = Service("OpenAI's service", terms, clock, sleep)

    @property
    def version(self) -> str:
        """The model, whether another than its maker serves it, and our revision; what the maker changes, nobody knows.

        Of another's address only a digest is told: versions are published.
        """
        other = hashlib.sha256(self._address.encode()).hexdigest()[:8]
        where = "" if self._address == _OWN_ADDRESS else f" at another address ({other})"
        return f"{self._model}{where}, revision {_REVISION}"

    def voices(self) -> tuple[Voice, ...]:
        """The thirteen voices of `gpt-4o-mini-tts`, each a speaker of its own."""
        return _VOICES

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice `text`; the service takes no seed, and each of its takes is another.

        Raises:
            SpeechError: The voice is not one of `voices()`, its pace is out of reach, the service failed, or what it
                sent is no speech.
        """
        require_speakable(self, voice)
        recording = self._service.ask(lambda: self._request(text, voice), self._service.now_s())
        return settle(stretch(read_recording(recording, "OpenAI"), 1 / voice.pace))

    @cached_property
    def _sdk(self) -> OpenAI:
        from openai import OpenAI

        http = open_http(self._terms.limit_s)
        http.event_hooks = {"request": [self._keep_plain]}
        return OpenAI(api_key=self._key, base_url=self._address, max_retries=0, http_client=http)

    def _keep_plain(self, request: Request) -> None:
        """Send this key in any case, and what the environment has for the maker (`OPENAI_ORG_ID`, …) to nobody else."""
        if self._address != _OWN_ADDRESS:
            for header in request.headers.keys() - _SENT:
                del request.headers[header]
        request.headers["authorization"] = f"Bearer {self._key}"

    def _request(self, text: str, voice: Voice) -> bytes:
        from httpx2 import HTTPError, TimeoutException
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        begun_s = self._service.now_s()
        try:
            with self._sdk.audio.speech.with_streaming_response.create(
                input=text, model=self._model, voice=voice.id, response_format="wav"
            ) as answer:
                recording = self._service.read(begun_s, answer.iter_bytes())
        except (APITimeoutError, TimeoutException):
            raise self._service.timed_out() from None
        except (APIConnectionError, HTTPError) as error:
            raise self._service.unreachable(error) from None
        except APIStatusError as error:
            if error.code == "insufficient_quota":
                raise ServiceError("OpenAI's account has no credit left; see its billing page.", heals=False) from None
            raise self._service.refused(error.status_code, error.response.headers) from None
        if not recording:
            raise ServiceError("OpenAI's service sent an empty answer; try again.", heals=True)
        return recording


def missing_for_openai(environ: Mapping[str, str]) -> str:
    """Return what the environment lacks for this engine and what to do; empty if nothing."""
    try:
        _key_of(environ)
        _address_of(environ)
    except SpeechError as error:
        return str(error)
    return ""


def _key_of(environ: Mapping[str, str]) -> str:
    key = environ.get(KEY, "").strip()
    if not key:
        raise SpeechError(f"no key: set the environment variable {KEY}.")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise SpeechError(f"the environment variable {KEY} holds spaces or characters that no key has; set it anew.")
    return key


def _address_of(environ: Mapping[str, str]) -> str:
    address = environ.get(_ADDRESS, "").strip().rstrip("/") or _OWN_ADDRESS
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SpeechError(f"the environment variable {_ADDRESS} is no address of a server (https://…).")
    if parts.username or parts.password or parts.query:
        raise SpeechError(
            f"the environment variable {_ADDRESS} holds a user name, password or query; give the address only."
        )
    return address
