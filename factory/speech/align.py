"""When each word of a clip is spoken: forced alignment, for the clips of any engine."""

from __future__ import annotations

import math
import os
import threading
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from factory.speech.clip import Clip
from factory.speech.errors import SpeechError, shown
from factory.speech.pronounce import pronounce
from factory.speech.spoken import Spoken, spoken_words_in

if TYPE_CHECKING:
    from pocketsphinx import Decoder  # type: ignore[import-untyped]

_RATE_HZ = 16_000  # of the acoustic model
_FRAME_S = 0.01
_WINDOW_S = 0.0256  # what a frame's features are made of, from where the frame begins
_BEAM = 1e-120  # the standard ones, of 1e-48, lose the right path in every second clip
_FADE_S = 0.004
_LOCK = threading.Lock()  # the decoder holds the interpreter while it works: a second one would win nothing


class AlignmentError(SpeechError):
    """A clip whose words could not be found in it, or a place in it that is none; another clip may be better."""


@dataclass(frozen=True, slots=True)
class WordTime:
    """When a word is spoken.

    Attributes:
        word: The word, as it stands in the spoken form.
        start_s: Where its sound begins, in seconds from the clip's beginning.
        end_s: Where its sound ends. Where a pause follows, it lies before the pause; else it is the next word's start.
    """

    word: str
    start_s: float
    end_s: float


def align(clip: Clip, spoken: str) -> tuple[WordTime, ...]:
    """Return the times of the words of `spoken`, in order: one for each of `spoken_words_in(spoken)`.

    The same clip and text give the same times, whatever was aligned before. May be called from several threads; one
    aligns at a time.

    Raises:
        AlignmentError: The words cannot be found in the clip one after the other.
        SpeechError: The text has no words, or one that cannot be read, which no other clip would change.
    """
    words = spoken_words_in(spoken)
    if not words:
        raise SpeechError(f"There are no words to align in {shown(spoken)}.")
    found: list[tuple[float, float]] = []
    if len(clip.samples):
        with _LOCK:
            found = _find(_decoder(), clip, [word.lower() for word in words])
    if len(found) != len(words):
        raise AlignmentError(
            f"The words of {shown(spoken)} were not found in its clip of {clip.duration_s:.2f} s; voice it anew with "
            "another seed, or check that the clip holds this text."
        )
    return tuple(
        WordTime(word, min(start_s, clip.duration_s), min(end_s, clip.duration_s))
        for word, (start_s, end_s) in zip(words, found, strict=True)
    )


def word_times(clip: Clip, said: Spoken) -> tuple[tuple[float, float], ...]:
    """Return when each written word is spoken: start and end in seconds, in order, one for each of `said.spans`.

    Words that are said as one thing ("$35 million") have equal shares of its time. A word that is not said (a dash) has
    an empty time, at the end of the word before it.

    Raises:
        AlignmentError: As for `align`.
        SpeechError: As for `align`.
    """
    spoken = align(clip, said.text)
    times: list[tuple[float, float]] = []
    for (start, stop), sharing in groupby(said.spans):
        if start == stop:
            end_s = times[-1][1] if times else 0.0
            times += [(end_s, end_s) for _ in sharing]
        else:
            edges = np.linspace(spoken[start].start_s, spoken[stop - 1].end_s, 1 + len(tuple(sharing))).tolist()
            times += pairwise(edges)
    return tuple(times)


def cut_clip(clip: Clip, end_s: float) -> Clip:
    """Return the clip up to `end_s`, its last 4 ms faded out so that nothing clicks.

    No sample behind `end_s` is in it: with the end of a word, nothing of the next one is.

    Raises:
        AlignmentError: `end_s` does not lie in the clip.
    """
    stop = int(end_s * clip.sample_rate + 1e-6)  # hundredths are no binary numbers
    if not 0 < stop <= len(clip.samples):
        raise AlignmentError(f"A clip of {clip.duration_s:.2f} s cannot be cut at {end_s:.3f} s.")
    samples = clip.samples[:stop].astype(np.float64)
    fade = min(stop, round(_FADE_S * clip.sample_rate))
    samples[stop - fade :] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, fade + 1) / fade)
    return Clip(np.rint(samples).astype(np.int16), clip.sample_rate)


def _find(decoder: Decoder, clip: Clip, words: list[str]) -> list[tuple[float, float]]:
    """Start and end in seconds of each word found; fewer than there are words, or none, where they do not fit."""
    import soxr  # type: ignore[import-untyped]

    for word in dict.fromkeys(words):
        if decoder.lookup_word(word) is None:
            phones = pronounce(word)
            if not phones:
                raise SpeechError(f"There is no pronunciation for {shown(word)}; write it in English letters.")
            decoder.add_word(word, " ".join(phones), False)
    waveform = soxr.resample(clip.samples.astype(np.float32), clip.sample_rate, _RATE_HZ)
    pcm = np.rint(np.clip(waveform, -32768, 32767)).astype("<i2").tobytes()
    decoder.reinit_feat()  # else it would go on from the loudness and spectrum of the clip before
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    try:
        decoder.process_raw(pcm, full_utt=True)
    finally:
        decoder.end_utt()  # else every clip after this one would fail
    parts = [part for part in decoder.seg() or () if part.word[0] not in "<[("]
    starts_s = [part.start_frame * _FRAME_S for part in parts]
    # A sound may last as long as the window of its last frame, if the next word does not begin with the frame after it.
    ends_s = [part.end_frame * _FRAME_S + _WINDOW_S for part in parts]
    return list(zip(starts_s, map(min, ends_s, [*starts_s[1:], math.inf]), strict=True))


@cache
def _decoder() -> Decoder:
    """The process's one decoder; only under `_LOCK`."""
    from pocketsphinx import Decoder, get_model_path

    model = get_model_path("en-us")
    return Decoder(
        hmm=os.path.join(model, "en-us"),
        dict=os.path.join(model, "cmudict-en-us.dict"),
        lm=None,
        beam=_BEAM,
        wbeam=_BEAM,
        pbeam=_BEAM,
        maxhmmpf=-1,
        maxwpf=-1,
        bestpath=False,
        topn=2,  # of 4 densities: a seventh faster, times equally good
        silprob=1.0,  # a pause is as likely as none; the standard 0.005 hears words in pauses
        fillprob=1e-20,  # a synthetic voice neither coughs nor mumbles
        loglevel="FATAL",
    )
