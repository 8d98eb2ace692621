"""Rows, ledgers and roots forged together, so that every digest fits: what was handed, and calls that never were."""

from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from factory.audit.calls import published_calls
from factory.audit.expected import expected_rounds
from factory.audit.findings import Findings, Kind
from factory.dataset.parquet import Row, read_rows, read_schema, writing_rows
from factory.dataset.rebuild import rebuild_caller_views
from factory.dataset.write import BASELINE, CONVERSATIONS, TURNS
from factory.run.folder import RunFolder
from tests.audit.graphs import reads, wrote
from tests.audit.runs import Line, ledgers, read_ledger, reseal, rewrite, rewrite_conversations

from .attack import Attack, Caught, Stage, Way, Who, caught_in, report_on
from .behind import fit_view

Change = Callable[[RunFolder], None]


def fit_together(folder: RunFolder) -> None:
    """Makes digests in rows and ledgers fit what the rows say by now, all the way up to the roots."""
    views = {
        (conversation.conversation_id, number): (reaction.digest(), user.digest())
        for conversation, rows in published_calls(folder.dataset, Findings())
        for number, reaction, user in rebuild_caller_views(rows, conversation)
    }

    def of_row(row: Row) -> None:
        if row["speaker"] == "caller":
            row["reaction_view"], row["user_view"] = views[str(row["conversation_id"]), int(str(row["round"]))]

    rewrite(folder.dataset / TURNS, of_row)
    for conversation, rows in published_calls(folder.dataset, Findings()):
        items = {name: item for now in expected_rounds(conversation, rows, None) for name, item in now.items.items()}
        path = folder.ledger_file(conversation.conversation_id)
        lines = read_ledger(path)
        for line in lines:
            for read in (*reads(line), wrote(line)):
                if str(read["item"]) in items:
                    read["content"] = items[str(read["item"])].content
            now = views.get((conversation.conversation_id, int(str(line["round"]))))
            if line["role"] in ("reaction_planner", "user") and now is not None:
                line["view"] = now[line["role"] == "user"]
            elif line["role"] in ("rubric_writer", "control_writer"):
                fit_view(line)
        reseal(folder, path, lines)


@dataclass(frozen=True)
class InAll(Way[Change]):
    """Rows are changed, everything else is made to fit them, and the run is audited."""

    def go(self, stage: Stage, cheat: Change | None) -> Set[Caught]:
        folder = stage.copy("plain")
        if cheat is not None:
            cheat(folder)
        fit_together(folder)
        return caught_in(report_on(folder))


def _cut_turns(folder: RunFolder) -> dict[tuple[object, object], str]:
    """The undelivered words of each round in which somebody cut in."""
    rows = read_rows(folder.dataset / TURNS)
    return {(r["conversation_id"], r["round"]): str(r["undelivered"]).strip() for r in rows if r["undelivered"]}


def _handed(change: Callable[[Row, str], None]) -> Change:
    def everywhere(folder: RunFolder) -> None:
        rest = _cut_turns(folder)

        def of_row(row: Row) -> None:
            place = (row["conversation_id"], row["round"])
            if row["speaker"] == "caller" and place in rest:
                change(row, rest[place])

        rewrite(folder.dataset / TURNS, of_row)

    return everywhere


def _rest_in_intent(folder: RunFolder) -> None:
    rest = _cut_turns(folder)

    def change(row: Row) -> None:
        words = " ".join(text for (name, _), text in rest.items() if name == row["conversation_id"])
        row["user_intent"]["description"] += f" {words}"  # type: ignore[index]

    rewrite_conversations(folder, change)


def _stages_in_intent(folder: RunFolder) -> None:
    def change(row: Row) -> None:
        stages = row["knowledge_base"]["stages"]  # type: ignore[index]
        row["user_intent"]["description"] += " " + " ".join(stage["description"] for stage in stages)  # type: ignore[index]

    rewrite_conversations(folder, change)


