"""Re-checks a finished run from its files alone: files, schema, cuts, quotas, freeze, ledger, published tables."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Generic, TypeVar

from factory.audit.findings import Findings, shown
from factory.audit.ledger import ChainReader
from factory.audit.published import agent_row_fits
from factory.compose.controls import prove
from factory.dataset.clips import read_clip
from factory.dataset.read import read_baseline, read_conversations, read_interruptions, read_turns
from factory.dataset.rows import (
    AgentRow,
    AudioCell,
    BaselineRow,
    ConversationRow,
    ListedInterruption,
    PublishedTurn,
    TurnRow,
    pairs,
)
from factory.dataset.write import BASELINE, CARD, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.errors import FactoryError
from factory.records.base import Record, canonical_json, sha256
from factory.records.blueprint import Blueprint, ReplyKind
from factory.records.conversation import Round
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.rubric import Item
from factory.records.run import LedgerRoot, Manifest, RunIdentity
from factory.records.spec import Spec
from factory.rubric.context import history_digest
from factory.run.folder import RunFolder, file_digest
from factory.run.freeze import frozen_item, manifest_root
from factory.run.log import Progress, read_progress
from factory.simulate.canary import without_canary
from factory.simulate.cut import cut_faults
from factory.workflow.walk import SUCCESS

R = TypeVar("R", bound=Record)
T = TypeVar("T")

MOST_SHOWN = 400
"""Characters of a fault that are shown; it may repeat text out of a damaged file."""

_OWN_FOLDERS = ("machines", "conversations", "ledger", "dataset")
_REPORTS = ("corpus.html", "flow-report.html", "flow-report.json")
_DAMAGED = (OSError, ValueError, LookupError, AssertionError, RuntimeError)
"""What the readers and rules may stumble over in files that no build wrote."""


def verify_run(path: Path) -> list[str]:
    """Everything that does not hold in a run folder, one line each; empty if all does.

    Conversations and rows are read one at a time.

    Raises:
        RunError: if the folder holds no run at all.
    """
    folder = RunFolder(path)
    if not folder.identity_file.exists():
        folder.identity()  # says that there is no run here
    return [shown(fault, MOST_SHOWN) for fault in _guarded(path.name, _faults(folder))]


def _faults(folder: RunFolder) -> Iterator[str]:
    faults: list[str] = []
    identity = _read("run.json", folder.identity, faults)
    manifest = _read("manifest.json", folder.manifest, faults)
    root = _read("ledger/root.json", folder.ledger_root, faults)
    plan = _read("blueprints.jsonl", lambda: _Plan(folder, identity), faults) if identity is not None else None
    yield from faults
    yield from _guarded(folder.checksums_file.name, _checksums(folder, None if plan is None else plan.files))
    if identity is None or plan is None:
        return
    yield from plan.faults()
    yield from _guarded("reports", _reports(folder, plan))
    if manifest is not None and root is not None:
        yield from _Verification(folder, identity, manifest, root, plan).faults()


def _read(name: str, read: Callable[[], T], faults: list[str]) -> T | None:
    """What a reader gives; None where it cannot, and the reason becomes a fault."""
    found: list[T] = []

    def reading() -> Iterator[str]:
        found.append(read())
        yield from ()

    faults += _guarded(name, reading())
    return found[0] if found else None


def _guarded(name: str, faults: Iterable[str]) -> Iterator[str]:
    """The faults that a check finds; where a damaged file ends the check, that is one more."""
    try:
        yield from faults
    except FactoryError as exc:
        yield str(exc)
    except _DAMAGED as exc:
        reason = next(iter(str(exc).splitlines()), "")
        yield f"{name}: damaged, it cannot be checked to its end ({type(exc).__name__}: {reason})"


class _Plan:
    """What was ordered and planned.

    Attributes:
        order: Place of each conversation that the run builds, by id.
        files: Names of all files that checksums are taken of.
    """

    def __init__(self, folder: RunFolder, identity: RunIdentity) -> None:
        """Reads the blueprints once; raises `RunError` or `ValueError` where they are damaged."""
        self.order: dict[str, int] = {}
        self._identity = identity
        self._counts = _Counts()
        self._misplaced: list[str] = []
        for number, blueprint in enumerate(folder.blueprints()):
            self._counts.add(blueprint)
            if blueprint.ordinal != number or blueprint.conversation_id in self.order:
                self._misplaced.append(f"blueprints.jsonl:{number + 1}: not the blueprint that belongs here")
            if identity.limit is None or number < identity.limit:
                self.order.setdefault(blueprint.conversation_id, number)
        self.files = self._files(folder)

    def _files(self, folder: RunFolder) -> set[str]:
        paths = [folder.identity_file, folder.manifest_file, folder.blueprints_file, folder.ledger_root_file]
        paths += [folder.machine_file(workflow) for workflow in self._identity.workflows]
        paths += [file(name) for name in self.order for file in (folder.conversation_file, folder.ledger_file)]
        paths += [folder.dataset / name for name in (CONVERSATIONS, BASELINE, TURNS, INTERRUPTIONS, CARD)]
        return {path.relative_to(folder.path).as_posix() for path in paths}

    def faults(self) -> Iterator[str]:
        """Where the plan is not the order."""
        yield from self._misplaced
        yield from self._counts.faults(self._identity.spec)


class _Counts:
    """What was planned, against what was ordered."""

    def __init__(self) -> None:
        self._types: Counter[InterruptionType] = Counter()
        self._bands: Counter[int] = Counter()
        self._lengths: Counter[int] = Counter()
        self._hard_stops = self._retries = 0

    def add(self, blueprint: Blueprint) -> None:
        self._types.update(i.type for _, i in blueprint.interruptions)
        self._bands.update(depth_band(turn) for turn, _ in blueprint.interruptions)
        self._lengths[blueprint.messages] += 1
        if blueprint.outcome != SUCCESS:
            self._hard_stops += 1
        elif any(r.reply is not None and r.reply.kind is ReplyKind.FAIL for r in blueprint.rounds):
            self._retries += 1

    def faults(self, spec: Spec) -> Iterator[str]:
        total = self._lengths.total()
        if total != spec.conversations:
            yield f"quota: {spec.conversations} conversations ordered, {total} planned"
        for kind in InterruptionType:
            if self._types[kind] != spec.interruptions.of_type(kind):
                yield f"quota: {kind}: {spec.interruptions.of_type(kind)} ordered, {self._types[kind]} planned"
        for band in range(len(DEPTH_BANDS)):
            if self._bands[band] != spec.interruptions.of_band(band):
                ordered = spec.interruptions.of_band(band)
                yield f"quota: depth {band_name(band)}: {ordered} ordered, {self._bands[band]} planned"
        ways = spec.variations
        if (self._hard_stops, self._retries) != (ways.hard_stops, ways.retries):
            yield (
                f"quota: {ways.hard_stops} hard stops and {ways.retries} retries ordered, "
                f"{self._hard_stops} and {self._retries} planned"
            )
        order = spec.messages
        if total > 1:
            mean = round(sum(n * count for n, count in self._lengths.items()) / total, 1)
            found = (min(self._lengths), max(self._lengths), mean)
            if found != (order.min, order.max, round(order.mean, 1)):
                yield f"quota: messages min, max, mean {order.min}, {order.max}, {order.mean} ordered, {found} planned"


def _checksums(folder: RunFolder, expected: set[str] | None) -> Iterator[str]:
    """Files against the digests taken of them, and the names against those that the run has to have.

    Args:
        folder: The run.
        expected: The names; None where run.json or the blueprints are too damaged to tell.
    """
    digests = _digests(folder.checksums_file)
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
        yield from _guarded(name, _file(folder, name, digests.get(name)))
    if expected is not None:
        for name in _found(folder):
            if name not in expected:
                yield f"{name}: is no file of this run"


def _digests(path: Path) -> dict[str, str] | None:
    try:
        read = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


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
                yield path.relative_to(folder.path).as_posix()


def _reports(folder: RunFolder, plan: _Plan) -> Iterator[str]:
    for name in (*_REPORTS, *(f"calls/{conversation}.html" for conversation in plan.order)):
        path = folder.reports / name
        if not path.is_file() or not path.stat().st_size:
            yield f"reports/{name}: is missing"


class _Stream(Generic[T]):
    """A published table, taken call by call beside the plan."""

    def __init__(self, name: str, rows: Callable[[], Iterable[tuple[str, T]]], order: Mapping[str, int]) -> None:
        """Takes the table's name, what reads it (id of the call, its rows), and the order of the calls."""
        self._name = f"dataset/{name}"
        self._rows = iter(_lazily(rows))
        self._order = order
        self._next: tuple[str, T] | None = None
        self._faults: list[str] = []
        self._readable = True
        self._step()

    def take(self, conversation_id: str) -> T | None:
        """The rows of the call that comes next; None if there are none, and that is a fault unless told before."""
        place = self._order[conversation_id]
        while self._next is not None and self._order.get(self._next[0], -1) < place:
            self._surplus(self._next[0])
        if self._next is not None and self._next[0] == conversation_id:
            rows = self._next[1]
            self._step()
            return rows
        return None

    def missing(self, conversation_id: str) -> Iterator[str]:
        """The fault that a call has no rows here; none if the table could not be read so far."""
        if self._readable:
            yield f"{self._name}: {conversation_id}: has no rows, or not in their place"

    def faults(self) -> Iterator[str]:
        """What was found in the table itself; the last thing to ask, as it reads to the table's end."""
        while self._next is not None:
            self._surplus(self._next[0])
        yield from self._faults

    def _surplus(self, conversation_id: str) -> None:
        self._faults.append(f"{self._name}: {conversation_id}: rows that do not belong here")
        self._step()

    def _step(self) -> None:
        def step() -> Iterator[str]:
            self._next = next(self._rows, None)
            yield from ()

        self._next = None
        found = list(_guarded(self._name, step()))
        self._faults += found
        self._readable = self._readable and not found


