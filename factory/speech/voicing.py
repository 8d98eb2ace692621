"""One turn's text to one checked clip: by an engine that may fail, hang, or give what is no speech."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from factory.speech.cache import ClipCache, clip_key
from factory.speech.checks import check_clip
from factory.speech.clip import Clip
from factory.speech.engine import SpeechEngine, Voice
from factory.speech.errors import SpeechError, shown
from factory.speech.network import ServiceError
from factory.speech.spoken import spoken_form, spoken_words_in
from factory.speech.spoken_unsaid import unsaid

T = TypeVar("T")

_SECOND_SEED = 0x9E3779B97F4A7C15  # far from any seed that another turn would have
_LIMIT_S = 300.0  # more than any engine's own limits, waits and tries for one text
_FOLDERS = re.compile(r"(?<![\w.])/(?:[^\s/]+/)+")  # before a file's name; nobody who reads of an error needs them
_EARLIER_FAULT = "the first attempt failed when the clip was made"
_ALIKE = "Two attempts failed in the same way; change the words of this turn."


class EngineFailure(SpeechError):
    """An engine that gave no usable speech for a text, however often it was asked."""


class _HangError(SpeechError):
    """An engine that did not come back."""


@dataclass(frozen=True, slots=True)
class VoicedText:
    """A text that was voiced.

    Attributes:
        clip: The checked clip.
        faults: Why the attempts before failed; empty where the first was good.
    """

    clip: Clip
    faults: tuple[str, ...]


class Voicer:
    """Voices texts with one engine; may be shared by threads.

    Args:
        engine: The engine.
        cache: Where clips are kept and looked for.
        limit_s: Seconds after which the engine is given up: it hangs, and is not asked again.
    """

    def __init__(self, engine: SpeechEngine, cache: ClipCache | None = None, limit_s: float = _LIMIT_S) -> None:
        self.engine = engine
        self._cache = cache
        self._limit_s = limit_s
        self._hang = ""

    def voice(self, text: str, voice: Voice, seed: int) -> VoicedText:
        """Return `text`, as written, voiced and checked.

        The text is put into its spoken form first. If the audio does not come or does not
        pass `check_clip`, one more attempt is made with a second seed derived from `seed`; not
        where the engine hangs, nor where it is a service, which its engine asks again by itself. A text that was voiced
        before comes from the cache, by whichever of the two attempts it was made, and no engine is asked.

        Raises:
            EngineFailure: No attempt was good; says why the last was not.
            SpeechError: The text has no words, or one that cannot be said, or the cache cannot be written.
        """
        missing = unsaid(text)
        if missing:
            raise SpeechError(
                f"{shown(missing[0])} in {shown(text)} cannot be said by an English voice and would be missing from "
                "the sound; where this was written, write what is said, in Latin letters (`factory workflow lint` "
                "names such lines of a workflow)."
            )
        spoken = spoken_form(text)
        if not spoken_words_in(spoken):
            raise SpeechError(f"There is nothing to say in {shown(text)}; a voiced turn needs words.")
        seeds = (seed, seed ^ _SECOND_SEED)
        for failed, tried in enumerate(seeds):
            kept = self._kept(spoken, voice, tried)
            if kept is not None:  # one of the second seed is there only because the first attempt failed
                return VoicedText(kept, (_EARLIER_FAULT,) * failed)
        faults: list[str] = []
        for tried in seeds:
            try:
                clip = self._made(spoken, voice, tried)
            except (_HangError, ServiceError) as error:
                raise EngineFailure(str(error)) from None
            except SpeechError as error:
                faults.append(str(error))
                continue
            if self._cache:
                self._cache.put(clip_key(self.engine, voice, spoken, tried), clip)
            return VoicedText(clip, tuple(faults))
        alike = faults[0] == faults[-1]
        raise EngineFailure(f"{faults[-1]} {_ALIKE if alike else ''}".rstrip())

    def _kept(self, spoken: str, voice: Voice, seed: int) -> Clip | None:
        """The clip from the cache, if it is there and passes the checks that there are today."""
        clip = self._cache.get(clip_key(self.engine, voice, spoken, seed)) if self._cache else None
        if clip is not None:
            try:
                check_clip(clip, spoken, voice.pace)
            except SpeechError:
                return None
        return clip

    def _made(self, spoken: str, voice: Voice, seed: int) -> Clip:
        if self._hang:
            raise _HangError(self._hang)
        try:
            clip = _within(self._limit_s, lambda: _spoken_by(self.engine, spoken, voice, seed))
        except TimeoutError:
            self._hang = (
                f"Engine {self.engine.name!r} did not finish {shown(spoken)} within {self._limit_s:g} s and is not "
                "asked again; start anew, or use another engine."
            )
            raise _HangError(self._hang) from None
        check_clip(clip, spoken, voice.pace)
        return clip


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    """Something that was made with one engine from beginning to end.

    Attributes:
        result: What was made.
        engine: Name of the engine.
        failures: Why the engines before it were given up; empty where it is the one that was asked for.
    """

    result: T
    engine: str
    failures: tuple[str, ...]


def make_with_fallback(voicers: Sequence[Voicer], make: Callable[[Voicer], T]) -> Made[T]:
    """Return what `make` makes with the first engine that does not fail it.

    A call whose engine fails in the middle is made anew as a whole: nobody changes their voice while they talk.

    Args:
        voicers: The engine that was asked for, and the one that may stand in for it, if any may.
        make: Voices a whole call.

    Raises:
        EngineFailure: The last one's.
    """
    failures: list[str] = []
    for voicer in voicers[:-1]:
        try:
            return Made(make(voicer), voicer.engine.name, tuple(failures))
        except EngineFailure as failure:
            failures.append(str(failure))
    last = voicers[-1]
    return Made(make(last), last.engine.name, tuple(failures))


def _spoken_by(engine: SpeechEngine, spoken: str, voice: Voice, seed: int) -> Clip:
    """What the engine gives; whatever the libraries below it raise is a `SpeechError`."""
    try:
        return engine.speak(spoken, voice, seed)
    except SpeechError:
        raise
    except Exception as error:
        why = _FOLDERS.sub("", f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": "))
        raise SpeechError(
            f"Engine {engine.name!r} broke at {shown(spoken)} ({why}); install it anew, or use another engine."
        ) from error


def _within(limit_s: float, work: Callable[[], T]) -> T:
    """Return what `work` returns or raises.

    Raises:
        TimeoutError: It is still at it after `limit_s`; its thread is left behind and ends with the process.
    """
    done: list[T] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            done.append(work())
        except Exception as error:  # raised again below, on the thread that waits
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(limit_s)
    if failed:
        raise failed[0]
    if not done:
        raise TimeoutError
    return done[0]
