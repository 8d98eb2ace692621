"""Writes the published files of a finished run, conversation by conversation."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from factory.calls.tally import SoundTally
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall, finished_calls
from factory.dataset.card import write_card
from factory.dataset.clips import WavClip, read_clip
from factory.dataset.counts import DatasetCounts, Tally
from factory.dataset.parquet import Row, writing_rows
from factory.dataset.publish import baseline_rows, conversation_row, listed_interruptions, turn_rows
from factory.dataset.rows import ConversationRow, Domain, ListedInterruption, PublishedTurn
from factory.dataset.schema import baseline_schema, calls_schema, conversations_schema, turn_columns, turns_schema
from factory.dataset.sound import call_row
from factory.dataset.system_message import fill_system_message, system_message
from factory.records.base import Record
from factory.records.call import CallTimeline
from factory.run.files import replacing
from factory.run.folder import RunFolder
from factory.workflow.library import Library

CONVERSATIONS = "conversations.parquet"
BASELINE = "baseline.parquet"
TURNS = "turns.parquet"
CALLS = "calls.parquet"
INTERRUPTIONS = "interruptions_all.json"
CARD = "README.md"


def write_dataset(folder: RunFolder, library: Library) -> DatasetCounts:
    """Writes all files of `dataset/`; each is replaced whole, and memory does not grow with the run.

    Args:
        folder: A run whose conversations are all finished and frozen, and voiced where its identity says so.
        library: The workflows that it was built from.

    Returns:
        What was written, in numbers.

    Raises:
        RunError: if a conversation or the manifest is missing or damaged, a clip is missing or not usable
            (names the file), or a file cannot be written.
        WorkflowError: if a workflow cannot be read.
    """
    identity, root = folder.identity(), folder.manifest().root
    most_turns = max((len(blueprint.rounds) for blueprint in folder.built()), default=0)
    about = _About(library, identity.workflows)
    tally = Tally(sound=SoundTally(identity.spec.sound.most_misheard))
    with ExitStack() as files:
        conversations = files.enter_context(
            writing_rows(folder.dataset / CONVERSATIONS, conversations_schema(most_turns))
        )
        baseline = files.enter_context(writing_rows(folder.dataset / BASELINE, baseline_schema()))
        turns = files.enter_context(writing_rows(folder.dataset / TURNS, turns_schema()))
        listed = files.enter_context(_writing_list(folder.dataset / INTERRUPTIONS))
        if identity.audio:
            calls = files.enter_context(writing_rows(folder.dataset / CALLS, calls_schema()))
        for call in finished_calls(folder, library):
            timeline = folder.timeline(call.conversation_id) if identity.audio else None
            clips = {} if timeline is None else _clips(folder, call, timeline)
            row = conversation_row(call, about.domain(call), about.system_message(call), clips)
            conversations.add(_columns(row), size=sum(len(clip.wav) for clip in clips.values()))
            for recovery in baseline_rows(call):
                baseline.add(_plain(recovery))
            for message in turn_rows(call, timeline):
                turns.add(_plain(message))
            if timeline is not None:
                sound = call_row(folder, timeline, identity.formats[0])
                calls.add(sound.model_dump(), size=len(sound.audio.bytes))
            for entry in listed_interruptions(call):
                listed.add(entry)
            tally.add(call, clips, timeline)
    counts = tally.counts()
    write_card(folder.dataset / CARD, identity, root, counts)
    return counts


class _About:
    """What is the same for all calls of a workflow, made once."""

    def __init__(self, library: Library, ids: Iterable[str]) -> None:
        self._library = library
        self._ids = sorted(ids)
        self._domains: dict[str, Domain] = {}
        self._messages: dict[str, str] = {}

    def domain(self, call: FinishedCall) -> Domain:
        domain = call.workflow.domain
        if domain not in self._domains:
            # Only this domain's files are read; the others may be many.
            fitting = [self._library.workflow(i) for i in self._ids if i.split("/")[0] == domain]
            self._domains[domain] = domain_of(call.workflow, fitting)
        return self._domains[domain]

    def system_message(self, call: FinishedCall) -> str:
        workflow = call.workflow
        if call.system_message is not None:
            return fill_system_message(call.system_message, workflow)
        if workflow.id not in self._messages:
            self._messages[workflow.id] = system_message(workflow)
        return self._messages[workflow.id]


class _ListWriter:
    """Writes a JSON list, one entry a line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._entries = 0

    def add(self, entry: ListedInterruption) -> None:
        self._file.write(b",\n" if self._entries else b"[\n")
        self._file.write(entry.model_dump_json().encode())
        self._entries += 1

    def end(self) -> None:
        self._file.write(b"\n]\n" if self._entries else b"[]\n")


@contextmanager
def _writing_list(path: Path) -> Iterator[_ListWriter]:
    with replacing(path) as file:
        entries = _ListWriter(file)
        yield entries
        entries.end()


def _clips(folder: RunFolder, call: FinishedCall, timeline: CallTimeline) -> dict[int, WavClip]:
    return {
        number: read_clip(folder, timeline, number)
        for number, done in enumerate(call.rounds, 1)
        if done.caller is not None
    }


def _plain(row: Record) -> Row:
    """A row whose columns are the record's fields."""
    return row.model_dump(mode="json")


def _columns(row: ConversationRow) -> Row:
    """A conversation's row with its turns spread over the numbered columns."""
    columns = row.model_dump(mode="json", exclude={"turns"})
    columns["num_turns"] = len(row.turns)
    for number, turn in enumerate(row.turns, 1):
        columns |= _turn_columns(number, turn)
    return columns


def _turn_columns(number: int, turn: PublishedTurn) -> Row:
    values = turn.model_dump()  # as Python values: bytes have no JSON form
    values["rq_rubrics"] = values["rq_rubrics"] or None
    return {name: values[field] for field, name in turn_columns(number).items()}
