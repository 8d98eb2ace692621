"""Everything that is checked conversation by conversation."""

from collections.abc import Iterator, Mapping

from factory.build.verify.damage import guarded
from factory.build.verify.ledger import ledger_faults
from factory.build.verify.logs import item_faults, log_faults
from factory.build.verify.rows import (
    clip_faults,
    entry_faults,
    introduced_faults,
    message_faults,
    recovery_faults,
    row_faults,
    sound_row_faults,
)
from factory.build.verify.sound import timeline_faults
from factory.build.verify.tables import Table, by_call
from factory.dataset.read import read_baseline, read_calls, read_conversations, read_interruptions, read_turns
from factory.dataset.rows import BaselineRow, CallRow, ConversationRow, ListedInterruption, TurnRow
from factory.dataset.write import BASELINE, CALLS, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.records.base import canonical_json, sha256
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.run import LedgerRoot, Manifest, RunIdentity
from factory.run.done import Done
from factory.run.folder import RunFolder
from factory.run.log import read_progress
from factory.simulate.canary import without_canary


class CallChecks:
    """The run's conversations, each beside its rows in the four published tables."""

    def __init__(
        self,
        folder: RunFolder,
        identity: RunIdentity,
        manifest: Manifest,
        root: LedgerRoot,
        order: Mapping[str, int],
    ) -> None:
        """Takes the run, and the place of each conversation that it builds by id."""
        self._folder = folder
        self._identity = identity
        self._manifest = manifest
        self._root = root
        self._order = order
        self._seen: set[str] = set()
        at = folder.dataset
        self._calls: Table[ConversationRow] = Table(
            CONVERSATIONS,
            lambda: ((row.conversation_id, row) for row in read_conversations(at / CONVERSATIONS, identity.audio)),
            order,
        )
        self._turns: Table[tuple[TurnRow, ...]] = Table(
            TURNS, lambda: ((rows[0].conversation_id, rows) for rows in read_turns(at / TURNS)), order
        )
        self._baseline: Table[tuple[BaselineRow, ...]] = Table(
            BASELINE, lambda: by_call(read_baseline(at / BASELINE), lambda row: row.conversation_id), order
        )
        self._listed: Table[tuple[ListedInterruption, ...]] = Table(
            INTERRUPTIONS,
            lambda: by_call(read_interruptions(at / INTERRUPTIONS), lambda row: row.conversation_id),
            order,
        )
        self._sounds: Table[CallRow] = Table(
            CALLS,
            lambda: ((row.conversation_id, row) for row in (read_calls(at / CALLS) if identity.audio else ())),
            order,
        )

    def faults(self, done: Done) -> Iterator[str]:
        """Everything that does not hold in a conversation, a table, the freeze or the ledger's root."""
        for blueprint in done.counting(self._folder.built()):
            if blueprint.conversation_id in self._order:
                yield from guarded(f"conversations/{blueprint.conversation_id}.jsonl", self._call(blueprint))
        for table in (self._calls, self._turns, self._baseline, self._listed, self._sounds):
            yield from table.faults()
        for item in sorted(self._manifest.items.keys() - self._seen):
            yield f"manifest.json: {item} is frozen, but no conversation has it"
        for name in sorted(self._root.heads.keys() - self._order.keys()):
            yield f"ledger/root.json: {name} is no conversation of this run"
        if sha256(canonical_json(self._root.heads)) != self._root.root:
            yield "ledger/root.json: the root is not the digest of the heads"

    def _call(self, blueprint: Blueprint) -> Iterator[str]:
        name = blueprint.conversation_id
        # Taken before anything can fail, so that the tables stay in step with the plan.
        row, turns = self._calls.take(name), self._turns.take(name)
        baseline, listed = self._baseline.take(name), self._listed.take(name)
        sound = self._sounds.take(name) if self._identity.audio else None
        progress = read_progress(self._folder.conversation_file(name))
        rounds = without_canary(tuple(progress.rounds))
        self._seen |= {item.item_id for item in progress.items}
        ledger = ledger_faults(self._folder, self._identity, blueprint, progress, self._root)
        yield from guarded(f"ledger/{name}.jsonl", ledger)
        yield from log_faults(blueprint, progress, rounds)
        yield from item_faults(blueprint, progress.items, rounds, self._manifest)
        items = {item.turn: item for item in progress.items}
        yield from self._calls.missing(name) if row is None else row_faults(blueprint, row, rounds, items)
        if row is not None and progress.system_message is not None:
            yield from introduced_faults(name, row, progress.system_message)
        if self._identity.audio:
            yield from guarded(f"calls/{name}.json", self._sound(name, rounds, row, turns, sound))
        yield from self._turns.missing(name) if turns is None else message_faults(name, turns, rounds)
        if baseline is not None or items:
            yield from self._baseline.missing(name) if baseline is None else recovery_faults(name, baseline, items)
        if listed is not None or items:
            yield from self._listed.missing(name) if listed is None else entry_faults(name, listed, rounds)

    def _sound(
        self,
        name: str,
        rounds: tuple[Round, ...],
        row: ConversationRow | None,
        turns: tuple[TurnRow, ...] | None,
        sound: CallRow | None,
    ) -> Iterator[str]:
        """Time-line, clips and whole call of a conversation; without a time-line nothing else can be told."""
        timeline = self._folder.timeline(name)
        yield from timeline_faults(self._folder, self._identity, timeline, rounds, self._order[name])
        yield from clip_faults(self._folder, timeline, rounds, row)
        yield from (
            self._sounds.missing(name)
            if sound is None
            else sound_row_faults(self._folder, timeline, sound, turns, self._identity.formats[0])
        )
