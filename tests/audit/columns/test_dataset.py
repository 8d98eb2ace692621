"""A dataset without its ledger: what can be shown of it is shown, and every change after the fact is found."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from factory.audit.any_target import audit_target
from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.dataset import audit_dataset
from factory.audit.columns.rules import ColumnRule
from factory.audit.findings import Kind
from factory.audit.result import AuditResult, Proof, TargetKind
from factory.audit.target import find_target
from factory.dataset.parquet import Row, read_rows, read_schema, writing_rows
from factory.dataset.write import BASELINE, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.errors import RunError
from factory.run.folder import RunFolder
from tests.audit.runs import interrupted, rewrite, rewrite_turn

from .files import breaks

Copied = Callable[[RunFolder], RunFolder]
LEDGER = {Proof.CHAIN, Proof.LABELS, Proof.PATHS, Proof.ORDER, Proof.PROMPTS, Proof.CANARIES}


@pytest.fixture
def bare(plain: RunFolder, tmp_path: Path) -> RunFolder:
    """A run of which nothing is left but its dataset."""
    shutil.copytree(plain.dataset, tmp_path / "bare" / "dataset")
    return RunFolder(tmp_path / "bare")


def found(result: AuditResult) -> set[Kind]:
    assert result.published is not None
    assert result.clean == (not result.published.findings_by_kind and not breaks_surely(result))
    return set(result.published.findings_by_kind)


def breaks_surely(result: AuditResult) -> int:
    assert result.rules is not None
    return result.rules.broken


def made(result: AuditResult) -> set[Proof]:
    return {proof.proof for proof in result.proofs if proof.made}


def test_an_honest_dataset_is_clean_and_says_what_it_cannot_show(bare: RunFolder) -> None:
    result = audit_target(find_target(bare.dataset))
    assert result.target is TargetKind.DATASET
    assert found(result) == set()
    assert breaks(result) == set()
    assert result.published is not None
    inputs = result.published.inputs
    assert inputs.rebuilt == inputs.equal == inputs.unmoved > 0
    assert LEDGER.isdisjoint(made(result))
    assert made(result) >= {Proof.RE_DERIVATION, Proof.NON_INTERFERENCE, Proof.HEARD, Proof.TRANSCRIPTS, Proof.ITEMS}
    assert made(result) >= {Proof.OVERLAP, Proof.CUTS, Proof.CONTINUATIONS, Proof.RUBRICS, Proof.CONTENT_SCAN}
    assert {proof.proof for proof in result.proofs} == set(Proof)
    assert result.verdict.startswith("clean as far as published files tell: ")
    assert "there is no ledger" in result.verdict


def test_our_own_corpus_in_the_references_columns_alone_breaks_no_rule(bare: RunFolder) -> None:
    (bare.dataset / TURNS).unlink()
    result = audit_target(find_target(bare.dataset))
    assert result.target is TargetKind.FOREIGN
    assert result.clean
    assert breaks(result) == set()
    assert not {Proof.RE_DERIVATION, Proof.NON_INTERFERENCE, Proof.HEARD, Proof.TRANSCRIPTS} & made(result)


def test_the_rules_come_to_the_same_with_the_messages_and_without(bare: RunFolder) -> None:
    result, alone = audit_dataset(bare.dataset), audit_foreign(bare.dataset / CONVERSATIONS)
    assert result.rules is not None and alone.rules is not None
    of_columns = [count for count in result.rules.counts if count.rule is not ColumnRule.OVERLAP_NOT_POSSIBLE]
    assert of_columns == list(alone.rules.counts)


def test_a_dataset_is_not_written_to(bare: RunFolder) -> None:
    before = {path: path.read_bytes() for path in bare.path.rglob("*") if path.is_file()}
    audit_target(find_target(bare.dataset))
    assert {path: path.read_bytes() for path in bare.path.rglob("*") if path.is_file()} == before


def test_a_callers_words_changed_after_the_fact(bare: RunFolder) -> None:
    rewrite_turn(bare, "caller", text="Something wholly different.")
    assert found(audit_dataset(bare.dataset)) == {Kind.TRANSCRIPT_DIFFERS, Kind.RECORDED_VIEW_DIFFERS}


def test_a_heard_text_that_is_more_than_was_heard(bare: RunFolder) -> None:
    agent, _ = interrupted(bare)
    rewrite_turn(bare, "agent", heard=agent["as_meant"])
    assert Kind.HEARD_DIFFERS in found(audit_dataset(bare.dataset))


def test_a_delivered_text_that_goes_beyond_the_cut(bare: RunFolder) -> None:
    agent, _ = interrupted(bare)
    rewrite_turn(bare, "agent", text=agent["as_meant"], undelivered="")
    result = audit_dataset(bare.dataset)
    assert found(result) >= {Kind.DELIVERED_DIFFERS, Kind.TRANSCRIPT_DIFFERS}


def test_facts_that_the_caller_had_not_been_given(bare: RunFolder) -> None:
    rewrite_turn(bare, "caller", facts=[{"key": "code", "value": "1234"}])
    assert found(audit_dataset(bare.dataset)) == {Kind.RECORDED_VIEW_DIFFERS}


def test_an_onset_so_late_that_no_overlap_is_possible(bare: RunFolder) -> None:
    agent, _ = interrupted(bare)
    words = str(agent["as_meant"]).split(" ")
    rewrite_turn(bare, "agent", onset_word=0, heard=words[0])
    result = audit_dataset(bare.dataset)
    assert ColumnRule.OVERLAP_NOT_POSSIBLE in breaks(result)


def test_transcripts_that_break_the_cut_in_both_files(bare: RunFolder) -> None:
    """Both files agree, and the digests with them; the rules do not."""
    agent, _ = interrupted(bare)
    name = agent["conversation_id"]
    number = int(str(agent["round"])) + 1

    def change(row: Row) -> None:
        if row["conversation_id"] == name:
            row[f"assistant_turn_{number}_original"] = agent["text"]

    rewrite(bare.dataset / CONVERSATIONS, change)
    text = agent["text"]
    rewrite_turn(bare, "agent", as_meant=text, undelivered="", segments=[{"act": "a.b", "text": text}])
    result = audit_dataset(bare.dataset)
    assert ColumnRule.NOTHING_CUT in breaks(result)
    assert not result.clean


@pytest.mark.parametrize("name", [BASELINE, INTERRUPTIONS])
@pytest.mark.parametrize("entries", [lambda all_of: all_of[1:], lambda all_of: all_of[:-1], lambda all_of: all_of * 2])
def test_a_list_of_items_that_does_not_fit(
    name: str, entries: Callable[[list[Row]], list[Row]], bare: RunFolder
) -> None:
    path = bare.dataset / name
    if name == BASELINE:
        schema, rows = read_schema(path), list(read_rows(path))
        with writing_rows(path, schema) as file:
            for row in entries(rows):
                file.add(row)
    else:
        path.write_text(json.dumps(entries(json.loads(path.read_text()))))
    result = audit_dataset(bare.dataset)
    assert found(result) == {Kind.DATASET_DAMAGED}
    assert result.published is not None
    assert result.published.findings[0].message.startswith(f"{name} has ")


@pytest.mark.parametrize("name", [BASELINE, INTERRUPTIONS])
def test_without_a_list_of_items_that_proof_is_not_made(name: str, bare: RunFolder) -> None:
    (bare.dataset / name).unlink()
    result = audit_dataset(bare.dataset)
    assert found(result) == set()
    assert Proof.ITEMS not in made(result)


def test_conversations_that_are_not_those_of_the_messages(bare: RunFolder) -> None:
    path = bare.dataset / CONVERSATIONS
    table = pq.read_table(path)
    pq.write_table(table.take(list(reversed(range(table.num_rows)))), path)
    result = audit_dataset(bare.dataset)
    assert Kind.DATASET_DAMAGED in found(result)
    assert not result.clean


@pytest.mark.parametrize("name", [CONVERSATIONS, TURNS, BASELINE])
@pytest.mark.parametrize("damage", ["cut short", "other columns", "empty", "huge cell"])
def test_a_damaged_file_is_one_clear_error(name: str, damage: str, bare: RunFolder) -> None:
    path = bare.dataset / name
    table = pq.read_table(path)
    if damage == "cut short":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "other columns":
        pq.write_table(table.drop_columns([table.column_names[-1]]), path)
    else:
        column = {CONVERSATIONS: "goal", TURNS: "text", BASELINE: "response"}[name]
        values = ["x" * 100_000_000, *table[column].to_pylist()[1:]]
        place = table.column_names.index(column)
        pq.write_table(table.set_column(place, table.field(place), [values]), path)
    with pytest.raises(RunError, match=name) as error:
        audit_dataset(bare.dataset)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(bare: RunFolder) -> None:
    (bare.dataset / TURNS).unlink()
    (bare.dataset / TURNS).symlink_to(TURNS)  # to itself: nobody reads that, not even root
    with pytest.raises(RunError, match=TURNS):
        audit_dataset(bare.dataset)
