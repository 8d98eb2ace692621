"""Roles files: every role of a build has a model, and what is wrong is named with file, line and field."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.models.roles_file import BUILD_ROLES, ROLES_FILES, RolesFileError, load_models
from factory.records.models import ModelRole, Price

Write = Callable[[str], Path]

TWO = """\
providers:
  one: {kind: openai, key: ONE_KEY}
  two: {kind: anthropic, key: TWO_KEY, at_once: 7, timeout_s: 12.5}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(text: str) -> Path:
        path = tmp_path / "models.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def _refused(path: Path) -> str:
    with pytest.raises(RolesFileError) as caught:
        load_models(path)
    return str(caught.value)


def test_defaults_hold_unless_a_role_says_otherwise(write: Write) -> None:
    models = load_models(
        write(
            TWO
            + "defaults: {provider: one, model: big, max_output_tokens: 700, temperature: 0.5, seeded: true}\n"
            + "roles:\n  user: {model: small}\n  judge: {provider: two, model: third, temperature: 0, seeded: false}\n"
        )
    )
    assert set(models.roles) == set(ModelRole)
    planner, user, judge = (models.roles[r] for r in (ModelRole.PLANNER, ModelRole.USER, ModelRole.JUDGE))
    assert (planner.provider, planner.model, planner.max_output_tokens, planner.temperature) == ("one", "big", 700, 0.5)
    assert (user.model, user.max_output_tokens, user.seeded) == ("small", 700, True)
    assert (judge.provider, judge.model, judge.temperature, judge.seeded) == ("two", "third", 0.0, False)
    assert (models.providers["two"].at_once, models.providers["two"].timeout_s) == (7, 12.5)


def test_the_judge_is_played_only_where_the_file_names_it(write: Write) -> None:
    assert ModelRole.JUDGE not in load_models(write(TWO + "defaults: {provider: one, model: m}\n")).roles


def test_without_defaults_every_role_of_a_build_is_enough(write: Write) -> None:
    lines = "".join(f"  {role.value}: {{provider: one, model: m}}\n" for role in BUILD_ROLES)
    assert set(load_models(write(TWO + "roles:\n" + lines)).roles) == set(BUILD_ROLES)


