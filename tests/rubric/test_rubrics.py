"""Every rubric passes its reference recovery and fails each wrong one; edits of either are caught."""

from collections import Counter

import pytest

from factory.compose.controls import CAUGHT_BY, prove
from factory.errors import RubricError
from factory.records.enums import InterruptionType
from factory.records.rubric import Control, ControlKind, Item, RuleKind
from factory.rubric.checker import broken_rules, check_response
from factory.workflow.phrases import bare_words
from tests.composed import Call, calls

ITEMS = [(call, item) for call in calls() for item in call.items]


def test_every_interruption_has_an_item_of_its_type() -> None:
    for call in calls():
        planned = [(turn + 1, cut.type) for turn, cut in call.blueprint.interruptions]
        assert [(item.turn, item.type) for item in call.items] == planned


def test_every_reference_keeps_every_rule() -> None:
    for _, item in ITEMS:
        assert item.controls[0].kind is ControlKind.REFERENCE
        assert check_response(item, item.reference) == ()


def test_every_item_has_at_least_three_wrong_recoveries_and_fails_each_by_its_rule() -> None:
    for _, item in ITEMS:
        wrong = item.controls[1:]
        assert len({control.kind for control in wrong}) >= 3
        for control in wrong:
            broken = set(check_response(item, control.text))
            assert broken & CAUGHT_BY[control.kind], (item.item_id, control)


def test_every_kind_of_wrong_recovery_occurs() -> None:
    seen = Counter(control.kind for _, item in ITEMS for control in item.controls)
    assert set(seen) == set(ControlKind)


def test_every_rule_decides_something() -> None:
    seen = {rule.kind for _, item in ITEMS for c in (item.task_fulfilment, *item.recovery) for rule in c.rules}
    assert seen == set(RuleKind)


def test_criteria_are_two_to_four_and_self_contained() -> None:
    for _, item in ITEMS:
        assert 2 <= len(item.recovery) <= 4
        for criterion in (item.task_fulfilment, *item.recovery):
            assert "{" not in criterion.text and "}" not in criterion.text
            assert criterion.text[0].isupper() and criterion.text.rstrip('"').endswith((".", "!", "?"))


def test_task_and_recovery_do_not_share_a_criterion() -> None:
    for _, item in ITEMS:
        texts = [item.task_fulfilment.text, *(c.text for c in item.recovery)]
        assert len(texts) == len(set(texts))


def test_a_filler_reference_is_exactly_the_undelivered_rest() -> None:
    fillers = [(call, item) for call, item in ITEMS if item.type is InterruptionType.FILLER]
    assert fillers
    for call, item in fillers:
        assert item.reference == call.rounds[item.turn - 1].agent.undelivered.strip()


def test_a_corrected_value_is_used_and_the_old_one_is_not() -> None:
    found = [(call, item) for call, item in ITEMS if item.type is InterruptionType.CORRECTION]
    assert found
    for call, item in found:
        cut = call.blueprint.rounds[item.turn - 1].interruption
        assert cut is not None and cut.slot is not None
        fact = call.blueprint.facts[cut.slot]
        assert fact.corrected is not None
        assert fact.corrected in item.reference
        assert fact.corrected in item.task_fulfilment.text


def test_task_fulfilment_lists_only_acts_of_the_next_response() -> None:
    for call, item in ITEMS:
        if item.type is InterruptionType.FILLER:
            continue
        case = call.case()
        following = call.blueprint.rounds[item.turn].acts
        for use in following:
            if use.ref.endswith("#hint") or use.ref == "steer" or use.ref.startswith("accept:"):
                continue
            described = case.script.does(use.ref)
            if "{" not in described:
                assert described in item.task_fulfilment.text


def _with_reference(item: Item, text: str) -> Item:
    controls = (Control(kind=ControlKind.REFERENCE, text=text), *item.controls[1:])
    return item.model_copy(update={"controls": controls})


@pytest.mark.parametrize("kind", [k for k in ControlKind if k is not ControlKind.REFERENCE])
def test_the_build_stops_when_a_wrong_recovery_is_taken_for_the_right_one(kind: ControlKind) -> None:
    item, control = next((item, control) for _, item in ITEMS for control in item.controls if control.kind is kind)
    with pytest.raises(RubricError, match="fails its own reference"):
        prove(_with_reference(item, control.text))


@pytest.mark.parametrize("kind", [k for k in ControlKind if k is not ControlKind.REFERENCE])
def test_the_build_stops_when_a_right_recovery_is_taken_for_a_wrong_one(kind: ControlKind) -> None:
    item, place = next(
        (item, place) for _, item in ITEMS for place, control in enumerate(item.controls) if control.kind is kind
    )
    controls = list(item.controls)
    controls[place] = Control(kind=kind, text=item.reference)
    with pytest.raises(RubricError, match="lets a wrong recovery pass"):
        prove(item.model_copy(update={"controls": tuple(controls)}))


def test_a_criterion_names_every_rule_it_breaks() -> None:
    item = next(item for _, item in ITEMS if item.type is InterruptionType.FILLER)
    said = f"Sure, go ahead. {item.reference}"
    broken = {kind for criterion in item.recovery for kind in broken_rules(criterion, said)}
    assert {RuleKind.EXACT_CONTINUATION, RuleKind.NO_ACKNOWLEDGEMENT} <= broken


def test_a_hurried_caller_gets_a_short_reference() -> None:
    lengths = [len(bare_words(item.reference)) for _, item in ITEMS if item.type is InterruptionType.IMPATIENT]
    assert lengths and max(lengths) <= 60


def test_the_history_digest_changes_with_any_word_of_the_transcript() -> None:
    call: Call = calls()[0]
    digests = [item.history for item in call.items]
    assert len(set(digests)) == len(digests)
