"""What is wrong with a spec is told with file, line, field, and what to write instead."""

from pathlib import Path

import pytest

from factory.corpus.plan import plan_corpus
from factory.corpus.specs import SPECS, load_spec, located
from factory.errors import SpecError
from factory.workflow.library import standard_library

HEAD = (SPECS / "demo.yaml").read_text(encoding="utf-8").partition("tts: hibari\n")[0]
FIRST = HEAD.count("\n") + 1
"""The line on which what a test writes begins."""


def said_of(text: str, folder: Path) -> list[str]:
    """The lines of the error about a spec with the path taken off."""
    file = folder / "own.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as told:
        load_spec(str(file))
    lines = str(told.value).splitlines()
    assert all(line.startswith(f"{file}:") for line in lines)
    return [line.removeprefix(f"{file}:") for line in lines]


@pytest.mark.parametrize(
    ("written", "line", "field", "remedy"),
    [
        ("tts: hibary", 0, "tts", "use one of: hibari,"),
        ("tts:", 0, "tts", "use one of: hibari,"),
        ("sound:\n  stand_in: festival", 1, "sound.stand_in", "use one of: hibari,"),
        ("sound:\n  conditions:\n    - {name: moon}", 2, "sound.conditions[0].name", "use one of: clean, telephone,"),
        ("sound:\n  conditions:\n    - {name: Office}", 2, "sound.conditions[0].name", "use one of: clean, telephone,"),
        ("sound:\n  conditions:\n    - name: car\n      snr_db: -40", 3, "sound.conditions[0].snr_db", "-5 to 60 dB"),
        ("sound:\n  conditions:\n    - name: car\n      snr_db: nan", 3, "sound.conditions[0].snr_db", "-5 to 60 dB"),
        ("sound:\n  conditions:\n    - {name: telephone, snr_db: 9}", 2, "sound.conditions[0].snr_db", "office, "),
        ("sound:\n  conditions:\n    - {name: clean, snr_db: 9}", 2, "sound.conditions[0].snr_db", "name another"),
        ("sound:\n  conditions:\n    - name: car\n      packet_loss: 5", 3, "sound.conditions[0].packet_loss", "0.5"),
        ("sound:\n  conditions:\n    - name: car\n      packet_loss: 5%", 3, "sound.conditions[0].packet_loss", "0.05"),
        ("sound:\n  conditions:\n    - name: car\n      caller_level_db: 90", 3, "sound.conditions[0].caller_level_db",
         "-30 to 30 dB"),
        ("sound:\n  conditions: []", 1, "sound.conditions", "at least one"),
        ("sound:\n  most_misheard: 25%", 1, "sound.most_misheard", "0.05 for 5 %"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_of_sound_is_told_with_its_line(
    written: str, line: int, field: str, remedy: str, tmp_path: Path
) -> None:
    (told,) = said_of(f"{HEAD}{written}\n", tmp_path)
    assert told.startswith(f"{FIRST + line}: {field}: ")
    assert remedy in told


@pytest.mark.parametrize(
    ("right", "wrong", "field", "remedy"),
    [
        ("name: demo", "name: My Demo", "name", "as `my-corpus`, found `My Demo`"),
        ('"government/*"', "government", "workflows[1]", "as `government/*`"),
        ('["financial_services/*", "government/*"]', "[]", "workflows", "at least one"),
        ('"0-4"', '"0-5"', "interruptions.by_depth.0-5", "the bands are 0-4, 5-9"),
    ],
)
def test_a_pattern_is_told_by_an_example(right: str, wrong: str, field: str, remedy: str, tmp_path: Path) -> None:
    assert right in HEAD
    line = HEAD[: HEAD.index(right)].count("\n") + 1
    (told,) = said_of(HEAD.replace(right, wrong, 1), tmp_path)
    assert told.startswith(f"{line}: {field}")
    assert remedy in told


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("name: demo", "name: [demo]", "name: expected a text"),
        ("retries: 2", "retries: some", "variations.retries: expected a whole number, found `some`"),
        ("retries: 2", "retries: -1", "variations.retries: expected at least 0, found `-1`"),
        ("mean: 31.0", "mean: long", "messages.mean: expected a number, found `long`"),
        (
            'workflows: ["financial_services/*", "government/*"]',
            "workflows: 7",
            "workflows: expected a list, found `7`",
        ),
        ("{min: 20, max: 38, mean: 31.0}", "31", "messages: expected fields, as `name: value`, found `31`"),
    ],
)
def test_what_was_expected_is_said_in_plain_words(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    assert right in HEAD
    (told,) = said_of(HEAD.replace(right, wrong, 1), tmp_path)
    assert said in told


def test_all_that_is_wrong_with_the_sound_is_told_at_once(tmp_path: Path) -> None:
    sound = "sound:\n  stand_in: none\n  conditions:\n    - {name: moon}\n    - {name: car, snr_db: 99}\n"
    assert [line.split(": ")[1] for line in said_of(f"{HEAD}{sound}", tmp_path)] == [
        "sound.stand_in", "sound.conditions[0].name", "sound.conditions[1].snr_db",
    ]  # fmt: skip


def test_a_bad_entry_is_not_told_as_an_empty_list_too(tmp_path: Path) -> None:
    (told,) = said_of(f"{HEAD}sound:\n  conditions:\n    - {{name: car, share: 0}}\n", tmp_path)
    assert "sound.conditions[0].share" in told


def test_a_name_that_is_no_spec_is_told_with_those_there_are() -> None:
    with pytest.raises(SpecError, match=r"demos: neither a file nor one of the specs here \(balanced, demo, "):
        load_spec("demos")


@pytest.mark.parametrize(
    ("right", "wrong", "field"),
    [
        ("retries: 2", "retries: 60", "variations.retries"),
        ("mean: 31.0", "mean: 20.0", "messages"),
        ('"government/*"', '"goverment/*"', "workflows[1]"),
    ],
)
def test_what_cannot_be_planned_is_told_with_its_line(right: str, wrong: str, field: str, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(HEAD.replace(right, wrong), encoding="utf-8")
    line = HEAD[: HEAD.index(right)].count("\n") + 1
    with pytest.raises(SpecError) as told, located(str(file)):
        plan_corpus(load_spec(str(file)), standard_library(), 0)
    assert str(told.value).startswith(f"{file}:{line}: {field}")


def test_what_names_no_field_is_told_with_its_file() -> None:
    with pytest.raises(SpecError, match=r"demo\.yaml: no room$"), located("demo"):
        raise SpecError("no room")
