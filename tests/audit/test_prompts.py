"""Prompts of the caller's side are rendered again: from the rebuilt view and the project's templates alone."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.options import AuditOptions
from factory.audit.report import write_flow_report
from factory.models.prompt import Prompts
from factory.run.folder import RunFolder
from factory.templates import PROMPTS

from .runs import OTHER, Line, change_ledger, first_of, kinds, ledgers, rewrite_turn, seal_template

USER, REACTION = "user/normal.md.j2", "reaction_planner/normal.md.j2"


@pytest.fixture
def run(modelled: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> RunFolder:
    """A run that models wrote, for a test to tamper with."""
    return copied(modelled)


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """The project's templates, for a test to change."""
    return Path(shutil.copytree(PROMPTS, tmp_path / "prompts"))


def change(templates: Path, name: str, old: str, new: str) -> None:
    path = templates / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_every_prompt_is_what_its_template_makes_of_the_published_rows(run: RunFolder) -> None:
    report = write_flow_report(run)
    assert report.clean and report.models is not None
    prompts = report.models.prompts
    assert prompts.calls == prompts.rebuilt == prompts.equal == report.inputs.rebuilt == 76
    assert prompts.differing == 0
    assert prompts.repaired == 1
    assert "76 of 76 prompts rendered again from these inputs with the ledger's digest" in report.verdict


def test_the_page_says_which_prompts_follow_from_the_view_and_which_from_a_reply(run: RunFolder) -> None:
    write_flow_report(run)
    page = (run.reports / "flow-report.html").read_text()
    assert "Prompts rendered again" in page
    assert "In 1 role call a reply went back to the model with its faults: only the first prompt follows from" in page


def test_neither_replies_nor_logs_are_needed(run: RunFolder) -> None:
    before = write_flow_report(run)
    shutil.rmtree(run.replies)
    shutil.rmtree(run.path / "conversations")
    assert write_flow_report(run) == before


def test_a_template_that_was_changed_after_the_build_is_told_once_with_what_is_needed(
    run: RunFolder, templates: Path
) -> None:
    change(templates, USER, "they take it calmly", "they take it lightly")
    prompts = Prompts(templates)
    report = write_flow_report(run, AuditOptions(templates=templates))

    assert report.findings_by_kind == {Kind.TEMPLATE_DIFFERS: 1}
    message, needed = report.findings[0].message, Prompts().digest(USER)
    assert message.startswith(f"prompts/{USER} here has digest {prompts.digest(USER)[:16]}")
    assert message.endswith(f"needed is digest {needed[:16]}, of blueprint-factory 0.1.0")
    assert report.models is not None
    assert report.models.prompts.calls == 76 > report.models.prompts.rebuilt == report.models.prompts.equal


def test_a_part_that_a_template_includes_belongs_to_it(run: RunFolder, templates: Path) -> None:
    change(templates, "user/_turn.md.j2", "Say it.", "Say it now.")
    report = write_flow_report(run, AuditOptions(templates=templates))
    assert report.findings_by_kind == {Kind.TEMPLATE_DIFFERS: 2}  # both of the user's


def test_a_template_that_is_gone_is_told(run: RunFolder, templates: Path) -> None:
    (templates / REACTION).unlink()
    assert kinds(write_flow_report(run, AuditOptions(templates=templates))) == {Kind.TEMPLATE_DIFFERS}


def test_a_template_that_claims_to_be_the_one_that_was_used_gives_other_prompts(
    run: RunFolder, templates: Path
) -> None:
    change(templates, USER, "they take it calmly", "they take it lightly")
    prompts = Prompts(templates)
    seal_template(run, prompts, USER)
    report = write_flow_report(run, AuditOptions(templates=templates))
    assert kinds(report) == {Kind.PROMPT_DIFFERS}
    assert report.models is not None and report.models.prompts.differing == report.findings_by_kind[Kind.PROMPT_DIFFERS]


def test_a_prompt_that_does_not_follow_from_the_view_is_counted(run: RunFolder) -> None:
    def change_prompt(lines: list[Line]) -> None:
        first_of(lines, "user")["call"]["prompt"] = OTHER  # type: ignore[index]

    change_ledger(run, change_prompt, ledgers(run)[-1])
    report = write_flow_report(run)
    assert report.findings_by_kind == {Kind.PROMPT_DIFFERS: 1}
    assert report.models is not None
    assert (report.models.prompts.equal, report.models.prompts.differing) == (75, 1)


def test_words_that_were_published_otherwise_would_have_made_another_prompt(run: RunFolder) -> None:
    rewrite_turn(run, "caller", facts=[{"key": "code", "value": "12345"}])
    assert Kind.PROMPT_DIFFERS in kinds(write_flow_report(run))


def test_a_model_in_a_run_that_names_none_is_told(run: RunFolder) -> None:
    identity = run.identity().model_copy(update={"models": None})
    run.identity_file.write_text(identity.model_dump_json())
    report = write_flow_report(run)
    assert kinds(report) == {Kind.ENGINE_DIFFERS}
    assert report.models is None


def test_the_composers_run_names_no_model_and_its_verdict_no_prompt(
    plain: RunFolder, copied: Callable[..., RunFolder]
) -> None:
    report = write_flow_report(copied(plain))
    assert report.models is None
    assert "prompt" not in report.verdict


def test_a_composers_run_that_claims_models_lacks_their_calls(
    plain: RunFolder, modelled: RunFolder, copied: Callable[..., RunFolder]
) -> None:
    folder = copied(plain)
    identity = folder.identity().model_copy(update={"models": modelled.identity().models})
    folder.identity_file.write_text(identity.model_dump_json())
    assert kinds(write_flow_report(folder)) == {Kind.CALL_MISSING, Kind.PROMPT_DIFFERS, Kind.ENGINE_DIFFERS}
