"""Ways to forge the ledger of a call that models wrote: what stands behind the call, and what was made of it."""

from collections.abc import Callable
from copy import deepcopy

from factory.audit.findings import Kind
from factory.records.ledger import NOTHING, Label, Read
from factory.simulate.ledger import data_item
from factory.simulate.views import writer_view

from .runs import OTHER, Line, first_of, read_of

NO_FAULT = data_item(Label.FINDINGS, "x", []).content
Forgery = Callable[[list[Line]], None]


def fit_view(line: Line) -> None:
    line["view"] = writer_view(Read.model_validate(read) for read in line["reads"]).digest()  # type: ignore[attr-defined]


def verdict_of(lines: list[Line], reason: str) -> Line:
    return next(line for line in lines if line["branch"] == reason)


def before(lines: list[Line], line: Line, role: str) -> Line:
    """The last call of a role before a line."""
    return next(other for other in reversed(lines[: lines.index(line)]) if other["role"] == role)


def behind(lines: list[Line], line: Line, role: str) -> Line:
    """The next call of a role behind a line."""
    return first_of(lines[lines.index(line) :], role)


def forge_reason(line: Line, reason: str, dropped: bool = False) -> None:
    """Another reason, with the decision made to fit it."""
    decision = {"round": line["round"], "reason": reason, "dropped": dropped}
    line["branch"] = reason
    line["wrote"]["content"] = data_item(Label.RERUN, "x", decision).content  # type: ignore[index]


def renumbered(lines: list[Line]) -> None:
    """Findings are named by the number of their line: makes the names fit again after lines came or went."""
    for number, line in enumerate(lines):
        old = line["wrote"]["item"]  # type: ignore[index]
        if line["role"] == "verifier":
            line["wrote"]["item"] = f"{number}/findings"  # type: ignore[index]
            for other in lines[number : number + 3]:
                for read in other["reads"]:  # type: ignore[attr-defined]
                    if read["item"] == old:
                        read["item"] = f"{number}/findings"
                if other["role"] == "modifier":
                    fit_view(other)


# The system-message writer


def _second_system_message(lines: list[Line]) -> None:
    lines.insert(1, lines[0])


def _late_system_message(lines: list[Line]) -> None:
    lines.insert(5, lines.pop(0))


def _no_system_message(lines: list[Line]) -> None:
    del lines[0]


def _system_message_from_another_workflow(lines: list[Line]) -> None:
    lines[0]["reads"][0]["content"] = OTHER  # type: ignore[index]
    fit_view(lines[0])


def _system_message_that_read_the_caller(lines: list[Line]) -> None:
    lines[0]["reads"].append(read_of(first_of(lines, "reaction_planner"), "intent"))  # type: ignore[attr-defined]
    fit_view(lines[0])


# The verifier


def _finder_that_read_an_intent(lines: list[Line]) -> None:
    finder = first_of(lines, "verifier")
    finder["reads"].append(read_of(first_of(lines, "reaction_planner"), "intent"))  # type: ignore[attr-defined]
    fit_view(finder)


def _finder_that_read_less(lines: list[Line]) -> None:
    finder = first_of(lines, "verifier")
    finder["reads"].pop()  # type: ignore[attr-defined]
    fit_view(finder)


def _finder_that_read_other_words(lines: list[Line]) -> None:
    finder = first_of(lines, "verifier")
    read_of(finder, "utterance_as_meant")["content"] = OTHER
    fit_view(finder)


def _finder_with_another_view(lines: list[Line]) -> None:
    first_of(lines, "verifier")["view"] = OTHER


def _finder_in_mid_call(lines: list[Line]) -> None:
    """A reading, with nothing found, of a call that goes on."""
    last = [line for line in lines if line["role"] == "verifier"][-1]
    place = next(i for i, line in enumerate(lines) if line["role"] == "planner" and line["round"] == 6)
    lines.insert(place, deepcopy(last))
    renumbered(lines)


