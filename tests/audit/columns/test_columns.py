"""What counts as the reference's columns: in whatever order and type, and with whatever beside them."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.base import base_of, intent_of
from factory.audit.columns.read import CallFile
from factory.audit.columns.rules import ColumnRule
from factory.audit.result import AuditResult, Proof
from factory.errors import RunError

from .files import BASE, INTENT, Row, as_others_write, breaks, honest, schema_of, turn, write

RECORD = {"booking_code": "48213", "estimate": "$87.50", "frame_number": "KX-550129"}


def counts(result: AuditResult) -> dict[str, int]:
    assert result.rules is not None
    return {f"{count.rule} {count.type}": count.checked for count in result.rules.counts}


def test_a_file_as_another_toolkit_writes_it_comes_to_the_same(tmp_path: Path) -> None:
    rows = [honest("a"), honest("b")]
    ours = audit_foreign(write(tmp_path / "ours.parquet", rows))
    theirs = audit_foreign(as_others_write(tmp_path / "theirs.parquet", rows))
    assert theirs == ours


def test_the_mistakes_in_such_a_file_are_found_as_well(tmp_path: Path) -> None:
    row = honest()
    turn(2, delivered="Sure, I can set that up. Before we look at any da")(row)
    turn(6, meant=None)(row)
    result = audit_foreign(as_others_write(tmp_path / "theirs.parquet", [row]))
    assert breaks(result) == {ColumnRule.ENDS_INSIDE_WORD, ColumnRule.INTERRUPTION_WITHOUT_ORIGINAL}


def test_audio_is_not_read(tmp_path: Path) -> None:
    row = honest() | {"user_turn_1_audio": {"bytes": b"x" * 1000, "path": "a.wav"}}
    audio = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    file = CallFile(write(tmp_path / "calls.parquet", [row], user_turn_1_audio=audio))
    assert not any("audio" in name for name in file.columns.names)
    assert breaks(audit_foreign(file.path)) == set()


@pytest.mark.parametrize(
    ("column", "missing"),
    [
        ("knowledge_base", {Proof.VERIFICATION_ORDER}),
        ("user_intent", set()),
        ("goal", set()),
        ("num_turns", set()),
        ("domain", set()),
        ("system_message", set()),
    ],
)
def test_what_stands_once_may_be_missing_and_the_result_says_so(
    column: str, missing: set[Proof], tmp_path: Path
) -> None:
    row = honest()
    del row[column]
    result = audit_foreign(write(tmp_path / "calls.parquet", [row]))
    whole = {p.proof for p in audit_foreign(write(tmp_path / "whole.parquet", [honest()])).proofs if p.made}
    assert {p.proof for p in result.proofs if p.made} == whole - missing
    assert breaks(result) == set()


def test_without_columns_for_rubrics_none_is_missed(tmp_path: Path) -> None:
    row = {name: value for name, value in honest().items() if "rubric" not in name}
    result = audit_foreign(write(tmp_path / "calls.parquet", [row]))
    assert breaks(result) == set()
    [proof] = [p for p in result.proofs if p.proof is Proof.RUBRICS]
    assert (proof.made, proof.why) == (False, "there are no columns for rubrics")


def test_a_column_that_is_empty_in_all_rows_may_be_left_out(tmp_path: Path) -> None:
    row = honest()
    dropped = [name for name, value in row.items() if value is None]
    assert len(dropped) > 20
    bare = {name: value for name, value in row.items() if name not in dropped}
    result = audit_foreign(write(tmp_path / "bare.parquet", [bare]))
    assert counts(result) == counts(audit_foreign(write(tmp_path / "whole.parquet", [row])))


def without(*names: str) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [{k: v for k, v in row.items() if not k.endswith(names)} for row in rows]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without("conversation_id"), "has no column `conversation_id`"),
        (without("_original"), "columns are missing: assistant_turn_N_original"),
        (without("_interruption_type"), "columns are missing: user_turn_N_interruption_type"),
        (without("assistant_turn_7_transcript"), "columns are missing: assistant_turn_7_transcript"),
        (without("_transcript"), "columns are missing: assistant_turn_N_transcript, user_turn_N_transcript"),
        (lambda rows: [{"conversation_id": "a", "text": "b"}], "columns are missing: assistant_turn_N_transcript"),
    ],
)
def test_missing_columns_are_one_clear_error(
    change: Callable[[list[Row]], list[Row]], says: str, tmp_path: Path
) -> None:
    with pytest.raises(RunError) as error:
        audit_foreign(write(tmp_path / "calls.parquet", change([honest()])))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("column", "kind", "value"),
    [
        ("conversation_id", pa.int64(), 5),
        ("assistant_turn_1_transcript", pa.binary(), b"Hello"),
        ("user_turn_2_interruption_type", pa.int8(), 1),
        ("assistant_turn_2_original", pa.list_(pa.string()), ["a"]),
        ("turn_2_rq_rubrics", pa.list_(pa.int64()), [1]),
        ("turn_2_rq_rubrics", pa.struct([("a", pa.string())]), {"a": "b"}),
        ("user_turn_1_transcript", pa.struct([("text", pa.string())]), {"text": "b"}),
    ],
)
def test_a_column_of_another_type_is_one_clear_error(
    column: str, kind: pa.DataType, value: object, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match=rf"`{column}` is of type .*, not (a list of texts|text)$"):
        audit_foreign(write(tmp_path / "calls.parquet", [honest() | {column: value}], **{column: kind}))


def test_a_column_that_stands_twice_is_one_clear_error(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([honest()], schema=schema_of([honest()]))
    table = table.append_column("goal", table["goal"])
    pq.write_table(table, tmp_path / "calls.parquet")
    with pytest.raises(RunError, match="the column `goal` stands in it twice"):
        audit_foreign(tmp_path / "calls.parquet")


class TestWhatIsUnderstoodOfAKnowledgeBase:
    @pytest.mark.parametrize(
        "written",
        [
            BASE,
            json.dumps(BASE),
            {"knowledge_base": BASE},
            {"state_machine": {"stages": BASE["stages"]}, "rules": {"guidelines": BASE["guidelines"]}}
            | {"known_user_information": json.dumps(RECORD)},
            BASE | {"known_user_information": list(RECORD.items())},
            BASE | {"stages": {s["name"]: {"description": s["description"]} for s in BASE["stages"]}},  # type: ignore[index]
        ],
    )
    def test_is_the_same_in_every_way_of_writing(self, written: object) -> None:
        base = base_of(written)
        assert [stage.name for stage in base.stages] == ["Check the booking", "Agree on the work", "Find a day"]
        assert base.verifies
        assert [passage.text for passage in base.guidelines] == BASE["guidelines"]
        assert {passage.place: passage.text for passage in base.known_user} == RECORD

    @pytest.mark.parametrize("written", [None, "", "plain words", "[", "[" * 100_000, 5, [], [[]], {"x": 1}, b"stages"])
    def test_is_nothing_where_nothing_fits(self, written: object) -> None:
        base = base_of(written)
        assert (base.stages, base.guidelines, base.known_user) == ((), (), ())

    def test_is_nothing_where_a_struct_has_no_bottom(self) -> None:
        deep: object = "x"
        for _ in range(5_000):
            deep = {"a": deep}
        assert base_of({"stages": [{"name": "a", "b": deep}]}).stages == ()
        assert intent_of(deep).own == ()

    @pytest.mark.parametrize("written", [INTENT, json.dumps(INTENT)])
    def test_hidden_information_is_the_callers_own(self, written: object) -> None:
        intent = intent_of(written)
        assert intent.hidden == ("can only come after five",)
        assert set(intent.own) == {"Wants the bicycle back before the weekend.", "can only come after five"}

    def test_a_knowledge_base_as_json_is_held_against_callers(self, tmp_path: Path) -> None:
        row = honest() | {"knowledge_base": json.dumps(BASE)}
        turn(9, caller="Is that where you check the booking, and then agree on the work?")(row)
        result = audit_foreign(write(tmp_path / "calls.parquet", [row], knowledge_base=pa.string()))
        assert result.scan is not None
        assert "stage_name" in {finding.kind for finding in result.scan.findings}


def test_numbers_written_as_fractions_are_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "calls.parquet", [honest() | {"num_turns": 12.0}], num_turns=pa.float64())
    assert breaks(audit_foreign(path)) == {ColumnRule.TURN_COUNT_DIFFERS}


def test_rubrics_may_be_json(tmp_path: Path) -> None:
    row = honest() | {"turn_2_rq_rubrics": '["Starts afresh."]', "turn_4_rq_rubrics": "[]"}
    kinds = {name: pa.string() for name in ("turn_2_rq_rubrics", "turn_4_rq_rubrics")}
    result = audit_foreign(write(tmp_path / "calls.parquet", [row], **kinds))
    assert result.rules is not None
    assert [(e.rule, e.turn) for e in result.rules.examples] == [(ColumnRule.RUBRIC_MISSING, 4)]
