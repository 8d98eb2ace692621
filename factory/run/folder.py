"""A run folder: where everything is, and whether it belongs to what is being asked for."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from factory.errors import RunError
from factory.records.base import Record
from factory.records.blueprint import Blueprint
from factory.records.call import CallTimeline
from factory.records.run import LedgerRoot, Manifest, RunIdentity
from factory.run.files import write_error, write_text
from factory.run.reading import MOST_LIST_BYTES, MOST_RECORD_BYTES, open_regular, read_bytes

R = TypeVar("R", bound=Record)

OWN_ENTRIES = (
    "run.json", "blueprints.jsonl", "machines", "conversations", "ledger", "manifest.json", "audio", "calls", "clips",
    "dataset", "reports", "checksums.json", ".prefect", "replies", "commitment.json", "opening.json", "earlier",
)  # fmt: skip
"""What a build puts into its folder, `run.json` first; `--fresh` removes these and nothing else."""
KEPT_ENTRIES = frozenset({"replies", "clips", "earlier"})
"""Of these, what stays when a folder is started anew: it was paid for, or tells of what was frozen before."""


@dataclass(frozen=True)
class RunFolder:
    """The places in a run folder."""

    path: Path

    @property
    def identity_file(self) -> Path:
        """What the run is: `run.json`."""
        return self.path / "run.json"

    @property
    def blueprints_file(self) -> Path:
        """One blueprint a line, in order."""
        return self.path / "blueprints.jsonl"

    @property
    def manifest_file(self) -> Path:
        """The freeze."""
        return self.path / "manifest.json"

    @property
    def commitment_file(self) -> Path:
        """What is published of the freeze before any target answers."""
        return self.path / "commitment.json"

    @property
    def opening_file(self) -> Path:
        """What opens the commitment, secret until then."""
        return self.path / "opening.json"

    @property
    def earlier(self) -> Path:
        """The versions of the freeze that were given up."""
        return self.path / "earlier"

    @property
    def unfrozen_file(self) -> Path:
        """The last version that was given up, and why."""
        return self.earlier / "unfrozen.json"

    def earlier_file(self, file: Path, version: int) -> Path:
        """Where manifest, commitment or opening of a version that was given up is kept."""
        return self.earlier / f"{file.stem}.v{version}{file.suffix}"

    @property
    def ledger_root_file(self) -> Path:
        """The chains' heads and the digest over them."""
        return self.path / "ledger" / "root.json"

    @property
    def checksums_file(self) -> Path:
        """Digest of every finished file, as `verify` expects them."""
        return self.path / "checksums.json"

    @property
    def dataset(self) -> Path:
        """The published files."""
        return self.path / "dataset"

    @property
    def reports(self) -> Path:
        """The pages to read, and what they are made from."""
        return self.path / "reports"

    @property
    def corpus_report(self) -> Path:
        """The page to begin with."""
        return self.reports / "corpus.html"

    @property
    def flow_report(self) -> Path:
        """What the caller's side could know."""
        return self.reports / "flow-report.html"

    @property
    def flow_record(self) -> Path:
        """The flow report as JSON."""
        return self.reports / "flow-report.json"

    @property
    def quality_file(self) -> Path:
        """The figures of quality."""
        return self.reports / "quality.json"

    def call_report(self, conversation_id: str) -> Path:
        """The page of one conversation."""
        return self.reports / "calls" / f"{conversation_id}.html"

    @property
    def replies(self) -> Path:
        """The replies of models, one file for each side of a conversation."""
        return self.path / "replies"

    def machine_file(self, workflow_id: str) -> Path:
        """A workflow's state machine as node-link JSON."""
        return self.path / "machines" / f"{workflow_id.replace('/', '--')}.json"

    def conversation_file(self, conversation_id: str) -> Path:
        """A conversation's log."""
        return self.path / "conversations" / f"{conversation_id}.jsonl"

    def ledger_file(self, conversation_id: str) -> Path:
        """A conversation's ledger."""
        return self.path / "ledger" / f"{conversation_id}.jsonl"

    def audio_file(self, conversation_id: str, turn: int) -> Path:
        """A caller turn's clip; turns count from 1."""
        return self.path / "audio" / conversation_id / f"user_turn_{turn:02d}.wav"

    def name_of(self, path: Path) -> str:
        """The name by which a file of the run is known in messages, checksums and time-lines: `calls/x.flac`."""
        return path.relative_to(self.path).as_posix()

    def call_file(self, conversation_id: str, suffix: str) -> Path:
        """A file of a call: its sound, the clean original where that is another, its time-line, its labels."""
        return self.path / "calls" / f"{conversation_id}.{suffix}"

    def timeline_file(self, conversation_id: str) -> Path:
        """A call's time-line; it is written last, so where it is the call is whole."""
        return self.call_file(conversation_id, "json")

    def timeline(self, conversation_id: str) -> CallTimeline:
        """A call's time-line; raises `RunError` if it is missing, damaged, or another call's."""
        path = self.timeline_file(conversation_id)
        timeline = read_record(path, CallTimeline, mend="build again to make the call anew")
        if timeline.conversation_id != conversation_id:
            raise RunError(f"{path}: is the time-line of another call; build again to make the call anew")
        return timeline

    @property
    def clips(self) -> Path:
        """Clips of speech engines over a network, which would give others another time."""
        return self.path / "clips"

    def identity(self) -> RunIdentity:
        """What the run is; raises `RunError` if the folder holds no readable run."""
        return read_record(self.identity_file, RunIdentity)

    def manifest(self) -> Manifest:
        """The freeze; raises `RunError` if it is not there or damaged."""
        return read_record(self.manifest_file, Manifest)

    def ledger_root(self) -> LedgerRoot:
        """The ledger's root; raises `RunError` if it is not there or damaged."""
        return read_record(self.ledger_root_file, LedgerRoot)

    def blueprints(self, first: int = 0) -> Iterator[Blueprint]:
        """All planned conversations from an ordinal on, one at a time; raises `RunError` if the file is damaged."""
        try:
            with open_regular(self.blueprints_file) as file:
                lines = iter(lambda: file.readline(MOST_RECORD_BYTES), b"")
                for number, line in islice(enumerate(lines, 1), first, None):
                    try:
                        blueprint = Blueprint.from_json(line)
                        if blueprint.ordinal != number - 1:
                            raise ValueError
                        yield blueprint
                    except ValueError:
                        raise RunError(
                            f"{self.blueprints_file}:{number}: not a blueprint; the file is damaged"
                        ) from None
        except OSError as exc:
            raise RunError(f"{self.blueprints_file}: cannot be read: {exc.strerror}") from None

    def built(self) -> Iterator[Blueprint]:
        """The blueprints of all conversations that the run builds; raises as `blueprints`."""
        return islice(self.blueprints(), self.identity().conversations)

    def claim(self, identity: RunIdentity, fresh: bool) -> bool:
        """Makes the folder this run's own, or goes on in it.

        Returns:
            Whether the run is new here.

        Raises:
            RunError: if it holds another run (names the differences), something that is no run, a freeze that was
                committed to or has versions and is to be started `fresh`, or cannot be written to.
        """
        self.refuse_strangers()
        if self.identity_file.exists() and not fresh:
            _require_same(self.identity_file, self.identity(), identity, bound=self._bound() is not None)
            return False
        if fresh and (bound := self._bound()) is not None:
            raise RunError(
                f"{bound}: the freeze of this run was committed to or has versions, and --fresh would forget it; "
                "give --unfreeze REASON, or another --out"
            )
        self.start_anew(identity)
        return True

    def start_anew(self, identity: RunIdentity) -> None:
        """Clears the folder, replies and earlier versions of the freeze apart, and makes it a run's own.

        Raises:
            RunError: if it cannot be written to.
        """
        try:
            self._clear()
            for name in ("conversations", "ledger"):
                (self.path / name).mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise write_error(self.path, exc) from None
        write_text(self.identity_file, identity.model_dump_json(indent=2) + "\n")

    def _bound(self) -> Path | None:
        """The file for which a freeze may not be forgotten; None where there is none.

        A commitment is out in the world, and without its salt nothing opens it; a version has a successor.
        """
        files = (self.commitment_file, self.opening_file, self.unfrozen_file)
        return next((path for path in files if path.exists()), None)

    def refuse_strangers(self) -> None:
        """Writes nothing.

        Raises:
            RunError: if the place is no folder, or holds files that no build made.
        """
        try:
            if not self.path.exists():
                return
            if not self.path.is_dir():
                raise RunError(f"{self.path}: is a file; name a folder for --out")
            known = OWN_ENTRIES if self.identity_file.is_file() or self.unfrozen_file.is_file() else ()
            strange = sorted(e.name for e in self.path.iterdir() if e.name not in known and not _is_left_over(e))
            links = [e for e in (*self.path.iterdir(), *self.path.glob("*/*")) if e.is_symlink()]
        except OSError as exc:
            raise RunError(f"{self.path}: cannot be read: {exc.strerror}; choose another --out") from None
        if links:
            raise RunError(f"{links[0]}: is a link, and a build writes only into its own folder; remove it")
        if strange:
            raise RunError(
                f"{self.path}: holds files of no build ({', '.join(strange[:3])}); name an empty folder for --out"
            )

    def discard(self) -> None:
        """Takes a run away that failed before it had a plan, so that nothing half made stays behind."""
        with suppress(OSError):
            self._clear()

    def _clear(self) -> None:
        """Removes all that a build makes; `run.json`, which says whose files these are, goes last."""
        for name in reversed([entry for entry in OWN_ENTRIES if entry not in KEPT_ENTRIES]):
            entry = self.path / name
            if entry.is_symlink() or entry.is_file():
                entry.unlink()
            elif entry.is_dir():
                shutil.rmtree(entry)


