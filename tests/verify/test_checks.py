"""Checks A to P: clean conversations have no issue, and each kind of fault is named in its round."""

import pytest

from factory.records.conversation import CallerTurn, Cut, Round, Segment, Utterance
from factory.records.enums import InterruptionType
from factory.verify.checks import CheckId, check_conversation
from factory.workflow.fill import flatten
from tests.composed import Call, calls


def test_composed_calls_are_almost_all_clean_before_any_repair() -> None:
    faulty = [call for call in calls() if check_conversation(call.case())]
    assert len(faulty) <= len(calls()) / 10


def with_agent(call: Call, index: int, text: str) -> tuple[Round, ...]:
    """The call with other agent words in one round, spoken whole."""
    rounds = list(call.rounds)
    act = rounds[index].agent.segments[-1].act
    utterance = Utterance(segments=(Segment(act=act, text=text),))
    rounds[index] = rounds[index].model_copy(update={"agent": utterance})
    return tuple(rounds)


def with_caller(call: Call, index: int, text: str) -> tuple[Round, ...]:
    rounds = list(call.rounds)
    turn = rounds[index].caller
    assert isinstance(turn, CallerTurn)
    rounds[index] = rounds[index].model_copy(update={"caller": turn.model_copy(update={"text": text})})
    return tuple(rounds)


def find(kind: InterruptionType) -> tuple[Call, int]:
    """A clean call and the index of the round behind an interruption of that type."""
    for call in calls():
        if check_conversation(call.case()):
            continue
        for turn, cut in call.blueprint.interruptions:
            if cut.type is kind and (kind is not InterruptionType.IMPATIENT or cut.answers is None):
                return call, turn + 1
    raise AssertionError(f"no clean call has a {kind}")


def checks_at(call: Call, rounds: tuple[Round, ...], index: int) -> set[CheckId]:
    return {issue.check for issue in check_conversation(call.case(rounds)) if issue.round == index}


def test_a_filler_that_is_not_continued_exactly_is_found() -> None:
    call, index = find(InterruptionType.FILLER)
    rest = call.rounds[index].agent.text
    assert CheckId.FILLER_CONTINUES in checks_at(call, with_agent(call, index, f"Sure. {rest}"), index)


@pytest.mark.parametrize("kind", [k for k in InterruptionType if k is not InterruptionType.FILLER])
def test_completing_the_cut_sentence_after_any_other_type_is_found(kind: InterruptionType) -> None:
    call, index = find(kind)
    rest = call.rounds[index - 1].agent.undelivered.strip()
    assert CheckId.FRESH_START in checks_at(call, with_agent(call, index, rest), index)


def test_repeating_what_was_heard_is_found() -> None:
    call, index = find(InterruptionType.PUSHBACK)
    heard = call.rounds[index - 1].agent.delivered
    assert CheckId.FRESH_START in checks_at(call, with_agent(call, index, f"I hear you. {heard}"), index)


def test_telling_a_hurried_caller_again_what_they_cut_off_is_found() -> None:
    call, index = find(InterruptionType.IMPATIENT)
    cut = call.blueprint.rounds[index - 1].interruption
    assert cut is not None
    ref = call.blueprint.rounds[index - 1].acts[cut.cut].ref
    again = next(s.text for s in call.rounds[index - 1].agent.segments if s.act == ref)
    assert CheckId.IMPATIENT_SKIPS in checks_at(call, with_agent(call, index, f"Sure. {again}"), index)


def test_a_correction_that_is_not_taken_over_is_found() -> None:
    call, index = find(InterruptionType.CORRECTION)
    assert CheckId.CORRECTION_USED in checks_at(call, with_agent(call, index, "All right, what else?"), index)


def test_an_old_value_that_returns_is_found() -> None:
    call, index = find(InterruptionType.CORRECTION)
    cut = call.blueprint.rounds[index - 1].interruption
    assert cut is not None and cut.slot is not None
    old = call.blueprint.facts[cut.slot].value
    said = with_agent(call, index, f"{call.rounds[index].agent.text}")
    rounds = list(said)
    spoken = Utterance(segments=(Segment(act="lead", text=f"So it stays {old}, then."),))
    rounds[index] = rounds[index].model_copy(update={"agent": spoken})
    assert CheckId.CONSISTENT in checks_at(call, tuple(rounds), index)


@pytest.mark.parametrize("kind", [InterruptionType.PUSHBACK, InterruptionType.NORMAL, InterruptionType.TOPIC_SWITCH])
def test_not_answering_what_the_caller_brought_up_is_found(kind: InterruptionType) -> None:
    call, index = find(kind)
    assert CheckId.TOPIC_ENGAGED in checks_at(call, with_agent(call, index, "Xylophones, then."), index)


def test_a_dismissive_agent_is_found() -> None:
    call, index = find(InterruptionType.PUSHBACK)
    assert CheckId.NOT_DEFENSIVE in checks_at(call, with_agent(call, index, "As I already said, wait."), index)


def test_a_caller_who_names_a_stage_is_found() -> None:
    call, index = find(InterruptionType.NORMAL)
    name = next(s.name for s in call.case().script.workflow.stages if len(s.name.split()) > 1)
    rounds = with_caller(call, index - 1, f"So now we {name.lower()}, right?")
    assert CheckId.CALLER_KNOWS_STAGES in checks_at(call, rounds, index - 1)


def test_a_caller_who_says_a_value_before_it_was_heard_is_found() -> None:
    caught = 0
    for call in calls():
        workflow = call.case().script.workflow
        own = {v for f in call.blueprint.facts.values() for v in (f.value, f.corrected, f.wrong)}
        for value in flatten(workflow.known_user_information).values():
            if not any(c.isdigit() for c in value) or value in own or value in call.rounds[0].agent.text:
                continue
            rounds = with_caller(call, 0, f"Is it about {value}, maybe?")
            assert CheckId.REACTS_TO_HEARD in checks_at(call, rounds, 0)
            caught += 1
    assert caught > 20


@pytest.mark.parametrize("text", ["Well; that is it.", "**Sure**", "", "word " * 80, "So (maybe) yes."])
def test_a_caller_who_talks_like_a_text_is_found(text: str) -> None:
    call, index = find(InterruptionType.NORMAL)
    assert CheckId.CALLER_REGISTER in checks_at(call, with_caller(call, index - 1, text.strip()), index - 1)


def test_sensitive_information_before_verification_is_found() -> None:
    for call in calls():
        workflow = call.case().script.workflow
        known = flatten(workflow.known_user_information)
        secret = next(v for n, v in known.items() if n.split(".")[0] in workflow.sensitive)
        rounds = list(call.rounds)
        spoken = Utterance(segments=(Segment(act="lead", text=f"It is about {secret}."),))
        rounds[0] = rounds[0].model_copy(update={"agent": spoken})
        assert CheckId.SENSITIVE_LATE in checks_at(call, tuple(rounds), 0)


@pytest.mark.parametrize("shift", [-30, 30])
def test_a_cut_in_a_wrong_place_is_found(shift: int) -> None:
    call, index = find(InterruptionType.PUSHBACK)
    done = call.rounds[index - 1]
    assert done.agent.cut is not None
    last = len(done.agent.text.split(" ")) - 1
    word = min(max(1, done.agent.cut.cut_word + shift), last)
    moved = Utterance(segments=done.agent.segments, cut=Cut(onset_word=word - 1, cut_word=word))
    rounds = list(call.rounds)
    rounds[index - 1] = done.model_copy(update={"agent": moved})
    assert CheckId.CUT_PLACE in checks_at(call, tuple(rounds), index - 1)
