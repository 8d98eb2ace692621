"""What the scan says of small calls, each with one thing in it."""

import time
from dataclasses import replace

import pytest

from factory.audit.scan.background import Background
from factory.audit.scan.call import AgentPart, Passage, ScannedCall, ScannedTurn, call_of_rows, call_of_transcript
from factory.audit.scan.findings import LeakFinding, LeakKind, Severity, Where
from factory.audit.scan.scan import scan_call
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall
from factory.dataset.publish import conversation_row, turn_rows
from factory.workflow.library import standard_library
from tests.composed import calls


def turn(heard: str, caller: str | None, talked_over: str = "", undelivered: str = "", **more: object) -> ScannedTurn:
    whole = " ".join(part for part in (heard, talked_over, undelivered) if part)
    given = {"parts": (AgentPart(whole, True),)} | more
    return ScannedTurn(heard, talked_over, undelivered, caller=caller, **given)  # type: ignore[arg-type]


def call(*turns: ScannedTurn, **more: object) -> ScannedCall:
    made = ScannedCall(
        conversation_id="c",
        topic="[INBOUND] Book a visit.",
        turns=turns,
        stages=("Verify the customer", "Quick checks"),
        stage_texts=(Passage("Quick checks", "Have the caller wiggle the coaxial plug and send a fresh signal."),),
        guidelines=(Passage("guideline 1", "The visit is free, but outlet wiring costs $45."),),
        known_user=(Passage("account_number", "HB-581926"),),
        own=("A baker with an early start.", "keeps a parrot"),
        hidden=("keeps a parrot",),
        with_releases=True,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def found(scanned: ScannedCall, background: Background | None = None) -> tuple[LeakFinding, ...]:
    return scan_call(scanned, background or Background())


def strong(scanned: ScannedCall) -> list[LeakKind]:
    return [f.kind for f in found(scanned) if f.severity is not Severity.HINT]


CUT = {"talked_over": "your modem's", "undelivered": "warranty ended in autumn, so a replacement is $83."}


def test_undelivered_words_that_come_back_are_found_with_their_place() -> None:
    scanned = call(turn("I can see that", "Why did the warranty end in autumn?", **CUT), turn("Goodbye.", None))
    finding = found(scanned)[0]
    assert (finding.round, finding.message, finding.where) == (0, 1, Where.UNDELIVERED)
    assert "warranty ended in autumn" in finding.unheard
    assert finding.severity is not Severity.HINT


def test_an_undelivered_amount_is_found_in_other_words() -> None:
    assert strong(call(turn("I can see that", "Eighty-three bucks is a lot.", **CUT))) == [LeakKind.VALUE]


def test_a_run_of_six_everyday_words_is_certain() -> None:
    cut = {"undelivered": "nobody here thinks any less of you for it."}
    scanned = call(turn("Well, you know,", "Sure, thinks any less of you for it.", **cut))
    assert [f.severity for f in found(scanned)] == [Severity.CERTAIN]


def test_words_that_were_talked_over_are_unheard_in_that_turn_and_heard_in_the_next() -> None:
    now = call(turn("It is your", "A cracked splitter?", talked_over="cracked splitter", undelivered="that I see."))
    later = call(
        turn("It is your", "Sorry?", talked_over="cracked splitter", undelivered="that I see."),
        turn("Shall we go on?", "A cracked splitter?"),
    )
    assert strong(now)
    assert not strong(later)


def test_what_a_continuation_delivers_is_heard_from_then_on() -> None:
    rest = "warranty ended in autumn, so a replacement is $83."
    first = turn("I can see that", "mm-hm", **CUT)
    assert not strong(call(first, turn(rest, "Eighty-three dollars? The warranty ended in autumn?")))
    assert strong(call(first, turn("Anyway.", "Eighty-three dollars? The warranty ended in autumn?")))


def test_what_the_caller_knows_is_no_leak_however_it_is_spelled() -> None:
    said = "Eighty-three dollars, that's my rent."
    assert strong(call(turn("I can see that", said, **CUT)))
    assert not strong(call(turn("I can see that", said, **CUT), own=("Pays a rent of $83.",)))
    assert not strong(call(turn("I can see that", said, released=("It's $83.",), **CUT)))
    assert not strong(call(turn("That's $83. I can see that", said, **CUT)))


def test_the_knowledge_base_is_nobodys_until_it_is_said() -> None:
    assert strong(call(turn("Hello.", "Does outlet wiring really cost forty-five dollars?")))
    assert not strong(call(turn("Outlet wiring costs $45.", "Does outlet wiring really cost forty-five dollars?")))


def test_a_number_on_the_agents_screen_is_certain_where_releases_are_published_and_a_hint_where_not() -> None:
    said = call(turn("Hello.", "It's five eight one nine two six."))
    assert [f.severity for f in found(said)] == [Severity.CERTAIN]
    assert [f.severity for f in found(replace(said, with_releases=False))] == [Severity.HINT]


def test_the_last_digits_of_an_unheard_number_are_a_leak_too() -> None:
    assert strong(call(turn("Hello.", "It ends in one nine two six."))) == [LeakKind.VALUE]


@pytest.mark.parametrize("said", ["Can we do the quick checks now?", "Are you verifying the customer?"])
def test_a_stages_name_is_found_in_any_endings(said: str) -> None:
    assert LeakKind.STAGE_NAME in strong(call(turn("Hello.", said)))


def test_a_stages_name_that_was_heard_is_no_leak() -> None:
    assert not strong(call(turn("First come the quick checks.", "Okay, quick checks.")))


def test_the_answer_to_a_question_that_comes_later_is_found() -> None:
    later = turn(
        "Where does the router stand?",
        "In the laundry cupboard.",
        released=("In the laundry cupboard.",),
        answers=("In the laundry cupboard.",),
        facts=("the laundry cupboard",),
        asked=frozenset({"wifi.ask_router"}),
        question="wifi.ask_router",
    )
    early = call(turn("Hello.", "It's in the laundry cupboard."), later)
    assert strong(early) == [LeakKind.UNASKED_ANSWER]
    asked = turn("Where does the router stand?", "In the laundry cupboard.", asked=frozenset({"wifi.ask_router"}))
    assert not strong(call(asked, later))


def test_what_the_agent_only_says_later_is_a_future_step() -> None:
    later = turn("The technician brings a ladder and a hard hat.", None)
    assert strong(call(turn("Hello.", "Does he bring a ladder and hard hat?"), later)) == [LeakKind.FUTURE_STEP]


def test_what_the_agent_says_in_answer_to_the_caller_is_no_leak() -> None:
    answer = turn("A ladder and a hard hat, yes.", None, parts=(AgentPart("A ladder and a hard hat, yes.", False),))
    assert not strong(call(turn("Hello.", "Does he bring a ladder and hard hat?"), answer))


def test_another_callers_secret_is_found_and_ones_own_is_not() -> None:
    mine = call(turn("Hello.", "I keep a parrot in the greenhouse, you know."))
    other = call(turn("Hello.", None), own=("keeps a tarantula",), hidden=("breeds tarantulas in the greenhouse",))
    background = Background([mine, other])
    assert not [f for f in found(mine, background) if f.where is Where.OTHER_CALLER and f.severity is not Severity.HINT]
    leak = call(turn("Hello.", "Somebody breeds tarantulas in a greenhouse."))
    assert [f.where for f in found(leak, background)] == [Where.OTHER_CALLER]


def test_words_of_callers_about_other_subjects_tell_nothing() -> None:
    scanned = call(turn("I can see that", "Is the warranty over by autumn?", undelivered="warranty ended in autumn."))
    elsewhere = [
        call(turn("Hello.", "Is the warranty over by autumn?"), topic=f"[INBOUND] Something else {n}.")
        for n in range(7)
    ]
    assert any(f.severity is not Severity.HINT for f in found(scanned))
    assert not found(scanned, Background(elsewhere))


def test_undelivered_words_in_the_plan_are_found_although_nobody_says_them() -> None:
    scanned = call(turn("I can see that", "Hm.", plan="ask why the warranty ended in autumn", **CUT))
    assert strong(scanned)


def test_a_leak_is_reported_where_it_is_first_said() -> None:
    scanned = call(
        turn("I can see that", "Eighty-three dollars?", **CUT), turn("Pardon?", "I said eighty-three dollars.")
    )
    assert [f.round for f in found(scanned)] == [0]


@pytest.mark.parametrize("word", ["the ", "4 ", "warranty. ", "a1", "@ ", "one "])
def test_an_endless_turn_takes_no_endless_time(word: str) -> None:
    hostile = call(turn("Hello.", word * 1_000, talked_over=word * 1_000, undelivered=word * 1_000))
    start = time.process_time()
    found(hostile)
    assert time.process_time() - start < 10


def test_honest_calls_have_nothing_at_which_a_person_should_look() -> None:
    library, made = standard_library(), []
    for one in calls():
        workflow = library.workflow(one.blueprint.workflow)
        finished = FinishedCall(one.blueprint, workflow, one.rounds, {})
        row = conversation_row(finished, domain_of(workflow, [workflow]), "", {})
        made.append((call_of_rows(row, tuple(turn_rows(finished))), call_of_transcript(row)))
    background = Background(full for full, _ in made)
    assert [f for full, _ in made for f in found(full, background) if f.severity is not Severity.HINT] == []
    transcribed = [f for _, bare in made for f in found(bare, background) if f.severity is not Severity.HINT]
    assert len(transcribed) <= 1


def test_a_planted_leak_in_published_rows_is_found() -> None:
    library, one = standard_library(), calls()[0]
    workflow = library.workflow(one.blueprint.workflow)
    finished = FinishedCall(one.blueprint, workflow, one.rounds, {})
    row = conversation_row(finished, domain_of(workflow, [workflow]), "", {})
    rows = list(turn_rows(finished))
    cut = next(i for i, r in enumerate(rows) if r.speaker == "agent" and len(r.undelivered.split()) > 8)
    words = " ".join(rows[cut].undelivered.split()[:8])  # type: ignore[union-attr]
    rows[cut + 1] = rows[cut + 1].model_copy(update={"text": f"Oh, {words}?"})
    assert any(f.round == cut // 2 for f in found(call_of_rows(row, rows)) if f.severity is not Severity.HINT)
