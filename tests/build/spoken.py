"""An order of three short calls under three conditions, and damage to what comes of it."""

import shutil
from pathlib import Path

from tests.build.verify.runs import Run

SPEC = """\
schema_version: 1
name: brief
conversations: 3
workflows: ["financial_services/*", "government/*"]
interruptions:
  by_type: {pushback: 1, impatient: 1, filler: 1}
  by_depth: {"0-4": 3}
messages: {min: 10, max: 16, mean: 13.0}
"""
CONDITIONS = """\
  conditions:
    - {name: clean}
    - {name: telephone}
    - {name: street, snr_db: 5.0}
"""


def brief_spec(folder: Path, *sound: str, tts: str = "hibari", conditions: str = CONDITIONS) -> Path:
    """A spec of three calls of ten to sixteen messages; `sound` are further lines of its part of that name."""
    path = folder / "brief.yaml"
    path.write_text(f"{SPEC}tts: {tts}\nsound:\n{conditions}" + "".join(f"  {line}\n" for line in sound))
    return path


def copied(run: Path, folder: Path) -> Run:
    """A copy of a run, to damage."""
    return Run(Path(shutil.copytree(run, folder / "copy")))


def without_call(run: Run, conversation_id: str) -> None:
    """Takes one call, and all that was published, away."""
    shutil.rmtree(run.path / "audio" / conversation_id)
    shutil.rmtree(run.path / "dataset")
    for path in run.path.glob(f"calls/{conversation_id}.*"):
        path.unlink()
