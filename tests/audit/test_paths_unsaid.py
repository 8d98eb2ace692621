"""Words that were not said yet, or that were taken back: no path leads from them to the caller's side."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.records.enums import InterruptionType
from factory.run.folder import RunFolder

from .graphs import calls_of, forge, leaks, reads, tampered, wrote
from .runs import OTHER, Line, first_of, kinds, ledgers, read_ledger, read_of

Copied = Callable[[RunFolder], RunFolder]


def rewound_call(lines: list[Line], role: str) -> Line:
    """A call of an attempt that does not stand."""
    place = lines.index(first_of(lines, "rewinder"))
    return next(line for line in reversed(lines[:place]) if line["role"] == role)


def _edited(folder: RunFolder) -> Path:
    """The ledger of a call in which the agent's words were edited."""
    return next(path for path in ledgers(folder) if any(x["role"] == "modifier" for x in read_ledger(path)))


@pytest.mark.parametrize("role", ["reaction_planner", "user"])
@pytest.mark.parametrize("name", ["plan", "entry", "utterance"])
def test_a_path_in_an_attempt_that_does_not_stand_is_found(
    role: str, name: str, modelled: RunFolder, copied: Copied
) -> None:
    def attack(lines: list[Line]) -> None:
        line = rewound_call(lines, role)
        item = f"r{line['round']}.{line['attempt']}/{name}"
        known = [read for other in lines for read in (*reads(other), wrote(other)) if read["item"] == item]
        forge(line, item, str(known[0]["content"]))

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert kinds(report) == {Kind.PATH_LEAKS, Kind.READS_INCOMPLETE, Kind.CONTENT_DIFFERS}
    assert report.graph.leaks == 1


def test_other_words_under_a_true_id_are_found_in_an_attempt_that_does_not_stand(
    modelled: RunFolder, copied: Copied
) -> None:
    def attack(lines: list[Line]) -> None:
        place = lines.index(rewound_call(lines, "reaction_planner"))
        heard = read_of(lines[place], "history_heard")
        meant = next(line for line in reversed(lines[:place]) if line["role"] == "assistant")
        heard["content"] = wrote(meant)["content"]
        read_of(lines[place + 1], "history_heard")["content"] = wrote(meant)["content"]

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert kinds(report) == {Kind.PATH_LEAKS}
    assert report.graph.leaks == 2


def test_an_edit_does_not_reach_the_caller_before_it_is_said(modelled: RunFolder, copied: Copied) -> None:
    def attack(lines: list[Line]) -> None:
        edit = first_of(lines, "modifier")
        line = next(x for x in lines[lines.index(edit) :] if x["role"] == "user" and x["round"] == edit["round"])
        forge(line, str(wrote(edit)["item"]), str(wrote(edit)["content"]), "released_facts")

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert any("the agent's words as settled of round" in message for message in leaks(report))


def test_words_heard_in_an_attempt_that_was_taken_back_were_never_heard(modelled: RunFolder, copied: Copied) -> None:
    """The caller of an earlier round reads a history of a later one, out of an attempt before the rewind."""

    def attack(lines: list[Line]) -> None:
        place, rewind = next(
            (i, x)
            for i, x in enumerate(lines)
            if x["role"] == "rewinder" and any(y["round"] > x["round"] for y in calls_of(lines[:i], "user"))  # type: ignore[operator]
        )
        later = next(x for x in calls_of(lines[:place], "user") if int(str(x["round"])) > int(str(rewind["round"])))
        heard = read_of(later, "history_heard")
        user = next(x for x in lines[place:] if x["role"] == "user" and x["round"] == rewind["round"])
        forge(user, str(heard["item"]), str(heard["content"]), "history_heard")

    report = tampered(copied(modelled), attack, _edited(modelled))
    assert report.graph.unknown == 1


def _filler(lines: list[Line]) -> tuple[Line, Line]:
    """The user's call that cuts in with a filler, and the agent's that goes on."""
    goes_on = next(line for line in lines if line["branch"] == "continuation")
    cuts_in = next(
        line
        for line in lines
        if line["role"] == "cutter"
        and line["branch"] == InterruptionType.FILLER.value
        and line["round"] == int(str(goes_on["round"])) - 1
    )
    return calls_of(lines, "user", int(str(cuts_in["round"])))[0], goes_on


def _with_filler(folder: RunFolder) -> Path:
    return next(path for path in ledgers(folder) if any(x["branch"] == "continuation" for x in read_ledger(path)))


@pytest.mark.parametrize("under", ["user_seed", "planner_seed"])
def test_the_rest_of_a_turn_is_withheld_until_it_is_said(run: RunFolder, under: str) -> None:
    """One round early: the caller says its filler and knows what comes then."""

    def attack(lines: list[Line]) -> None:
        user, goes_on = _filler(lines)
        rest = str(read_of(goes_on, "utterance_as_meant")["content"])
        forge(user, f"r{user['round']}.{user['attempt']}/{under}", rest)

    messages = leaks(tampered(run, attack, _with_filler(run)))
    assert len(messages) == 1 and messages[0].startswith("the undelivered words of round")


def test_the_rest_of_a_turn_under_its_own_id_was_made_by_nobody_one_round_early(run: RunFolder) -> None:
    def attack(lines: list[Line]) -> None:
        user, goes_on = _filler(lines)
        rest = read_of(goes_on, "utterance_as_meant")
        forge(user, str(rest["item"]), OTHER)

    report = tampered(run, attack, _with_filler(run))
    assert Kind.ORIGIN_UNKNOWN in kinds(report) and report.graph.unknown == 1


def test_the_rest_of_a_turn_is_not_heard_by_reading_it_while_it_is_being_said(run: RunFolder) -> None:
    def attack(lines: list[Line]) -> None:
        _, goes_on = _filler(lines)
        user = calls_of(lines, "user", int(str(goes_on["round"])))[0]
        rest = read_of(goes_on, "utterance_as_meant")
        forge(user, str(rest["item"]), str(rest["content"]))

    messages = leaks(tampered(run, attack, _with_filler(run)))
    assert any("→ the rest of a turn of round" in message for message in messages)
