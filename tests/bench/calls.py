"""What making calls costs: wall time over the length of the calls, on two cores, and memory in their number."""

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.shape import row

FEW, ALL = 9, 45
TIME_BAR, PEAK_BAR_MIB, GROWTH_BAR = 0.04, 1500.0, 1.25

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
    return [
        row("calls: wall time of the whole build over seconds of audio", seconds / audio_s, TIME_BAR),
        row("calls: peak memory", peak, PEAK_BAR_MIB, " MiB"),
        row(f"calls: peak memory, {ALL} over {FEW}", peak / measured[FEW][2], GROWTH_BAR),
    ]
