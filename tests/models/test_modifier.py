"""The modifier: one turn of the agent's mended, as few words changed as possible."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.models.brief import ActBrief, act_brief
from factory.models.modifier import changed_words, edit, most_changes
from factory.models.replies import ModifierReply, SpokenAct
from factory.models.verifier import VerifierCheck, VerifierFinding
from factory.records.conversation import Round, Segment, delivered_history
from factory.records.enums import Speaker
from factory.simulate.state import standing
from factory.simulate.views import joined
from factory.workflow.library import standard_library
from tests.composed import calls
from tests.models.writers import MODEL, PROMPTS, Says, asker, refused, run

CALL = calls()[0]
SCRIPT = CALL.case().script


def acts_of(index: int) -> tuple[ActBrief, ...]:
    slots = standing(CALL.blueprint, CALL.rounds[:index]).slots
    phrases = standard_library().shared.agent
    return tuple(act_brief(SCRIPT, phrases, use, slots) for use in CALL.blueprint.rounds[index].acts)


INDEX = next(
    i
    for i in range(1, len(CALL.rounds))
    if any(done.agent.cut for done in CALL.rounds[:i])
    and not CALL.blueprint.rounds[i].continues
    and len(CALL.rounds[i].agent.segments) > 1
    and any(act.holds or act.mentions for act in acts_of(i))
)
DONE: Round = CALL.rounds[INDEX]
ACTS = acts_of(INDEX)
FINDING = VerifierFinding(
    round=INDEX,
    speaker=Speaker.AGENT,
    check=VerifierCheck.NATURAL,
    fixable=True,
    problem="The turn begins stiffly.",
    fix="Begin it in an easier way.",
)


def reply(*segments: Segment) -> ModifierReply:
    return ModifierReply(segments=tuple(SpokenAct(act=s.act, text=s.text) for s in segments))


def changed(place: int, text: str) -> tuple[Segment, ...]:
    segments = list(DONE.agent.segments)
    segments[place] = Segment(act=segments[place].act, text=text)
    return tuple(segments)


EASIER = changed(0, f"Well, {DONE.agent.segments[0].text}")


def editing(folder: Path, says: Says, done: Round = DONE):  # type: ignore[no-untyped-def]
    history = delivered_history(CALL.rounds[:INDEX])
    return edit(asker(folder, says), PROMPTS, done, ACTS, history, FINDING, seed=1)


def told(folder: Path, *segments: Segment) -> str:
    says = Says(reply(*segments))
    return refused(editing(folder, says), says)


def test_an_edit_of_a_few_words_is_taken(tmp_path: Path) -> None:
    made = run(editing(tmp_path, Says(reply(*EASIER))))
    assert made.value == EASIER
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == "modifier/edit.md.j2"


def test_the_modifier_sees_the_conversation_the_turn_and_the_command(tmp_path: Path) -> None:
    says = Says(reply(*EASIER))
    run(editing(tmp_path, says))
    prompt = says.requests[0].messages[0].text
    assert FINDING.fix in prompt and DONE.agent.segments[0].text in prompt
    assert CALL.rounds[0].agent.delivered in prompt
    assert all(act.does not in prompt for act in ACTS)
    meant = [done.agent.text for done in CALL.rounds[:INDEX] if done.agent.cut]
    assert meant and all(text not in prompt for text in meant)


def test_an_edit_that_changes_nothing_goes_back(tmp_path: Path) -> None:
    says = Says(reply(*DONE.agent.segments), reply(*EASIER))
    assert run(editing(tmp_path, says)).value == EASIER
    assert "nothing was changed" in says.told


def test_an_edit_that_rewrites_everything_goes_back(tmp_path: Path) -> None:
    rewritten = tuple(
        Segment(act=s.act, text=" ".join(f"word{i}" for i in range(len(s.text.split()) + 3)) + ".")
        for s in DONE.agent.segments
    )
    most = most_changes(len(joined(DONE.agent.segments).split()))
    assert f"at most {most} may be" in told(tmp_path, *rewritten)


def test_a_reply_of_enormous_length_is_told_without_comparing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factory.models.modifier.changed_words", lambda *_: pytest.fail("was compared word by word"))
    assert "words or more were changed" in told(tmp_path, *changed(0, "a " * 999 + "b."))


def test_the_acts_stay_the_same_in_the_same_order(tmp_path: Path) -> None:
    for number, segments in enumerate((EASIER[::-1], EASIER[:-1], (*EASIER, EASIER[-1]))):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert ", ".join(s.act for s in DONE.agent.segments) in told(folder, *segments)


def test_an_edit_that_loses_what_the_act_has_to_hold_goes_back(tmp_path: Path) -> None:
    act = next(a for a in ACTS if a.holds or a.mentions)
    place = next(i for i, s in enumerate(DONE.agent.segments) if s.act == act.ref)
    assert f"`{act.ref}`" in told(tmp_path, *changed(place, "All right, then."))


def test_a_number_out_of_nowhere_goes_back(tmp_path: Path) -> None:
    said = told(tmp_path, *changed(0, f"Well, 90210 people know. {DONE.agent.segments[0].text}"))
    assert "says 90210, which stands nowhere" in said


@pytest.mark.parametrize("odd", ["*Well*, now.", "Well (now)."])
def test_an_edit_stays_speech(tmp_path: Path, odd: str) -> None:
    assert f"`{DONE.agent.segments[0].act}`" in told(tmp_path, *changed(0, f"{odd} {DONE.agent.segments[0].text}"))


def test_white_space_and_unseen_characters_are_mended_and_not_asked_for_again(tmp_path: Path) -> None:
    odd = changed(0, f"  Well,\u202e \n {DONE.agent.segments[0].text}  ")
    assert joined(run(editing(tmp_path, Says(reply(*odd)))).value) == joined(EASIER)


def test_changes_are_counted_in_words() -> None:
    assert changed_words(["a", "b", "c"], ["a", "b", "c"]) == 0
    assert changed_words(["a", "b", "c"], ["a", "x", "c"]) == 1
    assert changed_words(["a", "b", "c"], ["b", "c"]) == 1
    assert changed_words([], ["a", "b"]) == 2


TEXT = st.lists(st.sampled_from("abc"), max_size=8)


@given(TEXT, TEXT)
def test_there_and_back_is_equally_far(one: list[str], other: list[str]) -> None:
    far = changed_words(one, other)
    assert far == changed_words(other, one)
    assert abs(len(one) - len(other)) <= far <= max(len(one), len(other))
    assert (far == 0) == (one == other)
