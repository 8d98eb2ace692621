"""Every rule of the reference's columns: kept by an honest call, and found by name where it is broken."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.columns.rules import Certainty, ColumnRule
from factory.audit.result import AuditResult, Proof
from factory.audit.scan.findings import Severity
from factory.records.enums import InterruptionType

from .files import BASE, Row, audited, breaks, honest, put, turn

SURE, LOOKS = Certainty.CERTAIN, Certainty.LOOKS_SO
SAID = "Sure, I can set that up. Before we look at any days"
CUT = f"{SAID} I need to check that the booking is yours. Could you read me its code?"


def made(result: AuditResult) -> set[Proof]:
    return {proof.proof for proof in result.proofs if proof.made}


def test_an_honest_call_breaks_no_rule_and_nothing_looks_broken(tmp_path: Path) -> None:
    result = audited(tmp_path)
    assert breaks(result) == set()
    assert result.clean
    assert result.verdict.startswith("clean as far as the columns tell: ")
    assert result.rules is not None
    assert result.rules.by_type == dict.fromkeys(InterruptionType, 1)
    assert {count.rule for count in result.rules.counts} == set(ColumnRule) - {
        ColumnRule.NO_INTERRUPTIONS,
        ColumnRule.OVERLAP_NOT_POSSIBLE,
    }


def test_what_needs_a_ledger_is_said_not_to_be_shown(tmp_path: Path) -> None:
    result = audited(tmp_path)
    assert made(result) == {
        Proof.CUTS,
        Proof.CONTINUATIONS,
        Proof.RUBRICS,
        Proof.VERIFICATION_ORDER,
        Proof.CONTENT_SCAN,
    }
    assert {proof.proof for proof in result.proofs} == set(Proof)
    assert all(proof.why for proof in result.proofs)
    assert result.verdict.endswith("that callers were blind cannot be proved from these columns")


@pytest.mark.parametrize(
    ("change", "rule", "certainty"),
    [
        (turn(2, delivered="Sure, I will set that up. Before we look"), ColumnRule.NOT_A_PREFIX, SURE),
        (turn(2, delivered="Sure, I can set that up. Before we look at any days…"), ColumnRule.NOT_A_PREFIX, LOOKS),
        (turn(2, delivered="sure, i can set that up - before we look at any days"), ColumnRule.NOT_A_PREFIX, LOOKS),
        (turn(2, delivered="Sure, I can set that up. Before we look at any da"), ColumnRule.ENDS_INSIDE_WORD, SURE),
        (turn(2, delivered="Sure, I can set that up. Before we look at any da—"), ColumnRule.ENDS_INSIDE_WORD, SURE),
        (turn(2, delivered=CUT), ColumnRule.NOTHING_CUT, SURE),
        (turn(2, delivered=CUT.rstrip("?")), ColumnRule.NOTHING_CUT, SURE),
        (turn(2, delivered="…"), ColumnRule.NOTHING_HEARD, SURE),
        (turn(2, delivered=CUT.replace(" me its code?", "")), ColumnRule.CUT_IN_LAST_SENTENCE, SURE),
        (turn(2, delivered="Sure, I can set that up."), ColumnRule.CUT_ON_SENTENCE_END, LOOKS),
        (turn(2, delivered=CUT.replace(" Could you read me its code?", "")), ColumnRule.CUT_ON_SENTENCE_END, SURE),
        (turn(2, delivered=CUT.replace(". Could you read me its code?", "")), ColumnRule.CUT_ON_SENTENCE_END, SURE),
        (
            turn(2, delivered=CUT.replace(" is yours. Could you read me its code?", "")),
            ColumnRule.TOO_LITTLE_LEFT,
            LOOKS,
        ),
        (turn(2, meant=f"{SAID}—really. Could you read me its code?"), ColumnRule.TOO_LITTLE_LEFT, LOOKS),
        (turn(5, delivered="Your bicycle needs a new chain and the brakes."), ColumnRule.FILLER_REPEATS, SURE),
        (turn(5, delivered="a new chain and the brakes have to be set again."), ColumnRule.FILLER_REPEATS, SURE),
        (turn(5, delivered="Your bicycle needs work, and soon."), ColumnRule.FILLER_REPEATS, LOOKS),
        (turn(5, delivered="Great, and the brakes have to be set again. Okay?"), ColumnRule.FILLER_ACKNOWLEDGED, SURE),
        (turn(5, delivered="Okay, shall we look for a day?"), ColumnRule.FILLER_ACKNOWLEDGED, LOOKS),
        (turn(5, delivered="Shall we look for a day?"), ColumnRule.FILLER_NOT_CONTINUED, SURE),
        (turn(5, delivered="the brakes have to be set again."), ColumnRule.FILLER_NOT_CONTINUED, SURE),
        (turn(5, delivered="and the brakes."), ColumnRule.FILLER_NOT_CONTINUED, LOOKS),
        (turn(5, delivered="and the brakes need care, too."), ColumnRule.FILLER_NOT_CONTINUED, LOOKS),
        (turn(3, delivered="I need to check that it is yours."), ColumnRule.NO_FRESH_START, SURE),
        (turn(3, delivered="Fine, before we look at any days, your code?"), ColumnRule.REPEATS_HEARD, LOOKS),
        (turn(2, meant=None), ColumnRule.INTERRUPTION_WITHOUT_ORIGINAL, SURE),
        (turn(2, kind=None, task=None, recovery=None), ColumnRule.ORIGINAL_WITHOUT_INTERRUPTION, SURE),
        (turn(2, kind="backchannel"), ColumnRule.UNKNOWN_TYPE, SURE),
        (turn(13, delivered=None, caller=None), ColumnRule.ENDS_ON_INTERRUPTION, SURE),
        (turn(7, delivered=None), ColumnRule.TURN_MISSING, SURE),
        (turn(7, caller=None), ColumnRule.TURN_MISSING, SURE),
        (turn(7, delivered=" ", caller=""), ColumnRule.TURN_MISSING, SURE),
        (turn(6, caller=None), ColumnRule.TURN_MISSING, SURE),
        (turn(13, caller=None, kind="filler"), ColumnRule.TURN_MISSING, SURE),
        (put(num_turns=12), ColumnRule.TURN_COUNT_DIFFERS, SURE),
        (put(conversation_id=None), ColumnRule.ID_MISSING, SURE),
        (turn(4, task=None), ColumnRule.RUBRIC_MISSING, SURE),
        (turn(4, recovery=[]), ColumnRule.RUBRIC_MISSING, SURE),
        (turn(5, task="Goes on."), ColumnRule.RUBRIC_WITHOUT_INTERRUPTION, SURE),
        (
            turn(1, delivered="Hello! You have booking four eight two one three."),
            ColumnRule.TOLD_BEFORE_VERIFIED,
            LOOKS,
        ),
        (turn(3, delivered="The estimate was $87.50. What is your code?"), ColumnRule.TOLD_BEFORE_VERIFIED, LOOKS),
    ],
)
def test_each_rule_is_found_by_its_name(
    change: Callable[[Row], object], rule: ColumnRule, certainty: Certainty, tmp_path: Path
) -> None:
    result = audited(tmp_path, change)
    assert rule in breaks(result, certainty)
    assert result.rules is not None
    example = next(e for e in result.rules.examples if e.rule is rule)
    assert (example.conversation_id, example.row) == ("row 1" if rule is ColumnRule.ID_MISSING else "harbor-1", 1)
    assert example.certainty is certainty
    assert result.clean == (breaks(result, SURE) == set())
    assert result.counts_as_finding(strict=True)
    assert result.counts_as_finding(strict=False) == (not result.clean)


@pytest.mark.parametrize(
    "change",
    [
        turn(2, meant=CUT.replace("days I", "days, I")),
        turn(2, meant=CUT.replace("days I", "days — I")),
        turn(2, meant=CUT.replace("days I", "days—I")),
        turn(5, delivered="And the brakes have to be set again! Is that what you expected?"),
        turn(5, delivered="and the brakes have to be set again. Is that what you expected? Tell me."),
        turn(1, meant="Hello, this is Harbor Bikes. How can I help you today?"),
        turn(13, caller=None),
        put(num_turns=None, domain=None, system_message=None),
    ],
)
def test_ways_of_writing_are_no_breaks(change: Callable[[Row], object], tmp_path: Path) -> None:
    assert breaks(audited(tmp_path, change)) == set()


def test_a_filler_whose_rest_is_cut_again_is_continued_by_what_was_meant(tmp_path: Path) -> None:
    rest = "and the brakes have to be set again before the long tour in June. Is that what you expected?"
    result = audited(
        tmp_path,
        turn(4, meant=f"Thank you, I have found it. Your bicycle needs a new chain {rest}"),
        turn(5, delivered="and the brakes have to be set again", meant=rest, kind="pushback", task="t", recovery=["r"]),
    )
    assert breaks(result) == set()


def test_counts_are_by_type_and_say_how_often_a_rule_was_checked(tmp_path: Path) -> None:
    rows = [honest("a"), honest("b"), honest("c")]
    turn(2, delivered=CUT.replace(" me its code?", ""))(rows[1])
    result = audited(tmp_path, rows=rows)
    assert result.rules is not None
    counts = {
        count.type: (count.broken, count.checked)
        for count in result.rules.counts
        if count.rule is ColumnRule.CUT_IN_LAST_SENTENCE
    }
    assert counts == {kind: (1 if kind is InterruptionType.NORMAL else 0, 3) for kind in InterruptionType}
    [example] = [e for e in result.rules.examples if e.rule is ColumnRule.CUT_IN_LAST_SENTENCE]
    assert str(example).startswith("cut_in_last_sentence: b, row 2, turn 2 (normal): cut behind “")


def test_two_rows_with_one_id_are_found(tmp_path: Path) -> None:
    assert breaks(audited(tmp_path, rows=[honest("a"), honest("b"), honest("a")])) == {ColumnRule.ID_TWICE}


def test_a_corpus_in_which_nobody_cuts_in_is_not_clean(tmp_path: Path) -> None:
    row = honest()
    for number in range(1, 14):
        turn(number, meant=None, kind=None, task=None, recovery=None)(row)
    result = audited(tmp_path, rows=[row])
    assert breaks(result) == {ColumnRule.NO_INTERRUPTIONS}
    assert not result.clean
    assert not {Proof.CUTS, Proof.CONTINUATIONS} & made(result)


def test_the_two_mistakes_of_the_printed_example(tmp_path: Path) -> None:
    """One cut in the last sentence, one exactly on the boundary of two sentences: our own words, the same places."""
    meant = "A short check keeps your booking safe. It will be quick. Could you give me the code and your name?"
    boundary = "I am calling about the visit that you asked for last week. Today we only look for a day. May I go on?"
    result = audited(
        tmp_path,
        turn(2, meant=meant, delivered=meant.removesuffix(" code and your name?")),
        turn(6, meant=boundary, delivered="I am calling about the visit that you asked for last week."),
    )
    assert breaks(result, SURE) == {ColumnRule.CUT_IN_LAST_SENTENCE, ColumnRule.CUT_ON_SENTENCE_END}
    assert result.rules is not None
    found = {e.rule: (e.turn, e.type) for e in result.rules.examples}
    assert found[ColumnRule.CUT_IN_LAST_SENTENCE] == (2, InterruptionType.NORMAL)
    assert found[ColumnRule.CUT_ON_SENTENCE_END] == (6, InterruptionType.IMPATIENT)


def test_a_caller_who_says_what_was_cut_off_is_found_by_the_scan(tmp_path: Path) -> None:
    result = audited(tmp_path, turn(6, caller="So the chain has to be ordered first, I see."))
    assert result.scan is not None
    assert [f.severity for f in result.scan.findings] == [Severity.CERTAIN]
    assert result.clean
    assert not result.counts_as_finding(strict=False)
    assert result.counts_as_finding(strict=True)


def test_without_an_intent_no_leak_is_certain(tmp_path: Path) -> None:
    result = audited(tmp_path, turn(6, caller="So the chain has to be ordered first, I see."), put(user_intent=None))
    assert result.scan is not None
    assert {f.severity for f in result.scan.findings} == {Severity.LIKELY}
    [scan] = [proof for proof in result.proofs if proof.proof is Proof.CONTENT_SCAN]
    assert "user intent (1 of 1 calls)" in scan.why


class TestTheOrderOfVerification:
    def test_is_not_checked_where_no_stage_verifies(self, tmp_path: Path) -> None:
        base = {"stages": [{"name": "Find a day"}], "known_user_information": [{"key": "code", "value": "48213"}]}
        result = audited(tmp_path, put(knowledge_base=base))
        assert Proof.VERIFICATION_ORDER not in made(result)
        [proof] = [p for p in result.proofs if p.proof is Proof.VERIFICATION_ORDER]
        assert "no call has a stage that verifies" in proof.why

    @pytest.mark.parametrize("column", ["stages", "known_user_information"])
    def test_says_what_it_would_have_needed(self, column: str, tmp_path: Path) -> None:
        def without(row: Row) -> None:
            row["knowledge_base"][column] = []  # type: ignore[index]

        [proof] = [p for p in audited(tmp_path, without).proofs if p.proof is Proof.VERIFICATION_ORDER]
        assert not proof.made
        assert column.split("_")[-1] in proof.why

    def test_takes_a_value_of_the_record_as_told_in_whatever_spelling(self, tmp_path: Path) -> None:
        change = turn(1, delivered="Hello! Is it about the eighty-seven dollars and fifty cents?")
        assert breaks(audited(tmp_path, change)) == {ColumnRule.TOLD_BEFORE_VERIFIED}

    @pytest.mark.parametrize(("given", "told"), [("It's 4821.", True), ("Yes.", False)])
    def test_takes_a_short_number_as_told_only_where_the_caller_gives_it_later(
        self, given: str, told: bool, tmp_path: Path
    ) -> None:
        base = BASE | {"known_user_information": [{"key": "code", "value": "4821"}]}
        result = audited(
            tmp_path, put(knowledge_base=base), turn(1, delivered="Hello, booking 4821?"), turn(3, caller=given)
        )
        assert breaks(result) == ({ColumnRule.TOLD_BEFORE_VERIFIED} if told else set())

    def test_ends_when_the_caller_has_given_a_value(self, tmp_path: Path) -> None:
        told = "Of course. It comes to $87.50, by the way. What day do you have in mind?"
        assert breaks(audited(tmp_path, turn(7, delivered=told))) == set()
        silent = turn(3, caller="I don't have it here.")
        assert breaks(audited(tmp_path, turn(7, delivered=told), silent)) == {ColumnRule.TOLD_BEFORE_VERIFIED}

    @pytest.mark.parametrize(
        ("stage", "field", "value", "said", "counts"),
        [
            ("Ask for the security word once more.", "security_word", "Juniper", "Um, I think it's juniper.", True),
            ("Check the town of boarding.", "boardingTown", "Fort Wynn, Maine", "In Fort Wynn, Maine.", True),
            ("Ask for the security word once more.", "security_word", "Juniper", "Um, was it jasper?", False),
            ("Ask for the booking code once more.", "security_word", "Juniper", "It's juniper.", False),
            ("Ask for the booking code once more.", "booking_town", "Hazelford", "I'm in Hazelford.", False),
            ("Ask for the code before any security word is said.", "security_word", "Juniper", "It's juniper.", False),
            ("Ask for the customer's name.", "customer_name", "Kit Farrow", "This is Kit Farrow.", False),
            ("Ask for the security word once more.", "security_word", "coffee", "I'm having a coffee.", False),
            ("Ask for the repair.", "repair", "Bicycle", "It's my bicycle.", False),
            ("Ask for the security word once more.", "security_word", "Friday Harbor Bikes", "Friday, bikes.", False),
        ],
    )
    def test_ends_when_the_caller_has_given_words_for_which_the_stage_asks(
        self, stage: str, field: str, value: str, said: str, counts: bool, tmp_path: Path
    ) -> None:
        base = BASE | {
            "stages": [{"name": "Verify the caller", "description": stage}],
            "known_user_information": [{"key": field, "value": value}, {"key": "estimate", "value": "$87.50"}],
        }
        told = turn(7, delivered="Of course. It comes to $87.50, by the way. What day do you have in mind?")
        result = audited(tmp_path, put(knowledge_base=base), turn(3, caller=said), told)
        assert breaks(result) == (set() if counts else {ColumnRule.TOLD_BEFORE_VERIFIED})

    def test_does_not_end_with_words_that_the_agent_said_first(self, tmp_path: Path) -> None:
        base = BASE | {
            "stages": [{"name": "Verify the caller", "description": "Ask for the security word."}],
            "known_user_information": [{"key": "security_word", "value": "Juniper"}, {"key": "sum", "value": "$87.50"}],
        }
        said = turn(3, delivered="After five is fine. Is your word Juniper?", caller="Juniper, yes.")
        told = turn(7, delivered="Of course. It comes to $87.50, by the way. What day do you have in mind?")
        assert breaks(audited(tmp_path, put(knowledge_base=base), said, told)) == {ColumnRule.TOLD_BEFORE_VERIFIED}

    @pytest.mark.parametrize(
        ("field", "told"), [("return_line", False), ("desk", False), ("line_number", True), ("phone", True)]
    )
    def test_lets_anybody_be_told_where_the_house_is_reached(self, field: str, told: bool, tmp_path: Path) -> None:
        known = [*BASE["known_user_information"], {"key": field, "value": "555-0183"}]
        first = turn(1, delivered="Hello, this is Harbor Bikes, at 555-0183. How can I help you today?")
        result = audited(tmp_path, put(knowledge_base=BASE | {"known_user_information": known}), first)
        assert breaks(result) == ({ColumnRule.TOLD_BEFORE_VERIFIED} if told else set())
