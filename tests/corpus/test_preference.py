"""Within the ordered numbers, what the corpus has not visited yet comes first."""

from collections import Counter

import pytest

from factory.corpus.callers import Callers
from factory.corpus.coverage import Coverage, Kind
from factory.corpus.plan import CorpusPlan, plan_corpus
from factory.corpus.quotas import draw_lengths
from factory.corpus.seeds import rng_for
from factory.corpus.specs import load_spec
from factory.records.enums import Way
from factory.records.spec import Spec
from factory.workflow.library import standard_library
from tests.bench.bench import scaled

LIBRARY = standard_library()
FOUR = (
    "financial_services/card_fraud_alert",
    "financial_services/overdraft_decision",
    "government/benefit_recertification",
    "government/housing_inspection",
)
DEMO = load_spec("demo").model_copy(update={"workflows": FOUR})
"""The demonstration over four workflows, so that some of them have more than one call."""


class _Visited(dict[str, int]):
    """Counts of a corpus that has visited everything, and so prefers nothing."""

    def __getitem__(self, name: str) -> int:
        return 1

    def get(self, name: str, default: object = None) -> int:  # type: ignore[override]
        return 1


def visited(spec: Spec, seeds: range) -> Counter[Kind]:
    """How many parts of each kind the plans of some seeds visit, added up."""
    found: Counter[Kind] = Counter()
    for seed in seeds:
        for workflow in plan_corpus(spec, LIBRARY, seed).coverage:
            found.update({kind: workflow.visited(kind) for kind in Kind})
    return found


@pytest.fixture
def nothing_is_new(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(Coverage, "counts", lambda *_: {kind: _Visited() for kind in Kind})
    return monkeypatch


def test_the_demonstration_visits_clearly_more_than_without_the_preference(
    nothing_is_new: pytest.MonkeyPatch,
) -> None:
    seeds = range(8)
    without = visited(DEMO, seeds)
    nothing_is_new.undo()
    preferring = visited(DEMO, seeds)

    assert preferring[Kind.STAGE] >= without[Kind.STAGE]
    assert preferring[Kind.TRANSITION] >= 1.02 * without[Kind.TRANSITION]
    assert preferring[Kind.ACT] >= 1.03 * without[Kind.ACT]
    assert preferring[Kind.REACTION] > without[Kind.REACTION]


def test_a_larger_corpus_visits_clearly_more_than_without_the_preference(
    nothing_is_new: pytest.MonkeyPatch,
) -> None:
    spec, seeds = scaled(DEMO, 24), range(2)
    without = visited(spec, seeds)
    nothing_is_new.undo()
    preferring = visited(spec, seeds)

    assert preferring[Kind.TRANSITION] >= without[Kind.TRANSITION]
    assert preferring[Kind.ACT] >= 1.03 * without[Kind.ACT]
    assert preferring[Kind.REACTION] >= 1.04 * without[Kind.REACTION]


@pytest.mark.parametrize("seed", range(4))
def test_every_goal_is_drawn_before_one_comes_again_and_every_intent_before_its_next_turn(seed: int) -> None:
    callers = Callers(LIBRARY, []).draw(scaled(DEMO, 40), rng_for(seed))
    goals: dict[str, list[str]] = {}
    intents: dict[str, list[str]] = {}
    for caller in callers:
        goals.setdefault(caller.workflow.split("/")[0], []).append(caller.workflow)
        intents.setdefault(caller.workflow, []).append(caller.intent)

    for turns in (*goals.values(), *intents.values()):
        assert max(Counter(turns).values()) - min(Counter(turns).values()) <= 1
        first = len(set(turns))
        assert len(set(turns[:first])) == first


@pytest.mark.parametrize("seed", range(6))
def test_calls_that_take_another_way_are_of_different_workflows_and_none_is_the_only_one_to_stop(seed: int) -> None:
    rng = rng_for(seed)
    lengths = draw_lengths(DEMO, rng)
    callers = Callers(LIBRARY, lengths[: DEMO.variations.hard_stops]).draw(DEMO, rng)
    ways = {way: [c.workflow for c in callers if c.way is way] for way in Way}
    calls = Counter(caller.workflow for caller in callers)

    assert len(set(ways[Way.RETRY] + ways[Way.STOP])) == DEMO.variations.retries + DEMO.variations.hard_stops
    assert all(calls[workflow] > 1 for workflow in ways[Way.STOP])


def recounted(plan: CorpusPlan) -> Coverage:
    coverage = Coverage(LIBRARY, LIBRARY.select(plan.spec.workflows))
    for blueprint in plan:
        coverage.add(blueprint)
    return coverage


def test_a_plan_says_what_its_calls_visit() -> None:
    plan = plan_corpus(DEMO, LIBRARY, 1)

    assert plan.coverage == recounted(plan).workflows()
    assert sum(workflow.calls for workflow in plan.coverage) == len(plan)


def test_a_call_that_is_laid_out_again_for_another_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    from factory.corpus.plan import _Planner

    lay, again = _Planner._lay, []

    def refuse_the_last(planner: _Planner, i: int, share: object, *tries: int) -> object:
        if i == DEMO.conversations - 1 and share is planner._shares[i]:
            return None  # so that its share has to be exchanged with that of a finished call
        again.append(i)
        return lay(planner, i, share, *tries)  # type: ignore[arg-type]

    monkeypatch.setattr(_Planner, "_lay", refuse_the_last)
    plan = plan_corpus(DEMO, LIBRARY, 1)

    assert max(Counter(again).values()) > 1
    assert plan.coverage == recounted(plan).workflows()


def test_what_is_kept_does_not_grow_with_the_number_of_calls() -> None:
    plan = plan_corpus(DEMO, LIBRARY, 1)
    coverage = recounted(plan)
    once = {w.workflow: len(coverage.counts(w.workflow)[Kind.ACT]) for w in plan.coverage}
    for _ in range(50):
        for blueprint in plan:
            coverage.add(blueprint)

    assert {w.workflow: len(coverage.counts(w.workflow)[Kind.ACT]) for w in plan.coverage} == once
    assert [w.calls for w in coverage.workflows()] == [51 * w.calls for w in plan.coverage]
