"""The freeze, against what was published of it: a root, a commitment, the proof of an item, answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from factory.audit.findings import shown
from factory.build.verify.damage import guarded
from factory.errors import RunError
from factory.records.answer import Answer
from factory.records.freeze import Commitment, ItemProof
from factory.records.run import Manifest
from factory.run.answers import accept_answers, answer_lines
from factory.run.commitment import commitment_faults, own_commitment_faults, read_commitment
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.run.prove import proof_faults, proof_lines, prove_item, read_proof
from factory.run.versions import version_faults

MOST_SHOWN = 400
"""Characters of a fault that are shown; it may repeat text out of a damaged file."""


@dataclass(frozen=True)
class Published:
    """What a reader knows of a freeze from elsewhere than the run folder.

    Attributes:
        root: Its root.
        commitment: Its commitment.
        name: What to call the commitment's file.
    """

    root: str | None = None
    commitment: Commitment | None = None
    name: str = ""

    @classmethod
    def of(cls, root: str | None, commitment: Path | None) -> "Published":
        """What a user names; raises `RunError` if it is no root, or no commitment."""
        if root is not None:
            _require_root(root)
        if commitment is None:
            return cls(root)
        return cls(root, read_commitment(commitment), commitment.name)


def freeze_faults(folder: RunFolder, manifest: Manifest, published: Published) -> Iterator[str]:
    """Where the root, the versions or the commitment do not hold, or are not what was published."""
    yield from guarded("manifest.json", version_faults(folder, manifest))
    yield from guarded("commitment.json", own_commitment_faults(folder, manifest))
    if published.root is not None and published.root != manifest.root:
        yield _is_not(manifest, published.root)
    if published.commitment is not None:
        found = commitment_faults(folder, manifest, published.commitment, published.name)
        yield from guarded(published.name, found)


def check_answers(folder: RunFolder, path: Path, published: Published) -> tuple[int, list[str]]:
    """Holds answers against a run's freeze, and against the day of its commitment where there is one.

    Args:
        folder: The run.
        path: The answers, one JSON object a line.
        published: Its commitment, if a user names one; else that of the folder counts.

    Returns:
        How many were accepted, and a line for each that was not.

    Raises:
        RunError: if the answers, the manifest or the folder's commitment cannot be read.
    """
    manifest, commitment = folder.manifest(), published.commitment
    if commitment is None and folder.commitment_file.exists():
        commitment = read_commitment(folder.commitment_file)
    accepted, refused = 0, list[str]()
    for answer in accept_answers(manifest, answer_lines(path), commitment):
        if isinstance(answer, Answer):
            accepted += 1
        else:
            refused.append(shown(f"{path.name}:{answer.line}: {answer.message}", MOST_SHOWN))
    return accepted, refused


def verify_item(folder: RunFolder, item_id: str, root: str | None, proof_file: Path | None) -> tuple[str, list[str]]:
    """Proves that one item is in a run's freeze.

    Args:
        folder: The run.
        item_id: The item.
        root: The published root; the manifest's own if None.
        proof_file: Where the proof is written if it holds.

    Returns:
        The proof to read, and why it does not hold; nothing to read where there is no such item.

    Raises:
        RunError: if a file of the run is missing or damaged, or the proof cannot be written.
    """
    if root is not None:
        _require_root(root)
    proof = prove_item(folder, item_id)
    if proof is None:
        return "", [shown(f"{item_id}: the run has no such frozen item", MOST_SHOWN)]
    faults = [shown(fault, MOST_SHOWN) for fault in proof_faults(proof, root or proof.root)]
    if proof_file is not None and not faults:
        write_text(proof_file, proof.model_dump_json(indent=1) + "\n")
    return _told(proof), faults


def verify_proof(path: Path, root: str | None) -> tuple[str, list[str]]:
    """Checks a published proof against a published root, without the run.

    Returns:
        The proof to read, and why it does not hold.

    Raises:
        RunError: if the file holds no proof, or no root is named: the proof's own shows nothing.
    """
    if root is None:
        raise RunError(f"{path}: a proof is checked against the root that was published; name it with --root")
    _require_root(root)
    proof = read_proof(path)
    return _told(proof), [shown(fault, MOST_SHOWN) for fault in proof_faults(proof, root)]


def _require_root(root: str) -> None:
    """Raises `RunError` unless a text has the form of a root."""
    if not re.fullmatch("[0-9a-f]{64}", root):
        raise RunError("--root: a root is 64 digits of 0 to 9 and a to f; copy it whole")


def _told(proof: ItemProof) -> str:
    return "".join(f"{shown(line, MOST_SHOWN)}\n" for line in proof_lines(proof))


def _is_not(manifest: Manifest, root: str) -> str:
    """Says that a freeze has another root than the one that was named, and what that one is as far as it is known."""
    if root == manifest.ledger:
        return f"manifest.json: the root that was named is the ledger's; the freeze's, over it, is {manifest.root}"
    told = "manifest.json: is not the freeze with the published root"
    for given_up in manifest.earlier:
        if given_up.root == root:
            return f"{told}: that one is version {given_up.version}, which was given up: {given_up.reason}"
    return f"{told}, but with {manifest.root}"