def _secrets_of_another(folder: RunFolder) -> None:
    """The first caller is told what another about the same goal keeps to themselves, with one blank more."""
    rows = list(read_rows(folder.dataset / CONVERSATIONS))
    pairs = ((a, b) for a in rows for b in rows if a["goal"] == b["goal"])
    first, other = next((a, b) for a, b in pairs if a["user_intent"]["id"] != b["user_intent"]["id"])  # type: ignore[index]

    def change(row: Row) -> None:
        if row["conversation_id"] == first["conversation_id"]:
            hidden = other["user_intent"]["hidden_information"]  # type: ignore[index]
            row["user_intent"]["hidden_information"] = [f"{text} " for text in hidden]  # type: ignore[index]

    rewrite_conversations(folder, change)


def _nobody_was_cut(folder: RunFolder) -> None:
    """Callers cut into turns that they heard to their end."""

    def of_turn(row: Row) -> None:
        if row["speaker"] == "agent" and row["cut_word"] is not None:
            row["text"] = row["heard"] = row["as_meant"]
            row.update(undelivered="", cut_word=None, onset_word=None)

    def of_call(row: Row) -> None:
        for name in [name for name in row if name.endswith("_original") and row[name]]:
            row[name.replace("_original", "_transcript")], row[name] = row[name], None

    rewrite(folder.dataset / TURNS, of_turn)
    rewrite_conversations(folder, of_call)
    for path in ledgers(folder):
        reseal(folder, path, [line for line in read_ledger(path) if line["role"] != "cutter"])


def _called_twice(folder: RunFolder) -> None:
    """The first call takes the place of the second one as well."""
    one, other = list(folder.ledger_root().heads)[:2]
    for name in (CONVERSATIONS, TURNS, BASELINE):
        path = folder.dataset / name
        mine = [row for row in read_rows(path) if row["conversation_id"] == one]
        replace_rows(path, other, [row | {"conversation_id": other} for row in mine])
    lines: list[Line] = [line | {"conversation_id": other} for line in read_ledger(folder.ledger_file(one))]
    reseal(folder, folder.ledger_file(other), lines)


def replace_rows(path: Path, name: str, rows: list[Row]) -> None:
    """Puts rows in the place of a conversation's."""
    schema, old = read_schema(path), list(read_rows(path))
    place = next(number for number, row in enumerate(old) if row["conversation_id"] == name)
    before = old[:place]
    behind = [row for row in old[place:] if row["conversation_id"] != name]
    with writing_rows(path, schema) as file:
        for row in (*before, *rows, *behind):
            file.add(row)


WAY = InAll()


def _forged(change: Change, name: str, *by: Caught) -> Attack[Change]:
    return Attack(name, Who.BUILDER, frozenset(by), WAY, change)


ATTACKS = (
    _forged(
        _handed(lambda row, rest: row.update(released=[{"kind": "move", "texts": [rest]}])),
        "hands the caller undelivered words as a released line, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _handed(lambda row, rest: row.update(facts=[{"key": "note", "value": f"{rest} "}])),
        "hands the caller undelivered words as a fact, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _handed(lambda row, rest: row["reaction_plan"].update(gist=rest.upper())),  # type: ignore[attr-defined]
        "plans as the caller with undelivered words, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _rest_in_intent,
        "puts undelivered words into the caller's intent, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _stages_in_intent,
        "puts the agent's stages into the caller's intent, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _secrets_of_another,
        "tells a caller the secrets of another one with a blank added, and makes all digests fit",
        Kind.WITHHELD_HANDED,
    ),
    _forged(
        _nobody_was_cut,
        "lets callers cut into turns that nothing cut, and makes all digests fit",
        Kind.CALL_MISSING,
        Kind.DELIVERED_DIFFERS,
        Kind.ENGINE_DIFFERS,
    ),
    _forged(
        _called_twice,
        "publishes a call twice under two ids, and makes ledger and rows fit",
        Kind.CONVERSATION_TWICE,
        Kind.FREEZE_DIFFERS,
    ),
)
