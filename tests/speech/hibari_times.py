"""When hibari itself means each word to be spoken: the lengths of sounds that its network decides on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import onnxruntime as ort  # type: ignore[import-untyped]
from hibari import Hibari  # type: ignore[import-untyped]
from hibari.g2p import G2P  # type: ignore[import-untyped]
from numpy.typing import NDArray
from scipy.signal import fftconvolve  # type: ignore[import-untyped]

from factory.speech import SAMPLE_RATE, Clip, Voice
from factory.speech.hibari_engine import HibariEngine, bundled_model
from factory.speech.spoken import spoken_words_in

LENGTHS = "/Cast_32_output_0"
"""The network's node that holds the length of each sound, in frames of 25 ms; it is none of the model's outputs."""

HOP = 300
HOPS_A_FRAME = 2
EARLY_FRAMES = 2.4
"""Speech comes 60 ms before the lengths say so: the hiss of an "s" inside a word begins that much early (median of 160,
found in the spectrum). `KPipeline.join_timestamps` of Kokoro, whose lengths hibari has learned, takes off 3 frames, and
asks itself whether it should."""

SPACE_FRAMES = 3.0
"""The longest space that is no pause. In a shorter one, one sound goes over into the next."""

LEAD_SAMPLES = 4 * SAMPLE_RATE


@dataclass(frozen=True)
class TrueTime:
    """A word as hibari means it, by the rule of Kokoro's time stamps: of a space, half belongs to each neighbour.

    Attributes:
        word: The word.
        start_s: Where it begins, in seconds from the clip's beginning; None inside a compound ("twenty-one").
        end_s: Where it ends; None inside a compound. Before a pause the lengths count some of the silence as the last
            sound's, so it is too late there by a tenth of a second and more.
        pauses: Whether a mark or a long space follows.
    """

    word: str
    start_s: float | None
    end_s: float | None
    pauses: bool


@dataclass(frozen=True)
class _Piece:
    """What hibari reads as one: a word, a compound, or a mark."""

    words: list[str]
    sounds: str
    spaced: bool


class TimedHibari(HibariEngine):
    """The engine as it is, which also tells the lengths that its network came to; for one thread."""

    def __init__(self) -> None:
        """Load nothing yet."""
        super().__init__()
        self._sentences: list[list[_Piece]] = []
        self._waves: list[tuple[str, NDArray[np.float32]]] = []

    def speak_timed(self, text: str, voice: Voice, seed: int) -> tuple[Clip, tuple[TrueTime, ...]]:
        """Return what `speak` returns, and when its words are spoken: one time for each of `spoken_words_in(text)`."""
        self._sentences.clear()
        self._waves.clear()
        clip = self.speak(text, voice, seed)
        start = _offset(clip, np.concatenate([wave for _, wave in self._waves]))
        times: list[TrueTime] = []
        for pieces, (phonemes, wave) in zip(self._sentences, self._waves, strict=True):
            edges, frame = self._edges(phonemes, len(wave))
            times += _times(pieces, start + edges, frame)
            start += len(wave)
        assert [time.word for time in times] == spoken_words_in(text)
        return clip, tuple(times)

    @cached_property
    def _model(self) -> Hibari:
        to_pieces = G2P()

        def read(sentence: str) -> str:
            tokens = to_pieces.phonemize_tokens(to_pieces.tokenize(sentence))
            pieces = [_Piece(spoken_words_in(token.text), token.phonemes, bool(token.whitespace)) for token in tokens]
            self._sentences.append(pieces)
            return "".join(piece.sounds + " " * piece.spaced for piece in pieces).strip()

        return Hibari(model=str(bundled_model()), threads=1, g2p=read)

    def _render(  # type: ignore[override]
        self, model: Hibari, phonemes: str, voice: Voice, noise: np.random.Generator
    ) -> NDArray[np.float32]:
        wave = HibariEngine._render(model, phonemes, voice, noise)
        self._waves.append((phonemes, wave))
        return wave

    def _edges(self, phonemes: str, samples: int) -> tuple[NDArray[np.float64], float]:
        """Return the sample at which each of `phonemes` begins and the last one ends, and the samples in a frame."""
        inputs = {"ids": np.asarray([self._model.ids(phonemes)], np.int64), "speed": np.ones(1, np.float32)}
        lengths = self._network.run([LENGTHS], inputs)[0].ravel()
        # Whatever the pace, the last hop is the network's last one.
        frame = HOP * HOPS_A_FRAME * max(samples // HOP - 1, 1) / (HOPS_A_FRAME * lengths.sum() - 1)
        known = np.cumsum([character in self._model.vocab for character in phonemes])
        return (np.cumsum(lengths) - EARLY_FRAMES)[np.concatenate([[0], known])] * frame, float(frame)

    @cached_property
    def _network(self) -> ort.InferenceSession:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        model = bundled_model().read_bytes() + _output(LENGTHS)
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _output(name: str) -> bytes:
    """Return what, behind an ONNX model's bytes, makes a 64-bit integer node one more of its outputs.

    Protocol buffers merge what is appended: a model's field 7 is its graph, whose field 12 is an output.
    """

    def field(number: int, value: bytes) -> bytes:
        return bytes([number << 3 | 2, len(value)]) + value

    integers = field(1, bytes([1 << 3, 7]))
    return field(7, field(12, field(1, name.encode()) + field(2, integers)))


def _times(pieces: list[_Piece], edges: NDArray[np.float64], frame: float) -> list[TrueTime]:
    """Return the times of a sentence's words.

    Args:
        pieces: What the sentence is made of.
        edges: The sample at which each character of its phonemes begins, and where the last one ends.
        frame: Samples in a frame of the lengths, at the pace of the voice.
    """
    times: list[TrueTime] = []
    place, begin = 0, float(edges[0])
    for number, piece in enumerate(pieces):
        stop = place + len(piece.sounds)
        place = min(stop + piece.spaced, len(edges) - 1)
        end, after = float(edges[stop]), float(edges[place])
        long = after - end > (SPACE_FRAMES + 0.5) * frame
        if not long:
            end = after = (end + after) / 2
        pauses = long or not any(later.words for later in pieces[number + 1 : number + 2])
        for index, word in enumerate(piece.words):
            last = index + 1 == len(piece.words)
            start_s = begin / SAMPLE_RATE if index == 0 else None
            times.append(TrueTime(word, start_s, end / SAMPLE_RATE if last else None, last and pauses))
        begin = after
    return times


def _offset(clip: Clip, waveform: NDArray[np.float32]) -> int:
    """Return the sample of the clip at which an engine's waveform begins; below 0, for `settle` cuts silence off."""
    lead = clip.samples[:LEAD_SAMPLES].astype(np.float64)
    whole = waveform[: 2 * LEAD_SAMPLES].astype(np.float64)
    return len(lead) - 1 - int(np.argmax(fftconvolve(whole, lead[::-1], "full")))
