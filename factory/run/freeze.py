"""The freeze: digests of every item's rubric and controls, and one root over them, the ledger and the freezes before.

The items, in the order of their ids, are the leaves of a Merkle tree (`factory.run.merkle`); a leaf is the canonical
JSON of an item's id and digests. The root is the digest of the `TreeHead`: the top of the tree, the number of items,
the ledger's root and the earlier versions. So one item can be proved without the others, no line of the ledger can
change under the same root, and no version can be left out.
"""

from collections.abc import Mapping, Sequence

from factory.errors import RunError
from factory.records.base import canonical_json, sha256
from factory.records.freeze import TreeHead
from factory.records.rubric import Item
from factory.records.run import EarlierFreeze, FrozenItem, LedgerRoot, Manifest
from factory.run.files import write_text
from factory.run.finished import read_finished
from factory.run.folder import RunFolder, read_record
from factory.run.merkle import leaf_hash, top_of


def frozen_item(item: Item) -> FrozenItem:
    """The digests under which an item is frozen."""
    criteria = (item.task_fulfilment, *item.recovery)
    controls = [c.model_dump(mode="json") for c in item.controls]
    return FrozenItem(
        rubric=sha256(canonical_json([c.model_dump(mode="json") for c in criteria])),
        wording=wording_digest([c.text for c in criteria]),
        controls=sha256(canonical_json(controls)),
        item=item.digest(),
    )


def wording_digest(texts: Sequence[str]) -> str:
    """The digest of a rubric's texts, task fulfilment first: all that the dataset publishes of it."""
    return sha256(canonical_json(list(texts)))


def leaf_of(item_id: str, frozen: FrozenItem) -> bytes:
    """The hash of an item's leaf."""
    return leaf_hash(canonical_json({"item_id": item_id, **frozen.model_dump()}).encode())


def manifest_root(items: Mapping[str, FrozenItem], ledger: str, earlier: tuple[EarlierFreeze, ...] = ()) -> str:
    """One digest over all frozen items, by their ids, the ledger's root and the versions of the freeze before."""
    tree = top_of(leaf_of(name, items[name]) for name in sorted(items))
    return TreeHead(items=len(items), tree=tree.hex(), ledger=ledger, earlier=earlier).digest()


def proved_root(manifest: Manifest) -> str:
    """The root that a manifest has to state, for what it holds."""
    return manifest_root(manifest.items, manifest.ledger, manifest.earlier)


def earlier_freezes(folder: RunFolder) -> tuple[EarlierFreeze, ...]:
    """The versions that were given up in a run folder, the first one first.

    Raises:
        RunError: if a file that tells of them is missing or damaged.
    """
    if not folder.unfrozen_file.exists():
        return ()
    last = read_record(folder.unfrozen_file, EarlierFreeze)
    return *read_record(folder.earlier_file(folder.manifest_file, last.version), Manifest).earlier, last


def freeze(folder: RunFolder) -> str:
    """Writes the manifest and the ledger's root; returns the manifest's root digest.

    Raises:
        RunError: if a conversation is not finished, or a frozen item would change.
    """
    items: dict[str, FrozenItem] = {}
    heads: dict[str, str] = {}
    for blueprint in folder.built():
        progress = read_finished(folder, blueprint.conversation_id)
        heads[blueprint.conversation_id] = progress.head
        items |= {item.item_id: frozen_item(item) for item in progress.items}
    ledger, earlier = LedgerRoot(heads=heads, root=sha256(canonical_json(heads))), earlier_freezes(folder)
    root = manifest_root(items, ledger.root, earlier)
    manifest = Manifest(items=items, ledger=ledger.root, earlier=earlier, root=root)
    if folder.manifest_file.exists() and (old := folder.manifest()) != manifest:
        what = "holds other items" if old.items != items else "is over another ledger, or other versions before it"
        raise RunError(
            f"{folder.manifest_file}: the freeze {what}; what is frozen never changes; give --unfreeze REASON for a "
            "new version, or use --fresh"
        )
    write_text(folder.ledger_root_file, ledger.model_dump_json(indent=1) + "\n")
    write_text(folder.manifest_file, manifest.model_dump_json(indent=1) + "\n")
    return manifest.root