def _lazily(rows: Callable[[], Iterable[T]]) -> Iterator[T]:
    yield from rows()


def _by_call(rows: Iterable[R], conversation_id: Callable[[R], str]) -> Iterator[tuple[str, tuple[R, ...]]]:
    for name, group in groupby(rows, key=conversation_id):
        yield name, tuple(group)


class _Verification:
    """Everything that is checked conversation by conversation."""

    def __init__(
        self, folder: RunFolder, identity: RunIdentity, manifest: Manifest, root: LedgerRoot, plan: _Plan
    ) -> None:
        self._folder = folder
        self._audio = identity.audio
        self._manifest = manifest
        self._root = root
        self._order = plan.order
        self._seen: set[str] = set()
        at, order = folder.dataset, plan.order
        self._calls: _Stream[ConversationRow] = _Stream(
            CONVERSATIONS,
            lambda: ((row.conversation_id, row) for row in read_conversations(at / CONVERSATIONS, identity.audio)),
            order,
        )
        self._turns: _Stream[tuple[TurnRow, ...]] = _Stream(
            TURNS, lambda: ((rows[0].conversation_id, rows) for rows in read_turns(at / TURNS)), order
        )
        self._baseline: _Stream[tuple[BaselineRow, ...]] = _Stream(
            BASELINE, lambda: _by_call(read_baseline(at / BASELINE), lambda row: row.conversation_id), order
        )
        self._listed: _Stream[tuple[ListedInterruption, ...]] = _Stream(
            INTERRUPTIONS,
            lambda: _by_call(read_interruptions(at / INTERRUPTIONS), lambda row: row.conversation_id),
            order,
        )

    def faults(self) -> Iterator[str]:
        for blueprint in self._folder.built():
            if blueprint.conversation_id in self._order:
                yield from _guarded(f"conversations/{blueprint.conversation_id}.jsonl", self._call(blueprint))
        for table in (self._calls, self._turns, self._baseline, self._listed):
            yield from table.faults()
        for item in sorted(self._manifest.items.keys() - self._seen):
            yield f"manifest.json: {item} is frozen, but no conversation has it"
        if manifest_root(self._manifest.items) != self._manifest.root:
            yield "manifest.json: the root is not the digest of the items"
        for name in sorted(self._root.heads.keys() - self._order.keys()):
            yield f"ledger/root.json: {name} is no conversation of this run"
        if sha256(canonical_json(self._root.heads)) != self._root.root:
            yield "ledger/root.json: the root is not the digest of the heads"

    def _call(self, blueprint: Blueprint) -> Iterator[str]:
        name = blueprint.conversation_id
        # Taken before anything can fail, so that the tables stay in step with the plan.
        row, turns = self._calls.take(name), self._turns.take(name)
        baseline, listed = self._baseline.take(name), self._listed.take(name)
        progress = read_progress(self._folder.conversation_file(name))
        rounds = without_canary(tuple(progress.rounds))
        self._seen |= {item.item_id for item in progress.items}
        yield from _guarded(f"ledger/{name}.jsonl", _ledger(self._folder, name, progress, self._root))
        yield from _conversation(blueprint, progress, rounds)
        yield from _items(blueprint, progress.items, rounds, self._manifest)
        items = {item.turn: item for item in progress.items}
        yield from self._calls.missing(name) if row is None else _row(blueprint, row, rounds, items)
        if self._audio:
            yield from _clips(self._folder, name, rounds, row)
        yield from self._turns.missing(name) if turns is None else _messages(name, turns, rounds)
        if baseline is not None or items:
            yield from self._baseline.missing(name) if baseline is None else _recoveries(name, baseline, items)
        if listed is not None or items:
            yield from self._listed.missing(name) if listed is None else _entries(name, listed, rounds)