def _finder_before_the_last_round(lines: list[Line]) -> None:
    """The call was rewound for a fault that was found before its last round was played."""
    finder = first_of(lines, "verifier")
    last = max(int(str(line["round"])) for line in lines)
    played = [line for line in lines[: lines.index(finder)] if line["round"] == last]
    for line in played:
        lines.remove(line)
    for line in (finder, verdict_of(lines, "found_in_agent_words")):
        line["reads"] = [read for read in line["reads"] if not read["item"].startswith(f"r{last}.")]  # type: ignore[attr-defined]
    fit_view(finder)
    rewind = verdict_of(lines, "found_in_agent_words")
    rewind["view"] = data_item(Label.RERUN, "view", [read["content"] for read in rewind["reads"]]).content  # type: ignore[attr-defined]
    renumbered(lines)


def _finder_in_mid_round(lines: list[Line]) -> None:
    lines.insert(lines.index(first_of(lines, "assistant")), first_of(lines, "verifier"))


def _finder_twice(lines: list[Line]) -> None:
    last = [line for line in lines if line["role"] == "verifier"][-1]
    lines.insert(lines.index(last), deepcopy(last))
    renumbered(lines)


def _nobody_read_what_stands(lines: list[Line]) -> None:
    lines.remove([line for line in lines if line["role"] == "verifier"][-1])


def _finder_behind_the_rubrics(lines: list[Line]) -> None:
    lines.append([line for line in lines if line["role"] == "verifier"][-1])


# What was found, and what was done about it


def _finding_left_out(lines: list[Line]) -> None:
    """The last draw is edited, but its finding is not in the ledger."""
    edit = [line for line in lines if line["role"] == "modifier"][-1]
    before(lines, edit, "verifier")["wrote"]["content"] = NO_FAULT  # type: ignore[index]


def _finding_kept_quiet(lines: list[Line]) -> None:
    """Faults were found in what stands in the end, and nothing was done."""
    last = [line for line in lines if line["role"] == "verifier"][-1]
    last["wrote"]["content"] = OTHER  # type: ignore[index]


def _rewind_by_finding_without_a_reader(lines: list[Line]) -> None:
    lines.remove(before(lines, verdict_of(lines, "found_in_caller_words"), "verifier"))
    renumbered(lines)


def _rewind_by_finding_without_findings(lines: list[Line]) -> None:
    finder = before(lines, verdict_of(lines, "found_in_caller_words"), "verifier")
    finder["wrote"]["content"] = NO_FAULT  # type: ignore[index]


def _rewind_by_finding_without_a_verdict(lines: list[Line]) -> None:
    finder = before(lines, verdict_of(lines, "found_in_caller_words"), "verifier")
    finder["wrote"]["content"] = NOTHING  # type: ignore[index]


def _rewind_for_something_else(lines: list[Line]) -> None:
    forge_reason(verdict_of(lines, "found_in_caller_words"), "caller_wording")


def _edited_words_called_the_callers(lines: list[Line]) -> None:
    """The agent's words were edited, and the ledger says that it was the caller who spoke again."""
    forge_reason(verdict_of(lines, "found_in_agent_words"), "found_in_caller_words")


def _callers_words_called_the_agents(lines: list[Line]) -> None:
    forge_reason(verdict_of(lines, "found_in_caller_words"), "found_in_agent_words")


def _beyond_repair_but_only_rewound(lines: list[Line]) -> None:
    forge_reason(verdict_of(lines, "found_in_caller_words"), "found_beyond_repair")


def _unusable_where_all_was_made(lines: list[Line]) -> None:
    """Also the findings are forged away, so that nothing but the reason is at fault."""
    line = verdict_of(lines, "found_in_caller_words")
    lines.remove(before(lines, line, "verifier"))
    forge_reason(line, "unusable_reply")
    renumbered(lines)


# The modifier


def _edit_that_nobody_made(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "modifier"))
    renumbered(lines)


def _edit_in_another_reasons_round(lines: list[Line]) -> None:
    """An assistant that words its turn anew claims that its words were settled."""
    assistant = next(line for line in lines if line["role"] == "assistant" and line["round"] == 3)
    assistant["branch"] = "edited"
    item = {"label": "edit", "item": f"r3.{assistant['attempt']}/edit", "content": OTHER}
    assistant["reads"].append(item)  # type: ignore[attr-defined]


