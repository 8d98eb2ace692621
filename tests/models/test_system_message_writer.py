"""The system-message writer: a product's prompt with one placeholder, held against the workflow it is for."""

from pathlib import Path

import pytest

from factory.dataset.system_message import (
    SLOT,
    fill_system_message,
    known_user_information,
    system_message,
    system_message_template,
)
from factory.models.brief import Brief, brief_of
from factory.models.replies import SystemMessageReply
from factory.models.system_message import LONGEST, write_system_message
from factory.workflow.library import standard_library
from tests.models.writers import MODEL, PROMPTS, Says, asker, refused, run

SCRIPT = next(
    standard_library().script(name)
    for name in standard_library().ids
    if len(system_message_template(standard_library().workflow(name))) < LONGEST
)
WORKFLOW = SCRIPT.workflow
BRIEF: Brief = brief_of(SCRIPT)
GOOD = system_message_template(WORKFLOW)


def writing(folder: Path, says: Says, brief: Brief = BRIEF):  # type: ignore[no-untyped-def]
    return write_system_message(asker(folder, says), PROMPTS, brief, seed=1)


def told(folder: Path, text: str, brief: Brief = BRIEF) -> str:
    says = Says(SystemMessageReply(system_message=text))
    return refused(writing(folder, says, brief), says)


def test_a_written_system_message_keeps_its_placeholder(tmp_path: Path) -> None:
    made = run(writing(tmp_path, Says(SystemMessageReply(system_message=GOOD))))
    assert made.value.strip() == GOOD.strip()
    assert made.engine == MODEL
    assert made.call is not None and made.call.template == "system_writer/writer.md.j2"


def test_it_is_filled_as_the_composers_is() -> None:
    assert fill_system_message(GOOD, WORKFLOW) == system_message(WORKFLOW)
    assert known_user_information(WORKFLOW) in fill_system_message(f"Known:\n{SLOT}\n", WORKFLOW)


@pytest.mark.parametrize("workflow", standard_library().ids)
def test_what_the_composer_writes_for_any_workflow_would_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workflow: str
) -> None:
    script = standard_library().script(workflow)
    text = system_message_template(script.workflow)
    monkeypatch.setattr("factory.models.system_message.LONGEST", 2 * LONGEST)
    made = run(writing(tmp_path, Says(SystemMessageReply(system_message=text)), brief_of(script)))
    assert made.value.strip() == text.strip()


def test_a_second_placeholder_goes_back(tmp_path: Path) -> None:
    says = Says(SystemMessageReply(system_message=GOOD + SLOT), SystemMessageReply(system_message=GOOD))
    assert run(writing(tmp_path, says)).value.count(SLOT) == 1
    assert "and holds it 2 times" in says.told


def test_no_placeholder_goes_back(tmp_path: Path) -> None:
    assert "and holds it 0 times" in told(tmp_path, GOOD.replace(SLOT, "nothing"))


@pytest.mark.parametrize("braces", ["{account_number}", "{{ agent.name }}", "}"])
def test_other_braces_go_back(tmp_path: Path, braces: str) -> None:
    assert "no braces but those of" in told(tmp_path, f"{GOOD}\nCall them {braces}.")


def test_every_stage_is_named_in_its_order(tmp_path: Path) -> None:
    first, second = (stage.name for stage in WORKFLOW.stages[:2])
    for name in ("missing", "swapped"):
        (tmp_path / name).mkdir()
    assert f'"{second}" is missing' in told(tmp_path / "missing", GOOD.replace(second, "@"))
    swapped = GOOD.replace(first, "@").replace(second, first).replace("@", second)
    assert "in its order" in told(tmp_path / "swapped", swapped)


def test_organization_and_agent_are_named(tmp_path: Path) -> None:
    for number, name in enumerate((BRIEF.organization, BRIEF.agent)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert f'it has to name "{name}"' in told(folder, GOOD.replace(name, "someone"))


@pytest.mark.parametrize("word", ["benchmark", "judge", "rubric", "evaluation", "test set"])
def test_a_word_that_no_product_has_goes_back(tmp_path: Path, word: str) -> None:
    assert f'no product says "{word}"' in told(tmp_path, f"{GOOD}\nThis is for the {word}.")


def test_a_word_of_the_workflows_own_is_no_such_word(tmp_path: Path) -> None:
    brief = BRIEF.model_copy(update={"guidelines": ("Say that a judge decides.",)})
    text = f"{GOOD}\nSay that a judge decides."
    assert "judge" in run(writing(tmp_path, Says(SystemMessageReply(system_message=text)), brief)).value


def test_a_private_value_is_not_given_away(tmp_path: Path) -> None:
    brief = BRIEF.model_copy(update={"known": {"pass_word": "green heron 77"}, "private": ("pass_word",)})
    assert "it gives away the pass word" in told(tmp_path, f"{GOOD}\nThe word is green heron 77.", brief)
    open_to_all = brief.model_copy(update={"private": ()})
    text = f"{GOOD}\nThe word is green heron 77."
    assert run(writing(tmp_path, Says(SystemMessageReply(system_message=text)), open_to_all)).value.strip() == text


def test_one_that_is_too_short_or_too_long_goes_back(tmp_path: Path) -> None:
    for number, text in enumerate((f"You are {BRIEF.agent}. {SLOT}", GOOD + "Be kind. " * 1200)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert "and needs 800 to 12000" in told(folder, text)


def test_characters_that_nobody_sees_are_taken_out(tmp_path: Path) -> None:
    odd = GOOD.replace("\n", "\r\n").replace(" the ", " \u202ethe\u0007 ")
    made = run(writing(tmp_path, Says(SystemMessageReply(system_message=odd))))
    assert made.value.strip() == GOOD.strip()