def _conversation(blueprint: Blueprint, progress: Progress, rounds: tuple[Round, ...]) -> Iterator[str]:
    name = f"conversations/{blueprint.conversation_id}.jsonl"
    if not progress.finished or len(rounds) != len(blueprint.rounds):
        yield f"{name}: the conversation is not finished"
        return
    if progress.blueprint != blueprint.digest():
        yield f"{name}: the log belongs to another blueprint"
    for number, (done, plan) in enumerate(zip(rounds, blueprint.rounds, strict=True)):
        place = f"{name}: round {number}"
        planned = plan.interruption.type if plan.interruption else None
        said = done.caller.type if done.caller else None
        if said is not planned:
            yield f"{place}: planned {planned}, found {said}"
        if (done.caller is None) != (plan.interruption is None and plan.reply is None):
            yield f"{place}: the caller speaks where nothing is planned, or the reverse"
        if (done.agent.cut is None) != (planned is None):
            yield f"{place}: a cut without an interruption, or the reverse"
        if done.agent.cut is not None and said is not None:
            for fault in cut_faults(done.agent.segments, done.agent.cut, said):
                yield f"{place}: {fault}"
        if said is InterruptionType.FILLER:
            following = rounds[number + 1].agent.text if number + 1 < len(rounds) else None
            if following != done.agent.undelivered.strip():
                yield f"{name}: round {number + 1}: does not go on from the exact word of the cut"


