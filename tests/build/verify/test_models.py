"""A run that models wrote: `verify` holds every call against the models and templates that run.json names."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from factory.build.checksums import write_checksums
from factory.build.inline import run_inline
from factory.build.order import Order
from factory.build.verify import verify_run
from factory.models.request import ModelReply, ModelRequest
from factory.run.display import Silent
from tests.audit.modelled import AGENT, MODELS, Player
from tests.audit.runs import Line, ledgers, read_ledger, reseal
from tests.build.verify.runs import Json, Run
from tests.dataset.runs import SEED, SPEC, make_library

OTHER = "0123456789abcdef" * 4


class _Client:
    """A provider whose models are the player's: the first reading of the run finds a fault."""

    def __init__(self) -> None:
        self._player = Player([AGENT])

    async def complete(self, request: ModelRequest) -> ModelReply:
        return await self._player.send(request)

    async def close(self) -> None:
        """Has nothing to give back."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run of two conversations, one of them edited."""
    library, out = make_library(tmp_path_factory.mktemp("workflows")), tmp_path_factory.mktemp("built") / "run"
    order = Order(spec=SPEC, library=library, seed=SEED, limit=2, audio=False, models=MODELS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("factory.models.pool.open_client", lambda *_: _Client())
        run_inline(order, out, False, Silent())
    return out


@pytest.fixture
def run(built: Path, tmp_path: Path) -> Run:
    """The same for a test to change."""
    return Run(Path(shutil.copytree(built, tmp_path / "run")))


def test_everything_holds(run: Run) -> None:
    assert verify_run(run.path) == []
    assert any('"modifier"' in path.read_text() for path in ledgers(run.folder))


def test_the_replies_are_not_needed(run: Run) -> None:
    shutil.rmtree(run.folder.replies)
    assert verify_run(run.path) == []


def faults_of(run: Run, change: Callable[[list[Line]], None]) -> set[str]:
    """What `verify` says of the ledgers, changed and sealed up to the root."""
    for path in ledgers(run.folder):
        lines = read_ledger(path)
        change(lines)
        reseal(run.folder, path, lines)
    write_checksums(run.folder)
    return {fault.partition(": ")[2] for fault in verify_run(run.path) if fault.startswith("ledger/")} - _OF_THE_SEAL


_OF_THE_SEAL = {"its head is not the one that log and root hold"}
"""Whoever forges the ledgers alone is told by the logs, which are no part of what is published."""


def each(role: str, change: Callable[[Json], object]) -> Callable[[list[Line]], None]:
    def every(lines: list[Line]) -> None:
        for line in lines:
            if line["role"] == role and line["call"] is not None:
                change(line)

    return every


CHANGES: dict[str, tuple[Callable[[list[Line]], None], str]] = {
    "another model": (
        each("user", lambda line: (line["call"].update(model="cheap"), line.update(engine="cheap"))),
        "cheap at own was asked as user, but run.json names another",
    ),
    "another provider": (
        each("assistant", lambda line: line["call"].update(provider="elsewhere")),
        "assistant-model at elsewhere was asked as assistant, but run.json names another",
    ),
    "another role's model": (
        each("verifier", lambda line: (line["call"].update(model="user-model"), line.update(engine="user-model"))),
        "user-model at own was asked as verifier, but run.json names another",
    ),
    "another engine": (
        each("user", lambda line: line.update(engine="composer")),
        "user-model was asked as the user, but composer wrote",
    ),
    "no model": (
        each("user", lambda line: line.update(call=None)),
        "run.json names a model for the user, but user-model wrote without one",
    ),
    "no model for a rubric": (
        each("rubric_writer", lambda line: line.update(call=None, engine="code")),
        "run.json names a model for the rubric_writer, but code wrote without one",
    ),
    "another template's digest": (
        each("planner", lambda line: line["call"].update(template_digest=OTHER)),
        "the template planner/normal.md.j2 that was used is not the one that run.json names",
    ),
    "another role's template": (
        each("reaction_planner", lambda line: line["call"].update(template="planner/normal.md.j2")),
        "the reaction_planner was asked with planner/normal.md.j2, which is not a template of that role",
    ),
    "another system message": (
        each("system_writer", lambda line: line["wrote"].update(content=OTHER)),
        "the log's system message is not the one that was written",
    ),
    "a model where code decides": (
        lambda lines: next(o for o in lines if o["role"] == "cutter").update(
            call=next(o["call"] for o in lines if o["role"] == "user")
        ),
        "a model was asked as the cutter, but run.json names none for it",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_call_that_the_run_cannot_have_made_is_told_once(run: Run, name: str) -> None:
    change, said = CHANGES[name]
    found = [fault for fault in faults_of(run, change) if said in fault]
    assert found == [said]


def test_ledgers_that_are_sealed_anew_hold_but_for_the_seal(run: Run) -> None:
    """So that what is found above is the change, and nothing that forging itself does."""
    assert faults_of(run, lambda lines: None) == set()


def test_other_models_in_run_json_are_told(run: Run) -> None:
    run.edit_json(run.folder.identity_file, lambda data: data["models"]["user"].update(model="dear"))
    write_checksums(run.folder)
    said = "user-model at own was asked as user, but run.json names another"
    assert [fault for fault in verify_run(run.path) if not fault.startswith("reports/")] == [
        f"ledger/{name}.jsonl: {said}" for name in run.ids
    ]


def test_models_taken_out_of_run_json_are_told(run: Run) -> None:
    run.edit_json(run.folder.identity_file, lambda data: data.update(models=None))
    write_checksums(run.folder)
    assert any(
        "a model was asked as the user, but run.json names none for it" in fault for fault in verify_run(run.path)
    )


def test_other_templates_in_run_json_are_told(run: Run) -> None:
    run.edit_json(run.folder.identity_file, lambda data: data["templates"].update({"user/normal.md.j2": OTHER}))
    write_checksums(run.folder)
    said = "the template user/normal.md.j2 that was used is not the one that run.json names"
    assert [fault.partition(": ")[2] for fault in verify_run(run.path)] == [said, said]


@pytest.mark.parametrize("where", ["front", "back", "known"])
def test_a_published_system_message_that_nobody_wrote_is_told(run: Run, where: str) -> None:
    def change(rows: list[Json]) -> None:
        row = rows[0]
        known = row["knowledge_base"]["known_user_information"][0]["value"]
        text = row["system_message"]
        row["system_message"] = {
            "front": f"Be rude. {text}",
            "back": f"{text}Be rude.",
            "known": text.replace(known, "nobody"),
        }[where]

    run.edit_rows("conversations.parquet", change)
    write_checksums(run.folder)
    assert any("`system_message` is not what the log has" in fault for fault in verify_run(run.path))


def test_a_system_message_taken_out_of_the_log_is_told(run: Run) -> None:
    def change(lines: list[Json]) -> None:
        head = next(line for line in lines if line["kind"] == "system")
        lines.remove(head)

    run.edit_lines(run.log, change)
    write_checksums(run.folder)
    assert any("lacks the one that was written" in fault for fault in verify_run(run.path))
