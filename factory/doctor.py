"""What is usable on this machine."""

import importlib.util
import os
from importlib import metadata

from factory import __version__
from factory.speech import available_engines

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
"""Environment variables that model makers' software reads; only whether they are set is ever looked at."""


def examine() -> str:
    """One line for each thing that a build may use."""
    lines = [f"blueprint-factory {__version__}", "", "speech engines"]
    for status in available_engines():
        asks = f" (asks for {status.asks})" if status.asks else ""
        lines.append(f"  {status.name:<20} {'usable' if status.usable else f'not usable: {status.remedy}'}{asks}")
    lines += ["", "speech recogniser, for --asr"]
    lines.append(f"  {'faster-whisper':<20} {_installed('faster_whisper', 'the extra `asr` brings it')}")
    lines += ["", "model keys (never shown)"]
    lines += [f"  {name:<20} {'set' if os.environ.get(name) else 'not set'}" for name in KEYS]
    lines += ["", "orchestration"]
    lines.append(f"  {'prefect':<20} {_installed('prefect', 'run make setup; --engine inline works without it')}")
    server = (
        "set, builds run there" if os.environ.get("PREFECT_API_URL") else "not set, builds start a server of their own"
    )
    lines.append(f"  {'PREFECT_API_URL':<20} {server}")
    return "\n".join(lines)


def _installed(package: str, remedy: str) -> str:
    if importlib.util.find_spec(package) is None:
        return f"not installed: {remedy}"
    return metadata.version(package)