def _items(blueprint: Blueprint, items: Sequence[Item], rounds: tuple[Round, ...], manifest: Manifest) -> Iterator[str]:
    name = blueprint.conversation_id
    wanted = [(turn + 1, planned.type) for turn, planned in blueprint.interruptions]
    if [(item.turn, item.type) for item in items] != wanted:
        found = ", ".join(f"{item.turn} {item.type}" for item in items) or "none"
        yield f"{name}: its items are {found}, not {', '.join(f'{turn} {kind}' for turn, kind in wanted)}"
    for item in items:
        if item.conversation_id != name:
            yield f"{item.item_id}: stands in the log of {name}"
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


def _ledger(folder: RunFolder, name: str, progress: Progress, root: LedgerRoot) -> Iterator[str]:
    findings = Findings()
    chain = ChainReader(folder.ledger_file(name), name, findings)
    heads = {chain.head}
    heads.update(chain.head for _ in chain.calls())
    yield from (f"ledger/{name}.jsonl: {finding.message}" for finding in findings.kept)
    if chain.head != progress.head or root.heads.get(name) != chain.head:
        yield f"ledger/{name}.jsonl: its head is not the one that log and root hold"
    for done in progress.rounds:
        if done.ledger_head not in heads:
            yield f"conversations/{name}.jsonl: round {done.index}: the ledger holds no such head"


def _row(
    blueprint: Blueprint, row: ConversationRow, rounds: Sequence[Round], items: Mapping[int, Item]
) -> Iterator[str]:
    place = f"dataset/{CONVERSATIONS}: {blueprint.conversation_id}"
    if row.user_intent.id != blueprint.intent:
        yield f"{place}: the intent is not the planned one"
    if row.domain.id != blueprint.workflow.split("/")[0]:
        yield f"{place}: the domain is not the planned one"
    if len(row.turns) != len(rounds):
        yield f"{place}: has {len(row.turns)} turns, the log {len(rounds)}"
    for number, (turn, done) in enumerate(zip(row.turns, rounds, strict=False), 1):
        item, caller, agent = items.get(number), done.caller, done.agent
        wanted = PublishedTurn(
            assistant_transcript=agent.delivered,
            assistant_original=agent.text if agent.cut is not None else None,
            user_transcript=caller.text if caller else None,
            user_audio=turn.user_audio,  # held against the clips
            interruption_type=caller.type if caller else None,
            tf_rubric=item.task_fulfilment.text if item else None,
            rq_rubrics=tuple(criterion.text for criterion in item.recovery) if item else (),
        )
        yield from _differences(
            f"{place}: turn {number}", turn, {f: getattr(wanted, f) for f in PublishedTurn.model_fields}
        )


