"""The verifier: what a model finds in a conversation, held against the conversation's shape."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.models.brief import brief_of
from factory.models.replies import FindingReply, VerifierReply
from factory.models.verifier import LONGEST_PROBLEM, VerifierCheck, VerifierFinding, find_faults, verifier_messages
from factory.records.conversation import delivered_history
from factory.records.enums import InterruptionType, Speaker
from factory.verify.checks import Case
from tests.composed import calls
from tests.models.writers import MODEL, PROMPTS, Says, asker, refused, run

CASE: Case = next(
    call.case()
    for call in calls()
    if {InterruptionType.FILLER, InterruptionType.PUSHBACK, InterruptionType.TOPIC_SWITCH}
    <= {cut.type for _, cut in call.blueprint.interruptions}
)
MESSAGES = verifier_messages(CASE)


def finding(message: int, check: str, fixable: bool = True, **texts: str) -> FindingReply:
    told = {"problem": "It sounds stiff.", "fix": "Say it as people do."} | texts
    return FindingReply(message=message, check=check, fixable=fixable, **told)


def verifying(folder: Path, says: Says):  # type: ignore[no-untyped-def]
    return find_faults(asker(folder, says), PROMPTS, brief_of(CASE.script), CASE, seed=1)


def found(folder: Path, *findings: FindingReply) -> tuple[VerifierFinding, ...]:
    return run(verifying(folder, Says(VerifierReply(findings=findings)))).value


def told(folder: Path, *findings: FindingReply) -> str:
    says = Says(VerifierReply(findings=findings))
    return refused(verifying(folder, says), says)


def agent_behind(fits: Callable[[InterruptionType | None], bool]) -> int:
    """Index of the first message of the agent's behind a caller turn of such a type."""
    return next(m.index + 1 for m in MESSAGES[:-1] if m.speaker is Speaker.CALLER and fits(m.type))


def test_a_clean_conversation_has_no_findings(tmp_path: Path) -> None:
    made = run(verifying(tmp_path, Says(VerifierReply(findings=()))))
    assert made.value == ()
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == "verifier/conversation.md.j2"


def test_the_verifier_reads_what_was_said_and_what_was_meant() -> None:
    assert [m.text for m in MESSAGES] == [m.text for m in delivered_history(CASE.rounds)]
    assert [m.index for m in MESSAGES] == list(range(len(MESSAGES)))
    cut = [m for m in MESSAGES if m.meant is not None]
    assert len(cut) == len(CASE.blueprint.interruptions)
    for message in cut:
        assert message.meant is not None and message.meant.startswith(message.text) and message.meant != message.text
        assert MESSAGES[message.index + 1].type is not None


