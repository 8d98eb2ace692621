"""The page on choosing models: its tables are those of the records, and its example is read."""

import re
from itertools import chain
from pathlib import Path

import pytest

from factory.models.roles_file import ROLES_FILES, load_models
from factory.records.models import ModelRole, Models
from tests.docs.pages import UPDATE, page
from tests.docs.reader import followed
from tests.docs.tables import named, reachable, refreshed, tables, without_meaning

PAGE = page("choose-models.md")
NO_TABLE = {Models, ModelRole}
"""The whole file, and the roles, which have a table of another kind."""


def test_the_example_is_a_roles_file(tmp_path: Path) -> None:
    followed(PAGE, tmp_path)
    models = load_models(tmp_path / "models.yaml")
    assert models.roles[ModelRole.USER].model == "gpt-6-luna"
    assert models.provider_of(ModelRole.VERIFIER).kind is not models.provider_of(ModelRole.ASSISTANT).kind


def test_every_field_of_a_roles_file_stands_in_a_table_with_its_meaning() -> None:
    assert refreshed(PAGE) == PAGE, UPDATE
    assert without_meaning(PAGE) == []
    assert {named(what) for _, what, _ in tables(PAGE)} == set(reachable(Models)) - NO_TABLE


def test_every_role_but_the_judge_is_described() -> None:
    table = PAGE.split("## Which model for which role")[1].split("\n## ")[0]
    described = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert described == [role.value for role in ModelRole if role is not ModelRole.JUDGE]


@pytest.mark.parametrize("path", sorted(ROLES_FILES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_roles_file_of_the_project_is_named_and_has_room_for_a_workflow(path: Path) -> None:
    assert f"`{path.stem}`" in PAGE
    models = load_models(path.stem)
    writer = models.roles[ModelRole.WORKFLOW_WRITER]
    assert writer.max_output_tokens >= 32_000
    assert models.provider_of(ModelRole.WORKFLOW_WRITER).timeout_s >= 600


def test_makers_and_readers_differ_where_the_file_says_so() -> None:
    mixed = load_models("mixed")
    makers = {role: mixed.provider_of(role).kind for role in mixed.roles}
    others = chain((ModelRole.VERIFIER, ModelRole.RUBRIC_WRITER, ModelRole.USER))
    assert all(makers[role] is not makers[ModelRole.ASSISTANT] for role in others)
