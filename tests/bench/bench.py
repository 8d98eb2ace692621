"""Measures what the project promises about speed and memory, and prints ratios against a floor.

Every figure comes from this run: builds and their audits in processes of their own at three sizes, the calls of
the reference corpus, what `factory --help` imports, and the model engine beside a bare loop over the same SDK. Exits 1
if a bar is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from factory.corpus.specs import load_spec
from tests.bench.audits import measure_audits
from tests.bench.calls import measure_calls
from tests.bench.models import measure_models
from tests.bench.shape import row, scaled
from tests.light import heavy_imports

SIZES = (45, 450, 4500)
TIME_BAR, MEMORY_BAR = 1.15, 1.5

_BUILD = """
import json, resource, sys, time
from pathlib import Path
from factory.corpus.specs import load_spec
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.run.display import Silent
from factory.workflow.library import standard_library
spec, out = sys.argv[1:]
order = Order(spec=load_spec(spec), library=standard_library(), audio=False)
start = time.perf_counter()
run_inline(order, Path(out), False, Silent())
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure_build(size: int, folder: Path) -> tuple[float, float]:
    """Seconds a conversation, and peak memory in MiB, of a build in a process of its own."""
    path = folder / f"bench-{size}.yaml"
    path.write_text(json.dumps(scaled(load_spec("demo"), size).model_dump(mode="json", exclude_defaults=False)))
    out = folder / f"run-{size}"
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(path), str(out)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"the build of {size} conversations failed:\n{done.stderr}")
    seconds, peak = json.loads(done.stdout.splitlines()[-1])
    return seconds / size, peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the largest size to build")
    largest = parser.parse_args().largest
    held = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = {}
        for size in (s for s in SIZES if s <= largest):
            per, peak = results[size] = measure_build(size, folder)
            print(f"{size:>5} conversations: {1 / per:6.1f} a second, peak {peak:6.0f} MiB, {per * size:.0f} s")
        first, last = results[min(results)], results[max(results)]
        held.append(row(f"time a conversation, {max(results)} over {min(results)}", last[0] / first[0], TIME_BAR))
        held.append(row(f"peak memory, {max(results)} over {min(results)}", last[1] / first[1], MEMORY_BAR))
        runs = {size: folder / f"run-{size}" for size in results}
        held += measure_audits(runs, {size: per for size, (per, _) in results.items()})
        held += measure_calls(folder)
    heavy = heavy_imports()
    print(f"{'factory --help imports nothing heavy':<62} {'holds' if not heavy else f'MISSED: {heavy}'}")
    held += measure_models(largest)
    return 0 if all(held) and not heavy else 1


if __name__ == "__main__":
    sys.exit(main())
