"""What models did, in the report of a run that they wrote: counted, named, and never mark-up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.page.page import flow_page
from factory.audit.policy import ALLOWED, may_read
from factory.audit.report import write_flow_report
from factory.records.conversation import RerunReason
from factory.records.ledger import USER_SIDE, Label, Role
from factory.run.folder import RunFolder
from factory.workflow.library import Library

from .forgeries import forge_reason, verdict_of
from .modelled import Player, modelled_run
from .runs import ledgers, read_ledger, reseal


@pytest.fixture
def run(modelled: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """A run that models wrote, for a test to tamper with."""
    return copied(modelled)


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
