"""How well the scan finds what was planted: measured again, and held against what is written down."""

import json
from collections import Counter
from pathlib import Path

import pytest

from factory.audit.scan.meaning import installed_embedder
from factory.audit.scan.measured import FIGURES
from tests.audit.scan.measure import labelled, tables
from tests.audit.scan.stored import CALLS, LABELLED, stored_calls, stored_cases

DOCS = Path(__file__).resolve().parents[3] / "docs" / "content-scan.md"
HELD_OUT = [case for case in stored_cases() if case.held_out]
STRUCTURAL = ("verbatim", "number_respelled", "date_rephrased", "stage_name")
RECALL_BAR, PRECISION_BAR, FALSE_ALARMS_PER_1000 = 0.95, 0.97, 1.0

measured = json.loads(FIGURES.read_text())


def test_the_labelled_set_is_large_enough_and_small_enough_to_read() -> None:
    leaks = Counter(case.kind for case in stored_cases() if case.leak)
    assert len(leaks) == 8
    assert min(leaks.values()) >= 30
    assert leaks.total() >= 300
    assert sum(not case.leak for case in stored_cases()) >= 300
    assert len({case.call.split("-")[0] for case in stored_cases()}) >= 10
    assert CALLS.stat().st_size + LABELLED.stat().st_size < 1_500_000


def test_half_of_each_kind_is_held_out() -> None:
    for kind, count in Counter(case.kind for case in stored_cases()).items():
        assert sum(case.kind == kind for case in HELD_OUT) == count // 2


def test_every_case_stands_in_a_turn_of_its_call() -> None:
    for case in stored_cases():
        assert stored_calls()[case.call].turns[case.round].caller


def test_the_scan_without_the_model_finds_what_is_written_down() -> None:
    assert json.loads(json.dumps(labelled(HELD_OUT, None))) == measured["without_model"]


def test_structural_leaks_are_all_found_and_clean_turns_are_left_alone() -> None:
    for run in ("without_model", "with_model"):
        for kind in STRUCTURAL:
            found, planted = measured[run]["recall_by_kind"][kind]
            assert found == planted, kind
        assert measured[run]["precision"] >= PRECISION_BAR


def test_with_the_model_the_scan_keeps_its_bars() -> None:
    assert measured["with_model"]["recall"] >= RECALL_BAR
    assert measured["with_model"]["precision"] >= PRECISION_BAR


def test_honest_calls_raise_less_than_one_alarm_in_a_thousand_turns() -> None:
    assert measured["honest_published"]["turns"] > 10_000
    assert measured["honest_published"]["strong_per_1000"] < FALSE_ALARMS_PER_1000
    assert measured["honest_transcript"]["strong_per_1000"] < FALSE_ALARMS_PER_1000


def test_paraphrases_are_found_again_where_the_model_is_installed() -> None:
    model = installed_embedder()
    if model is None:
        pytest.skip("the extra `scan` is not installed")
    cases = [case for case in HELD_OUT if case.kind == "paraphrase"]
    assert (
        labelled(cases, model)["recall_by_kind"]["paraphrase"] == measured["with_model"]["recall_by_kind"]["paraphrase"]
    )


def test_the_documentation_has_the_measured_figures() -> None:
    assert tables(measured) in DOCS.read_text()
