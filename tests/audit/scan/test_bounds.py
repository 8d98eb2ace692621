"""A hostile call takes no more than its share of time, and the result says what was left out."""

import time
from dataclasses import replace

from factory.audit.content import CallScan, scan_words
from factory.audit.scan.bounds import MOST_CALL, MOST_TEXT, MOST_WORK, bounded
from factory.audit.scan.call import AgentPart, ScannedCall, ScannedTurn


def turn_of(text: str) -> ScannedTurn:
    return ScannedTurn(heard=text, talked_over="", undelivered="", parts=(AgentPart(text, False),), caller=text)


def call_of(*texts: str) -> ScannedCall:
    return ScannedCall(
        conversation_id="a",
        topic="a bicycle",
        turns=tuple(map(turn_of, texts)),
        stages=(),
        stage_texts=(),
        guidelines=(),
        known_user=(),
        own=(),
        hidden=(),
        with_releases=False,
    )


def length(call: ScannedCall) -> int:
    return sum(len(turn.heard) + len(turn.parts[0].text) + len(turn.caller or "") for turn in call.turns)


def test_a_call_as_people_have_it_is_scanned_whole() -> None:
    call = call_of("x" * MOST_TEXT, "y")
    assert bounded(call) == (call, False)


def test_a_text_that_is_too_long_is_cut() -> None:
    found, cut = bounded(replace(call_of("x" * MOST_TEXT + "y", "z"), own=("w" * (MOST_TEXT + 1),)))
    assert cut
    assert found.turns[0].heard == found.turns[0].caller == found.turns[0].parts[0].text == "x" * MOST_TEXT
    assert (found.turns[1].heard, found.own) == ("z", ("w" * MOST_TEXT,))


def test_so_are_all_texts_of_a_call_that_is_too_long_together() -> None:
    assert length(bounded(call_of(*["x" * MOST_TEXT] * 20))[0]) <= MOST_CALL
    assert length(bounded(call_of(*["x" * MOST_TEXT] * 200))[0]) <= MOST_WORK // 200


def test_a_call_of_millions_of_words_is_scanned_in_seconds_and_told_of() -> None:
    call = call_of("a b " * 900_000, "one two three four " * 200_000)
    before = time.process_time()
    scan = CallScan([call])
    scan.scan(call)
    assert time.process_time() - before < 5
    assert scan.result().cut_short == 1
    assert scan_words(scan.result()).endswith("; 1 call too long to be scanned whole")
