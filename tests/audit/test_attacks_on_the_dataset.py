"""Published text that was changed after the fact, each way caught by name."""

import json

import pytest

from factory.audit.findings import Kind
from factory.audit.report import write_flow_report
from factory.dataset.parquet import Row, read_rows, read_schema, writing_rows
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder

from .runs import interrupted, kinds, ledgers, rewrite_conversations, rewrite_turn


def test_a_callers_words(run: RunFolder) -> None:
    rewrite_turn(run, "caller", text="I never said that.")
    # Later inputs hold these words, the row of conversations.parquet holds the old ones.
    assert kinds(write_flow_report(run)) == {
        Kind.TRANSCRIPT_DIFFERS,
        Kind.CONTENT_DIFFERS,
        Kind.VIEW_DIFFERS,
        Kind.RECORDED_VIEW_DIFFERS,
    }


def test_a_callers_words_in_both_files(run: RunFolder) -> None:
    _, caller = interrupted(run)
    rewrite_turn(run, "caller", text="I never said that.")

    def change(row: Row) -> None:
        if row["conversation_id"] == caller["conversation_id"]:
            row[f"user_turn_{int(str(caller['round'])) + 1}_transcript"] = "I never said that."

    rewrite_conversations(run, change)
    found = kinds(write_flow_report(run))
    assert found == {Kind.CONTENT_DIFFERS, Kind.VIEW_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}


def test_a_callers_type_in_one_file(run: RunFolder) -> None:
    def change(row: Row) -> None:
        for name in row:
            if name.endswith("_interruption_type") and row[name] == "pushback":
                row[name] = "normal"

    rewrite_conversations(run, change)
    report = write_flow_report(run)
    assert kinds(report) == {Kind.TRANSCRIPT_DIFFERS}
    assert report.findings[0].message == "`interruption_type` in conversations.parquet is not what turns.parquet has"


def test_the_heard_text(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "agent", heard=agent["text"])
    report = write_flow_report(run)
    assert kinds(report) == {Kind.HEARD_DIFFERS}
    assert report.heard.agreeing == report.heard.turns - 1


