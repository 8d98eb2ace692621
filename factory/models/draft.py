"""A model writes a whole workflow file; what the linter finds goes back to it, until nothing is left to find.

Every round asks with the best draft so far and its faults, and nothing older, so that the prompt stays of one size.
What is not finished lies on a desk of its own (`factory.models.desk`): a run that was killed asks for nothing twice,
and one that ended without success leaves its best draft to a person, or to the next run.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from factory.errors import FactoryError, Unfinished
from factory.models.ask import Asker, Asks, Question, Sends
from factory.models.desk import Desk
from factory.models.errors import OF_ONE_CALL, ErrorKind, ModelError
from factory.models.prompt import Prompt, Prompts
from factory.models.replies import WorkflowReply
from factory.models.review import Review, review
from factory.models.service import Terms, service
from factory.models.store import ReplyStore
from factory.records.base import SCHEMA_VERSION
from factory.records.enums import Direction, InterruptionType, Profile, Speech
from factory.records.models import ModelRole, Models
from factory.run.display import Display
from factory.run.files import write_text
from factory.workflow.checks import intents, structure, supply, wording
from factory.workflow.library import Library, standard_library
from factory.workflow.sentences import MIN_CUT_WORDS
from factory.workflow.skeleton import place_for

TEMPLATE = "workflow_writer/draft.md.j2"

EXAMPLE = "telecom/equipment_return"
"""The built-in workflow that the writer is shown: the shortest one, whole, with both ways to end and a verification."""

MOST_ROUNDS = 6
"""Drafts that are asked for before a person has to go on."""

MOST_DESCRIBED = 8_000
"""Characters of a description; a longer one is no description of one call."""

LEAST_OUTPUT_TOKENS = 32_000
"""Room for a whole workflow, which has about 30,000 tokens."""


@dataclass(frozen=True)
class Drafted:
    """A workflow that passes the linter.

    Attributes:
        path: Its file.
        rounds: Drafts that this run asked for.
        warnings: What the linter finds all the same.
        spent_usd: What its drafts cost, those of earlier unfinished runs included; None where that is not known.
    """

    path: Path
    rounds: int
    warnings: int
    spent_usd: float | None = None


def draft(
    description: str,
    workflow_id: str,
    models: Models,
    folder: Path,
    environ: Mapping[str, str],
    display: Display,
    budget_usd: float | None = None,
    no_price: bool = False,
) -> Drafted:
    """Has a workflow written within a budget, in an event loop of its own; see `draft_workflow`.

    Args:
        description: What the call is about.
        workflow_id: The id it gets.
        models: The roles file; its `workflow_writer` writes.
        folder: Where the file belongs.
        environ: Where the keys are.
        display: Is told how it goes on.
        budget_usd: Stop before the drafts cost more, in US dollars.
        no_price: Whether a writer is taken whose price is not known.

    Raises:
        FactoryError: as `draft_workflow` does, and where the price is not known.
    """
    place_for(workflow_id, folder, standard_library())
    _require_writer(models)
    books = Desk(folder, workflow_id).books
    ready = service(models, (ModelRole.WORKFLOW_WRITER,), environ, books, Terms(budget_usd, no_price), display.note)

    async def ask() -> Drafted:
        async with ready.pool as pool:
            return await draft_workflow(description, workflow_id, models, standard_library(), folder, pool, display)

    return replace(asyncio.run(ask()), spent_usd=None if ready.prices.unknown else ready.budget.spent_usd)


async def draft_workflow(
    description: str, workflow_id: str, models: Models, library: Library, folder: Path, sender: Sends, display: Display
) -> Drafted:
    """Has a workflow written, and writes its file once it passes the linter.

    Args:
        description: What the call is about, in a person's words; data to the writer.
        workflow_id: The id it gets, as DOMAIN/GOAL.
        models: Who writes.
        library: The workflows there are: none of their ids is free.
        folder: Where the file belongs; made if missing.
        sender: Sends the requests.
        display: Is told which draft is being written, and what was wrong with the best one before.

    Raises:
        FactoryError: before anything is paid for: an id that is none or taken, no description, no writer in the roles
            file or one that cannot write enough.
        ModelError: if no reply of the writer's can be used, and there is no draft either.
        Unfinished: if no draft passes, or the writer cannot be asked any more; says what is kept, and where.
    """
    place, description = place_for(workflow_id, folder, library), _described(description)
    _require_writer(models)
    desk = Desk(folder, workflow_id)
    begun = desk.begun()
    best = None if begun is None else review(begun, workflow_id, library.shared)
    with desk:
        writer = _Writer(Asker(models, sender, ReplyStore(desk.replies)), description, workflow_id)
        asked, rounds = desk.asked_before(), 0
        try:
            while rounds < MOST_ROUNDS and not (best and not best.faults):
                rounds += 1
                display.start(_step(rounds, best), 1)
                written = review(await writer.write(asked + rounds, best), workflow_id, library.shared)
                if best is None or written.rank <= best.rank:
                    best = written
                display.advance()
        except (ModelError, Unfinished) as exc:
            raise _stopped(exc, best, desk) from None
        assert best is not None
        if not best.passes or os.path.lexists(place):
            desk.keep(best)
            raise Unfinished(f"{_why(best, place, rounds)}; {desk.leads()}")
        write_text(place, best.text)
        desk.clear()
    return Drafted(place, rounds, best.warnings)


class _Writer:
    """Asks the model for drafts of one workflow."""

    def __init__(self, asker: Asks, description: str, workflow_id: str) -> None:
        self._asker = asker
        self._description = description
        self._id = workflow_id
        self._prompts = Prompts()

    async def write(self, seed: int, best: Review | None) -> str:
        """The text of a draft; the first of all, or one that mends the faults of another."""
        prompt = draft_prompt(self._prompts, self._description, self._id, best)
        answered = await self._asker.ask(Question(ModelRole.WORKFLOW_WRITER, prompt, WorkflowReply, seed))
        return answered.reply.yaml


def draft_prompt(prompts: Prompts, description: str, workflow_id: str, best: Review | None) -> Prompt:
    """The prompt for a first draft, or for one that mends the faults of another."""
    return prompts.render(
        TEMPLATE,
        description=description,
        workflow_id=workflow_id,
        example=standard_library().path(EXAMPLE).read_text(encoding="utf-8"),
        draft=best.text if best else None,
        faults=best.told() if best else (),
        form=_form(),
    )


def _form() -> dict[str, object]:
    """The numbers and closed sets that the form and the linter know, for the prompt: it repeats none of them itself."""
    (long_messages, long_cuts), (short_messages, short_cuts) = supply.CALLS
    return {
        "schema_version": SCHEMA_VERSION,
        "directions": [direction.value for direction in Direction],
        "profiles": [profile.value for profile in Profile],
        "speaks": [speech.value for speech in Speech],
        "types": [kind.value for kind in InterruptionType],
        "say": wording.MIN_SAY,
        "resume": wording.MIN_RESUME,
        "brief": wording.MIN_BRIEF,
        "hard_stop": wording.MIN_HARD_STOP,
        "cut_words": MIN_CUT_WORDS,
        "intents": intents.MIN_INTENTS,
        "tells_in_a_row": structure.MAX_TELLS_IN_A_ROW,
        "most_mandatory": supply.MOST_MANDATORY,
        "long_messages": long_messages,
        "long_cuts": long_cuts,
        "short_messages": short_messages,
        "short_cuts": short_cuts,
    }


def _require_writer(models: Models) -> None:
    choice = models.roles.get(ModelRole.WORKFLOW_WRITER)
    if choice is None:
        raise FactoryError(
            "the roles file names no model for `workflow_writer`; add it under `roles`, with `max_output_tokens` of "
            f"{LEAST_OUTPUT_TOKENS} or more"
        )
    if choice.max_output_tokens < LEAST_OUTPUT_TOKENS:
        raise FactoryError(
            f"the roles file lets `workflow_writer` write {choice.max_output_tokens} tokens, too few for a whole "
            f"workflow; give it `max_output_tokens` of {LEAST_OUTPUT_TOKENS} or more"
        )


def _described(description: str) -> str:
    if not description.strip():
        raise FactoryError("the description is empty; say in some sentences who calls whom, and what about")
    if len(description) > MOST_DESCRIBED:
        raise FactoryError(
            f"the description has {len(description):,} characters; {MOST_DESCRIBED:,} are enough for one kind of call"
        )
    return description.strip()


def _step(number: int, best: Review | None) -> str:
    had = f" (best so far: {best.counted()})" if best else ""
    return f"draft {number} of {MOST_ROUNDS}{had}"


def _why(best: Review, place: Path, rounds: int) -> str:
    """Why a draft does not become the file."""
    if best.passes:
        return f"{place}: came to be there meanwhile, and stays as it is"
    return f"{place}: not written, since no draft of {rounds} passes the linter ({best.counted()})"


def _stopped(exc: ModelError | Unfinished, best: Review | None, desk: Desk) -> FactoryError:
    """How the work ends when the writer gives no reply that can be used, or is not to be asked any more."""
    kind = exc.kind if isinstance(exc, ModelError) else None
    said = f"{exc}{_ADVICE.get(kind, '')}" if kind else str(exc)
    if best is not None:
        desk.keep(best)
        return Unfinished(f"{said}; {desk.leads()}")
    if kind is None:
        return exc
    if kind in OF_ONE_CALL:
        desk.set_aside()  # found again, the same replies would fail again
        return ModelError(kind, said)
    return Unfinished(f"{said}; nothing is written yet, and the same command tries again")


_ADVICE = {
    ErrorKind.REPLY_CUT: (
        "; raise `max_output_tokens` of `workflow_writer` in the roles file: a whole workflow has about 30,000 tokens, "
        "and a model that thinks first needs more"
    ),
    ErrorKind.CONTEXT_TOO_LONG: "; `workflow_writer` needs a model that takes about 100,000 tokens",
}
