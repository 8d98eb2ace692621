"""A frozen run, and what a cheat does to its freeze."""

import json
import shutil
from datetime import date

from factory.build.checksums import write_checksums
from factory.build.verify.freeze import Published, freeze_faults
from factory.records.run import EarlierFreeze, Manifest
from factory.run.files import write_text
from factory.run.finished import read_finished
from factory.run.freeze import frozen_item, proved_root
from tests.build.verify.runs import Run

SALT = "5a" * 32
DAY = date(2026, 3, 1)
REASON = "A rubric asked for the wrong date"
INLINE = ("--engine", "inline", "--no-audio")


def root_of(run: Run) -> str:
    return run.folder.manifest().root


def ids_of(run: Run) -> list[str]:
    return list(run.folder.manifest().items)


def rewrite(run: Run, manifest: Manifest) -> None:
    """Puts another manifest in place, with its root and all checksums taken anew: as consistent as a cheat can be."""
    consistent = manifest.model_copy(update={"root": proved_root(manifest)})
    write_text(run.folder.manifest_file, consistent.model_dump_json(indent=1) + "\n")
    write_checksums(run.folder)


def change_a_rubric(run: Run) -> str:
    """Changes a rubric in the log, and every digest of the freeze with it; returns the item's id."""
    run.edit_lines(run.log, lambda lines: lines[-1]["items"][0]["task_fulfilment"].update(text="Is it the new one?"))
    item = read_finished(run.folder, run.ids[1]).items[0]
    manifest = run.folder.manifest()
    rewrite(run, manifest.model_copy(update={"items": manifest.items | {item.item_id: frozen_item(item)}}))
    return item.item_id


def faults(run: Run, published: Published) -> list[str]:
    return list(freeze_faults(run.folder, run.folder.manifest(), published))


def second_version(run: Run) -> Manifest:
    """Gives the freeze up and puts the same items under a second one, without building anything."""
    first = run.folder.manifest()
    unfrozen = EarlierFreeze(version=1, root=first.root, reason=REASON)
    run.folder.earlier.mkdir()
    for file in (run.folder.manifest_file, run.folder.commitment_file, run.folder.opening_file):
        if file.exists():
            shutil.copy(file, run.folder.earlier_file(file, 1))
    write_text(run.folder.unfrozen_file, unfrozen.model_dump_json())
    rewrite(run, first.model_copy(update={"earlier": (unfrozen,)}))
    return run.folder.manifest()


def answer(item_id: str, root: str, model: str = "target-a", at: str = "2026-03-02T10:00:00Z") -> str:
    told = {"item_id": item_id, "root": root, "model": model, "response": "Yes.", "answered_at": at}
    return json.dumps(told) + "\n"
