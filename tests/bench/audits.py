"""How long an audit takes beside the build that it is about, and how much memory, at every size that was built."""

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.shape import row

BUILD_BAR, TIME_BAR, MEMORY_BAR_MIB = 1.0, 1.15, 500

_AUDIT = """
import json, resource, sys, time
from pathlib import Path
from factory.audit.report import write_flow_report
from factory.run.folder import RunFolder
start = time.perf_counter()
report = write_flow_report(RunFolder(Path(sys.argv[1])))
seconds = time.perf_counter() - start
assert report.clean, report.verdict
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure_audits(runs: dict[int, Path], built: dict[int, float]) -> list[bool]:
    """Audits built runs, each in a process of its own, and prints the figures.

    Args:
        runs: Run folders by their number of conversations.
        built: Seconds a conversation that each took to build.

    Returns:
        Whether each bar holds.
    """
    found: dict[int, tuple[float, float]] = {}
    for size, run in runs.items():
        done = subprocess.run([sys.executable, "-c", _AUDIT, str(run)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the audit of {size} conversations failed:\n{done.stderr}")
        seconds, peak = json.loads(done.stdout.splitlines()[-1])
        found[size] = seconds / size, peak
        print(f"{size:>5} conversations audited: {size / seconds:6.1f} a second, peak {peak:6.0f} MiB, {seconds:.0f} s")
    first, last = min(found), max(found)
    return [
        row(f"time of an audit over its build's, {first} conversations", found[first][0] / built[first], BUILD_BAR),
        row(f"time of an audit over its build's, {last} conversations", found[last][0] / built[last], BUILD_BAR),
        row(f"time a conversation of an audit, {last} over {first}", found[last][0] / found[first][0], TIME_BAR),
        row(f"peak memory of an audit over {MEMORY_BAR_MIB} MiB", found[last][1] / MEMORY_BAR_MIB, 1.0),
    ]
