"""Re-checks a finished run from its files alone: schema, prefix and cut rules, quotas, digests."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from factory.compose.controls import prove
from factory.errors import FactoryError, RunError
from factory.records.base import canonical_json, sha256
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.ledger import GENESIS, LedgerLine
from factory.records.rubric import Item
from factory.records.run import LedgerRoot, Manifest, RunIdentity
from factory.rubric.context import history_digest
from factory.run.files import read_lines
from factory.run.folder import RunFolder, file_digest
from factory.run.freeze import frozen_item, manifest_root
from factory.run.log import Progress, read_progress
from factory.simulate.canary import without_canary
from factory.simulate.cut import cut_faults


def verify_run(path: Path) -> list[str]:
    """Everything that does not hold in a run folder, one line each; empty if all does.

    Raises:
        RunError: if the folder holds no run at all.
    """
    folder = RunFolder(path)
    if not folder.identity_file.exists():
        folder.identity()  # says that there is no run here
    try:
        identity, manifest, ledger = folder.identity(), folder.manifest(), folder.ledger_root()
    except RunError as exc:
        return [str(exc)]
    faults = list(_checksums(folder))
    counts = _Counts(identity)
    seen: set[str] = set()
    try:
        for blueprint in folder.built():
            try:
                progress = read_progress(folder.conversation_file(blueprint.conversation_id))
            except RunError as exc:
                faults.append(str(exc))
                continue
            rounds = without_canary(tuple(progress.rounds))
            counts.add(blueprint)
            faults += _conversation(folder, blueprint, progress, rounds)
            faults += _items(blueprint, progress, rounds, manifest)
            faults += _ledger(folder, blueprint, progress, ledger)
            seen |= {item.item_id for item in progress.items}
    except RunError as exc:
        faults.append(str(exc))
    faults += [f"manifest.json: {item} is frozen, but no conversation has it" for item in manifest.items.keys() - seen]
    if manifest_root(manifest.items) != manifest.root:
        faults.append("manifest.json: the root is not the digest of the items")
    if sha256(canonical_json(ledger.heads)) != ledger.root:
        faults.append("ledger/root.json: the root is not the digest of the heads")
    return faults + list(counts.faults())


def _checksums(folder: RunFolder) -> Iterator[str]:
    try:
        expected = json.loads(folder.checksums_file.read_bytes())
    except (OSError, ValueError):
        yield f"{folder.checksums_file.name}: missing or damaged, so changed files cannot be named"
        return
    if not isinstance(expected, dict):
        yield f"{folder.checksums_file.name}: damaged, so changed files cannot be named"
        return
    for name, digest in expected.items():
        place = (folder.path / name).resolve()
        if not place.is_relative_to(folder.path.resolve()) or not place.is_file():
            yield f"{name}: is missing"
        elif file_digest(place) != digest:
            yield f"{name}: was changed after the build"


def _conversation(
    folder: RunFolder, blueprint: Blueprint, progress: Progress, rounds: tuple[Round, ...]
) -> Iterator[str]:
    name = blueprint.conversation_id
    if not progress.finished or len(rounds) != len(blueprint.rounds):
        yield f"{name}: the conversation is not finished"
        return
    if progress.blueprint != blueprint.digest():
        yield f"{name}: the log belongs to another blueprint"
    for done, plan in zip(rounds, blueprint.rounds, strict=True):
        planned = plan.interruption.type if plan.interruption else None
        said = done.caller.type if done.caller else None
        if said is not planned:
            yield f"{name}: round {done.index}: planned {planned}, found {said}"
        if (done.agent.cut is None) != (planned is None):
            yield f"{name}: round {done.index}: a cut without an interruption, or the reverse"
        if done.agent.delivered + done.agent.undelivered != done.agent.text:
            yield f"{name}: round {done.index}: delivered and undelivered text are not the utterance as meant"
        if done.agent.cut is not None and said is not None:
            for fault in cut_faults(done.agent.segments, done.agent.cut, said):
                yield f"{name}: round {done.index}: {fault}"
        if said is InterruptionType.FILLER:
            following = rounds[done.index + 1].agent.text
            if following != done.agent.undelivered.strip():
                yield f"{name}: round {done.index + 1}: does not go on from the exact word of the cut"
        if folder.identity().audio and done.caller and not folder.audio_file(name, done.index + 1).is_file():
            yield f"{name}: round {done.index}: the caller's clip is missing"


def _items(blueprint: Blueprint, progress: Progress, rounds: tuple[Round, ...], manifest: Manifest) -> Iterator[str]:
    wanted = [turn + 1 for turn, _ in blueprint.interruptions]
    if [item.turn for item in progress.items] != wanted:
        yield f"{blueprint.conversation_id}: items for turns {[i.turn for i in progress.items]}, not {wanted}"
    for item in progress.items:
        yield from _item(item, rounds, manifest)


def _item(item: Item, rounds: tuple[Round, ...], manifest: Manifest) -> Iterator[str]:
    frozen = manifest.items.get(item.item_id)
    if frozen is None:
        yield f"{item.item_id}: is not in the manifest"
    elif frozen != frozen_item(item):
        yield f"{item.item_id}: rubric or controls are not the frozen ones"
    if item.history != history_digest(rounds[: item.turn]):
        yield f"{item.item_id}: the transcript before it is not the one that the rubric was written for"
    try:
        prove(item)
    except FactoryError as exc:
        yield str(exc)


def _ledger(folder: RunFolder, blueprint: Blueprint, progress: Progress, root: LedgerRoot) -> Iterator[str]:
    name = blueprint.conversation_id
    previous = GENESIS
    for number, text in enumerate(read_lines(folder.ledger_file(name))):
        try:
            line = LedgerLine.from_json(text)
        except ValueError:
            yield f"ledger/{name}.jsonl:{number + 1}: not a ledger line"
            return
        if line.previous != previous or line.sequence != number or line.conversation_id != name:
            yield f"ledger/{name}.jsonl:{number + 1}: the chain is broken here"
            return
        previous = sha256(text)
    if previous != progress.head or root.heads.get(name) != previous:
        yield f"ledger/{name}.jsonl: its head is not the one that log and root hold"


class _Counts:
    """What was built, against what was ordered."""

    def __init__(self, identity: RunIdentity) -> None:
        self._identity = identity
        self._types: Counter[InterruptionType] = Counter()
        self._bands: Counter[int] = Counter()
        self._lengths: list[int] = []

    def add(self, blueprint: Blueprint) -> None:
        self._types.update(i.type for _, i in blueprint.interruptions)
        self._bands.update(depth_band(turn) for turn, _ in blueprint.interruptions)
        self._lengths.append(blueprint.messages)

    def faults(self) -> Iterator[str]:
        spec, limit = self._identity.spec, self._identity.limit
        wanted = min(spec.conversations, limit or spec.conversations)
        if len(self._lengths) != wanted:
            yield f"quota: {wanted} conversations ordered, {len(self._lengths)} built"
        if wanted < spec.conversations:
            return  # a part of the corpus cannot have the whole's numbers
        for kind in InterruptionType:
            if self._types[kind] != spec.interruptions.of_type(kind):
                yield f"quota: {kind}: {spec.interruptions.of_type(kind)} ordered, {self._types[kind]} built"
        for band in range(len(DEPTH_BANDS)):
            if self._bands[band] != spec.interruptions.of_band(band):
                ordered = spec.interruptions.of_band(band)
                yield f"quota: depth {band_name(band)}: {ordered} ordered, {self._bands[band]} built"
        order = spec.messages
        if self._lengths:
            mean = round(sum(self._lengths) / len(self._lengths), 1)
            found = (min(self._lengths), max(self._lengths), mean)
            if wanted > 1 and found != (order.min, order.max, round(order.mean, 1)):
                yield f"quota: messages min, max, mean {order.min}, {order.max}, {order.mean} ordered, {found} built"
