"""All checks of a run, in the order in which their faults are told."""

from collections.abc import Iterator
from pathlib import Path

from factory.audit.findings import shown
from factory.build.verify.calls import CallChecks
from factory.build.verify.damage import guarded, read
from factory.build.verify.files import checksum_faults, report_faults
from factory.build.verify.freeze import MOST_SHOWN, Published, freeze_faults
from factory.build.verify.plan import Plan
from factory.dataset.write import BASELINE, CARD, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.errors import RunError
from factory.quality.write import quality_faults
from factory.run.folder import RunFolder
from factory.workflow.library import Library

NOTHING = Published()
"""What somebody knows of a freeze who has only the run folder."""


def verify_run(path: Path, library: Library | None = None, published: Published = NOTHING) -> list[str]:
    """Everything that does not hold in a run folder, one line each; empty if all does.

    Conversations and rows are read one at a time.

    Args:
        path: The run folder.
        library: The workflows that the run was made from, as far as they are here: with them its quality is measured
            again. Nothing else needs them.
        published: What is known of the freeze from elsewhere.

    Raises:
        RunError: if the folder holds no run at all, or one whose build is not finished.
    """
    folder = RunFolder(path)
    if not folder.identity_file.exists():
        folder.identity()  # says that there is no run here
    _require_finished(folder)
    return [shown(fault, MOST_SHOWN) for fault in guarded(path.name, _faults(folder, library, published))]


def _require_finished(folder: RunFolder) -> None:
    """A build writes its checksums last. Where they alone are gone, it is not the build that lacks something."""
    if folder.checksums_file.exists():
        return
    tables = (folder.dataset / name for name in (CONVERSATIONS, BASELINE, TURNS, INTERRUPTIONS, CARD))
    for path in (folder.manifest_file, folder.ledger_root_file, *tables, folder.flow_record, folder.corpus_report):
        if not path.exists():
            raise RunError(
                f"{folder.path}: its build is not finished ({path.relative_to(folder.path).as_posix()} is not there "
                "yet); the same build command goes on with it, and then it can be verified"
            )


def _faults(folder: RunFolder, library: Library | None, published: Published) -> Iterator[str]:
    faults: list[str] = []
    identity = read("run.json", folder.identity, faults)
    manifest = read("manifest.json", folder.manifest, faults)
    root = read("ledger/root.json", folder.ledger_root, faults)
    plan = read("blueprints.jsonl", lambda: Plan(folder, identity), faults) if identity is not None else None
    yield from faults
    if manifest is not None:
        yield from freeze_faults(folder, manifest, published)
    yield from guarded(folder.checksums_file.name, checksum_faults(folder, None if plan is None else plan.files))
    if identity is None or plan is None:
        return
    yield from plan.faults()
    yield from guarded("reports", report_faults(folder, plan.order))
    if library is not None and folder.quality_file.is_file():  # a missing one was told already
        yield from guarded("reports/quality.json", quality_faults(folder, library))
    if manifest is not None and root is not None:
        yield from CallChecks(folder, identity, manifest, root, plan.order).faults()
