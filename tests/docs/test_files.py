import re
from enum import Enum
from itertools import chain

import pytest
from pydantic import BaseModel

from tests.docs.pages import UPDATE, page
from tests.docs.tables import columns, json_type, name_of, named, reachable, refreshed, tables, without_meaning

PAGE = page("files.md")
SUBJECTS = {what: named(what) for kind, what, _ in tables(PAGE) if kind != "columns"}
WRITTEN = (
    "factory.records.spec:Spec",
    "factory.records.run:RunIdentity",
    "factory.records.blueprint:Blueprint",
    "factory.workflow.graph:Transition",
    "factory.run.log:Line",
    "factory.records.ledger:LedgerLine",
    "factory.records.run:LedgerRoot",
    "factory.records.run:Manifest",
    "factory.records.freeze:Commitment",
    "factory.records.freeze:Opening",
    "factory.records.freeze:ItemProof",
    "factory.records.answer:Answer",
    "factory.records.call:CallTimeline",
    "factory.dataset.rows:ListedInterruption",
    "factory.audit.flow:FlowReport",
    "factory.audit.result:AuditResult",
    "factory.records.quality:QualityReport",
    "factory.models.store:KeptReply",
    "factory.models.store:LostCall",
    "factory.models.cost:CostReport",
)
"""What a line or a whole of each JSON or YAML file is."""


def test_fields_columns_and_values_are_those_of_the_code() -> None:
    assert refreshed(PAGE) == PAGE, UPDATE


def test_every_row_of_a_table_says_what_it_means() -> None:
    assert without_meaning(PAGE) == []


def test_every_record_and_closed_set_that_is_written_has_its_table_and_no_other() -> None:
    written = set(chain.from_iterable(reachable(named(what)) for what in WRITTEN))
    without_table = {f"{subject.__module__}:{subject.__name__}" for subject in written - set(SUBJECTS.values())}
    assert without_table == set(), "give each a heading and a `fields:` or `values:` table in docs/files.md"
    assert set(SUBJECTS.values()) - written == set()


@pytest.mark.parametrize("what", SUBJECTS)
def test_a_record_stands_under_its_own_heading(what: str) -> None:
    above = PAGE[: PAGE.index(f": {what} -->")]
    assert re.findall(r"^#+ (.*)$", above, re.MULTILINE)[-1] == name_of(SUBJECTS[what])


def test_all_tables_of_the_dataset_are_described() -> None:
    described = {what.partition(":")[2] for kind, what, _ in tables(PAGE) if kind == "columns"}
    assert described == {"conversations_schema", "baseline_schema", "turns_schema", "calls_schema"}


class Colour(Enum):
    RED = "red"


class Inner(BaseModel):
    colours: tuple[Colour, ...]


class Outer(BaseModel):
    by_name: dict[str, Inner]
    size: int | None


class TestTheTablesThemselves:
    """The checks above can fail: a table that lacks a row, has one too many or another type is put right."""

    @pytest.mark.parametrize(
        "damage",
        [
            lambda text: text.replace("| `onset_word` | integer |", "| `onset_word` | string |"),
            lambda text: re.sub(r"^\| `cut_word` \|.*\n", "", text, flags=re.MULTILINE),
            lambda text: text.replace("| `onset_word` |", "| `onset` |"),
        ],
    )
    def test_a_damaged_table_is_noticed(self, damage) -> None:  # type: ignore[no-untyped-def]
        damaged = damage(PAGE)
        assert damaged != PAGE
        assert refreshed(damaged) != damaged

    def test_types_are_told_in_words(self) -> None:
        assert json_type(Outer.model_fields["by_name"].annotation) == "object of [Inner](#inner), by string"
        assert json_type(Outer.model_fields["size"].annotation) == "integer or null"

    def test_whatever_a_record_is_made_of_is_found(self) -> None:
        assert set(reachable(Outer)) == {Outer, Inner, Colour}

    def test_nested_columns_have_rows_of_their_own(self) -> None:
        rows = columns(named("factory.dataset.schema:turns_schema")())
        assert rows["segments"] == "list of struct"
        assert rows["segments[].act"] == "string"
