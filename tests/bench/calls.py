"""What calls cost, on two cores and in memory, and how good they are: overlaps, cuts, and what is understood."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile

from factory.build.verify import verify_run
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.speech import word_errors
from factory.speech.hearing import open_listener
from tests.bench.shape import row
from tests.speech.measure_align import cut_texts, measure
from tests.speech.whisper_model import join_whisper

FEW, ALL = 9, 45
TIME_BAR, PEAK_BAR_MIB, GROWTH_BAR = 0.04, 1500.0, 1.25
CUT_MEDIAN_BAR_MS, CUT_MOST_BAR_MS, WER_BAR = 25.0, 80.0, 0.02

_BUILD = """
import json, resource, sys, time
from pathlib import Path
from factory.corpus.specs import load_spec
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.run.display import Silent
from factory.workflow.library import standard_library
limit, out = sys.argv[1:]
order = Order(spec=load_spec("ihbench-45"), library=standard_library(), limit=int(limit))
start = time.perf_counter()
folder = run_inline(order, Path(out), False, Silent())
seconds = time.perf_counter() - start
audio_s = sum(folder.timeline(blueprint.conversation_id).duration_s for blueprint in folder.built())
print(json.dumps([seconds, audio_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure_calls(folder: Path) -> list[bool]:
    """Builds some of the reference corpus, and all of it, voiced, in processes of their own; whether each bar holds."""
    measured = {}
    for calls in (FEW, ALL):
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, str(calls), str(folder / f"calls-{calls}")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"the build of {calls} calls failed:\n{done.stderr}")
        seconds, audio_s, peak = measured[calls] = json.loads(done.stdout.splitlines()[-1])
        print(f"{calls:>5} calls of {audio_s / 60:.0f} min: {seconds:.0f} s, peak {peak:.0f} MiB", flush=True)
    seconds, audio_s, peak = measured[ALL]
    run = folder / f"calls-{ALL}"
    return [
        row("calls: wall time of the whole build over seconds of audio", seconds / audio_s, TIME_BAR),
        row("calls: peak memory", peak, PEAK_BAR_MIB, " MiB"),
        row(f"calls: peak memory, {ALL} over {FEW}", peak / measured[FEW][2], GROWTH_BAR),
        row("calls: what verify finds, every overlap measured once more", len(verify_run(run)), 0),
        *measure_cuts(run),
        row("calls: word error rate of Whisper base, clean", word_error_rate(RunFolder(run), folder), WER_BAR),
    ]


def measure_cuts(run: Path) -> list[bool]:
    """Holds the cuts of a run against the lengths of sounds that the embedded engine decides on."""
    measured = measure(cut_texts(run)[::4]).boundaries
    errors_ms = [1000 * abs(boundary.error_s) for boundary in measured if boundary.is_cut]
    median_ms, most_ms = np.quantile(errors_ms, [0.5, 0.95])
    return [
        row(f"calls: error of {len(errors_ms)} cuts, median", float(median_ms), CUT_MEDIAN_BAR_MS, " ms"),
        row(f"calls: error of {len(errors_ms)} cuts, 95 %", float(most_ms), CUT_MOST_BAR_MS, " ms"),
    ]


def word_error_rate(run: RunFolder, folder: Path) -> float:
    """Errors a word in all of a run's caller turns, as Whisper base hears their clips."""
    listener, errors, words = open_listener(str(join_whisper(folder / "whisper-base"))), 0, 0
    for blueprint in run.built():
        name = blueprint.conversation_id
        said = {r.index + 1: r.caller.text for r in read_finished(run, name).rounds if r.caller is not None}
        clips = [soundfile.read(run.audio_file(name, turn), dtype="float32")[0] for turn in said]
        for text, heard in zip(said.values(), listener.hear(clips), strict=True):
            found = word_errors(text, heard)
            errors, words = errors + found.errors, words + found.words
    return errors / words