def test_the_onset(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    onset = int(str(agent["onset_word"])) - 1
    rewrite_turn(run, "agent", onset_word=onset, heard=" ".join(str(agent["text"]).split(" ")[: onset + 1]))
    assert kinds(write_flow_report(run)) == {Kind.CONTENT_DIFFERS, Kind.VIEW_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}


def test_an_onset_behind_the_cut(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "agent", onset_word=agent["cut_word"], heard=agent["text"])
    assert Kind.HEARD_DIFFERS in kinds(write_flow_report(run))


def test_the_undelivered_text(run: RunFolder) -> None:
    rewrite_turn(run, "agent", undelivered=" something harmless.")
    assert kinds(write_flow_report(run)) == {Kind.DELIVERED_DIFFERS}


def test_the_undelivered_text_wherever_it_is_published(run: RunFolder) -> None:
    agent, _ = interrupted(run)
    whole = f"{agent['text']} something harmless."
    rewrite_turn(
        run, "agent", undelivered=" something harmless.", as_meant=whole, segments=[{"act": "a.b", "text": whole}]
    )

    def change(row: Row) -> None:
        if row["conversation_id"] == agent["conversation_id"]:
            row[f"assistant_turn_{int(str(agent['round'])) + 1}_original"] = whole

    rewrite_conversations(run, change)
    assert kinds(write_flow_report(run)) == {Kind.CONTENT_DIFFERS}


def test_a_released_fact(run: RunFolder) -> None:
    rewrite_turn(run, "caller", facts=[{"key": "code", "value": "12345"}])
    report = write_flow_report(run)
    assert kinds(report) == {Kind.CONTENT_DIFFERS, Kind.VIEW_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}
    assert report.inputs.differing == 2


def test_a_released_line(run: RunFolder) -> None:
    rewrite_turn(run, "caller", released=[{"kind": "move", "texts": ["I would rather not."]}])
    report = write_flow_report(run)
    assert kinds(report) == {Kind.CONTENT_DIFFERS, Kind.VIEW_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}
    assert report.inputs.differing == 1  # the user never saw the lines


def test_a_callers_secrets(run: RunFolder) -> None:
    def change(row: Row) -> None:
        row["user_intent"]["description"] = "Somebody else."  # type: ignore[index]

    rewrite_conversations(run, change)
    report = write_flow_report(run)
    assert kinds(report) == {Kind.CONTENT_DIFFERS, Kind.VIEW_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}
    assert report.inputs.differing == 38


@pytest.mark.parametrize("column", ["reaction_seed", "user_seed"])
def test_a_seed(run: RunFolder, column: str) -> None:
    rewrite_turn(run, "caller", **{column: 1})
    assert Kind.VIEW_DIFFERS in kinds(write_flow_report(run))


def test_a_recorded_digest(run: RunFolder) -> None:
    rewrite_turn(run, "caller", user_view="0" * 64)
    assert kinds(write_flow_report(run)) == {Kind.RECORDED_VIEW_DIFFERS}


def test_an_attempt(run: RunFolder) -> None:
    rewrite_turn(run, "agent", attempt=3)
    assert kinds(write_flow_report(run)) == {Kind.ATTEMPT_DIFFERS, Kind.CALL_UNPUBLISHED}


def _keep(run: RunFolder, name: str, keep: slice) -> None:
    path = run.dataset / name
    schema, rows = read_schema(path), list(read_rows(path))
    ids = list(dict.fromkeys(row["conversation_id"] for row in rows))[keep]
    with writing_rows(path, schema) as file:
        for row in rows:
            if row["conversation_id"] in ids:
                file.add(row)


def test_a_conversation_that_is_left_out(run: RunFolder) -> None:
    for name in (CONVERSATIONS, TURNS):
        _keep(run, name, slice(1, None))
    report = write_flow_report(run)
    assert kinds(report) == {Kind.CONVERSATION_MISSING}
    assert report.conversations == 3


def test_a_conversation_that_is_left_out_of_one_file(run: RunFolder) -> None:
    _keep(run, TURNS, slice(1, None))
    assert kinds(write_flow_report(run)) >= {Kind.DATASET_DAMAGED}


def test_a_conversation_that_is_left_out_everywhere(run: RunFolder) -> None:
    for name in (CONVERSATIONS, TURNS):
        _keep(run, name, slice(1, None))
    first = next(iter(run.ledger_root().heads))
    run.ledger_file(first).unlink()
    heads = {name: head for name, head in run.ledger_root().heads.items() if name != first}
    root = {"schema_version": 1, "heads": heads, "root": sha256(canonical_json(heads))}
    run.ledger_root_file.write_text(json.dumps(root))
    report = write_flow_report(run)
    assert kinds(report) == {Kind.CONVERSATION_MISSING}
    assert report.findings[0].message == "run.json orders 4 conversations, root.json names 3"


def test_a_last_message_that_is_left_out(run: RunFolder) -> None:
    path = run.dataset / TURNS
    schema, rows = read_schema(path), list(read_rows(path))
    with writing_rows(path, schema) as file:
        for row in rows[:-2]:
            file.add(row)
    assert kinds(write_flow_report(run)) == {Kind.CALL_UNPUBLISHED, Kind.TRANSCRIPT_DIFFERS}


def test_an_empty_dataset_proves_nothing(run: RunFolder) -> None:
    for name in (CONVERSATIONS, TURNS):
        _keep(run, name, slice(0, 0))
    for path in ledgers(run):
        path.unlink()
    run.ledger_root_file.write_text(json.dumps({"heads": {}, "root": sha256(canonical_json({}))}))
    assert kinds(write_flow_report(run)) == {Kind.CONVERSATION_MISSING}
