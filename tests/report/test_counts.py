from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from factory.records.enums import InterruptionType
from factory.report.charts import PLOT_HEIGHT, PLOT_WIDTH, Entry, bars, histogram
from factory.report.history import read_history
from factory.report.labels import TYPES, letter
from factory.report.tally import Tally, ordered
from factory.run.folder import RunFolder
from factory.run.log import Kind
from tests.report.runs import Call, make_run, rerun

PUSHBACK, FILLER, CORRECTION = InterruptionType.PUSHBACK, InterruptionType.FILLER, InterruptionType.CORRECTION


class Counted(NamedTuple):
    folder: RunFolder
    tally: Tally


def count(path: Path, calls: list[Call], limit: int | None = None) -> Counted:
    folder, tally = make_run(path, calls, limit=limit, extra=3), Tally()
    for blueprint in list(folder.blueprints())[:limit]:
        tally.add(blueprint, read_history(folder, blueprint.conversation_id))
    return Counted(folder, tally)


def test_interruptions_are_counted_by_type_and_by_depth(tmp_path: Path) -> None:
    _, tally = count(tmp_path, [Call("a", [PUSHBACK, None, FILLER, *[None] * 4, CORRECTION]), Call("b", [PUSHBACK])])

    assert tally.types == {PUSHBACK: 2, FILLER: 1, CORRECTION: 1}
    assert tally.bands == {0: 3, 1: 1}
    assert tally.interruptions == 4


def test_a_depth_band_ends_where_the_next_begins(tmp_path: Path) -> None:
    _, tally = count(tmp_path, [Call("a", [*[None] * 4, PUSHBACK, FILLER])])

    assert tally.bands == {0: 1, 1: 1}


def test_messages_are_counted_on_both_sides(tmp_path: Path) -> None:
    _, tally = count(tmp_path, [Call("a", [None] * 3), Call("b", [None] * 5)])

    assert tally.lengths == {7: 1, 11: 1}
    assert tally.mean_messages == 9


def test_outcomes_and_domains_are_counted_by_call(tmp_path: Path) -> None:
    _, tally = count(tmp_path, [Call("a", [None]), Call("b", [None]), Call("c", [None], outcome="unverified")])

    assert tally.outcomes == {"success": 2, "unverified": 1}
    assert tally.domains == {"travel": 3}


def test_what_was_run_again_or_dropped_is_counted_by_reason(tmp_path: Path) -> None:
    history = [
        rerun(Kind.RERUN, 1, "agent_wording"),
        rerun(Kind.DROPPED, 0, "cut_not_possible"),
        rerun(Kind.RERUN, 1, "agent_wording"),
        rerun(Kind.RERUN, 0, "caller_wording"),
    ]
    _, tally = count(tmp_path, [Call("a", [None, None], history=history)])

    assert tally.reruns == {"agent_wording": 2, "caller_wording": 1}
    assert tally.drops == {"cut_not_possible": 1}


def test_only_the_draw_that_stands_owns_its_reruns(tmp_path: Path) -> None:
    history = [
        rerun(Kind.RERUN, 1, "agent_wording"),
        rerun(Kind.DROPPED, 0, "cut_not_possible"),
        rerun(Kind.RERUN, 0, "caller_wording"),
    ]
    folder, _ = count(tmp_path, [Call("a", [None, None], history=history)])

    assert [r.reason for r in read_history(folder, "a").standing_reruns] == ["caller_wording"]


def test_the_spec_is_the_order_of_a_whole_run(tmp_path: Path) -> None:
    folder, tally = count(tmp_path, [Call("a", [PUSHBACK]), Call("b", [PUSHBACK])])

    order = ordered(folder.identity(), tally, 4)

    assert not order.partial
    assert order.types[PUSHBACK] == 5
    assert order.types[FILLER] == 0
    assert order.bands == {0: 5, 1: 0, 2: 0, 3: 0}


def test_the_blueprints_are_the_order_of_a_limited_run(tmp_path: Path) -> None:
    folder, tally = count(tmp_path, [Call("a", [PUSHBACK]), Call("b", [PUSHBACK])], limit=1)

    order = ordered(folder.identity(), tally, 4)

    assert order.partial
    assert order.types == {PUSHBACK: 1}
    assert order.bands == {0: 1}


def test_every_type_has_a_letter_of_its_own() -> None:
    assert len({letter(kind) for kind in TYPES}) == len(TYPES) == len(InterruptionType)


def test_a_bar_is_as_long_as_its_share_of_the_greatest_number() -> None:
    short, long = bars([Entry("a", 5, 10), Entry("b", 20, 20)])

    assert (short.width, short.mark) == ("25", "50")
    assert (long.width, long.mark) == ("100", "100")


def test_nothing_at_all_can_be_drawn() -> None:
    assert histogram({}) == ()
    assert bars([Entry("a", 0, 0)])[0].width == "0"


@given(st.dictionaries(st.integers(6, 40), st.integers(1, 10**6), min_size=1))
def test_a_histogram_has_a_column_for_every_length_and_stays_inside_its_plot(counts: dict[int, int]) -> None:
    columns = histogram(counts)

    assert [c.value for c in columns] == list(range(min(counts), max(counts) + 1))
    assert {c.value: c.count for c in columns if c.count} == counts
    assert max(float(c.height) for c in columns) == PLOT_HEIGHT
    assert all(float(c.x) >= 0 and float(c.x) + float(c.width) <= PLOT_WIDTH + 0.01 for c in columns)
    assert all(left.x != right.x for left, right in pairwise(columns))
