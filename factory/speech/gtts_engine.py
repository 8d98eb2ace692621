"""Google's voices through gTTS: over the network, asked for by name only.

gTTS makes the requests; they are sent from here, because gTTS itself checks no certificates,
leaves an empty file where it fails, and waits for ever if not told otherwise.

There is one reader for each accent, a woman. She is made into further people by moving pitch
and formants together, as on a tape at another speed, and by giving back the time.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import Clip, settle
from factory.speech.engine import Voice, require_speakable
from factory.speech.errors import SpeechError, shown
from factory.speech.network import Service, ServiceError, Terms, open_http
from factory.speech.recording import read_recording
from factory.speech.stretch import transpose

if TYPE_CHECKING:
    from httpx2 import Client

NAME = "gtts"

_GTTS_TERMS = Terms(limit_s=20.0, interval_s=0.5)  # without a pause between requests, Google soon answers 429
_GOOGLE = "https://translate.google.{accent}"
_PATH = "/_/TranslateWebserverUi/data/batchexecute"
_REVISION = 1  # to be raised with whatever changes the samples
_PACES = (0.7, 1.4)
_AUDIO = re.compile(r'jQ1olc","\[\\"([^"\\]*)\\"]')  # as gTTS 2.5 reads it

# A voice's id is the top-level domain that gives the accent, and what is done to the reader's voice. Whether two
# domains have two readers is Google's affair and changes, so all count as one speaker.
_VOICES = (
    Voice("com", 1.00, 1.00, 1.00, "woman, American"),
    Voice("com/low", 0.80, 0.80, 1.00, "man, American"),
    Voice("co.uk", 1.00, 1.00, 1.00, "woman, British"),
    Voice("co.uk/low", 0.82, 0.82, 0.95, "man, British, unhurried"),
    Voice("com.au", 1.00, 1.00, 1.05, "woman, Australian, quick"),
    Voice("com.au/low", 0.78, 0.78, 1.05, "man, Australian, low, quick"),
    Voice("co.in", 1.00, 1.00, 0.95, "woman, Indian, unhurried"),
    Voice("co.in/low", 0.81, 0.81, 1.00, "man, Indian"),
    Voice("com/high", 1.18, 1.18, 1.05, "young woman, American, quick"),
    Voice("ie/low", 0.79, 0.79, 0.95, "man, Irish, unhurried"),
)


class GttsEngine:
    """Speech by Google's translation page; one instance may be shared by threads.

    Args:
        address: Where it is; `{accent}` stands for the top-level domain.
        terms: How it is asked.
        clock: Gives the seconds that limits and pauses are measured in.
        sleep: Waits for so many seconds.
    """

    name = NAME
    paces = _PACES

    def __init__(
        self,
        address: str = _GOOGLE,
        terms: Terms = _GTTS_TERMS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._address = address
        self._terms = terms
        self._service = Service("gTTS's service", terms, clock, sleep)

    @property
    def version(self) -> str:
        """GTTS's version and our revision; what Google changes, nobody knows."""
        from importlib import metadata

        return f"gTTS {metadata.version('gTTS')}, revision {_REVISION}"

    def voices(self) -> tuple[Voice, ...]:
        """Ten callers in five accents; pitch and formants go together."""
        return _VOICES

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice `text`; Google draws nothing, so that `seed` changes nothing.

        Raises:
            SpeechError: The voice is not one of `voices()`, its pace is out of reach, the service failed, or what it
                sent is no speech.
        """
        require_speakable(self, voice)
        accent = voice.id.partition("/")[0]
        begun_s = self._service.now_s()
        parts = [self._service.ask(partial(self._request, accent, body), begun_s) for body in _bodies(text, accent)]
        return settle(transpose(np.concatenate(parts), voice.pitch, voice.pace))

    @cached_property
    def _http(self) -> Client:
        return open_http(self._terms.limit_s)

    def _request(self, accent: str, body: str) -> NDArray[np.float32]:
        from gtts import gTTS  # type: ignore[import-untyped]
        from httpx2 import HTTPError, TimeoutException

        url = self._address.format(accent=accent) + _PATH
        begun_s = self._service.now_s()
        try:
            with self._http.stream("POST", url, content=body, headers=gTTS.GOOGLE_TTS_HEADERS) as answer:
                if answer.status_code != 200:
                    raise self._service.refused(answer.status_code, answer.headers)
                reply = self._service.read(begun_s, answer.iter_bytes())
        except TimeoutException:
            raise self._service.timed_out() from None
        except HTTPError as error:
            raise self._service.unreachable(error) from None
        # Each part by itself: of MP3 files one behind the other, only the first may be read.
        return read_recording(_audio_of(reply), "gTTS")


def _bodies(text: str, accent: str) -> list[str]:
    """The requests for a text, one for each piece of at most 100 characters."""
    from gtts import gTTS

    try:
        return list(gTTS(text, tld=accent, lang="en", lang_check=False).get_bodies())
    except AssertionError:  # which is how gTTS says so
        raise SpeechError(f"gTTS found nothing to say in {shown(text)}; give it text with words.") from None


def _audio_of(reply: bytes) -> bytes:
    found = _AUDIO.search(reply.decode("utf-8", errors="replace"))
    try:
        audio = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        audio = b""
    if not audio:
        raise ServiceError(
            "gTTS's service sent no speech, or a part of it; try again, or see whether there is a newer gTTS.",
            heals=True,
        )
    return audio
