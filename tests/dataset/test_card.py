"""The card says what is in the dataset, to machines and to people."""

import re
from pathlib import Path

import pytest
import yaml

from factory.dataset.card import WRITES, write_card
from factory.dataset.write import CARD, write_dataset
from factory.models.roles_file import BUILD_ROLES
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind
from factory.records.run import RunIdentity
from factory.run.folder import RunFolder
from factory.workflow.library import Library


@pytest.fixture(scope="module")
def card(spoken: RunFolder) -> str:
    return (spoken.dataset / CARD).read_text()


def test_its_front_matter_names_every_table(card: str, spoken: RunFolder) -> None:
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["license"] == "apache-2.0"
    assert front["language"] == ["en"]
    assert {"audio", "interruptions"} <= set(front["tags"])
    configs = {config["config_name"]: config for config in front["configs"]}
    assert [name for name, config in configs.items() if config.get("default")] == ["conversations"]
    assert list(configs) == ["conversations", "baseline", "turns", "calls"]
    for name, config in configs.items():
        assert config["data_files"] == [{"split": "test", "path": f"{name}.parquet"}]
        assert (spoken.dataset / f"{name}.parquet").exists()


def test_it_gives_the_counts(card: str) -> None:
    for row in (
        "| conversations | 4 |",
        "| messages | 76 (16 to 20 a call, mean 19.0) |",
        "| interruptions | 14 |",
        "| pushback | 3 |",
        "| 5-9 | 7 |",
        "| water\\_supply/pipe\\_visit | 2 |",
    ):
        assert f"{row}\n" in card


def test_it_says_what_a_reader_must_know(card: str, spoken: RunFolder) -> None:
    assert "**These responses are not a model's answers.** They are reference recoveries" in card
    assert "Synthetic voices of the speech engine `hibari`" in card
    assert "by ear, that is by a speech recogniser, they were not checked" in card
    assert "## How the caller was kept blind" in card
    assert "## Limits" in card
    assert f"`{spoken.manifest().root}`" in card
    assert f"| seed | {spoken.identity().seed} |" in card


def test_text_of_the_spec_is_no_markup(card: str) -> None:
    assert "Calls \\| for &lt;tests&gt;, with \\*marks\\*.\n" in card


def with_identity(folder: RunFolder, library: Library, place: Path, **changed: object) -> str:
    identity: RunIdentity = folder.identity().model_copy(update=changed)
    write_card(place / CARD, identity, "0" * 64, write_dataset(folder, library))
    return (place / CARD).read_text()


def test_without_audio_it_speaks_of_none(own_run: RunFolder, library: Library, tmp_path: Path) -> None:
    silent = with_identity(own_run, library, tmp_path, audio=False)
    assert "Synthetic voices" not in silent
    assert "none: this run was built without audio" in silent
    assert "- audio\n" not in silent


def test_it_says_that_the_composer_wrote_it(card: str) -> None:
    assert "The embedded composer wrote all of it" in card
    assert "No language model was asked." in card
    assert "written by the embedded composer; it knows" in card
    assert "The same spec, seed and versions give the same bytes." in card
    assert "The calls are put together from authored lines." in card


def test_it_says_which_models_wrote_what(own_run: RunFolder, library: Library, tmp_path: Path) -> None:
    choice = ModelChoice(provider="home", model="a|b `c`", max_output_tokens=100)
    models = Models(
        providers={"home": Provider(kind=ProviderKind.ANTHROPIC)},
        roles={role: choice for role in ModelRole} | {ModelRole.USER: choice.model_copy(update={"model": "small-1"})},
    )
    played = {role: models.played_by(role) for role in BUILD_ROLES}
    card = with_identity(own_run, library, tmp_path, models=played)

    assert "| user | the caller's words | small-1 | Anthropic's format |\n" in card
    assert "| assistant | the agent's words | a\\|b \\`c\\` | Anthropic's format |\n" in card
    assert card.count("| Anthropic's format |") == len(WRITES) == len(BUILD_ROLES)
    assert "recoveries that every rubric was proved with are the composer's, whoever wrote the calls" in card
    assert "written by the embedded composer, whoever wrote the calls; it knows" in card
    assert "asked again, a model may answer otherwise" in card
    assert "No language model was asked" not in card
    assert "authored lines. They are fluent" not in card
    assert "home" not in card  # a provider's name is whatever a roles file calls it
    assert not re.search(r"\$|USD|cost", card)


def test_a_limit_is_stated(own_run: RunFolder, library: Library, tmp_path: Path) -> None:
    assert "| ordered conversations | 4 (limited to the first 2) |" in with_identity(
        own_run, library, tmp_path, limit=2
    )
