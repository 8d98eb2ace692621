"""Small runs, really built: planned blueprints played by the composer, frozen, and voiced with plain tones."""

import asyncio
import shutil
from pathlib import Path

import numpy as np
import soundfile
import yaml

from factory.build.conversations import build_conversation
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.records.run import RunIdentity
from factory.records.spec import Spec
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.run.freeze import freeze
from factory.run.log import read_progress
from factory.simulate.canary import without_canary
from factory.workflow.library import Library
from tests.timelines import write_tone_call
from tests.workflow.base import Data, Edit

SHARED = Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml"
SEED = 2

SPEC = Spec.model_validate(
    {
        "schema_version": 1,
        "name": "small",
        "description": "Calls | for <tests>, with *marks*.",
        "conversations": 4,
        "workflows": ["*/*"],
        "interruptions": {
            "by_type": {
                "pushback": 3, "impatient": 3, "normal": 2, "topic_switch": 2, "filler": 2, "correction": 2,
            },
            "by_depth": {"0-4": 7, "5-9": 7},
        },
        "messages": {"min": 16, "max": 20, "mean": 19},
    }
)  # fmt: skip


def make_library(folder: Path) -> Library:
    """Three goals in two domains, all after the small workflow of the workflow room's tests."""
    shutil.copy(SHARED, folder / "shared.yaml")
    for workflow_id, direction, title in (
        ("utilities/meter_visit", "outbound", "Booking a meter visit"),
        ("utilities/meter_fault", "inbound", "Reporting a meter fault"),
        ("water_supply/pipe_visit", "inbound", "Booking a pipe visit"),
    ):
        edit = Edit().put("id", workflow_id).put("title", title).put("goal.direction", direction)
        _write(folder / f"{workflow_id}.yaml", edit.data)
    return Library((folder,))


def _write(path: Path, data: Data) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(data, sort_keys=False))


def build_run(
    path: Path, library: Library, *, audio: bool, canaries: bool = False, limit: int | None = None
) -> RunFolder:
    """Builds a run up to the point where its dataset can be written."""
    folder = RunFolder(path)
    identity = RunIdentity(
        spec=SPEC,
        seed=SEED,
        limit=limit,
        audio=audio,
        canaries=canaries,
        versions={"blueprint-factory": "0.1.0", "hibari-tts": "0.2.1"},
        workflows={i: library.digest(i) for i in library.ids},
        shared=library.shared_digest(),
        templates={},
    )
    folder.claim(identity, fresh=False)
    plan = plan_corpus(SPEC, library, SEED)
    write_text(folder.blueprints_file, "".join(f"{line}\n" for line in plan.lines))
    engine = Engine(library, SEED if canaries else None)
    for blueprint in folder.built():
        asyncio.run(build_conversation(folder, engine, blueprint))
        if audio:
            voice(folder, blueprint.conversation_id)
    freeze(folder)
    return folder


def voice(folder: RunFolder, conversation_id: str) -> None:
    """Writes a short tone for every caller turn, another pitch for each, and a call of tones."""
    rounds = read_progress(folder.conversation_file(conversation_id)).rounds
    for turn, done in enumerate(rounds, 1):
        if done.caller is not None:
            path = folder.audio_file(conversation_id, turn)
            path.parent.mkdir(parents=True, exist_ok=True)
            soundfile.write(path, tone(turn), 24_000, subtype="PCM_16")
    write_tone_call(folder, conversation_id, without_canary(tuple(rounds)))


def tone(turn: int) -> np.ndarray:
    """A tenth of a second and a little more for each turn."""
    samples = np.arange(2_400 + turn)
    return np.rint(8_000 * np.sin(samples * 0.01 * turn)).astype(np.int16)
