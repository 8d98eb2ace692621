"""The rubric writer: code decides what is asked and what may not be lost, a model words it."""

from pathlib import Path

import pytest

from factory.compose.agent import ComposerAgent
from factory.compose.controls import prove, write_item
from factory.errors import RubricError
from factory.models.brief import brief_of
from factory.models.replies import RubricReply
from factory.models.rubric import CriteriaBrief, criteria_brief, write_rubric
from factory.records.enums import InterruptionType
from factory.records.rubric import ControlKind, Criterion
from factory.rubric.context import Interrupted
from factory.rubric.write import write_criteria
from factory.simulate.roles import Made
from factory.workflow.library import standard_library
from tests.composed import calls
from tests.models.writers import MODEL, PROMPTS, Says, asker, refused, run

ITEMS = [
    Interrupted(call.case().script, call.blueprint, call.rounds[: item.turn]) for call in calls() for item in call.items
]


def first(kind: InterruptionType) -> Interrupted:
    return next(item for item in ITEMS if item.interruption.type is kind)


def brief_for(item: Interrupted) -> CriteriaBrief:
    return criteria_brief(item, write_criteria(item))


def as_composed(item: Interrupted) -> RubricReply:
    task, *recovery = (c.text for c in write_criteria(item))
    return RubricReply(task_fulfilment=task, recovery=tuple(recovery))


def with_task(item: Interrupted, text: str) -> RubricReply:
    return as_composed(item).model_copy(update={"task_fulfilment": text})


def with_recovery(item: Interrupted, *texts: str) -> RubricReply:
    return as_composed(item).model_copy(update={"recovery": texts})


def writing(tmp_path: Path, item: Interrupted, says: Says):  # type: ignore[no-untyped-def]
    return write_rubric(asker(tmp_path, says), PROMPTS, brief_of(item.script), item, seed=1)


def written(tmp_path: Path, item: Interrupted, *replies: RubricReply) -> Made[tuple[Criterion, ...]]:
    return run(writing(tmp_path, item, Says(*replies)))


def told(tmp_path: Path, item: Interrupted, reply: RubricReply) -> str:
    says = Says(reply)
    return refused(writing(tmp_path, item, says), says)


@pytest.mark.parametrize("kind", list(InterruptionType))
def test_a_models_wording_keeps_the_rules_that_code_decided(tmp_path: Path, kind: InterruptionType) -> None:
    item = first(kind)
    composed = write_criteria(item)
    reply = with_task(item, composed[0].text.replace("In this one response", "Within this single response,"))
    made = written(tmp_path, item, reply)
    assert [c.rules for c in made.value] == [c.rules for c in composed]
    assert [c.text for c in made.value] == [reply.task_fulfilment, *reply.recovery]
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == f"rubric_writer/{kind.value}.md.j2"


def test_the_composers_own_wording_of_every_item_passes(tmp_path: Path) -> None:
    for number, item in enumerate(ITEMS):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert written(folder, item, as_composed(item)).value == write_criteria(item)


@pytest.mark.parametrize("kind", list(InterruptionType))
def test_the_items_controls_prove_the_models_rubric(tmp_path: Path, kind: InterruptionType) -> None:
    item, shared = first(kind), standard_library().shared
    criteria = written(tmp_path, item, as_composed(item)).value
    agent = ComposerAgent(item.script, shared.agent)
    made = write_item(item, agent, shared, criteria)
    prove(made)
    assert made == write_item(item, agent, shared, write_criteria(item))


def test_an_item_whose_rubric_proves_nothing_is_refused() -> None:
    item, shared = first(InterruptionType.CORRECTION), standard_library().shared
    toothless = tuple(Criterion(text=c.text) for c in write_criteria(item))
    with pytest.raises(RubricError, match="lets a wrong recovery pass"):
        write_item(item, ComposerAgent(item.script, shared.agent), shared, toothless)


def test_a_model_may_add_one_criterion_which_a_judge_decides(tmp_path: Path) -> None:
    item = first(InterruptionType.PUSHBACK)
    composed = write_criteria(item)
    more = "The response sounds as if the agent had listened."
    made = written(tmp_path, item, with_recovery(item, *(c.text for c in composed[1:]), more))
    assert made.value == (*composed, Criterion(text=more))


def test_two_more_criteria_or_one_too_few_go_back(tmp_path: Path) -> None:
    item = first(InterruptionType.TOPIC_SWITCH)
    texts = [c.text for c in write_criteria(item)[1:]]
    more = ("The response is kind.", "The response is warm.")
    says = Says(with_recovery(item, *texts, *more), as_composed(item))
    made = run(writing(tmp_path, item, says))
    assert made.value == write_criteria(item)
    assert f"`recovery` has {len(texts) + 2} texts" in says.told
    item = first(InterruptionType.PUSHBACK)
    three = [c.text for c in write_criteria(item)[1:]]
    assert len(three) == 3
    (tmp_path / "few").mkdir()
    assert "`recovery` has 2 texts" in told(tmp_path / "few", item, with_recovery(item, *three[:2]))