def test_findings_come_by_round_with_the_agents_first(tmp_path: Path) -> None:
    caller = next(m.index for m in MESSAGES if m.speaker is Speaker.CALLER)
    last = max(
        m.index for m in MESSAGES if m.speaker is Speaker.AGENT and not CASE.blueprint.rounds[m.index // 2].continues
    )
    made = found(tmp_path, finding(last, "I"), finding(caller, "N"), finding(caller - 1, "J"))
    assert [(f.round, f.speaker, f.check) for f in made] == [
        (caller // 2, Speaker.AGENT, VerifierCheck.CONSISTENT),
        (caller // 2, Speaker.CALLER, VerifierCheck.CALLER_REGISTER),
        (last // 2, Speaker.AGENT, VerifierCheck.NATURAL),
    ]


def test_a_fault_of_a_fillers_continuation_lies_in_the_turn_that_the_filler_cut(tmp_path: Path) -> None:
    continuation = agent_behind(lambda kind: kind is InterruptionType.FILLER)
    (made,) = found(tmp_path, finding(continuation, "I"))
    source = continuation // 2
    while CASE.blueprint.rounds[source].continues:
        source -= 1
    assert made.round == source < continuation // 2


def test_a_message_that_is_not_there_goes_back(tmp_path: Path) -> None:
    wrong = VerifierReply(findings=(finding(len(MESSAGES), "I"),))
    says = Says(wrong, VerifierReply(findings=()))
    assert run(verifying(tmp_path, says)).value == ()
    assert f"there is no message {len(MESSAGES)}, the last one is {len(MESSAGES) - 1}" in says.told


@pytest.mark.parametrize("letter", ["A", "C", "D", "L", "P", "Z", "b", ""])
def test_a_letter_that_is_codes_or_nobodys_goes_back(tmp_path: Path, letter: str) -> None:
    assert "`check` has to be one of B, E, F, G, H, I, J, K, M, N, O" in told(tmp_path, finding(0, letter))


def test_a_check_of_the_one_side_is_not_found_in_the_others_words(tmp_path: Path) -> None:
    for number, letter in enumerate("GHKNO"):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert f"check {letter} is about the caller's words" in told(folder, finding(0, letter))
    for number, letter in enumerate("BEFM", 5):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert f"check {letter} is about the agent's words" in told(folder, finding(1, letter))


def test_a_fresh_start_is_asked_of_turns_after_an_interruption_only(tmp_path: Path) -> None:
    places = {
        "calm": agent_behind(lambda kind: kind is None),
        "filler": agent_behind(lambda kind: kind is InterruptionType.FILLER),
        "cut": agent_behind(lambda kind: kind is InterruptionType.PUSHBACK),
    }
    for name in places:
        (tmp_path / name).mkdir()
    assert "the turn after an interruption" in told(tmp_path / "calm", finding(places["calm"], "B"))
    assert "the turn after an interruption" in told(tmp_path / "filler", finding(places["filler"], "B"))
    assert found(tmp_path / "cut", finding(places["cut"], "B"))[0].round == places["cut"] // 2


@pytest.mark.parametrize(("letter", "kind"), [("E", InterruptionType.TOPIC_SWITCH), ("F", InterruptionType.PUSHBACK)])
def test_what_is_asked_behind_one_type_is_found_behind_that_type_only(
    tmp_path: Path, letter: str, kind: InterruptionType
) -> None:
    fits, other = agent_behind(lambda k: k is kind), agent_behind(lambda k: k not in (None, kind))
    for name in ("fits", "other"):
        (tmp_path / name).mkdir()
    assert found(tmp_path / "fits", finding(fits, letter))[0].check == letter
    assert f"an interruption ({kind.value})" in told(tmp_path / "other", finding(other, letter))


def test_a_callers_words_can_always_be_said_again(tmp_path: Path) -> None:
    (made,) = found(tmp_path, finding(1, "N", fixable=False))
    assert made.fixable


@pytest.mark.parametrize(("message", "letter"), [(0, "I"), (1, "H"), (1, "K")])
def test_what_no_other_words_mend_stays_so(tmp_path: Path, message: int, letter: str) -> None:
    (made,) = found(tmp_path, finding(message, letter, fixable=False, fix=""))
    assert not made.fixable and made.fix == ""


def test_a_finding_that_says_nothing_goes_back(tmp_path: Path) -> None:
    for name in ("problem", "fix"):
        (tmp_path / name).mkdir()
    assert "say what the problem is" in told(tmp_path / "problem", finding(0, "I", problem="  "))
    assert "say how to mend it" in told(tmp_path / "fix", finding(0, "I", fix=""))


def test_a_long_note_is_cut_and_is_one_line(tmp_path: Path) -> None:
    (made,) = found(tmp_path, finding(0, "I", problem="too\nlong " * 300, fix="Short\u202eer\u0007."))
    assert len(made.problem) <= LONGEST_PROBLEM
    assert "\n" not in made.problem and made.problem.endswith("…")
    assert "\u202e" not in made.fix and "\u0007" not in made.fix


def test_the_schema_offers_the_letters_only(tmp_path: Path) -> None:
    says = Says(VerifierReply(findings=()))
    run(verifying(tmp_path, says))
    schema = says.requests[0].reply_schema
    assert schema is not None
    assert '"enum":["B","E","F","G","H","I","J","K","M","N","O"]' in schema.json_schema
