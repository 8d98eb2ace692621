"""Nothing that a caller is told, or may say, holds in its words what is withheld from them.

The audit of a corpus reads what the caller's side was handed (`withheld_handed`) and knows such words again, whoever
wrote them where they stand. So a workflow that has them here would make a corpus that fails its own audit.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from factory.records.callers import SECRET_WORDS, Intent
from factory.records.workflow import STAGE_WORDS, Workflow
from factory.workflow.findings import Check, Finding, error
from factory.workflow.lines import caller_lines
from factory.workflow.phrases import bare_words, holds_words

Placed = tuple[str, str]
"""The place of a text, and the text."""


def check_withheld(workflow: Workflow) -> Iterator[Finding]:
    """Callers neither are told nor say what another keeps to themselves, or the agent's stages and guidelines."""
    said: dict[str | None, list[Placed]] = {}
    for line in caller_lines(workflow):
        said.setdefault(line.intent.id if line.intent else None, []).append((line.place, line.text))
    everybodys = said.get(None, [])
    agents = [placed for placed in _of_agent(workflow) if len(bare_words(placed[1])) >= STAGE_WORDS]
    yield from _held(everybodys, agents)
    for intent in workflow.intents:
        yield from _held([*_told(intent), *said.get(intent.id, [])], agents)
    for intent in workflow.intents:
        secrets = [placed for placed in _secrets(intent) if len(bare_words(placed[1])) >= SECRET_WORDS]
        others = (other for other in workflow.intents if other is not intent)
        yield from _held(chain(everybodys, *((*_told(o), *said.get(o.id, [])) for o in others)), secrets)


def _held(texts: Iterable[Placed], withheld: list[Placed]) -> Iterator[Finding]:
    for place, text in texts:
        for origin, words in withheld:
            if holds_words(text, words):
                message = f"holds the words of `{origin}`, which this caller must not know; say it in other words"
                yield error(Check.WITHHELD_WORDS, place, message)


def _secrets(intent: Intent) -> Iterator[Placed]:
    """What a caller alone is told."""
    yield f"intents.{intent.id}.description", intent.description
    for hidden in intent.hidden_information:
        yield f"intents.{intent.id}.hidden_information.{hidden.id}.info", hidden.info


def _told(intent: Intent) -> Iterator[Placed]:
    yield f"intents.{intent.id}.reaction", intent.reaction
    yield from _secrets(intent)


def _of_agent(workflow: Workflow) -> Iterator[Placed]:
    for stage in workflow.stages:
        yield f"stages.{stage.id}.description", stage.description
        if stage.on_failure:
            yield f"stages.{stage.id}.on_failure.says", stage.on_failure.says
    for number, guideline in enumerate(workflow.guidelines):
        yield f"guidelines[{number}]", guideline