def test_what_has_to_be_kept_are_the_quotes_and_the_values() -> None:
    item = first(InterruptionType.CORRECTION)
    slot = item.interruption.slot
    assert slot is not None
    brief = brief_for(item)
    new, old = item.standing.slots[slot], item.standing.revised[slot]
    assert new in brief.task_fulfilment.keep
    assert new in brief.recovery[0].keep
    assert old in brief.recovery[1].keep
    assert any(len(kept.split()) > 3 for kept in brief.recovery[-1].keep)
    filler = first(InterruptionType.FILLER)
    assert brief_for(filler).task_fulfilment.keep == (filler.utterance.undelivered.strip(),)
    assert brief_for(filler).recovery[2].keep == (filler.caller_words,)
    hurried = first(InterruptionType.IMPATIENT)
    assert "60" in brief_for(hurried).recovery[1].keep


def test_nothing_is_kept_that_the_composers_text_does_not_hold() -> None:
    for item in ITEMS:
        brief = brief_for(item)
        for criterion in (brief.task_fulfilment, *brief.recovery):
            assert all(kept.lower() in criterion.text.lower() for kept in criterion.keep)
            assert not any(kept.startswith("…") for kept in criterion.keep)  # the mark is the composer's own


def test_a_wording_that_loses_a_value_goes_back(tmp_path: Path) -> None:
    item = first(InterruptionType.CORRECTION)
    slot = item.interruption.slot
    assert slot is not None
    new = item.standing.slots[slot]
    composed = write_criteria(item)
    lost = [c.text for c in composed[1:]]
    lost[0] = "The response accepts the new value without doubt."
    assert f'`recovery` 1 has to hold this exactly: "{new}"' in told(tmp_path, item, with_recovery(item, *lost))


def test_a_value_inside_a_longer_number_is_not_that_value(tmp_path: Path) -> None:
    item = first(InterruptionType.IMPATIENT)
    texts = [c.text for c in write_criteria(item)[1:]]
    texts[1] = texts[1].replace("60", "600")
    assert 'exactly: "60"' in told(tmp_path, item, with_recovery(item, *texts))


EXTRA = {
    "its reader knows the conversation and nothing else": "The response meets the first criterion in a warm voice.",
    'says "judge"': "The response gives a judge no reason for doubt.",
    'says "this act"': "The response does this act in a warm voice.",
    "one statement, one sentence": "The response is warm. It is also brief.",
    "answers with yes or no": "Is the response warm?",
    'what "the response" does': "The agent is warm.",
    "holds mark-up or a name out of a file": "The response ends verify_caller in a warm voice.",
    "at most 60": "The response is warm " + "and kind " * 30 + "to the caller.",
    'holds "4711"': "The response gives 4711 in a warm voice.",
    "quotes what was not said": 'The response says "I have never been so happy" to the caller.',
}


@pytest.mark.parametrize("fault", EXTRA)
def test_a_criterion_that_a_reader_of_the_transcript_cannot_decide_goes_back(tmp_path: Path, fault: str) -> None:
    item = first(InterruptionType.NORMAL)
    texts = [c.text for c in write_criteria(item)[1:]]
    assert fault in told(tmp_path, item, with_recovery(item, *texts, EXTRA[fault]))


def test_a_placeholder_is_mark_up(tmp_path: Path) -> None:
    item = first(InterruptionType.NORMAL)
    reply = with_task(item, as_composed(item).task_fulfilment + " {name}")
    assert "`task_fulfilment` holds mark-up or a name out of a file ({})" in told(tmp_path, item, reply)


def test_the_two_axes_are_not_the_same_text(tmp_path: Path) -> None:
    item = first(InterruptionType.PUSHBACK)
    reply = as_composed(item)
    same = with_recovery(item, *reply.recovery, reply.task_fulfilment)
    assert f"`recovery` {len(reply.recovery) + 1} says the same as `task_fulfilment`" in told(tmp_path, item, same)


def test_the_writer_reads_neither_controls_nor_rules(tmp_path: Path) -> None:
    call, item = next((c, i) for c in calls() for i in c.items if i.type is InterruptionType.PUSHBACK)
    source = Interrupted(call.case().script, call.blueprint, call.rounds[: item.turn])
    says = Says(as_composed(source))
    run(writing(tmp_path, source, says))
    prompt = says.requests[0].messages[0].text
    read = (ControlKind.RESTARTS, ControlKind.IGNORES_CALLER)  # copies of what the agent said or meant to say
    for control in item.controls[1:]:
        assert control.kind in read or control.text not in prompt
    assert item.reference not in prompt
    assert "mentions_each" not in prompt
    assert source.caller_words in prompt
