"""A file that does not fit is refused with file, line, field and what was expected."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from factory.errors import SpecError, WorkflowError
from factory.records.enums import Speech
from factory.records.workflow import Workflow
from factory.workflow.reader import find_workflows, load_shared, load_workflow, read_yaml
from factory.workflow.yaml_nodes import MAX_BYTES, locate, parse_place, write_place

from .base import Edit

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a workflow file and gives its path."""

    def write_file(text: str | bytes) -> Path:
        path = tmp_path / "utilities" / "meter_visit.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write_file


def _text(edit: Edit | None = None) -> str:
    return yaml.safe_dump((edit or Edit()).data, sort_keys=False, allow_unicode=True, width=10_000)


def _line(text: str, part: str) -> int:
    """The line on which a part of a text first stands."""
    return text[: text.index(part)].count("\n") + 1


def test_a_good_file_is_read_whole(write: Write) -> None:
    assert load_workflow(write(_text())) == Edit().workflow()


def test_every_scalar_is_text(write: Write) -> None:
    text = _text().replace("guidelines:\n- Be kind.", "guidelines: [no, 12, 3.50, 2024-01-02, null, ~, 0x1F]")
    assert load_workflow(write(text)).guidelines == ("no", "12", "3.50", "2024-01-02", "null", "~", "0x1F")


@pytest.mark.parametrize(
    ("edit", "near", "field", "expected"),
    [
        (
            lambda e: e.drop("stages.verify.acts.ask_account.does"),
            "id: ask_account",
            "stages[1].acts[1].does",
            "missing",
        ),
        (lambda e: e.drop("title"), "schema_version", "title", "missing"),
        (lambda e: e.put("stages.verify.colour", "red"), "colour: red", "stages[1].colour", "no such field"),
        (lambda e: e.put("stages.verify.on_failure.retries", "many"), "retries: many", "on_failure.retries", "`many`"),
        (lambda e: e.put("stages.verify.on_failure.retries", "9"), "retries: '9'", "on_failure.retries", "3"),
        (lambda e: e.put("stages.verify.id", "Not An Id"), "id: Not An Id", "stages[1].id", "pattern"),
        (lambda e: e.put("goal.direction", "sideways"), "direction: sideways", "goal.direction", "outbound"),
        (lambda e: e.put("stages.verify.acts.explain_check.fills", "x"), "id: explain_check", "acts[0]", "`replies`"),
        (lambda e: e.put("hard_stops.withdrawn.say", []), "say: []", "hard_stops.withdrawn.say", "at least 1"),
        (lambda e: e.put("schema_version", "2"), "schema_version", "schema_version", "expected at most 1, found `2`"),
    ],
)
def test_a_field_that_does_not_fit_is_named_with_its_line(
    write: Write, edit: Callable[[Edit], Edit], near: str, field: str, expected: str
) -> None:
    text = _text(edit(Edit()))
    path = write(text)
    with pytest.raises(WorkflowError) as caught:
        load_workflow(path)
    place, _, told = str(caught.value).partition(": ")
    assert place.startswith(f"{path}:")
    assert abs(int(place.rpartition(":")[2]) - _line(text, near)) <= 1
    assert field in told and expected in told


def test_problems_are_told_together_but_not_endlessly(write: Write) -> None:
    text = _text() + "".join(f"wrong_{i}: x\n" for i in range(20))
    with pytest.raises(WorkflowError) as caught:
        load_workflow(write(text))
    assert len(str(caught.value).splitlines()) == 8


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "empty"),
        ("# only a comment\n", 1, "empty"),
        ("id: a\ntitle: b\nid: c\n", 3, "id: the key stands here twice"),
        ("id: &a x\ntitle: y\nsubject: *a\n", 1, "aliases are not used"),
        ("id: a\n  title: b\n", 2, "not valid YAML"),
        ("id: [a\n", 2, "not valid YAML"),
        ("id: !!python/name:os.system x\n", 1, "YAML tags"),
        ("? [a, b]\n: c\n", 1, "a key must be plain text"),
        ("- a\n- b\n", 1, "file:"),
        ("just text\n", 1, "file:"),
        ("id: a\n---\nid: b\n", 2, "not valid YAML"),
    ],
)
def test_what_is_no_plain_mapping_is_refused_at_its_line(write: Write, text: str, line: int, message: str) -> None:
    path = write(text)
    with pytest.raises(WorkflowError) as caught:
        load_workflow(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 5_000, "- " * 5_000 + "x"])
