"""What the command line may not load before it has to."""

import json
import subprocess
import sys

HEAVY = ("prefect", "pyarrow", "hibari", "onnxruntime", "pyttsx3", "soundfile", "scipy", "matplotlib", "numpy")


def heavy_imports() -> list[str]:
    """Heavy packages that `factory --help` imports."""
    code = (
        "import sys, json; sys.argv = ['factory', '--help']\n"
        "from factory.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout.splitlines()[-1]))
