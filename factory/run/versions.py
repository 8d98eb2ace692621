"""The versions of a run's freeze: how one is given up for the next, and whether their chain holds."""

from collections.abc import Iterator

from factory.errors import RunError
from factory.records.freeze import FreezeResult
from factory.records.run import MOST_REASON, EarlierFreeze, Manifest, RunIdentity
from factory.run.commitment import own_commitment_faults, read_commitment
from factory.run.files import replacing, write_text
from factory.run.folder import RunFolder, read_record
from factory.run.freeze import earlier_freezes, proved_root
from factory.run.reading import MOST_LIST_BYTES, read_bytes


def unfreeze(folder: RunFolder, identity: RunIdentity, reason: str) -> bool:
    """Gives a run's freeze up: what it was is kept in `earlier/`, and the folder is started anew for the next version.

    The same call again goes on with the new version, or finds it finished.

    Args:
        folder: The run, which may be of another order.
        identity: What the new version is to be.
        reason: Why, in one line.

    Returns:
        Whether the run is new here.

    Raises:
        RunError: if nothing is frozen in the folder, the manifest is damaged, or an unfreezing that was begun had
            another reason.
    """
    _require_plain(reason)
    folder.refuse_strangers()
    earlier = earlier_freezes(folder)
    manifest = folder.manifest() if folder.manifest_file.exists() else None
    begun = bool(earlier) and earlier[-1].reason == reason
    if begun and (manifest is None or manifest.earlier == earlier) and _is_of(folder, identity):
        return folder.claim(identity, fresh=False)
    if manifest is not None:
        _put_aside(folder, manifest, reason)
    elif not earlier:
        raise RunError(f"{folder.path}: nothing is frozen here; leave --unfreeze out")
    elif not begun:
        raise RunError(f"{folder.unfrozen_file}: unfrozen because: {earlier[-1].reason}; give that reason to go on")
    folder.start_anew(identity)
    return True


def version_faults(folder: RunFolder, manifest: Manifest) -> Iterator[str]:
    """Where the manifest's root, its ledger, or the chain of the versions before it does not hold."""
    if proved_root(manifest) != manifest.root:
        yield "manifest.json: the root is not the digest of the items, the ledger and the versions before"
    yield from _ledger_faults(folder, manifest)
    kept = {folder.unfrozen_file} if manifest.earlier else set()
    for number, given_up in enumerate(manifest.earlier, 1):
        kept |= {
            folder.earlier_file(file, number)
            for file in (folder.manifest_file, folder.commitment_file, folder.opening_file)
        }
        if given_up.version != number:
            yield f"manifest.json: version {given_up.version} stands in the place of version {number}"
        yield from _earlier_faults(folder, manifest, number)
    for path in sorted(folder.earlier.glob("*")):
        if path not in kept and not path.name.startswith("."):
            yield f"earlier/{path.name}: is of no version that manifest.json lists"


def freeze_result(folder: RunFolder, manifest: Manifest) -> FreezeResult:
    """What there is to tell of a run's freeze; its manifest is given, for of a large run it is large."""
    faults = (*version_faults(folder, manifest), *own_commitment_faults(folder, manifest))
    try:
        commitment = read_commitment(folder.commitment_file) if folder.commitment_file.exists() else None
    except RunError:  # is one of the faults
        commitment = None
    return FreezeResult(
        root=manifest.root,
        ledger=manifest.ledger,
        version=manifest.version,
        items=len(manifest.items),
        earlier=manifest.earlier,
        commitment=commitment,
        faults=faults,
    )


def _earlier_faults(folder: RunFolder, manifest: Manifest, number: int) -> Iterator[str]:
    path, given_up = folder.earlier_file(folder.manifest_file, number), manifest.earlier[number - 1]
    if not path.is_file():
        yield f"earlier/{path.name}: is missing"
        return
    try:
        before = read_record(path, Manifest)
    except RunError as exc:
        yield str(exc)
        return
    if before.root != given_up.root or proved_root(before) != given_up.root:
        yield f"earlier/{path.name}: is not the version that manifest.json lists under that number"
    if before.earlier != manifest.earlier[: number - 1]:
        yield f"earlier/{path.name}: tells of other versions before it than manifest.json"


def _ledger_faults(folder: RunFolder, manifest: Manifest) -> Iterator[str]:
    try:
        ledger = folder.ledger_root()
    except RunError:  # told where root.json is checked
        return
    if ledger.root != manifest.ledger:
        yield "manifest.json: is over another ledger than the one that ledger/root.json holds"


def _is_of(folder: RunFolder, identity: RunIdentity) -> bool:
    return folder.identity_file.exists() and folder.identity() == identity


def _put_aside(folder: RunFolder, manifest: Manifest, reason: str) -> None:
    """Keeps what was frozen; doing it again after a kill changes nothing."""
    if proved_root(manifest) != manifest.root:
        raise RunError(f"{folder.manifest_file}: the root is not the digest of what is frozen; restore the file")
    for file in (folder.manifest_file, folder.commitment_file, folder.opening_file):
        if file.exists():
            with replacing(folder.earlier_file(file, manifest.version)) as kept:
                kept.write(read_bytes(file, MOST_LIST_BYTES))
    given_up = EarlierFreeze(version=manifest.version, root=manifest.root, reason=reason)
    write_text(folder.unfrozen_file, given_up.model_dump_json(indent=1) + "\n")


def _require_plain(reason: str) -> None:
    if not reason or not reason.isprintable() or reason != reason.strip() or len(reason) > MOST_REASON:
        raise RunError(f"--unfreeze needs a reason: one line of 1 to {MOST_REASON} characters, without space around it")
