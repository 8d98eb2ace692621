"""The agent's side of a workflow in words, for prompts: what the workflow's digest stands for in the agent's views."""

from collections.abc import Mapping
from itertools import islice

from factory.models.prompt import Lasting
from factory.records.base import Record
from factory.records.blueprint import ActUse
from factory.records.enums import Direction
from factory.records.lines import placeholders
from factory.records.shared import AgentPhrases
from factory.workflow.fill import fill, fill_known, fill_prose, flatten, sentence
from factory.workflow.lookup import MOVE_TYPES, Script
from factory.workflow.phrases import shares_phrase
from factory.workflow.sentences import is_cuttable

MOST_EXAMPLES = 2
"""Authored wordings of an act that a model is shown: enough for the tone, too few to copy a call from."""


class ActLine(Record):
    """One act of a stage: its reference and what it does."""

    ref: str
    does: str


class StageBrief(Record):
    """One stage, with all its conditions in prose."""

    id: str
    name: str
    description: str
    skip: str | None
    failure: str | None
    early_ends: tuple[str, ...]
    acts: tuple[ActLine, ...]


class Topic(Record):
    """What people may bring up, and what the agent does then."""

    about: str
    does: str


class Brief(Lasting):
    """The agent's side of a workflow.

    Attributes:
        known: What the agent's system shows about the person, by name.
        private: Names of what of it is not spoken before the person is verified.
    """

    organization: str
    agent: str
    domain: str
    title: str
    subject: str
    outbound: bool
    goal: str
    success: str
    known: dict[str, str]
    private: tuple[str, ...]
    guidelines: tuple[str, ...]
    stages: tuple[StageBrief, ...]
    topics: tuple[Topic, ...]
    stops: tuple[str, ...]


class ActBrief(Record):
    """One act of a turn, as its writer is told of it.

    Attributes:
        ref: Its reference, given back with the words.
        does: What it does, with its values.
        question: Whether it ends by asking the caller something.
        holds: Values that its words have to hold, exactly.
        mentions: Words of which its words have to hold at least one; none where empty.
        long: Whether its first sentence needs at least `MIN_CUT_WORDS` words: a caller may cut in there.
        examples: Ways in which others have worded it.
    """

    ref: str
    does: str
    question: bool
    holds: tuple[str, ...]
    mentions: tuple[str, ...]
    long: bool
    examples: tuple[str, ...]


def brief_of(script: Script) -> Brief:
    """The agent's side of a workflow; slots that no call has filled yet stay in braces."""
    workflow = script.workflow
    known = flatten(workflow.known_user_information)

    def text(line: str) -> str:
        return fill_known(line, known)

    return Brief(
        organization=workflow.agent.organization,
        agent=workflow.agent.name,
        domain=workflow.domain,
        title=text(workflow.title),
        subject=text(workflow.subject),
        outbound=workflow.goal.direction is Direction.OUTBOUND,
        goal=text(workflow.goal.statement),
        success=text(workflow.goal.success),
        known=known,
        private=workflow.sensitive,
        guidelines=tuple(map(text, workflow.guidelines)),
        stages=tuple(
            StageBrief(
                id=stage.id,
                name=stage.name,
                description=text(stage.description),
                skip=text(stage.skip_when.says) if stage.skip_when else None,
                failure=text(stage.on_failure.says) if stage.on_failure else None,
                early_ends=tuple(text(end.says) for end in stage.terminate_when),
                acts=tuple(ActLine(ref=f"{stage.id}.{act.id}", does=text(act.does)) for act in stage.acts),
            )
            for stage in workflow.stages
        ),
        topics=tuple(
            Topic(about=text(move.about), does=text(move.answer.does))
            for stage in workflow.stages
            for kind in MOVE_TYPES
            for move in getattr(stage.caller_may, kind.value)
        ),
        stops=tuple(text(stop.does) for stop in workflow.hard_stops.values()),
    )


def act_brief(
    script: Script, phrases: AgentPhrases, use: ActUse, slots: Mapping[str, str], avoid: str = "", start: int = 0
) -> ActBrief:
    """What the writer of a turn is told of one of its acts.

    Args:
        script: The workflow.
        phrases: Wordings that fit every workflow.
        use: The act and its form.
        slots: Values that the caller has given, as they stand.
        avoid: Examples that share a phrase with this text are left out, where there are others.
        start: Which wordings are shown, counted round and round, so that calls of one workflow differ.
    """
    workflow, scope = script.workflow, {**flatten(script.workflow.known_user_information), **slots}
    if use.ref == "steer":
        examples = _examples(phrases.steer, {"subject": workflow.subject}, avoid, start)
        return _brief(use.ref, f"lead back to {workflow.subject}", examples, holds=())
    if use.ref.startswith("accept:"):
        slot = use.ref.removeprefix("accept:")
        called = fill(workflow.question_of(slot)[1].called or slot, scope)
        examples = _examples(phrases.corrected, scope | {"called": called, "value": slots[slot]}, avoid, start)
        return _brief(use.ref, f"take over {slots[slot]} as the {called}", examples, (slots[slot],))
    lines = script.lines(use.ref, use.form)
    common = set.intersection(*(set(placeholders(line)) for line in lines))
    return ActBrief(
        ref=use.ref,
        does=fill_prose(script.does(use.ref), scope),
        question=use.ref in script.questions,
        holds=tuple(scope[name] for name in sorted(common)),
        mentions=tuple(fill(word, scope) for word in script.mentions(use.ref)),
        long=is_cuttable(lines),
        examples=_examples(lines, scope, avoid, start),
    )


def _brief(ref: str, does: str, examples: tuple[str, ...], holds: tuple[str, ...]) -> ActBrief:
    return ActBrief(
        ref=ref,
        does=does,
        question=False,
        holds=holds,
        mentions=(),
        long=False,
        examples=examples,
    )


def _examples(lines: tuple[str, ...], scope: Mapping[str, str], avoid: str, start: int) -> tuple[str, ...]:
    turned = [lines[(start + i) % len(lines)] for i in range(len(lines))]
    ways = (sentence(fill(line, scope)) for line in turned)
    fresh = tuple(islice((way for way in ways if not shares_phrase(way, avoid)), MOST_EXAMPLES))
    return fresh or tuple(sentence(fill(line, scope)) for line in turned[:MOST_EXAMPLES])
