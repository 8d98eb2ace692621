"""`python -m tests.speech.measure_align RUN [EVERY]`: how far a run's cuts lie from where hibari's lengths put them.

All cut turns of the run's dataset are voiced anew, or one in EVERY, in hibari's ten voices by turns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from factory.speech.align import AlignmentError, WordTime, align
from factory.speech.spoken import say

from .hibari_times import TimedHibari, TrueTime

SLACK_S = 0.0625
"""How exactly lengths tell where a word ends: half a frame of 25 ms, and where in a space of two frames on the average
(and three at the most) one sound goes over into the next."""


@dataclass(frozen=True)
class CutText:
    """An agent's turn and the written word behind which it is cut."""

    as_meant: str
    cut_word: int


@dataclass(frozen=True)
class Boundary:
    """The end of a word, as found and as hibari means it.

    Attributes:
        voice: Whose it is.
        words: The word, and the one behind it.
        is_cut: Whether the turn is cut here.
        pauses: Whether a pause follows.
        error_s: Found end less true end. Before a pause: how much the end lies behind the next word's true start, or
            the next word's found start before it; 0.0 if the pause parts them.
        inside_s: How far the found end lies inside the word before, or inside the word behind; below 0 if in neither.
    """

    voice: str
    words: str
    is_cut: bool
    pauses: bool
    error_s: float
    inside_s: float

    @property
    def in_neighbour(self) -> bool:
        """Whether the found end lies further inside another word than the lengths are exact."""
        return self.inside_s > SLACK_S


@dataclass(frozen=True)
class Measured:
    """What came of a number of turns."""

    boundaries: tuple[Boundary, ...]
    failures: tuple[str, ...]
    audio_s: float
    align_s: float


def measure(texts: Sequence[CutText]) -> Measured:
    """Voice the texts, in each of hibari's voices by turns, and align them."""
    hibari = TimedHibari()
    voices = hibari.voices()
    boundaries: list[Boundary] = []
    failures: list[str] = []
    audio_s = align_s = 0.0
    for number, text in enumerate(texts):
        voice = voices[number % len(voices)]
        said = say(text.as_meant)
        clip, true = hibari.speak_timed(said.text, voice, number)
        audio_s += clip.duration_s
        begun = time.process_time()
        try:
            found = align(clip, said.text)
        except AlignmentError as error:
            failures.append(f"{voice.id}: {error}")
            continue
        finally:
            align_s += time.process_time() - begun
        boundaries += _boundaries(voice.id, found, true, said.spans[text.cut_word][1] - 1)
    return Measured(tuple(boundaries), tuple(failures), audio_s, align_s)


def cut_texts(run: Path) -> list[CutText]:
    """Return the agent's turns of a run that are cut."""
    rows = pq.read_table(run / "dataset" / "turns.parquet", columns=["as_meant", "cut_word"]).to_pylist()
    return [CutText(row["as_meant"], row["cut_word"]) for row in rows if row["cut_word"] is not None]


def figures(boundaries: Iterable[Boundary]) -> str:
    """Return how many errors there are, their median, 95th percentile and largest, and the latest one."""
    errors = np.array([boundary.error_s for boundary in boundaries]) * 1000
    if not len(errors):
        return "none"
    median, most, largest = np.quantile(np.abs(errors), [0.5, 0.95, 1.0])
    return (
        f"{len(errors):6d}  median {median:3.0f}  95 % {most:3.0f}  max {largest:4.0f} ms; "
        f"signed {np.median(errors):4.0f}, latest {errors.max():4.0f} ms"
    )


def _boundaries(voice: str, found: Sequence[WordTime], true: Sequence[TrueTime], cut: int) -> Iterable[Boundary]:
    for index in range(len(found) - 1):
        begins, ends, follows = true[index].start_s, true[index].end_s, true[index + 1].start_s
        if ends is None or follows is None:
            continue
        late = found[index].end_s - follows
        error = found[index].end_s - ends
        if true[index].pauses:
            error = max(0.0, late) or min(0.0, found[index + 1].start_s - follows)
        inside = late if begins is None else max(late, begins - found[index].end_s)
        words = f"{true[index].word} {true[index + 1].word}"
        yield Boundary(voice, words, index == cut, true[index].pauses, error, inside)


def _main(run: Path, every: int) -> None:
    measured = measure(cut_texts(run)[::every])
    print(f"{measured.audio_s:.0f} s of audio, aligned at {measured.align_s / measured.audio_s:.4f} of its length")
    print(f"failures: {len(measured.failures)} {measured.failures[:3]}")
    cuts = [boundary for boundary in measured.boundaries if boundary.is_cut]
    print("in a neighbouring word:", [b.words + " (cut)" * b.is_cut for b in measured.boundaries if b.in_neighbour])
    print("cuts          ", figures(cuts))
    print("words touching", figures(b for b in measured.boundaries if not b.pauses))
    print("before a pause", figures(b for b in measured.boundaries if b.pauses))
    for voice in sorted({boundary.voice for boundary in cuts}):
        own = [b for b in measured.boundaries if b.voice == voice and not b.pauses]
        print(f"{voice:>14} ", figures(b for b in cuts if b.voice == voice), " | all", figures(own))
    for boundary in sorted(measured.boundaries, key=lambda b: -abs(b.error_s))[:15]:
        print(f"{boundary.error_s * 1000:6.0f} ms  {boundary.voice}  {boundary.words!r}  cut: {boundary.is_cut}")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
