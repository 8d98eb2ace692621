"""What writers of rubrics and controls did, and why rounds were run again: ledgers that tell it otherwise."""

from copy import deepcopy

from factory.audit.findings import Kind
from factory.records.ledger import Label, Read
from factory.simulate.ledger import data_item
from factory.simulate.views import writer_view
from tests.audit.graphs import forge, reads, wrote
from tests.audit.runs import OTHER, Line, first_of, read_of

from .ledger import InLedger, in_ledger

REWOUND = InLedger("rewound", "rewinder")


def fit_view(line: Line) -> None:
    """Makes the view of a writer's call fit what it says to have read."""
    line["view"] = writer_view(Read.model_validate(read) for read in reads(line)).digest()


def _rubric_read(lines: list[Line], label: str, place: int = 0) -> None:
    line = first_of(lines, "rubric_writer")
    [read for read in reads(line) if read["label"] == label][place]["content"] = OTHER
    fit_view(line)


def _rubric_for_other_words(lines: list[Line]) -> None:
    _rubric_read(lines, "utterance_as_meant")


def _rubric_for_another_history(lines: list[Line]) -> None:
    _rubric_read(lines, "history_delivered")


def _rubric_for_other_values(lines: list[Line]) -> None:
    _rubric_read(lines, "caller_values")


def _rubric_for_other_acts(lines: list[Line]) -> None:
    _rubric_read(lines, "blueprint_round", 1)


def _rubric_from_another_workflow(lines: list[Line]) -> None:
    _rubric_read(lines, "workflow_agent_side")


def _rubric_without_the_next_acts(lines: list[Line]) -> None:
    line = first_of(lines, "rubric_writer")
    reads(line).pop()
    fit_view(line)


def _rubric_with_another_view(lines: list[Line]) -> None:
    first_of(lines, "rubric_writer")["view"] = OTHER


def _rubric_that_knew_the_controls(lines: list[Line]) -> None:
    line = first_of(lines, "rubric_writer")
    reads(line).append(wrote(first_of(lines, "control_writer")))
    fit_view(line)


def _rubric_in_another_round(lines: list[Line]) -> None:
    lines[-1]["round"] = 0 if lines[-1]["round"] else 1


def _no_rubric(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "rubric_writer"))


def _rubric_twice(lines: list[Line]) -> None:
    lines.append(deepcopy(first_of(lines, "rubric_writer")))


def _another_rubric(lines: list[Line]) -> None:
    old = wrote(first_of(lines, "rubric_writer"))["content"]
    for line in lines:
        for read in (*reads(line), wrote(line)):
            if read["content"] == old:
                read["content"] = OTHER
        if line["role"] == "control_writer":
            fit_view(line)


def _controls_for_another_rubric(lines: list[Line]) -> None:
    line = first_of(lines, "control_writer")
    read_of(line, "rubric")["content"] = OTHER
    fit_view(line)


def _controls_first(lines: list[Line]) -> None:
    place = lines.index(first_of(lines, "rubric_writer"))
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


def _no_controls(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "control_writer"))


def forge_reason(line: Line, reason: str) -> None:
    """Another reason of a rewind, with the decision made to fit it."""
    decision = {"round": line["round"], "reason": reason, "dropped": False}
    line["branch"] = reason
    wrote(line)["content"] = data_item(Label.RERUN, "x", decision).content


def _invented_reason(lines: list[Line]) -> None:
    forge_reason(first_of(lines, "rewinder"), "the caller did not sound hurt enough")


def _no_reason(lines: list[Line]) -> None:
    lines.remove(first_of(lines, "rewinder"))


def _reason_kept_from_nobody(lines: list[Line]) -> None:
    """The user says that what it read of the facts was the reason of the rewind before."""
    place = lines.index(first_of(lines, "rewinder"))
    read_of(first_of(lines[place:], "user"), "released_facts")["label"] = "rerun"


def _told_in_an_attempt_that_does_not_stand(lines: list[Line]) -> None:
    place = lines.index(first_of(lines, "rewinder"))
    user = next(line for line in reversed(lines[:place]) if line["role"] == "user")
    plan = wrote(next(line for line in reversed(lines[:place]) if line["role"] == "planner"))
    forge(user, str(plan["item"]), str(plan["content"]))