def _edit_of_another_round(lines: list[Line]) -> None:
    """The modifier edits round 1; it is round 2 that is run again."""
    edit = first_of(lines, "modifier")
    assistant = next(line for line in lines if line["role"] == "assistant" and line["round"] == 1)
    edit["round"] = 1
    edit["reads"] = [
        read_of(assistant, "history_delivered"),
        {"label": "utterance_as_meant", "item": "r1.0/edited_utterance", "content": assistant["wrote"]["content"]},  # type: ignore[index]
        read_of(edit, "findings"),
    ]
    edit["wrote"]["item"] = "r1.1/edit"  # type: ignore[index]
    fit_view(edit)


def _other_words_than_edited(lines: list[Line]) -> None:
    first_of(lines, "modifier")["wrote"]["content"] = OTHER  # type: ignore[index]


def _edit_that_was_not_said(lines: list[Line]) -> None:
    """The modifier made nothing, and yet its words are said."""
    first_of(lines, "modifier")["wrote"]["content"] = NOTHING  # type: ignore[index]


def _edit_that_was_passed_over(lines: list[Line]) -> None:
    said = behind(lines, first_of(lines, "modifier"), "assistant")
    said["branch"] = "normal"
    said["reads"] = [read for read in said["reads"] if read["label"] != "edit"]  # type: ignore[attr-defined]


def _edit_of_words_that_were_not_said(lines: list[Line]) -> None:
    edit = first_of(lines, "modifier")
    read_of(edit, "utterance_as_meant")["content"] = OTHER
    fit_view(edit)


def _edit_of_the_callers_words(lines: list[Line]) -> None:
    """What is edited is what the caller said in that round."""
    edit = first_of(lines, "modifier")
    read_of(edit, "utterance_as_meant")["content"] = before(lines, edit, "user")["wrote"]["content"]  # type: ignore[index]
    fit_view(edit)


def _callers_words_read_by_the_modifier(lines: list[Line]) -> None:
    edit = first_of(lines, "modifier")
    edit["reads"].append(before(lines, edit, "user")["wrote"])  # type: ignore[attr-defined]
    fit_view(edit)


def _edit_written_as_the_callers_words(lines: list[Line]) -> None:
    first_of(lines, "modifier")["wrote"]["label"] = "caller_words"  # type: ignore[index]


def _edit_for_other_findings(lines: list[Line]) -> None:
    edit = first_of(lines, "modifier")
    read_of(edit, "findings")["content"] = OTHER
    fit_view(edit)


def _edit_of_another_attempt(lines: list[Line]) -> None:
    first_of(lines, "modifier")["attempt"] = 3


def _edit_with_another_view(lines: list[Line]) -> None:
    first_of(lines, "modifier")["view"] = OTHER


def _edit_twice(lines: list[Line]) -> None:
    edit = first_of(lines, "modifier")
    lines.insert(lines.index(edit), edit)


def _edit_before_the_findings(lines: list[Line]) -> None:
    place = lines.index(first_of(lines, "modifier"))
    lines[place], lines[place - 1] = lines[place - 1], lines[place]


def _edit_and_then_the_call_goes_on(lines: list[Line]) -> None:
    lines.remove(verdict_of(lines, "found_in_agent_words"))


# The caller, who speaks again


def _other_words_of_the_agents_kept(lines: list[Line]) -> None:
    said = behind(lines, verdict_of(lines, "found_in_caller_words"), "assistant")
    said["wrote"]["content"] = OTHER  # type: ignore[index]


def _kept_words_worded_anew(lines: list[Line]) -> None:
    said = behind(lines, verdict_of(lines, "found_in_caller_words"), "assistant")
    said["branch"] = "normal"