def _clips(folder: RunFolder, name: str, rounds: Sequence[Round], row: ConversationRow | None) -> Iterator[str]:
    for number, done in enumerate(rounds, 1):
        if done.caller is None:
            continue
        path = folder.audio_file(name, number)
        place = path.relative_to(folder.path).as_posix()
        if not path.is_file():
            yield f"{place}: is missing"
        elif row is not None and number <= len(row.turns):
            yield from _guarded(place, _clip(folder, name, number, row.turns[number - 1].user_audio))


def _clip(folder: RunFolder, name: str, number: int, published: AudioCell | None) -> Iterator[str]:
    clip = read_clip(folder, name, number)
    if published is None:
        yield f"dataset/{CONVERSATIONS}: {name}: turn {number}: has no audio"
    elif (published.bytes, published.path) != (clip.wav, clip.name):
        yield f"dataset/{CONVERSATIONS}: {name}: turn {number}: the audio is not the clip in audio/"


def _messages(name: str, rows: Sequence[TurnRow], rounds: Sequence[Round]) -> Iterator[str]:
    place = f"dataset/{TURNS}: {name}"
    wanted = list(_wanted_messages(rounds))
    if len(rows) != len(wanted):
        yield f"{place}: has {len(rows)} messages, the log {len(wanted)}"
    for number, (row, fields) in enumerate(zip(rows, wanted, strict=False)):
        yield from _differences(f"{place}: message {number}", row, {"message_index": number, **fields})
        if isinstance(row, AgentRow):
            findings = Findings()
            agent_row_fits(row, findings)
            yield from (f"{place}: message {number}: {finding.message}" for finding in findings.kept)
            if row.undelivered and not (row.undelivered.startswith(" ") and row.text.strip() == row.text != ""):
                yield f"{place}: message {number}: the delivered text does not end on a whole word"


def _wanted_messages(rounds: Sequence[Round]) -> Iterator[dict[str, object]]:
    """What each message's row has to hold."""
    for number, done in enumerate(rounds):
        agent, caller = done.agent, done.caller
        yield {
            "round": number,
            "speaker": "agent",
            "text": agent.delivered,
            "as_meant": agent.text,
            "heard": agent.heard,
            "undelivered": agent.undelivered,
            "onset_word": agent.cut.onset_word if agent.cut else None,
            "cut_word": agent.cut.cut_word if agent.cut else None,
            "segments": agent.segments,
            "attempt": done.attempt,
        }
        if caller is not None:
            yield {
                "round": number,
                "speaker": "caller",
                "text": caller.text,
                "interruption_type": caller.type,
                "reaction_plan": caller.plan,
                "released": caller.released,
                "facts": pairs(caller.facts),
                "gives": pairs(caller.gives),
                "reaction_seed": caller.reaction_seed,
                "user_seed": caller.user_seed,
                "reaction_view": caller.reaction_view,
                "user_view": caller.user_view,
            }


def _recoveries(name: str, rows: Sequence[BaselineRow], items: Mapping[int, Item]) -> Iterator[str]:
    place = f"dataset/{BASELINE}: {name}"
    if [row.turn for row in rows] != list(items):
        yield f"{place}: has rows for turns {[row.turn for row in rows]}, the log items for {list(items)}"
    for row in rows:
        if row.turn in items:
            wanted = {"interrupting_user_message_index": 2 * row.turn - 1, "response": items[row.turn].reference}
            yield from _differences(f"{place}: turn {row.turn}", row, wanted)


def _entries(name: str, rows: Sequence[ListedInterruption], rounds: Sequence[Round]) -> Iterator[str]:
    said = ((number, done.caller.type if done.caller else None) for number, done in enumerate(rounds, 1))
    wanted = [(number, kind) for number, kind in said if kind is not None]
    if [(row.interrupting_turn_index, row.interruption_type) for row in rows] != wanted:
        yield f"dataset/{INTERRUPTIONS}: {name}: its entries are not the interruptions in the log"


def _differences(place: str, row: Record, wanted: Mapping[str, object]) -> Iterator[str]:
    for field, value in wanted.items():
        if getattr(row, field, None) != value:
            yield f"{place}: `{field}` is not what the log has"
