"""Runs to audit, and the tools of those who would cheat: lines edited, chains made anew, published rows rewritten."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.dataset.parquet import Row, read_rows, read_schema, writing_rows
from factory.dataset.write import CONVERSATIONS, TURNS, write_dataset
from factory.models.prompt import Prompts
from factory.records.base import canonical_json, sha256
from factory.records.ledger import GENESIS
from factory.records.run import RunIdentity
from factory.run.folder import RunFolder
from factory.run.freeze import proved_root
from factory.workflow.library import Library
from tests.dataset.runs import build_run

Line = dict[str, object]
"""One ledger line as JSON."""
OTHER = "0123456789abcdef" * 4
"""A digest of nothing that is there."""


def finished_run(path: Path, library: Library, canaries: bool = False, limit: int | None = None) -> RunFolder:
    """A small run without audio, with its dataset."""
    folder = build_run(path, library, audio=False, canaries=canaries, limit=limit)
    write_dataset(folder, library)
    return folder


def ledgers(folder: RunFolder) -> list[Path]:
    """The ledgers of a run; only some tests need more than the first."""
    return sorted(folder.ledger_root_file.parent.glob("*.jsonl"))


def read_ledger(path: Path) -> list[Line]:
    """A ledger's lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_ledger(path: Path, lines: Iterable[Line]) -> None:
    """Writes lines as they are."""
    path.write_text("".join(canonical_json(line) + "\n" for line in lines))


def rechain(path: Path, lines: Iterable[Line]) -> str:
    """Writes lines with numbers and digests computed anew; returns the new head."""
    head, written = GENESIS, []
    for number, line in enumerate(lines):
        new = line | {"previous": head, "sequence": number}
        head = sha256(canonical_json(new))
        written.append(new)
    write_ledger(path, written)
    return head


def reseal(folder: RunFolder, path: Path, lines: Iterable[Line]) -> None:
    """Forges a ledger all the way up: chain, head, the ledger's root, and the freeze's, which binds it."""
    renew_ledger_root(folder, path, lines)
    refreeze(folder, ledger=folder.ledger_root().root)


def renew_ledger_root(folder: RunFolder, path: Path, lines: Iterable[Line]) -> None:
    """Forges a ledger up to its own root, and leaves the freeze."""
    root = json.loads(folder.ledger_root_file.read_text())
    root["heads"][path.stem] = rechain(path, lines)
    root["root"] = sha256(canonical_json(root["heads"]))
    folder.ledger_root_file.write_text(json.dumps(root))


def refreeze(folder: RunFolder, **changed: object) -> None:
    """Writes the manifest with other fields, and with the root that fits them."""
    manifest = folder.manifest().model_copy(update=changed)
    fitting = manifest.model_copy(update={"root": proved_root(manifest)})
    folder.manifest_file.write_text(fitting.model_dump_json())


def change_ledger(folder: RunFolder, change: Callable[[list[Line]], None], path: Path | None = None) -> None:
    """Changes the lines of a ledger, the first one's unless another is named, and forges it all the way up."""
    path = path or ledgers(folder)[0]
    lines = read_ledger(path)
    change(lines)
    reseal(folder, path, lines)


def seal_template(folder: RunFolder, prompts: Prompts, name: str) -> None:
    """Makes ledgers and run.json name a template as it is in `prompts`, as if the run had been built with it."""

    def name_anew(lines: list[Line]) -> None:
        for line in lines:
            call = line["call"]
            if call and call["template"] == name:  # type: ignore[index]
                call["template_digest"] = prompts.digest(name)  # type: ignore[index]

    for path in ledgers(folder):
        change_ledger(folder, name_anew, path)
    identity = folder.identity()
    changed = identity.model_copy(update={"templates": identity.templates | {name: prompts.digest(name)}})
    folder.identity_file.write_text(RunIdentity.model_dump_json(changed))


def first_of(lines: list[Line], role: str) -> Line:
    """The first call of a role; caller-side ones of an interrupting turn."""
    return next(line for line in lines if line["role"] == role)


def read_of(line: Line, label: str) -> Line:
    """What a call read under a label."""
    return next(read for read in line["reads"] if read["label"] == label)  # type: ignore[attr-defined]


def rewrite(path: Path, change: Callable[[Row], None]) -> None:
    """Changes the rows of a Parquet file after the fact."""
    schema, rows = read_schema(path), list(read_rows(path))
    for row in rows:
        change(row)
    with writing_rows(path, schema) as file:
        for row in rows:
            file.add(row)


def rewrite_turn(folder: RunFolder, speaker: str, **values: object) -> None:
    """Changes columns of the first message of a speaker in an interrupted round of the first call."""
    path = folder.dataset / TURNS
    rows = list(read_rows(path))
    caller = next(row for row in rows if row["interruption_type"] is not None)
    place = (caller["conversation_id"], caller["round"], speaker)

    def change(row: Row) -> None:
        if (row["conversation_id"], row["round"], row["speaker"]) == place:
            row.update(values)

    rewrite(path, change)


def interrupted(folder: RunFolder) -> tuple[Row, Row]:
    """Agent's and caller's row of the first interrupted round."""
    rows = list(read_rows(folder.dataset / TURNS))
    index = next(i for i, row in enumerate(rows) if row["interruption_type"] is not None)
    return rows[index - 1], rows[index]


def rewrite_conversations(folder: RunFolder, change: Callable[[Row], None]) -> None:
    """Changes the rows of `conversations.parquet`."""
    rewrite(folder.dataset / CONVERSATIONS, change)


def kinds(report: FlowReport) -> set[Kind]:
    """The kinds of findings; a report with any may not be clean."""
    assert report.clean == (not report.findings_by_kind)
    assert report.verdict.startswith("clean" if report.clean else "not clean")
    return set(report.findings_by_kind)
