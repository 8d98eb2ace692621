"""The agent's system message: a product's prompt, written from the agent's side of a workflow alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from factory.errors import WorkflowError
from factory.records.acts import Act, Condition
from factory.records.enums import Direction
from factory.records.lines import PLACEHOLDER
from factory.records.workflow import KnownValue, Stage, Workflow
from factory.templates import PROMPTS, render
from factory.workflow.fill import flatten
from factory.workflow.lookup import MOVE_TYPES

TEMPLATE = PROMPTS / "system_writer" / "composer.md.j2"
"""What it is rendered from; its digest belongs to a run's identity."""

SLOT = "{known_user_information}"
"""The one placeholder that the template level keeps."""


@dataclass(frozen=True)
class _Step:
    """A stage in words."""

    name: str
    description: str
    acts: tuple[str, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class _Topic:
    """Something that the other person may bring up, and what the agent does then."""

    about: str
    does: str


def system_message_template(workflow: Workflow) -> str:
    """The system message with exactly one placeholder, `{known_user_information}`.

    Raises:
        WorkflowError: if a text of the workflow would bring in a second one.
    """
    text = _render(workflow, SLOT)
    if text.count(SLOT) != 1:
        raise WorkflowError(f"{workflow.id}: a text holds `{SLOT}`, which only the system message may; reword it")
    return text


def system_message(workflow: Workflow) -> str:
    """The system message with the known user information filled in.

    Raises:
        WorkflowError: as `system_message_template`.
    """
    system_message_template(workflow)
    return _render(workflow, known_user_information(workflow))


def fill_system_message(template: str, workflow: Workflow) -> str:
    """A system message that a model wrote, with the known user information filled in."""
    return template.replace(SLOT, known_user_information(workflow))


def known_user_information(workflow: Workflow) -> str:
    """What the agent's system shows, as lines of a list."""
    return "\n".join(line for name, value in workflow.known_user_information.items() for line in _shown(name, value))


def _render(workflow: Workflow, known: str) -> str:
    wording = _Wording(workflow)
    return render(
        TEMPLATE,
        agent=workflow.agent,
        domain=workflow.domain.replace("_", " "),
        title=wording.resolved(workflow.title),
        goal=wording.resolved(workflow.goal.statement),
        success=wording.resolved(workflow.goal.success),
        outbound=workflow.goal.direction is Direction.OUTBOUND,
        subject=wording.resolved(workflow.subject),
        private=[_spaced(name) for name in workflow.sensitive],
        guidelines=[wording.resolved(rule) for rule in workflow.guidelines],
        stages=[wording.step(stage) for stage in workflow.stages],
        topics=list(wording.topics()),
        stops=[_sentence(wording.resolved(stop.does)) for stop in workflow.hard_stops.values()],
        known_user_information=known,
    )


class _Wording:
    """Puts a workflow's agent side into words, with its slots resolved."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self._known = flatten(workflow.known_user_information)

    def resolved(self, text: str) -> str:
        """A text with its slots as known values, or as what they are called."""
        return PLACEHOLDER.sub(lambda match: self._known.get(match[1]) or self._called(match[1]), text)

    def _called(self, name: str) -> str:
        slot = name.partition(".")[0]
        called = None
        if any(act.fills == slot for stage in self._workflow.stages for act in stage.acts):
            called = self._workflow.question_of(slot)[1].called
        return f"the caller's {called or _spaced(slot)}"

    def step(self, stage: Stage) -> _Step:
        return _Step(
            name=self.resolved(stage.name),
            description=self.resolved(stage.description),
            acts=tuple(self._act(act) for act in stage.acts),
            conditions=tuple(self._conditions(stage)),
        )

    def _act(self, act: Act) -> str:
        text = _sentence(self.resolved(act.does))
        if act.when is not None:
            text += f" {self._only_if(act.when)}"
        if act.optional:
            text += " This may be left out."
        if act.leads_to is not None:
            text += " This is left out whenever the question after it is."
        elif act.required:
            text += " This is never left out."
        if act.failure is not None:
            text += f" If the answer is wrong or missing, {_sentence(self.resolved(act.failure.does), begin=False)}"
        return text

    def _only_if(self, condition: Condition) -> str:
        if condition.slot in self._known:
            return f'This is said only if the {_spaced(condition.slot)} is "{condition.equals}".'
        asked = self.resolved(self._workflow.question_of(condition.slot)[1].does)
        return f'This is said only if the caller answered "{condition.equals}" to this: {_sentence(asked, begin=False)}'

    def _conditions(self, stage: Stage) -> Iterator[str]:
        if stage.skip_when is not None:
            yield f"Skip: {self.resolved(stage.skip_when.says)}"
        if stage.on_failure is not None:
            yield f"Failure: {self.resolved(stage.on_failure.says)} {self._last_words(stage.on_failure.then)}"
        for end in stage.terminate_when:
            yield f"Early end: {self.resolved(end.says)} {self._last_words(end.then)}"

    def _last_words(self, stop: str) -> str:
        return f"Your last words there: {_sentence(self.resolved(self._workflow.hard_stops[stop].does), begin=False)}"

    def topics(self) -> Iterator[_Topic]:
        """All that the stages provide for; what single callers keep to themselves is not in it."""
        for stage in self._workflow.stages:
            for kind in MOVE_TYPES:
                for move in getattr(stage.caller_may, kind.value):
                    yield _Topic(self.resolved(move.about), _sentence(self.resolved(move.answer.does), begin=False))


def _shown(name: str, value: KnownValue) -> Iterator[str]:
    if isinstance(value, str):
        yield f"- {_spaced(name)}: {value}"
        return
    yield f"- {_spaced(name)}:"
    for row in (value,) if isinstance(value, dict) else value:
        yield "  - " + ", ".join(f"{_spaced(key)}: {text}" for key, text in row.items())


def _spaced(name: str) -> str:
    """An identifier as people write it: `card_last4` → `card last 4`."""
    return re.sub(r"(?<=[a-z])(?=\d)", " ", name.replace("_", " "))


def _sentence(text: str, begin: bool = True) -> str:
    """A description as a sentence, or as the end of one."""
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    return text[:1].upper() + text[1:] if begin else text
