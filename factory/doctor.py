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
        lines.append(f"  {status.name:<20} {'usable' if status.usable else f'not usable: {status.remedy}'}")
    lines += ["", "model keys (never shown)"]
    lines += [f"  {name:<20} {'set' if os.environ.get(name) else 'not set'}" for name in KEYS]
    lines += ["", "orchestration"]
    lines.append(f"  {'prefect':<20} {_installed('prefect')}")
    server = (
        "set, builds run there" if os.environ.get("PREFECT_API_URL") else "not set, builds start a server of their own"
    )
    lines.append(f"  {'PREFECT_API_URL':<20} {server}")
    return "\n".join(lines)


def _installed(package: str) -> str:
    if importlib.util.find_spec(package) is None:
        return "not installed: run make setup; --engine inline works without it"
    return metadata.version(package)
