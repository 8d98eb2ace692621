"""The digests of a run's finished files: written at the end of a build, read by the next one and by `verify`."""

import json

from factory.records.base import canonical_json
from factory.run.files import write_text
from factory.run.folder import RunFolder, file_digest
from factory.run.reading import MOST_LIST_BYTES, read_bytes

_PATTERNS = (
    "run.json", "manifest.json", "blueprints.jsonl",
    "machines/*", "conversations/*", "ledger/*", "calls/*", "dataset/*",
)  # fmt: skip


def write_checksums(folder: RunFolder) -> None:
    """Writes the digest of every finished file but the reports, for `verify` to name what was changed."""
    digests: dict[str, str] = {}
    for pattern in _PATTERNS:
        for path in sorted(folder.path.glob(pattern)):
            digests[folder.name_of(path)] = file_digest(path)
    write_text(folder.checksums_file, canonical_json(digests).replace(",", ",\n") + "\n")


def read_checksums(folder: RunFolder) -> dict[str, str] | None:
    """The digests by the names of the files; None where they are missing or damaged."""
    try:
        found = json.loads(read_bytes(folder.checksums_file, MOST_LIST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
