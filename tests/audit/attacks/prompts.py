"""Prompts that tell the caller's model more than its view holds, or of which the ledger says something else."""

import shutil
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from factory.audit.findings import Kind
from factory.models.prompt import Prompts
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder
from factory.templates import PROMPTS
from tests.audit.graphs import calls_of
from tests.audit.runs import OTHER, Line, seal_template

from .attack import Attack, Caught, Stage, Way, Who, caught_in, report_on
from .ledger import Change, InLedger

USER, REACTION = "user/normal.md.j2", "reaction_planner/normal.md.j2"
Rewording = tuple[str, str, str]
"""A template's path, words in it, and what takes their place."""


@dataclass(frozen=True)
class InTemplates(Way[Rewording]):
    """A template is changed, and a run by models is audited with it.

    Attributes:
        as_built: Whether ledgers and run.json name the changed template, as if the run had been built with it.
    """

    as_built: bool = True

    def go(self, stage: Stage, cheat: Rewording | None) -> Set[Caught]:
        folder = stage.copy("modelled")
        templates = Path(shutil.copytree(PROMPTS, stage.path / "prompts"))
        if cheat is not None:
            name, old, new = cheat
            text = (templates / name).read_text()
            assert old in text
            (templates / name).write_text(text.replace(old, new))
        prompts = Prompts(templates)
        if self.as_built:
            for name in (USER, REACTION):
                seal_template(folder, prompts, name)
        return caught_in(report_on(folder, templates=templates))


def _call(change: Callable[[Line], None]) -> Change:
    """Changes the calls of the caller's side in the first round in which the caller cuts in with more than a filler."""

    def in_first(lines: list[Line]) -> None:
        planned = next(
            line for line in lines if line["role"] == "reaction_planner" and line["branch"] not in ("normal", "filler")
        )
        change(planned)
        change(next(line for line in calls_of(lines, "user") if line["round"] == planned["round"]))

    return in_first


def _another_digest(line: Line) -> None:
    line["call"]["prompt"] = OTHER  # type: ignore[index]


def _another_message(line: Line) -> None:
    """The same two messages, and one more behind them that tells how the agent would have gone on."""
    line["call"]["prompt"] = sha256(canonical_json(["system", "user", "The agent was about to ask for the code."]))  # type: ignore[index]


def _no_prompt(line: Line) -> None:
    line["call"] = None


def _best_of_seven(line: Line) -> None:
    line["call"]["replies"] *= 7  # type: ignore[index]


def _no_reply(line: Line) -> None:
    line["call"]["replies"] = []  # type: ignore[index]


def _refused_reply_taken(line: Line) -> None:
    line["call"]["replies"][-1]["fault"] = "too long"  # type: ignore[index]


def _another_model(line: Line) -> None:
    line["call"] |= {"model": "another", "provider": "elsewhere"}  # type: ignore[operator]
    line["engine"] = "another"


def _another_template(line: Line) -> None:
    name = "reaction_planner/interrupting_filler.md.j2" if line["role"] == "reaction_planner" else USER
    line["call"] |= {"template": name, "template_digest": Prompts().digest(name)}  # type: ignore[operator]


def _template_out_of_the_folder(line: Line) -> None:
    line["call"]["template"] = "../../etc/passwd"  # type: ignore[index]


def _no_models(folder: RunFolder) -> None:
    identity = folder.identity().model_copy(update={"models": None})
    folder.identity_file.write_text(identity.model_dump_json())


@dataclass(frozen=True)
class InIdentity(Way[Callable[[RunFolder], None]]):
    """`run.json` of a run by models is changed."""

    def go(self, stage: Stage, cheat: Callable[[RunFolder], None] | None) -> Set[Caught]:
        folder = stage.copy("modelled")
        if cheat is not None:
            cheat(folder)
        return caught_in(report_on(folder))


MODELLED = InLedger("modelled", place=-1)
"""The last call went without a rewind, so that each of its calls stands."""


def _in_call(change: Callable[[Line], None], name: str, *by: Caught) -> Attack[Change]:
    return Attack(name, Who.BUILDER, frozenset(by), MODELLED, _call(change))


def _reworded(rewording: Rewording, name: str, *by: Caught, as_built: bool = True) -> Attack[Rewording]:
    return Attack(name, Who.TEMPLATE, frozenset(by), InTemplates(as_built), rewording)


ATTACKS = (
    _reworded(
        (USER, '{% include "user/_turn.md.j2" %}', '{{ undelivered | data("hint") }}'),
        "lets a template read undelivered words",
        Kind.TEMPLATE_READS_MORE,
    ),
    _reworded(
        (REACTION, '{% include "reaction_planner/_turn.md.j2" %}', "{{ view.workflow }}"),
        "lets a template read a part of a view that the view does not have",
        Kind.TEMPLATE_READS_MORE,
    ),
    _reworded(
        (USER, "they take it calmly", "they know what comes"),
        "tells the user more in a template, and claims the prompts of another one",
        Kind.PROMPT_DIFFERS,
    ),
    _reworded(
        (USER, "they take it calmly", "they know what comes"),
        "shows another template than the run was built with",
        Kind.TEMPLATE_DIFFERS,
        as_built=False,
    ),
    _in_call(_another_message, "tells the user more behind the prompt", Kind.PROMPT_DIFFERS),
    _in_call(_another_digest, "records another prompt", Kind.PROMPT_DIFFERS),
    _in_call(_no_prompt, "records no prompt at all", Kind.ENGINE_DIFFERS, Kind.PROMPT_DIFFERS),
    _in_call(_another_template, "asks with a template for another situation", Kind.ENGINE_DIFFERS, Kind.PROMPT_DIFFERS),
    _in_call(
        _template_out_of_the_folder, "names a template outside the project", Kind.ENGINE_DIFFERS, Kind.PROMPT_DIFFERS
    ),
    _in_call(_best_of_seven, "takes the best of seven replies", Kind.ENGINE_DIFFERS),
    _in_call(_no_reply, "takes words although no reply came", Kind.ENGINE_DIFFERS),
    _in_call(_refused_reply_taken, "takes a reply that was refused", Kind.ENGINE_DIFFERS),
    _in_call(_another_model, "asks another model than run.json names", Kind.ENGINE_DIFFERS),
    Attack("keeps quiet that models wrote", Who.BUILDER, frozenset({Kind.ENGINE_DIFFERS}), InIdentity(), _no_models),
)