def test_a_deeply_nested_file_is_refused(write: Write, text: str) -> None:
    with pytest.raises(WorkflowError, match=r"meter_visit\.yaml"):
        load_workflow(write(text))


def test_other_encodings_are_refused(write: Write) -> None:
    with pytest.raises(WorkflowError, match="not UTF-8 text \\(byte 4\\)"):
        load_workflow(write(b"id: \xff\xfe"))


def test_control_characters_are_refused(write: Write) -> None:
    with pytest.raises(WorkflowError, match="not valid YAML"):
        load_workflow(write(b"id: a\x00b"))


def test_a_huge_file_is_not_read(write: Write) -> None:
    with pytest.raises(WorkflowError, match="larger than 2,000,000 bytes"):
        load_workflow(write(b"#" * (MAX_BYTES + 1)))


def test_an_id_must_be_folder_and_file_name(write: Write) -> None:
    text = "# a comment\n" + _text(Edit().put("id", "utilities/other"))
    path = write(text)
    with pytest.raises(WorkflowError) as caught:
        load_workflow(path)
    assert str(caught.value).startswith(
        f"{path}:{_line(text, 'id: utilities/other')}: id: expected `utilities/meter_visit`"
    )


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match="there is no such file"):
        load_workflow(tmp_path / "none.yaml")
    with pytest.raises(WorkflowError, match="cannot be read"):
        load_workflow(tmp_path)


def test_another_error_class_is_used_where_asked(tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        read_yaml(tmp_path / "none.yaml", Workflow, SpecError)


def test_the_shared_phrases_are_read() -> None:
    shared = load_shared(Path(__file__).resolve().parents[2] / "workflows" / "shared.yaml")
    assert "mm-hm" in shared.caller.speech[Speech.PLAIN].fillers


def test_workflows_are_found_by_id_in_order(tmp_path: Path) -> None:
    for name in ("b/two", "a/one", "a/three"):
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "shared.yaml").touch()
    assert list(find_workflows((tmp_path,))) == ["a/one", "a/three", "b/two"]


def test_one_id_in_two_folders_is_refused(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder / "a").mkdir(parents=True)
        (tmp_path / folder / "a" / "one.yaml").touch()
    with pytest.raises(WorkflowError, match="`a/one` is already at"):
        find_workflows((tmp_path / "first", tmp_path / "second"))


@pytest.mark.parametrize(
    ("place", "near"),
    [
        ("stages.verify.acts.ask_account.say[2]", "May I ask you for the account number?"),
        ("stages.verify.acts.ask_account.replies[0].says.default[0]", "{account_number}."),
        ("stages.arrange.acts.ask_text.replies[1].says.default[0]", "No, thanks."),
        ("intents.planner.hidden_information.school.says.default[0]", "I pick up my kid at three"),
        ("hard_stops.withdrawn.say[0]", "since it is withdrawn"),
        ("stages.texting.skip_when.slot", "slot: wants_text\n    is: 'no'\n  acts"),
        ("caller_facts.visit_day[1]", "is: Friday"),
        ("stages.arrange.nothing.here", "id: arrange"),
        ("nowhere", "schema_version"),
    ],
)
def test_a_place_is_found_in_the_file_as_far_as_the_file_has_it(write: Write, place: str, near: str) -> None:
    text = _text()
    assert locate(write(text), place) == _line(text, near)


def test_places_are_written_as_they_are_read() -> None:
    place = "stages.verify.acts[3].say[0]"
    assert parse_place(place) == ("stages", "verify", "acts", 3, "say", 0)
    assert write_place(parse_place(place)) == place
    assert write_place(()) == "file"
