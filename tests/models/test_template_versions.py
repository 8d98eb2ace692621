"""A prompt never changes unseen: with its text its version changes."""

from pathlib import Path

from factory.models.prompt import Prompts
from tests.models.template_versions import NOT_FOR_MODELS, Versioned, complaints, current, remembered


def test_every_template_is_remembered_as_it_is() -> None:
    assert not (lines := complaints(current(), remembered())), "\n".join(lines)


def test_nothing_that_a_prompt_is_made_of_escapes() -> None:
    prompts = Prompts()
    used = {part for name in prompts.all() if name not in NOT_FOR_MODELS for part in prompts.parts(name)}
    assert used == current().keys()


def test_a_changed_text_needs_a_new_version(tmp_path: Path) -> None:
    (tmp_path / "role").mkdir()
    path = tmp_path / "role" / "branch.md.j2"
    path.write_text("{# version: 3 #}\nSay it.\n")
    known = current(tmp_path)
    assert not complaints(known, known)
    path.write_text("{# version: 3 #}\nSay it kindly.\n")
    (line,) = complaints(current(tmp_path), known)
    assert "prompts/role/branch.md.j2" in line and "still version 3" in line
    path.write_text("{# version: 4 #}\nSay it kindly.\n")
    (line,) = complaints(current(tmp_path), known)
    assert "update_template_versions" in line
    assert not complaints(current(tmp_path), current(tmp_path))


def test_new_lost_and_nameless_templates_are_told(tmp_path: Path) -> None:
    (tmp_path / "role").mkdir()
    (tmp_path / "role" / "_part.md.j2").write_text("Say it.\n{# version: 1 #}\n")
    found = current(tmp_path)
    assert found["role/_part.md.j2"].version is None
    (line,) = complaints(found, found)
    assert "first line" in line
    one = {"role/a.md.j2": Versioned(1, "x")}
    assert "is new" in complaints(one, {})[0]
    assert "is gone" in complaints({}, one)[0]