FORGERIES: list[tuple[Forgery, set[Kind]]] = [
    (_second_system_message, {Kind.ORDER_BROKEN}),
    (_late_system_message, {Kind.ORDER_BROKEN}),
    (_no_system_message, {Kind.CALL_MISSING, Kind.CONTENT_DIFFERS}),  # findings are then named by other numbers
    (_system_message_from_another_workflow, {Kind.CONTENT_DIFFERS}),
    (_system_message_that_read_the_caller, {Kind.LABEL_NOT_ALLOWED, Kind.READS_INCOMPLETE}),
    (_finder_that_read_an_intent, {Kind.LABEL_NOT_ALLOWED, Kind.READS_INCOMPLETE}),
    (_finder_that_read_less, {Kind.READS_INCOMPLETE}),
    (_finder_that_read_other_words, {Kind.CONTENT_DIFFERS}),
    (_finder_with_another_view, {Kind.VIEW_DIFFERS}),
    (_finder_in_mid_call, {Kind.READS_INCOMPLETE, Kind.CONTENT_DIFFERS, Kind.ORDER_BROKEN}),
    (_finder_before_the_last_round, {Kind.ORDER_BROKEN}),
    (_finder_in_mid_round, {Kind.ORDER_BROKEN}),
    (_finder_twice, {Kind.ORDER_BROKEN}),
    (_nobody_read_what_stands, {Kind.CALL_MISSING}),
    (_finder_behind_the_rubrics, {Kind.ORDER_BROKEN}),
    (_finding_left_out, {Kind.ORDER_BROKEN}),
    (_finding_kept_quiet, {Kind.ORDER_BROKEN}),
    (_rewind_by_finding_without_a_reader, {Kind.REASON_DIFFERS}),
    (_rewind_by_finding_without_findings, {Kind.REASON_DIFFERS}),
    (_rewind_by_finding_without_a_verdict, {Kind.ENGINE_DIFFERS, Kind.REASON_DIFFERS}),
    (_rewind_for_something_else, {Kind.REASON_DIFFERS}),
    (_edited_words_called_the_callers, {Kind.REASON_DIFFERS}),
    (_callers_words_called_the_agents, {Kind.REASON_DIFFERS, Kind.EDIT_DIFFERS}),
    (_beyond_repair_but_only_rewound, {Kind.REASON_DIFFERS, Kind.EDIT_DIFFERS}),
    (_unusable_where_all_was_made, {Kind.REASON_DIFFERS, Kind.EDIT_DIFFERS}),
    (_edit_that_nobody_made, {Kind.REASON_DIFFERS, Kind.EDIT_DIFFERS}),
    (_edit_in_another_reasons_round, {Kind.ENGINE_DIFFERS, Kind.EDIT_DIFFERS}),
    (_edit_of_another_round, {Kind.EDIT_DIFFERS}),
    (_other_words_than_edited, {Kind.EDIT_DIFFERS}),
    (_edit_that_was_not_said, {Kind.ENGINE_DIFFERS, Kind.EDIT_DIFFERS}),
    (_edit_that_was_passed_over, {Kind.EDIT_DIFFERS}),
    (_edit_of_words_that_were_not_said, {Kind.CONTENT_DIFFERS}),
    (_edit_of_the_callers_words, {Kind.CONTENT_DIFFERS}),
    (_callers_words_read_by_the_modifier, {Kind.LABEL_NOT_ALLOWED, Kind.READS_INCOMPLETE}),
    (_edit_written_as_the_callers_words, {Kind.WRITE_NOT_ALLOWED, Kind.EDIT_DIFFERS}),
    (_edit_for_other_findings, {Kind.CONTENT_DIFFERS}),
    (_edit_of_another_attempt, {Kind.ATTEMPT_DIFFERS}),
    (_edit_with_another_view, {Kind.VIEW_DIFFERS}),
    (_edit_twice, {Kind.ORDER_BROKEN}),
    (_edit_before_the_findings, {Kind.ORDER_BROKEN}),
    (_edit_and_then_the_call_goes_on, {Kind.ORDER_BROKEN}),
    (_other_words_of_the_agents_kept, {Kind.CONTENT_DIFFERS, Kind.EDIT_DIFFERS}),
    (_kept_words_worded_anew, {Kind.EDIT_DIFFERS, Kind.READS_INCOMPLETE}),
]
"""Each with what it is found by."""
