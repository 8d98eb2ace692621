"""The files of a run: whether each is there, is the one that checksums were taken of, and belongs here."""

from collections.abc import Iterable, Iterator, Mapping

from factory.build.checksums import read_checksums
from factory.build.verify.damage import guarded
from factory.calls.condition import condition_of
from factory.calls.files import call_files
from factory.dataset.write import BASELINE, CALLS, CARD, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.records.run import RunIdentity
from factory.run.folder import RunFolder, file_digest

_OWN_FOLDERS = ("machines", "conversations", "ledger", "calls", "dataset")


def files_of(folder: RunFolder, identity: RunIdentity, conversations: Mapping[str, int]) -> set[str]:
    """Names of all files of a run that checksums are taken of; its conversations come with their places."""
    paths = [folder.identity_file, folder.manifest_file, folder.blueprints_file, folder.ledger_root_file]
    paths += [folder.machine_file(workflow) for workflow in identity.workflows]
    if identity.audio:
        paths.append(folder.dataset / CALLS)
        for name, place in conversations.items():
            condition = condition_of(identity.spec.sound.conditions, place, identity.seed)
            paths += call_files(folder, name, identity.formats, condition.is_clean)
    paths += [file(name) for name in conversations for file in (folder.conversation_file, folder.ledger_file)]
    paths += [folder.dataset / name for name in (CONVERSATIONS, BASELINE, TURNS, INTERRUPTIONS, CARD)]
    return {folder.name_of(path) for path in paths}


def checksum_faults(folder: RunFolder, expected: set[str] | None) -> Iterator[str]:
    """Files against the digests taken of them, and the names against those that the run has to have.

    Args:
        folder: The run.
        expected: The names; None where run.json or the blueprints are too damaged to tell.
    """
    digests = read_checksums(folder)
    if digests is None:
        yield f"{folder.checksums_file.name}: missing or damaged, so changed files cannot be named"
        digests = {}
    elif not digests:
        yield f"{folder.checksums_file.name}: names no file, so changed files cannot be named"
    elif expected is not None:
        for name in sorted(expected - digests.keys()):
            yield f"{folder.checksums_file.name}: does not name {name}"
        for name in sorted(digests.keys() - expected):
            yield f"{folder.checksums_file.name}: names {name}, which is no file of this run"
    for name in sorted(digests.keys() if expected is None else expected):
        yield from guarded(name, _file(folder, name, digests.get(name)))
    if expected is not None:
        for name in _found(folder):
            if name not in expected:
                yield f"{name}: is no file of this run"


def report_faults(folder: RunFolder, conversations: Iterable[str]) -> Iterator[str]:
    """Reports that are missing or empty."""
    whole = (folder.corpus_report, folder.quality_file, folder.flow_report, folder.flow_record)
    for path in (*whole, *map(folder.call_report, conversations)):
        if not path.is_file() or not path.stat().st_size:
            yield f"{folder.name_of(path)}: is missing"


def _file(folder: RunFolder, name: str, digest: str | None) -> Iterator[str]:
    place = (folder.path / name).resolve()
    if not place.is_relative_to(folder.path.resolve()) or not place.is_file():
        yield f"{name}: is missing"
    elif digest is not None and file_digest(place) != digest:
        yield f"{name}: was changed after the build"


def _found(folder: RunFolder) -> Iterator[str]:
    """Names of all files in the folders that checksums are taken in; hidden ones are the machine's own."""
    for name in _OWN_FOLDERS:
        for path in sorted((folder.path / name).rglob("*")):
            if not path.is_dir() and not path.name.startswith("."):
                yield folder.name_of(path)
