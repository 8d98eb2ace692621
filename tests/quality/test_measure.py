import random

import pytest

from factory.dataset.calls import FinishedCall
from factory.quality.measure import MOST_FOUND
from factory.quality.sample import Sample
from factory.records.quality import Bar, FigureId, Verdict
from factory.workflow.library import standard_library
from tests.composed import calls as standard_calls
from tests.quality.hand import Said, call, figure, report, spoken, turns

GOOD, BAD = "utilities/meter_visit", "water/pipe_visit"


def test_every_figure_is_reported_once_and_in_order() -> None:
    assert [each.id for each in report(*spoken(["Hi."])).figures] == list(FigureId)


def test_the_order_of_the_calls_changes_nothing() -> None:
    said = spoken([f"Uh, line {i % 7} of call {i} is this one here." for i in range(60)])
    shuffled = random.Random(1).sample(said, len(said))
    assert report(*said).model_copy(update={"figures": ()}) == report(*shuffled).model_copy(update={"figures": ()})
    for one, other in zip(report(*said).figures, report(*shuffled).figures, strict=True):
        assert (one.value, one.verdict) == (other.value, other.verdict)


def test_the_worst_workflow_is_the_one_that_keeps_its_bar_least() -> None:
    good = [call(f"a{i}", *(Said("Yes?", f"Um, w{i} v{j}.") for j in range(10))) for i in range(10)]
    bad = [call(f"b{i}", *(Said("Yes?", f"Plain w{i} v{j}.") for j in range(10)), of=BAD) for i in range(10)]
    found = figure(report(*good, *bad), FigureId.IMPERFECTIONS_CALLER)
    assert (found.value, found.verdict) == (0.5, Verdict.MET)
    assert (found.worst.workflow, found.worst.value, found.worst.verdict) == (BAD, 0, Verdict.MISSED)
    assert found.worst.place.conversation_id.startswith("b")
    assert found.missed


def test_too_few_calls_are_said_to_be_too_few_and_never_pass() -> None:
    found = report(*spoken(["Um, could you tell me when the engineer comes?"] * 9))
    judged = [each for each in found.figures if each.bar is not None and each.bar != Bar(at_most=0)]
    assert {each.verdict for each in judged} == {Verdict.TOO_SMALL}
    assert all(each.worst is None and each.unmeasured == 1 for each in judged)


def test_what_must_not_happen_is_judged_however_few_calls_there_are() -> None:
    found = figure(report(*spoken(["Let's open the call."])), FigureId.STAGES_NAMED)
    assert (found.value, found.verdict, found.worst.workflow) == (1, Verdict.MISSED, GOOD)
    assert found.found[0].about == "names the stage “Open the call”"


def test_all_faults_are_counted_and_the_first_ones_shown() -> None:
    found = figure(report(*spoken(["Let's open the call."] * 30)), FigureId.STAGES_NAMED)
    assert (found.value, len(found.found)) == (30, MOST_FOUND)


def test_a_sample_keeps_the_same_calls_in_whatever_order_they_come() -> None:
    said = dict(zip([f"c{i}" for i in range(50)], turns(*spoken(["Hi."] * 50)), strict=True))
    one, other = Sample(8), Sample(8)
    for name in said:
        one.add(name, said[name])
    for name in reversed(said):
        other.add(name, said[name])
    assert len(one.calls) == 8
    assert one.calls == other.calls


@pytest.mark.parametrize(("value", "excess"), [(0.4, 0.1), (0.5, 0), (0.7, -0.2), (1.0, 0.1)])
def test_a_bar_is_kept_between_its_ends(value: float, excess: float) -> None:
    assert Bar(at_least=0.5, at_most=0.9).excess(value) == pytest.approx(excess)


class TestTheStandardWorkflows:
    @pytest.fixture(scope="class")
    @staticmethod
    def found():  # type: ignore[no-untyped-def]
        library = standard_library()
        made = standard_calls()
        return report(*(FinishedCall(c.blueprint, library.workflow(c.blueprint.workflow), c.rounds, {}) for c in made))

    @pytest.mark.parametrize("name", [FigureId.STAGES_NAMED, FigureId.UNHEARD_VALUES, FigureId.RETURNED_VALUES])
    def test_nobody_knows_too_much_and_no_corrected_value_returns(self, found, name) -> None:  # type: ignore[no-untyped-def]
        assert figure(found, name).found == ()
