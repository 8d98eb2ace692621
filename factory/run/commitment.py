"""Commit and reveal: a seal that is published before any target answers, and opened with the corpus.

The seal is the digest of the opening, which holds the root and 32 random bytes. A corpus of the composer's can be
built again by anybody who guesses its order, so a bare root would tell whether the guess is right; a seal does not.
The salt is the only thing here that is drawn anew each time. It stands under no digest of the run, so equal orders
give equal corpora all the same.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from factory.errors import RunError
from factory.records.freeze import Commitment, Opening
from factory.records.run import Manifest, RunIdentity
from factory.run.files import write_text
from factory.run.folder import RunFolder, read_record
from factory.run.reading import MOST_RECORD_BYTES, read_bytes


def write_commitment(folder: RunFolder, salt: str, committed_on: date | None) -> Commitment:
    """Writes `opening.json` and `commitment.json` of a frozen run; a commitment that is there stays as it is.

    Args:
        folder: The run.
        salt: 32 random bytes, as hex digits.
        committed_on: The day that the commitment states, in UTC.

    Raises:
        RunError: if the run is not frozen, or holds a commitment to something else, of another day, or without its
            opening.
    """
    manifest, identity = folder.manifest(), folder.identity()
    if folder.opening_file.exists():
        return _again(folder, manifest, committed_on)
    if folder.commitment_file.exists():
        raise RunError(f"{folder.opening_file}: is missing, and nothing else opens {folder.commitment_file.name}")
    opening = Opening(
        root=manifest.root,
        salt=salt,
        items=len(manifest.items),
        spec=identity.spec.name,
        factory_version=_version(identity),
        committed_on=committed_on,
    )
    write_text(folder.opening_file, opening.model_dump_json(indent=1) + "\n")  # first: a seal without it is for nothing
    return _write(folder, opening.commitment())


def read_commitment(path: Path) -> Commitment:
    """A commitment; raises `RunError` if the file is not there, or holds none."""
    try:
        return Commitment.from_json(read_bytes(path, MOST_RECORD_BYTES))
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    except ValidationError:
        raise RunError(f"{path}: is no commitment; name the commitment.json that was published") from None


def commitment_faults(folder: RunFolder, manifest: Manifest, committed: Commitment, name: str) -> Iterator[str]:
    """Where a commitment is not one to what a run folder holds.

    Args:
        folder: The run, with its `opening.json`.
        manifest: Its freeze.
        committed: The commitment, as it was published.
        name: What to call it.
    """
    opening = _opening(folder, manifest, committed)
    if opening is None:
        yield f"{name}: opening.json is missing, or does not open it: this is not shown to be the committed corpus"
        return
    for number, given_up in enumerate(manifest.earlier, 1):
        if given_up.root == opening.root:
            yield f"{name}: commits to version {number}, which was given up: {given_up.reason}"
            return
    if opening.root != manifest.root:
        yield f"{name}: commits to another freeze, with the root {opening.root}"
        return
    try:
        identity = folder.identity()
    except RunError:  # told where run.json is checked
        return
    told = (opening.items, opening.spec, opening.factory_version)
    if told != (len(manifest.items), identity.spec.name, _version(identity)):
        yield f"{name}: number of items, spec or version are not those of the run"


def own_commitment_faults(folder: RunFolder, manifest: Manifest) -> Iterator[str]:
    """Where the commitment in a run folder, if there is one, is not one to the run."""
    if not folder.commitment_file.exists():
        if folder.opening_file.exists():
            yield "opening.json: opens nothing; commitment.json is missing"
        return
    try:
        committed = read_commitment(folder.commitment_file)
    except RunError as exc:
        yield str(exc)
        return
    yield from commitment_faults(folder, manifest, committed, folder.commitment_file.name)


def _again(folder: RunFolder, manifest: Manifest, committed_on: date | None) -> Commitment:
    opening = read_record(folder.opening_file, Opening)
    commitment = opening.commitment()
    if opening.root != manifest.root:
        raise RunError(f"{folder.opening_file}: opens a commitment to another freeze; move it away")
    if committed_on not in (None, opening.committed_on):
        raise RunError(
            f"{folder.commitment_file}: is of {opening.committed_on or 'no day'}, not of {committed_on}; a commitment "
            "never changes, so leave --date out"
        )
    if not folder.commitment_file.exists():  # a kill came between the two
        return _write(folder, commitment)
    if read_commitment(folder.commitment_file) != commitment:
        raise RunError(f"{folder.commitment_file}: is not what {folder.opening_file.name} opens; restore both")
    return commitment


def _write(folder: RunFolder, commitment: Commitment) -> Commitment:
    write_text(folder.commitment_file, commitment.model_dump_json(indent=1) + "\n")
    return commitment


def _opening(folder: RunFolder, manifest: Manifest, committed: Commitment) -> Opening | None:
    """What opens a commitment, among the openings of this and the earlier versions."""
    earlier = (folder.earlier_file(folder.opening_file, n) for n in range(1, manifest.version))
    for path in (folder.opening_file, *earlier):
        try:
            opening = read_record(path, Opening)
        except RunError:
            continue
        if opening.commitment() == committed:
            return opening
    return None


def _version(identity: RunIdentity) -> str:
    return identity.versions.get("blueprint-factory", "")
