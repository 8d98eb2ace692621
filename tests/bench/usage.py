"""What a process has used so far: time, processor time and memory, as the children of a measurement report it."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_HERE = Path("/proc/self/status")


@dataclass(frozen=True)
class Used:
    """What one piece of work in a process of its own took.

    Attributes:
        wall_s: Seconds that passed.
        cpu_s: Seconds of processor time, the process's own and the kernel's for it; its children's are not in it.
        peak_mb: The most memory that the whole process has held, in MiB.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float


class Clock:
    """Measures from where it is made to where it tells."""

    def __init__(self) -> None:
        """Starts."""
        self._wall_s, self._cpu_s = time.perf_counter(), time.process_time()

    def tell(self) -> None:
        """Prints what was used since the start, for `used_by`."""
        wall_s, cpu_s = time.perf_counter() - self._wall_s, time.process_time() - self._cpu_s
        print(json.dumps([wall_s, cpu_s, _peak_mb()]), flush=True)


def used_by(module: str, *arguments: str) -> Used:
    """Runs a module in a fresh process, which tells what it used on its last line.

    Exits with what it said, if it fails.
    """
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{module} failed:\n{done.stderr}")
    return Used(*json.loads(done.stdout.splitlines()[-1]))


def cpu_of(pid: int) -> float | None:
    """Seconds of processor time of another process; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mb() -> float:
    # Linux counts into `ru_maxrss` what the parent held when it started this process; `VmHWM` is this process's own.
    if _HERE.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", _HERE.read_text())
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