def _taken_back(lines: list[Line], role: str) -> Line:
    """The last call of a role before the first rewind, which takes it back."""
    place = lines.index(first_of(lines, "rewinder"))
    return next(line for line in reversed(lines[:place]) if line["role"] == role)


def _taken_back_read_less(lines: list[Line]) -> None:
    reads(_taken_back(lines, "user")).pop()


def _taken_back_facts(lines: list[Line]) -> None:
    read_of(_taken_back(lines, "user"), "released_facts")["content"] = OTHER


def _taken_back_without_a_plan(lines: list[Line]) -> None:
    lines.remove(_taken_back(lines, "reaction_planner"))


def _taken_back_template(lines: list[Line]) -> None:
    line = _taken_back(lines, "user")
    line["call"]["template"] = "assistant/normal.md.j2"  # type: ignore[index]


BY_RUBRICS = (
    in_ledger(_rubric_for_other_words, "has a rubric written for other words of the agent's", Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_for_another_history, "has a rubric written for another history", Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_for_other_values, "has a rubric written for other values", Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_for_other_acts, "has a rubric written for other acts to come", Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_from_another_workflow, "has a rubric written from another workflow", Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_without_the_next_acts, "has a rubric written without the acts to come", Kind.READS_INCOMPLETE),
    in_ledger(_rubric_with_another_view, "records another input of the rubric writer's", Kind.VIEW_DIFFERS),
    in_ledger(
        _rubric_that_knew_the_controls,
        "shows the rubric writer the controls",
        Kind.LABEL_NOT_ALLOWED,
        Kind.READS_INCOMPLETE,
    ),
    in_ledger(
        _rubric_in_another_round,
        "puts a writer's line into another round",
        Kind.CALL_MISSING,
        Kind.CALL_UNPUBLISHED,
        Kind.FREEZE_DIFFERS,
    ),
    in_ledger(_no_rubric, "leaves out a rubric", Kind.CALL_MISSING, Kind.CONTENT_DIFFERS),
    in_ledger(_rubric_twice, "has a rubric written twice", Kind.CALL_UNPUBLISHED),
    in_ledger(_another_rubric, "writes another rubric into the chain than was frozen", Kind.FREEZE_DIFFERS),
    in_ledger(_controls_for_another_rubric, "proves controls by another rubric", Kind.CONTENT_DIFFERS),
    in_ledger(_controls_first, "writes controls before their rubric", Kind.CONTENT_DIFFERS),
    in_ledger(_no_controls, "leaves out controls", Kind.CALL_MISSING),
)

BY_RERUNS = (
    in_ledger(
        _invented_reason, "invents a reason to run a round again", Kind.EDIT_DIFFERS, Kind.REASON_DIFFERS, way=REWOUND
    ),
    in_ledger(_no_reason, "runs a round again without a reason", Kind.ORDER_BROKEN, way=REWOUND),
    in_ledger(
        _reason_kept_from_nobody,
        "tells the user why a round is run again",
        Kind.CONTENT_DIFFERS,
        Kind.LABEL_NOT_ALLOWED,
        way=REWOUND,
    ),
    in_ledger(
        _told_in_an_attempt_that_does_not_stand,
        "lets the user read a plan of the agent's in an attempt that does not stand",
        Kind.CONTENT_DIFFERS,
        Kind.PATH_LEAKS,
        Kind.READS_INCOMPLETE,
        way=REWOUND,
    ),
    in_ledger(
        _taken_back_read_less,
        "leaves out what the user read in an attempt that does not stand",
        Kind.READS_INCOMPLETE,
        way=REWOUND,
    ),
    in_ledger(
        _taken_back_facts,
        "gives the user other facts than its plan had in an attempt that does not stand",
        Kind.CONTENT_DIFFERS,
        Kind.ORIGIN_UNKNOWN,
        way=REWOUND,
    ),
    in_ledger(
        _taken_back_without_a_plan,
        "lets the user speak without a plan in an attempt that does not stand",
        Kind.CALL_MISSING,
        Kind.ORIGIN_UNKNOWN,
        way=REWOUND,
    ),
    in_ledger(
        _taken_back_template,
        "asks the user with the assistant's template in an attempt that does not stand",
        Kind.ENGINE_DIFFERS,
        way=InLedger("modelled", "rewinder"),
    ),
)

ATTACKS = (*BY_RUBRICS, *BY_RERUNS)
