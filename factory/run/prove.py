"""The proof of one item: that it is in a freeze, without the others."""

from pathlib import Path

from pydantic import ValidationError

from factory.errors import RunError
from factory.records.freeze import ItemProof, TreeHead
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.run.freeze import frozen_item, leaf_of
from factory.run.merkle import climbed, path_to
from factory.run.reading import MOST_RECORD_BYTES, read_bytes


def prove_item(folder: RunFolder, item_id: str) -> ItemProof | None:
    """The proof of an item as its conversation's log holds it; None if the manifest or the log has no such item.

    Whether it proves anything is for `proof_faults` to say.

    Raises:
        RunError: if a file of the run is missing or damaged.
    """
    manifest = folder.manifest()
    conversation_id = item_id.rpartition("#")[0]
    if item_id not in manifest.items or Path(conversation_id).name != conversation_id:
        return None
    item = next((i for i in read_finished(folder, conversation_id).items if i.item_id == item_id), None)
    if item is None:
        return None
    names = sorted(manifest.items)
    place = names.index(item_id)
    path = path_to([leaf_of(name, manifest.items[name]) for name in names], place)
    return ItemProof(
        item=item,
        place=place,
        items=len(names),
        path=tuple(beside.hex() for beside in path),
        ledger=manifest.ledger,
        earlier=manifest.earlier,
        root=manifest.root,
    )


def proof_faults(proof: ItemProof, root: str) -> list[str]:
    """Why a proof does not show that its item is in the freeze with this root; empty if it does."""
    item_id = proof.item.item_id
    if proof.root != root:
        if root == proof.ledger:
            return [f"{item_id}: the root that was named is the ledger's; the proof is for the freeze's, {proof.root}"]
        return [f"{item_id}: the proof is for another root, {proof.root}"]
    leaf = leaf_of(item_id, frozen_item(proof.item))
    try:
        top = climbed(leaf, proof.place, proof.items, [bytes.fromhex(beside) for beside in proof.path])
    except RunError as exc:
        return [f"{item_id}: {exc}"]
    head = TreeHead(items=proof.items, tree=top.hex(), ledger=proof.ledger, earlier=proof.earlier)
    if head.digest() != root:
        return [f"{item_id}: is not the item that is frozen under this root"]
    return []


def read_proof(path: Path) -> ItemProof:
    """A proof; raises `RunError` if the file is not there, or holds none."""
    try:
        return ItemProof.from_json(read_bytes(path, MOST_RECORD_BYTES))
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    except ValidationError as exc:
        place = ".".join(map(str, exc.errors(include_url=False)[0]["loc"])) or "file"
        raise RunError(
            f"{path}: is no proof of an item (`{place}`); `factory verify DIR --item ID` makes one"
        ) from None


def proof_lines(proof: ItemProof) -> list[str]:
    """A proof to read: the item with its place, its leaf, the hashes beside the way to the top, ledger and root."""
    leaf = leaf_of(proof.item.item_id, frozen_item(proof.item))
    return [
        f"item {proof.item.item_id}, number {proof.place + 1} of {proof.items}",
        f"leaf {leaf.hex()}",
        *(f"path {beside}" for beside in proof.path),
        f"ledger {proof.ledger}",
        f"root {proof.root}",
    ]
