"""Plans meet an order exactly, whatever the seed, and refuse what cannot be met."""

from collections import Counter

import pytest

from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.errors import SpecError
from factory.records.blueprint import Blueprint, ReplyKind
from factory.records.enums import InterruptionType, band_name, depth_band
from factory.records.spec import Spec
from factory.workflow.library import Library, standard_library
from factory.workflow.lookup import HINT, question_of
from tests.bench.bench import scaled

LIBRARY = standard_library()
DOMAINS = (
    "saas", "financial_services", "healthcare", "telecom", "ecommerce", "travel", "education", "government",
    "subscription_media", "professional_services",
)  # fmt: skip
"""The domains of the IHBench corpus."""


def plan(spec: Spec, seed: int) -> list[Blueprint]:
    return list(plan_corpus(spec, LIBRARY, seed))


@pytest.fixture(scope="module")
def planned() -> list[Blueprint]:
    """Sixty calls of the demonstration's proportions."""
    return plan(scaled(load_spec("demo"), 60), 3)


@pytest.mark.parametrize(
    ("name", "seed"),
    [(name, seed) for name, n in (("demo", 20), ("ihbench-45", 20), ("balanced", 4)) for seed in range(n)],
)
def test_every_count_of_the_specs_is_met_for_any_seed(name: str, seed: int) -> None:
    spec = load_spec(name)
    blueprints = plan(spec, seed)
    assert len(blueprints) == spec.conversations
    cuts = [cut for b in blueprints for cut in b.interruptions]
    assert Counter(i.type for _, i in cuts) == Counter(dict(spec.interruptions.by_type))
    bands = Counter(band_name(depth_band(turn)) for turn, _ in cuts)
    assert bands == Counter(dict(spec.interruptions.by_depth))
    lengths = [b.messages for b in blueprints]
    assert (min(lengths), max(lengths)) == (spec.messages.min, spec.messages.max)
    assert round(sum(lengths) / len(lengths), 1) == spec.messages.mean
    assert sum(b.outcome != "success" for b in blueprints) == spec.variations.hard_stops
    failed = sum(any(r.reply and r.reply.kind is ReplyKind.FAIL for r in b.rounds) for b in blueprints)
    assert failed >= spec.variations.retries


def test_the_reference_corpus_draws_four_or_five_calls_from_each_domain_and_no_goal_twice() -> None:
    blueprints = plan(load_spec("ihbench-45"), 0)
    domains = Counter(b.workflow.split("/")[0] for b in blueprints)
    assert len(domains) == 10 and set(domains.values()) == {4, 5}
    assert len({b.workflow for b in blueprints}) == 45


def test_the_reference_corpus_is_drawn_from_five_hundred_configurations() -> None:
    goals = LIBRARY.select(load_spec("ihbench-45").workflows)
    assert Counter(goal.split("/")[0] for goal in goals) == Counter({domain: 5 for domain in DOMAINS})
    assert sum(len(LIBRARY.workflow(goal).intents) for goal in goals) == 500


def test_the_same_seed_gives_the_same_plan_and_another_seed_another() -> None:
    spec = load_spec("demo")
    assert plan_corpus(spec, LIBRARY, 5).lines == plan_corpus(spec, LIBRARY, 5).lines
    assert plan_corpus(spec, LIBRARY, 5).lines != plan_corpus(spec, LIBRARY, 6).lines


def test_no_call_ends_on_an_interruption_and_each_is_followed_by_the_agent(planned: list[Blueprint]) -> None:
    for blueprint in planned:
        assert blueprint.rounds[-1].interruption is None
        for earlier in blueprint.rounds[:-1]:
            assert (earlier.interruption is None) != (earlier.reply is None)


def test_no_filler_follows_a_filler_and_its_rest_is_said_next(planned: list[Blueprint]) -> None:
    for blueprint in planned:
        for now, following in zip(blueprint.rounds, blueprint.rounds[1:], strict=False):
            filler = now.interruption is not None and now.interruption.type is InterruptionType.FILLER
            assert following.continues is filler
            if filler:
                assert now.interruption is not None
                assert following.acts == now.acts[now.interruption.cut :]
                after = following.interruption
                assert after is None or after.type is not InterruptionType.FILLER


