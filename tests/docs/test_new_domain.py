"""The page on a new domain: followed, and its quotations from the workflow and from the linter proved."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from factory.workflow.library import standard_library
from factory.workflow.lint import lint
from tests.docs.pages import ROOT, UPDATE, blocks, page
from tests.docs.reader import followed
from tests.workflow.base import Edit

PAGE = page("new-domain.md")
WORKFLOW = ROOT / "workflows" / "sales" / "lead_outreach.yaml"

_UNMARKED_YAML = re.compile(r"(?<! -->\n)```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)


def _a_stage_that_only_ends(edit: Edit) -> None:
    rules, acts = edit.get("stages.hello.terminate_when"), edit.get("stages.hello.acts")
    ended = [rule for rule in rules if rule["is"] == "colleague"]
    moved = [act for act in acts if act.get("if", {}).get("is") == "colleague"]
    edit.put("stages.hello.terminate_when", [rule for rule in rules if rule not in ended])
    edit.put("stages.hello.acts", [act for act in acts if act not in moved])
    stage = {"id": "pass_on", "name": "Take a referral", "description": "Ask for a name.", "acts": moved}
    edit.insert(
        "stages", 1, stage | {"terminate_when": ended, "skip_when": {"says": "x", "slot": "person", "is": "yes"}}
    )


def _said(place: str, text: str) -> Callable[[Edit], object]:
    return lambda edit: edit.line(place, text)


FIRST_TRIES: tuple[Callable[[Edit], object], ...] = (
    _a_stage_that_only_ends,
    _said("stages.power_use.acts.what_it_is.say[1]", "Here's the idea, then. Each gets a small sensor."),
    _said("stages.hello.acts.ask_person.resume[0]", "So, who deals with the power there, is that you?"),
    lambda edit: edit.put("known_user_information.open_days", "Tuesday, Wednesday or Thursday of next week"),
    _said("stages.part.acts.sum_no.say[2]", "What stays in my notes is that there's no visit and no follow-up."),
    lambda edit: edit.put("stages.worth_it_here.id", "find_out"),
)
"""What brings each message of the page back, in its order."""


def test_a_new_domain_comes_about_as_the_page_tells(tmp_path: Path) -> None:
    assert followed(PAGE, tmp_path) == PAGE, UPDATE


def test_both_successes_and_an_early_end_are_previewed() -> None:
    [told] = [block.body for block in blocks(PAGE) if "factory preview" in block.body]
    assert re.findall(r"ends with (\w+)", told) == ["success", "success", "referred"]


def test_what_is_quoted_from_the_workflow_stands_there() -> None:
    written = WORKFLOW.read_text(encoding="utf-8").splitlines()
    quoted = _UNMARKED_YAML.findall(PAGE)
    assert len(quoted) == 6
    for line in "".join(quoted).splitlines():
        assert line.strip() == "…" or line in written, f"{WORKFLOW.name} has no such line any more; quote it anew"


MESSAGES = [row[0] for row in _ROW.findall(PAGE.split("## What the linter said")[1].split("## ")[0])[2:]]


@pytest.mark.parametrize(("told", "first_try"), list(zip(MESSAGES, FIRST_TRIES, strict=True)))
def test_what_the_linter_said_it_says_again(told: str, first_try: Callable[[Edit], object]) -> None:
    edit = Edit()
    edit.data = yaml.load(WORKFLOW.read_text(encoding="utf-8"), yaml.BaseLoader)
    first_try(edit)
    findings = lint(edit.workflow(), standard_library().shared)
    said = [f"`{finding.place}`: {finding.message}" for finding in findings]
    assert any(told in message for message in said), said
