"""Who writes the system message, who reads the finished call, and who edits it: each in its place, and in no other.

The first conversation is edited, then its caller speaks again, then it is drawn anew, and edited once more. In the
second, the caller's side makes nothing once.
"""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.page.page import flow_page
from factory.audit.policy import ALLOWED, may_read
from factory.audit.report import write_flow_report
from factory.records.conversation import RerunReason
from factory.records.ledger import NOTHING, USER_SIDE, Label, Read, Role
from factory.run.folder import RunFolder
from factory.simulate.ledger import data_item
from factory.simulate.views import writer_view
from factory.workflow.library import Library

from .modelled import Player, modelled_run
from .runs import OTHER, Line, first_of, kinds, ledgers, read_ledger, read_of, reseal

NO_FAULT = data_item(Label.FINDINGS, "x", []).content


@pytest.fixture
def run(modelled: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """A run that models wrote, for a test to tamper with."""
    return copied(modelled)


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


@pytest.mark.parametrize(
    ("attack", "caught"),
    [
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
    ],
)
def test_what_a_new_chain_and_root_cannot_hide(
    run: RunFolder, attack: Callable[[list[Line]], None], caught: set[Kind]
) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    attack(lines)
    reseal(run, path, lines)
    report = write_flow_report(run)

    assert kinds(report) == caught, report.findings
    assert {finding.conversation_id for finding in report.findings} == {path.stem}
    assert all(len(finding.message) < 200 for finding in report.findings)


def _where_nothing_was_made(run: RunFolder) -> tuple[list[Line], Callable[[], None]]:
    path = next(path for path in ledgers(run) if '"unusable_reply"' in path.read_text())
    lines = read_ledger(path)
    return lines, lambda: reseal(run, path, lines)


def test_another_reason_for_a_call_that_made_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    forge_reason(verdict_of(lines, "unusable_reply"), "caller_knows_too_much")
    seal()
    assert write_flow_report(run).findings_by_kind == {Kind.REASON_DIFFERS: 1}


def test_another_round_than_the_one_that_came_to_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    line = verdict_of(lines, "unusable_reply")
    line["round"] = int(str(line["round"])) - 1
    line["wrote"]["item"] = f"r{line['round']}.0/rerun"  # type: ignore[index]
    forge_reason(line, "unusable_reply")
    seal()
    assert Kind.REASON_DIFFERS in kinds(write_flow_report(run))


def test_other_words_of_the_agents_behind_a_caller_who_made_nothing(run: RunFolder) -> None:
    lines, seal = _where_nothing_was_made(run)
    before(lines, verdict_of(lines, "unusable_reply"), "assistant")["wrote"]["content"] = OTHER  # type: ignore[index]
    seal()
    assert Kind.EDIT_DIFFERS in kinds(write_flow_report(run))


def test_another_cut_behind_a_caller_who_made_nothing(run: RunFolder) -> None:
    """It would be a second draw of what the caller gets to hear."""
    for path in ledgers(run):
        lines = read_ledger(path)
        line = next((line for line in lines if line["branch"] in ("unusable_reply", "found_in_caller_words")), None)
        if line is None or lines[lines.index(line) + 1]["branch"] != "interrupted":
            continue
        rejected = next(
            o for o in reversed(lines[: lines.index(line)]) if (o["role"], o["round"]) == ("cutter", line["round"])
        )
        rejected["wrote"]["content"] = OTHER  # type: ignore[index]
        reseal(run, path, lines)
        assert Kind.EDIT_DIFFERS in kinds(write_flow_report(run))
        return
    raise AssertionError("no round that is cut was run again for the caller's words")


def test_the_modifier_may_read_what_was_not_delivered_and_no_role_of_the_callers_reads_what_it_made() -> None:
    assert may_read(Role.MODIFIER, Label.UTTERANCE_AS_MEANT)
    assert not any(ALLOWED[role] & {Label.EDIT, Label.FINDINGS, Label.SYSTEM_MESSAGE} for role in USER_SIDE)
    assert not ALLOWED[Role.MODIFIER] & {Label.INTENT, Label.CALLER_WORDS, Label.RELEASED_FACTS, Label.REACTION_PLAN}
    assert not ALLOWED[Role.VERIFIER] & {Label.INTENT, Label.RELEASED_FACTS, Label.RELEASED_LINES}


def test_rewinds_by_findings_are_counted_with_their_reasons(run: RunFolder) -> None:
    report = write_flow_report(run)
    assert report.clean
    assert (report.reruns.rewinds, report.reruns.redrawn) == (4, 1)
    assert report.reruns.reasons == {
        RerunReason.FOUND_IN_AGENT_WORDS: 2,
        RerunReason.FOUND_IN_CALLER_WORDS: 1,
        RerunReason.FOUND_BEYOND_REPAIR: 1,
        RerunReason.UNUSABLE_REPLY: 1,
    }


def test_what_models_were_asked_is_counted_by_role(run: RunFolder) -> None:
    lines = [line for path in ledgers(run) for line in read_ledger(path)]
    models = write_flow_report(run).models
    assert models is not None
    uses = {use.role: use for use in models.uses}

    assert list(uses) == [role for role in Role if role in uses]  # in the order of the roles
    assert set(Role) - set(uses) == {Role.CUTTER, Role.CONTROL_WRITER, Role.REWINDER}
    for role, use in uses.items():
        asked = [line["call"] for line in lines if line["role"] == role and line["call"]]
        replies = [reply for call in asked for reply in call["replies"]]  # type: ignore[index]
        assert use.calls == len(asked)
        assert use.replies == len(replies)
        assert (use.tokens.input, use.tokens.cached, use.tokens.output) == tuple(n * len(replies) for n in (100, 10, 7))
    assert (uses[Role.USER].nothing, uses[Role.USER].not_taken) == (1, 4)
    assert (uses[Role.SYSTEM_WRITER].nothing, uses[Role.SYSTEM_WRITER].not_taken) == (1, 3)
    assert (uses[Role.RUBRIC_WRITER].nothing, uses[Role.VERIFIER].nothing, uses[Role.MODIFIER].nothing) == (1, 1, 0)
    assert models.rubrics_by_code == 1
    assert models.unread == 1


def test_models_and_only_roles_with_calls_are_on_the_page(run: RunFolder, plain: RunFolder) -> None:
    report = write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    assert "<h2>Models</h2>" in page
    assert "Code worded 1 rubric because no reply could be used." in page
    assert "On 1 conversation the verifier gave no verdict." in page
    assert page.count('<td class="model">') == len(report.models.uses) == 8  # type: ignore[union-attr]
    assert '<th scope="col">Modifier</th>' in page
    assert "Without a call" not in page

    write_flow_report(plain)
    page = (plain.reports / "flow-report.html").read_text()
    assert "<h2>Models</h2>" not in page
    assert '<th scope="col">Modifier</th>' not in page
    assert "Without a role call: system writer, verifier, rewinder, modifier." in page
    assert "Read by nobody: controls, caller words, cut, system message, findings, rerun, edit." in page


def test_a_models_name_is_text_on_the_page(run: RunFolder) -> None:
    report = write_flow_report(run)
    assert report.models is not None
    use = report.models.uses[0].model_copy(update={"model": "<script>alert(1)</script>"})
    page = flow_page(report.model_copy(update={"models": report.models.model_copy(update={"uses": (use,)})}), "small")
    assert "<script" not in page and "&lt;script&gt;" in page


def test_a_ledger_full_of_models_does_not_fill_the_report(run: RunFolder) -> None:
    path = ledgers(run)[0]
    lines = read_ledger(path)
    for number, line in enumerate(lines):
        if line["call"]:
            line["call"] |= {"model": f"{number}\x1b" * 5_000}  # type: ignore[operator]
    reseal(run, path, lines)
    models = write_flow_report(run).models
    assert models is not None
    assert len(models.uses) <= 120
    assert all(len(use.model) <= 80 and use.model.isprintable() for use in models.uses)
    assert sum(use.calls for use in models.uses) > 250


def test_a_canary_build_by_models_is_proved_too(tmp_path: Path, library: Library) -> None:
    report = write_flow_report(modelled_run(tmp_path / "run", library, canaries=True))
    assert report.clean
    assert report.canary.utterances == report.heard.cut == 14
    assert report.canary.found == 0
    assert report.models is not None and report.models.prompts.equal == 76


def test_a_caller_who_says_a_planted_word_speaks_again_and_the_ledger_shows_it(
    tmp_path: Path, library: Library
) -> None:
    def players() -> list[Player]:
        return [Player(slips=(2, 4)), Player(), Player(), Player()]

    folder = modelled_run(tmp_path / "run", library, canaries=True, players=players)
    report = write_flow_report(folder)
    assert report.clean
    assert report.reruns.reasons == {RerunReason.CALLER_KNOWS_TOO_MUCH: 2}

    path = next(path for path in ledgers(folder) if '"caller_knows_too_much"' in path.read_text())
    lines = read_ledger(path)
    forge_reason(verdict_of(lines, "caller_knows_too_much"), "unusable_reply")
    reseal(folder, path, lines)
    assert write_flow_report(folder).findings_by_kind == {Kind.REASON_DIFFERS: 1}