_MOST_BYTES: dict[type[Record], int] = {Manifest: MOST_LIST_BYTES, LedgerRoot: MOST_LIST_BYTES}
"""Largest files of records that grow with the corpus."""


def _is_left_over(entry: Path) -> bool:
    """Hidden files, and the empty folders of a build that was killed before it said whose they are."""
    return entry.name.startswith(".") or (entry.name in OWN_ENTRIES and entry.is_dir() and not any(entry.iterdir()))


def read_record(path: Path, record: type[R], mend: str = "restore it, or build with --fresh") -> R:
    """The record that a file of a run holds; raises `RunError` if it is not there, too large, or damaged.

    Args:
        path: The file.
        record: What it holds.
        mend: What to do where it is damaged.
    """
    try:
        return record.from_json(read_bytes(path, _MOST_BYTES.get(record, MOST_RECORD_BYTES)))
    except FileNotFoundError:
        raise RunError(
            f"{path}: there is no such file; this is no run folder, or its build is not finished: then the same build "
            "command goes on with it"
        ) from None
    except OSError as exc:
        raise RunError(f"{path}: cannot be read: {exc.strerror}") from None
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise RunError(f"{path}: damaged at `{place}`: {first['msg']}; {mend}") from None


def _require_same(path: Path, there: RunIdentity, wanted: RunIdentity, bound: bool) -> None:
    """Refuses to go on with another run; where a freeze is bound, only a new version of it starts the folder anew."""
    changed = list(_changes(json.loads(there.model_dump_json()), json.loads(wanted.model_dump_json())))
    if changed:
        shown = "; ".join(f"{key}: {_shown(before)} there, {_shown(now)} now" for key, before, now in changed[:5])
        more = f"; and {len(changed) - 5} more" if len(changed) > 5 else ""
        lost = any(key.startswith("workflows.") and now is None for key, _, now in changed)
        found = "name the folder of the workflows that are missing with --workflows, " if lost else ""
        anew = "--unfreeze REASON for a new version of its freeze" if bound else "--fresh to start it anew"
        raise RunError(f"{path}: this folder holds another run ({shown}{more}); {found}use another --out, or {anew}")


def _changes(before: object, now: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Where two records differ, by name; a part that only one of them has is one difference, however much is in it."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            yield from _changes(before.get(key), now.get(key), f"{name}.{key}" if name else key)
    elif before != now:
        yield name, before, now


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "given" if value else "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    shown = str(value)
    return shown[:12] + "…" if len(shown) == 64 else shown


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces: a dataset with audio is large."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