def test_a_correction_revises_something_given_in_an_earlier_turn(planned: list[Blueprint]) -> None:
    corrections = 0
    for blueprint in planned:
        script = LIBRARY.script(blueprint.workflow)
        given: set[str] = set()
        for entry in blueprint.rounds:
            cut = entry.interruption
            if cut is not None and cut.type is InterruptionType.CORRECTION:
                corrections += 1
                assert cut.slot in given
                given.discard(cut.slot)  # never revised twice
                assert blueprint.facts[cut.slot].corrected
            answered = cut.answers if cut else None
            if entry.reply is not None and entry.reply.kind is ReplyKind.ANSWER:
                answered = entry.reply.question
            if answered is not None and (slot := script.act(answered).fills):
                given.add(slot)
    assert corrections


def test_what_a_caller_takes_up_was_said_before_the_cut(planned: list[Blueprint]) -> None:
    grounded = 0
    for blueprint in planned:
        moves = LIBRARY.script(blueprint.workflow).moves
        said: list[str] = []
        for entry in blueprint.rounds:
            refs = [question_of(use.ref) if not use.ref.endswith(HINT) else use.ref for use in entry.acts]
            cut = entry.interruption
            if cut is not None and cut.move is not None and (after := moves[cut.move].after):
                grounded += 1
                assert after in said + refs[: cut.cut]
            said += refs if cut is None or cut.type is InterruptionType.FILLER else refs[: cut.cut]
    assert grounded > 50


def test_no_caller_says_the_same_thing_twice(planned: list[Blueprint]) -> None:
    for blueprint in planned:
        moves = [i.move for _, i in blueprint.interruptions if i.move]
        assert len(moves) == len(set(moves))


def test_moves_are_spread_over_the_corpus(planned: list[Blueprint]) -> None:
    used = Counter(i.move for b in planned for _, i in b.interruptions if i.move)
    available = sum(len(LIBRARY.script(w).moves) for w in LIBRARY.select(load_spec("demo").workflows))
    assert len(used) > 0.6 * min(available, used.total())
    assert used.most_common(1)[0][1] <= 8


def _spec(**changes: object) -> Spec:
    data = load_spec("demo").model_dump(mode="json")
    for path, value in changes.items():
        place = data
        *parents, last = path.split("__")
        for parent in parents:
            place = place[parent]
        place[last] = value
    return Spec.model_validate(data)


def test_too_many_interruptions_are_refused_with_the_number_that_is_too_much() -> None:
    by_type = {"impatient": 120}
    by_depth = {"0-4": 30, "5-9": 30, "10-14": 30, "15-19": 30}
    with pytest.raises(SpecError, match=r"too many|have only \d+ caller turns"):
        plan(_spec(interruptions__by_type=by_type, interruptions__by_depth=by_depth), 0)


def test_too_few_interruptions_for_long_calls_are_refused() -> None:
    by_type, by_depth, none = {"normal": 3}, {"0-4": 3}, {"retries": 0, "hard_stops": 0}
    with pytest.raises(SpecError, match=r"at least \d+: \d+ too few"):
        plan(
            _spec(
                interruptions__by_type=by_type,
                interruptions__by_depth=by_depth,
                messages={"min": 36, "max": 40, "mean": 38.0},
                variations=none,
            ),
            0,
        )


def test_depths_that_calls_do_not_reach_are_refused() -> None:
    by_depth = {"0-4": 1, "15-19": 49}
    with pytest.raises(SpecError, match=r"by_depth\.15-19"):
        plan(_spec(interruptions__by_depth=by_depth), 0)


def test_more_of_a_type_than_workflows_carry_is_refused() -> None:
    by_type = {"correction": 50}
    with pytest.raises(SpecError, match=r"by_type.correction: 50 ordered.*too many"):
        plan(_spec(interruptions__by_type=by_type), 0)


def test_a_mean_that_no_lengths_have_is_refused() -> None:
    with pytest.raises(SpecError, match="mean"):
        plan(_spec(messages__mean=37.9, messages__max=38), 0)


def test_an_unknown_workflow_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match=r"workflows\[0\]: no workflow fits `mining/gold`"):
        plan(_spec(workflows=["mining/gold"]), 0)


def test_types_and_depths_must_order_the_same_total() -> None:
    with pytest.raises(ValueError, match="make them equal"):
        _spec(interruptions__by_depth={"0-4": 1})


def test_more_hard_stops_than_calls_are_refused() -> None:
    with pytest.raises(SpecError, match="hard_stops"):
        plan(_spec(variations={"retries": 0, "hard_stops": 7}), 0)


def test_the_standard_library_is_found_from_any_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert isinstance(standard_library(), Library)
    assert load_spec("demo").name == "demo"
