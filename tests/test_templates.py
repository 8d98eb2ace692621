"""Templates are strict about what they read, and what they are given stays text."""

from pathlib import Path

import pytest
from jinja2 import TemplateError

from factory.errors import FactoryError
from factory.templates import as_markdown, make_environment, render


def template(folder: Path, text: str, name: str = "t.md.j2") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_values_are_filled_in_and_not_read_as_templates(tmp_path: Path) -> None:
    path = template(tmp_path, "Dear {{ name }},\n")
    assert render(path, name="{{ 1 + 1 }} <b>") == "Dear {{ 1 + 1 }} <b>,\n"


def test_it_includes_from_its_own_folder_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    template(tmp_path, "outside", "outside.j2")
    template(tmp_path / "inner", "part", "part.j2")
    assert render(template(tmp_path / "inner", "{% include 'part.j2' %}")) == "part"
    with pytest.raises(FactoryError):
        render(template(tmp_path / "inner", "{% include '../outside.j2' %}", "climbs.j2"))


@pytest.mark.parametrize(
    "text",
    ["{{ missing }}", "{{ name.missing }}", "{% if %}", "{{ name.__class__.__mro__[1].__subclasses__() }}"],
)
def test_what_cannot_be_rendered_is_refused_by_the_templates_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(FactoryError, match=r"t\.md\.j2: cannot be rendered"):
        render(template(tmp_path, text), name="x")


def test_a_missing_template_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FactoryError, match=r"none\.j2"):
        render(tmp_path / "none.j2")


def test_markdown_text_holds_no_markup() -> None:
    assert as_markdown("a | b\n# c [d](e) <script>") == r"a \| b \# c \[d\](e) &lt;script&gt;"


@pytest.mark.parametrize(("autoescape", "shown"), [(True, "&lt;b&gt;"), (False, "<b>")])
def test_all_templates_differ_in_escaping_only(tmp_path: Path, autoescape: bool, shown: str) -> None:
    template(tmp_path, "{{ value }}", "value")
    template(tmp_path, "{{ missing }}", "missing")
    template(tmp_path, "{{ value.__class__ }}", "attribute")
    environment = make_environment(tmp_path, autoescape=autoescape)
    assert environment.get_template("value").render(value="<b>") == shown
    for name in ("missing", "attribute"):
        with pytest.raises(TemplateError):
            environment.get_template(name).render(value="<b>")
