"""The embedded engine: hibari's bundled voice, made into ten callers.

Only the model file inside the wheel is ever opened, by its path: hibari's own look-up
of voices, which would fetch the missing ones, is not called, so nothing can be fetched.

The network runs in onnxruntime on one thread, the signal processing in numpy and
scipy.fft on the caller's thread, and no BLAS routine is used: one call uses one
core whatever `OMP_NUM_THREADS` says, and its result does not depend on how many calls
run at once. Samples are the same on machines whose processors have the same vector
instructions; on others the last bits of float arithmetic may differ.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from factory.speech.clip import Clip, settle
from factory.speech.engine import Voice, require_speakable
from factory.speech.errors import SpeechError, shown
from factory.speech.spoken import respell_letter_a

if TYPE_CHECKING:
    from hibari import Hibari  # type: ignore[import-untyped]

NAME = "hibari"
_BUNDLED_VOICE = "heart"
_LOWEST_PITCH_HZ = 50.0  # below 40 Hz hibari takes a frame for unvoiced
_REVISION = 2  # to be raised with whatever changes the samples
_PACES = (0.65, 1.5)
_SOUNDS = {"Dana": "dˈAnə", "Remy": "ɹˈɛmi", "FAFSA": "fˈæfsə"}
_MISREAD = re.compile(rf"\b(?:{'|'.join(_SOUNDS)})\b")
_CLOSING_MARKS = tuple(".!?—")
_SEED_MASK = (1 << 64) - 1

_VOICES = (
    Voice("alder", 1.00, 1.00, 1.00, "woman, middle pitch, even pace"),
    Voice("birch", 1.14, 1.05, 1.14, "young woman, bright, quick"),
    Voice("cedar", 0.62, 0.87, 0.93, "man, middle pitch, unhurried"),
    Voice("elm", 0.79, 0.96, 0.97, "woman, low and dark"),
    Voice("fir", 0.55, 0.88, 1.12, "man, low, brisk"),
    Voice("hazel", 1.30, 1.11, 1.04, "very young woman, high and thin"),
    Voice("juniper", 0.88, 1.07, 0.84, "woman, lowish and light, slow"),
    Voice("larch", 0.48, 0.83, 0.85, "big man, deep, slow"),
    Voice("maple", 0.74, 0.92, 1.16, "man, high, fast"),
    Voice("rowan", 1.20, 0.96, 0.87, "woman, high and round, slow"),
)


class HibariEngine:
    """Speech by hibari; one instance may be shared by threads."""

    name = NAME
    paces = _PACES

    def __init__(self) -> None:
        """Check nothing and load nothing: the model is loaded by the first `speak`."""
        self._loading = threading.Lock()

    @property
    def version(self) -> str:
        """The version of hibari, and our revision."""
        return f"hibari-tts {metadata.version('hibari-tts')}, revision {_REVISION}"

    def voices(self) -> tuple[Voice, ...]:
        """Ten callers, from a deep slow man to a very young woman."""
        return _VOICES

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        """Voice `text` at the voice's pitch, formants and pace; `seed` fixes the breath noise.

        Raises:
            SpeechError: The voice is not one of `voices()`, its pace is out of reach, or the text holds nothing to say.
        """
        require_speakable(self, voice)
        with self._loading:
            model = self._model
        noise = np.random.default_rng(seed & _SEED_MASK)
        parts = [self._render(model, phonemes, voice, noise) for phonemes in model.phonemize(_ended(_respelled(text)))]
        if not parts:
            raise SpeechError(f"hibari found nothing to say in {shown(text)}; give it text with words.")
        return settle(np.concatenate(parts))

    @cached_property
    def _model(self) -> Hibari:
        from hibari import Hibari
        from hibari.g2p import G2P  # type: ignore[import-untyped]

        to_phonemes = G2P()

        def read(sentence: str) -> str:
            # The text is a spoken form already, and hibari's own normaliser would read the
            # answer "no." as the abbreviation of "number".
            return str(to_phonemes(sentence, normalize_text=False))

        return Hibari(voice=_BUNDLED_VOICE, model=str(bundled_model()), threads=1, g2p=read)

    @staticmethod
    def _render(model: Hibari, phonemes: str, voice: Voice, noise: np.random.Generator) -> NDArray[np.float32]:
        from hibari import dsp

        inputs = {
            "ids": np.asarray([model.ids(phonemes)], np.int64),
            "speed": np.ones(1, np.float32),
        }
        harmonics, phase, breath, rest, rest_phase, pitch_hz = (part[0] for part in model.sess.run(None, inputs))
        at = _places(len(pitch_hz), voice.pace)
        nearest = np.rint(at).astype(np.int64)
        wave: NDArray[np.float32] = dsp.synth(
            _stretch(_between(harmonics, at), voice.formants),
            _stretch(phase[:, nearest], voice.formants),
            _stretch(_between(breath, at), voice.formants),
            _stretch(_between(rest, at), voice.formants),
            _nearest(rest_phase[:, nearest], voice.formants),
            _transpose(pitch_hz[nearest], voice.pitch),
            noise,
        )
        return wave


def _respelled(text: str) -> str:
    """A text in which what hibari would read otherwise is written in its sounds."""
    return _MISREAD.sub(lambda found: f"[{found[0]}](/{_SOUNDS[found[0]]}/)", respell_letter_a(text, "[A](/ˈA/)"))


def _ended(text: str) -> str:
    """Close a text that ends in a bare word: hibari lets the last sound die away before a mark only."""
    return text if text[-1:] in _CLOSING_MARKS else f"{text}."


def bundled_model() -> Path:
    """Return the path of the voice model inside the hibari wheel.

    Raises:
        SpeechError: hibari is not installed, or its wheel lacks the model.
    """
    spec = importlib.util.find_spec("hibari")
    if spec is None or spec.origin is None:
        raise SpeechError("The speech engine hibari is not installed; run `pip install 'hibari-tts[fast]==0.2.1'`.")
    path = Path(spec.origin).parent / "assets" / "hibari.onnx"
    if not path.is_file():
        raise SpeechError(
            f"hibari's voice model is missing: {path}. Reinstall it: "
            "`pip install --force-reinstall --no-deps hibari-tts==0.2.1`."
        )
    return path


def _places(count: int, pace: float) -> NDArray[np.float64]:
    """Return where, among `count` frames, those of speech at another pace are taken from.

    All sounds and pauses become longer or shorter alike, so that a moment of the one is known in the other. hibari's
    own speed setting is not used: it rounds the length of each sound to whole frames, bites by text, and leaps.
    """
    return np.linspace(0, count - 1, max(1, round(count / pace)))


def _between(spectrum: NDArray[np.float32], at: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the frames of a log spectrum, (bins, frames), at places between its own."""
    before = np.floor(at).astype(np.int64)
    weight = (at - before).astype(np.float32)
    if not weight.any():
        return spectrum[:, before]
    after = np.minimum(before + 1, spectrum.shape[1] - 1)
    blended: NDArray[np.float32] = spectrum[:, before] * (1 - weight) + spectrum[:, after] * weight
    return blended


def _transpose(pitch_hz: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """Scale the pitch of voiced frames; unvoiced ones (0 Hz) stay unvoiced."""
    scaled = np.maximum(pitch_hz * np.float32(scale), np.float32(_LOWEST_PITCH_HZ))
    return np.where(pitch_hz > 40.0, scaled, np.float32(0.0))


def _stretch(spectrum: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """Move what lies at frequency f to f * scale; `spectrum` is (bins, frames), log or phase units."""
    if scale == 1.0:
        return spectrum
    last = len(spectrum) - 1
    source = np.arange(last + 1) / scale
    below = np.minimum(source.astype(np.int64), last - 1)
    weight = np.minimum(source - below, 1.0).astype(np.float32)[:, None]
    blended: NDArray[np.float32] = spectrum[below] * (1 - weight) + spectrum[below + 1] * weight
    return blended


def _nearest(phase: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """As `_stretch`, without blending: between two free phases there is no meaningful middle."""
    last = len(phase) - 1
    return phase[np.minimum(np.rint(np.arange(last + 1) / scale).astype(np.int64), last)]
