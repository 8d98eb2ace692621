"""Measures the model engine beside a bare loop that sends the same requests through the same SDK.

Both ask one loopback server, in fresh processes of their own, in turn. Of the engine the step is measured in which
models are asked: from blueprints to finished conversations, with prompts, checks, ledger, rubrics and everything that
is written on the way. Planning before it and dataset and reports behind it are not in it. Of both, imports are not.

The bare loop uses the SDK's `create`, the engine its `post`, which does less; the bytes sent are the same. The bare
loop reads its requests from files while it runs, and has no limit on calls at once. Other work on the machine bends
the ratios, above all of wall time: measure on a quiet one.

`python -m tests.bench.models` measures this alone.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from factory.corpus.specs import load_spec
from tests.bench.shape import row, scaled
from tests.bench.usage import Used, cpu_of, used_by
from tests.models.servers import RunningServer, roles_file, running_server

CORPUS, SECONDS_A_CALL = "ihbench-45", 0.2
WALL_BAR, CPU_BAR, MEMORY_BAR = 1.10, 1.5, 1.0
TURNS = 3
"""Times that each of the two is measured; of each figure its smallest counts: whatever else runs only adds to it."""
SIZES, GROWTH_BAR = (45, 450), 1.15
"""Conversations, and what memory and time a conversation may grow by from one to the other."""
_BARE, _PLAYED = "tests.bench.bare", "tests.bench.played"


def measure_models(largest: int = SIZES[-1]) -> list[bool]:
    """Prints all figures, those of growth up to a size; whether each holds its bar."""
    with tempfile.TemporaryDirectory() as name, running_server() as server:
        held = _beside_bare_loop(Path(name), server)
    sizes = [size for size in SIZES if size <= largest]
    if len(sizes) > 1:
        with tempfile.TemporaryDirectory() as name, running_server() as server:
            held += _growth(Path(name), server, sizes)
    return held


def _beside_bare_loop(folder: Path, server: RunningServer) -> list[bool]:
    roles = str(roles_file(folder, server, model=f"player;slow={SECONDS_A_CALL}"))
    planned, requests = folder / "planned", folder / "requests"
    used_by(_PLAYED, "plan", CORPUS, str(planned), roles)
    used_by(_PLAYED, "record", CORPUS, str(_copy(planned, folder / "recorded")), roles, str(requests))
    recorded = server.stats()
    calls = int(recorded["requests"])
    cpu_s = cpu_of(server.process.pid)
    bare, played = [], []
    for turn in range(TURNS):
        bare.append(used_by(_BARE, server.openai_url, str(requests)))
        played.append(used_by(_PLAYED, "play", CORPUS, str(_copy(planned, folder / f"played-{turn}")), roles))
    sent = server.stats()
    again = int(sent["sent_again_after_answer"]) - int(recorded["sent_again_after_answer"])
    if int(sent["requests"]) != calls * (1 + 2 * TURNS) or again != calls * 2 * TURNS:
        sys.exit("the bare loop and the engine did not send the same requests")
    floor, ours = _least(bare), _least(played)
    print(
        f"{CORPUS} by models, {calls:,} calls of {SECONDS_A_CALL} s, the same bytes from both; least of {TURNS} turns:"
    )
    _tell("bare loop over the SDK", floor, calls)
    _tell("model step of the build", ours, calls)
    if cpu_s is not None:
        served_s = (cpu_of(server.process.pid) or cpu_s) - cpu_s
        print(f"  {'the server':<24} CPU {1000 * served_s / (calls * 2 * TURNS):.2f} ms a call, on the same cores")
    return [
        row("wall time of the model step over the bare loop", ours.wall_s / floor.wall_s, WALL_BAR),
        row("client CPU of the model step over the bare loop", ours.cpu_s / floor.cpu_s, CPU_BAR),
        row(
            "peak memory over twice the bare loop's plus 100 MiB", ours.peak_mb / (2 * floor.peak_mb + 100), MEMORY_BAR
        ),
    ]


def _growth(folder: Path, server: RunningServer, sizes: list[int]) -> list[bool]:
    roles = str(roles_file(folder, server))
    results: list[tuple[float, float]] = []
    for size in sizes:
        spec, run = folder / f"{size}.yaml", folder / f"run-{size}"
        spec.write_text(json.dumps(scaled(load_spec("demo"), size).model_dump(mode="json")))
        used_by(_PLAYED, "plan", str(spec), str(run), roles)
        used = used_by(_PLAYED, "play", str(spec), str(run), roles)
        results.append((used.cpu_s / size, used.peak_mb))
        print(
            f"{size:>5} conversations by models: {1000 * used.cpu_s / size:.0f} ms of CPU each, {used.peak_mb:.0f} MiB"
        )
    first, last = results[0], results[-1]
    return [
        row(f"CPU a conversation by models, {sizes[-1]} over {sizes[0]}", last[0] / first[0], GROWTH_BAR),
        row(f"peak memory by models, {sizes[-1]} over {sizes[0]}", last[1] / first[1], GROWTH_BAR),
    ]


def _least(turns: list[Used]) -> Used:
    return Used(*(min(getattr(turn, name) for turn in turns) for name in ("wall_s", "cpu_s", "peak_mb")))


def _tell(what: str, used: Used, calls: int) -> None:
    each_ms = 1000 * used.cpu_s / calls
    print(
        f"  {what:<24} {used.wall_s:5.1f} s, CPU {used.cpu_s:5.1f} s ({each_ms:.2f} ms a call), {used.peak_mb:.0f} MiB"
    )


def _copy(planned: Path, run: Path) -> Path:
    shutil.copytree(planned, run)
    return run


if __name__ == "__main__":
    sys.exit(0 if all(measure_models()) else 1)
