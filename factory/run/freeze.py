"""The freeze: digests of every item's rubric and controls, and one digest over them all."""

from collections.abc import Mapping

from factory.errors import RunError
from factory.records.base import canonical_json, sha256
from factory.records.rubric import Item
from factory.records.run import FrozenItem, LedgerRoot, Manifest
from factory.run.files import write_text
from factory.run.finished import read_finished
from factory.run.folder import RunFolder


def frozen_item(item: Item) -> FrozenItem:
    """The digests under which an item is frozen."""
    rubric = [c.model_dump(mode="json") for c in (item.task_fulfilment, *item.recovery)]
    controls = [c.model_dump(mode="json") for c in item.controls]
    return FrozenItem(
        rubric=sha256(canonical_json(rubric)), controls=sha256(canonical_json(controls)), item=item.digest()
    )


def manifest_root(items: Mapping[str, FrozenItem]) -> str:
    """One digest over all frozen items."""
    return sha256(canonical_json({name: frozen.model_dump() for name, frozen in items.items()}))


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
    manifest = Manifest(items=items, root=manifest_root(items))
    if folder.manifest_file.exists() and folder.manifest() != manifest:
        raise RunError(f"{folder.manifest_file}: the freeze holds other items; frozen items never change; use --fresh")
    write_text(folder.manifest_file, manifest.model_dump_json(indent=1) + "\n")
    ledger = LedgerRoot(heads=heads, root=sha256(canonical_json(heads)))
    write_text(folder.ledger_root_file, ledger.model_dump_json(indent=1) + "\n")
    return manifest.root
