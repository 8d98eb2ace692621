"""All checks of a run, in the order in which their faults are told."""

from collections.abc import Iterator
from pathlib import Path

from factory.audit.findings import shown
from factory.audit.unfinished import require_finished
from factory.build.verify.calls import CallChecks
from factory.build.verify.damage import guarded, read
from factory.build.verify.files import checksum_faults, report_faults
from factory.build.verify.freeze import MOST_SHOWN, Published, freeze_faults
from factory.build.verify.plan import Plan
from factory.dataset.write import BASELINE, CARD, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.quality.write import quality_faults
from factory.run.done import Done, ShowDone, show_nothing
from factory.run.folder import RunFolder
from factory.workflow.library import Library

NOTHING = Published()
"""What somebody knows of a freeze who has only the run folder."""


def verify_run(
    path: Path, library: Library | None = None, published: Published = NOTHING, show: ShowDone = show_nothing
) -> list[str]:
    """Everything that does not hold in a run folder, one line each; empty if all does.

    Conversations and rows are read one at a time.

    Args:
        path: The run folder.
        library: The workflows that the run was made from, as far as they are here: with them its quality is measured
            again. Nothing else needs them.
        published: What is known of the freeze from elsewhere.
        show: Is told how far the two passes over the calls are.

    Raises:
        RunError: if the folder holds no run at all, or one whose build is not finished.
    """
    folder = RunFolder(path)
    if not folder.identity_file.exists():
        folder.identity()  # says that there is no run here
    require_finished(folder, _needed(folder), "verified")
    return [shown(fault, MOST_SHOWN) for fault in guarded(path.name, _faults(folder, library, published, show))]


def _needed(folder: RunFolder) -> Iterator[Path]:
    yield from (folder.ledger_root_file, folder.manifest_file)
    yield from (folder.dataset / name for name in (CONVERSATIONS, BASELINE, TURNS, INTERRUPTIONS, CARD))
    yield from (folder.flow_record, folder.corpus_report)


def _faults(folder: RunFolder, library: Library | None, published: Published, show: ShowDone) -> Iterator[str]:
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
    measured = library is not None and folder.quality_file.is_file()  # a missing one was told already
    done = Done(show, (1 + measured) * len(plan.order))
    yield from plan.faults()
    yield from guarded("reports", report_faults(folder, plan.order))
    if library is not None and measured:
        yield from guarded("reports/quality.json", quality_faults(folder, library, done))
    if manifest is not None and root is not None:
        yield from CallChecks(folder, identity, manifest, root, plan.order).faults(done)