def test_a_price_belongs_to_its_model_and_is_not_taken_over_by_another_one(write: Write) -> None:
    models = load_models(
        write(TWO + "defaults: {provider: one, model: m, price: {input: 1, output: 2}}\nroles: {user: {model: n}}\n")
    )
    assert models.roles[ModelRole.PLANNER].price == Price(input=1, output=2)
    assert models.roles[ModelRole.USER].price is None


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        (TWO + "roles:\n  user: {provider: one, model: m}\n", 4, "roles.system_writer.provider", "no provider"),
        (TWO + "defaults: {provider: one}\n", 4, "defaults.model", "`system_writer` has no model"),
        (TWO + "roles: {}\n", 4, "roles.system_writer.provider", "`system_writer` has no provider"),
        (TWO + "defaults:\n  provider: three\n  model: m\n", 5, "defaults.provider", "it has: one, two"),
        (
            TWO + "defaults: {provider: one, model: m}\nroles:\n  user:\n    provider: three\n",
            7,
            "roles.user.provider",
            "no provider `three`",
        ),
        (
            TWO + "defaults: {provider: one, model: m}\nroles:\n  usher: {model: n}\n",
            6,
            "roles.usher",
            "system_writer",
        ),
        (
            TWO + "defaults: {provider: one, model: m}\nroles:\n  user:\n    temprature: 1\n",
            7,
            "roles.user.temprature",
            "no such field",
        ),
        (
            TWO + "defaults:\n  provider: one\n  model: m\n  max_output_tokens: many\n",
            7,
            "defaults.max_output_tokens",
            "expected a whole number, found `many`",
        ),
        (
            TWO + "defaults: {provider: two, model: m}\nroles:\n  user:\n    temperature: 0.3\n",
            7,
            "roles.user.temperature",
            "Anthropic",
        ),
        (
            TWO + "defaults:\n  provider: two\n  model: m\n  seeded: true\n",
            7,
            "defaults.seeded",
            "Anthropic",
        ),
        (
            "providers:\n  one:\n    kind: openapi\ndefaults: {provider: one, model: m}\n",
            3,
            "providers.one.kind",
            "'openai' or 'anthropic'",
        ),
        ("defaults: {provider: one, model: m}\n", 1, "providers", "missing"),
        ("providers: {}\n", 1, "providers", "at least 1"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_field(
    write: Write, text: str, line: int, field: str, words: str
) -> None:
    path = write(text)
    first = _refused(path).splitlines()[0]
    assert first.startswith(f"{path}:{line}: {field}")
    assert words in first


@pytest.mark.parametrize(
    "line",
    [
        "    api_key: hunter2-hunter2",
        "    apikey: hunter2-hunter2",
        "    token: hunter2-hunter2",
        "    key: hunter2-hunter2",
        "    key: sk-proj-hunter2hunter2",
        "    key: {value: hunter2}",
        "    base_url: http://me:hunter2@127.0.0.1/v1",
        "    base_url: htp//me:hunter2://x@y",
        "    at_once: sk-hunter2hunter2",
    ],
)
def test_whatever_looks_like_a_key_is_refused_and_not_shown(write: Write, line: str) -> None:
    path = write(f"providers:\n  one:\n    kind: openai\n{line}\ndefaults: {{provider: one, model: m}}\n")
    said = _refused(path)
    assert said.startswith(f"{path}:4: providers.one.")
    assert "environment variable" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("place", ["defaults: {provider: one, model: m, api_key: hunter2}", "api_key: hunter2"])
def test_a_key_is_refused_wherever_it_stands(write: Write, place: str) -> None:
    said = _refused(write(f"providers: {{one: {{kind: openai}}}}\n{place}\n"))
    assert "environment variable" in said and "hunter2" not in said


@pytest.mark.parametrize(
    "text", ["", "- a\n", "providers: [", "providers: &x {}\nroles: *x\n", "a: !!python/name:os.x\n"]
)
def test_a_file_of_another_kind_is_refused_in_one_plain_line(write: Write, text: str) -> None:
    path = write(text)
    assert str(path) in _refused(path)


@pytest.mark.parametrize("name", ["m\\n", "m\\e[31m", "m\\u202e", "m\\x00"])
def test_a_models_name_that_a_terminal_would_obey_is_refused(write: Write, name: str) -> None:
    told = _refused(write(TWO + f'defaults: {{provider: one, model: "{name}x"}}\n'))
    assert "defaults.model" in told
    assert told.isprintable()


@pytest.mark.parametrize("price", ["{input: 1e308, output: 1}", "{input: 1, output: .inf}", "{input: .nan, output: 1}"])
def test_a_price_without_measure_is_refused(write: Write, price: str) -> None:
    assert "price" in _refused(write(TWO + f"defaults: {{provider: one, model: m, price: {price}}}\n"))


def test_an_unknown_name_is_told_the_known_ones() -> None:
    assert "anthropic, local, mixed, openai" in _refused(Path("opnai"))


@pytest.mark.parametrize("path", sorted(ROLES_FILES.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_example_is_read_by_its_name_and_plays_every_role_of_a_build(path: Path) -> None:
    models = load_models(path.stem)
    assert set(BUILD_ROLES) <= set(models.roles)
    used = {choice.provider for choice in models.roles.values()}
    assert used == set(models.providers)
    for provider in models.providers.values():
        assert provider.free or provider.key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


def test_the_examples_name_models_that_the_sdks_know() -> None:
    from typing import get_args

    from anthropic.types import Model
    from openai.types.shared import ChatModel

    known = {*get_args(ChatModel), *get_args(get_args(Model)[0])}
    for name in ("openai", "anthropic", "mixed"):
        assert {choice.model for choice in load_models(name).roles.values()} <= known
