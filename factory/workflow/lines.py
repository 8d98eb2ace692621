"""Every line of a workflow with its place, its speaker and where in the call it can be said."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from factory.records.acts import Act, Answer
from factory.records.callers import CallerMove, Intent
from factory.records.lines import CallerLines
from factory.records.workflow import Stage, Workflow
from factory.workflow.flow import START, Node, act_node, answered_node, enter_node, hard_stop_node


class AgentRole(StrEnum):
    """What a line of the agent's is for."""

    SAY = "say"
    RESUME = "resume"
    BRIEF = "brief"
    RECEIVED = "received"
    HINT = "hint"
    RETRY = "retry"
    ANSWER = "answer"
    HARD_STOP = "hard_stop"


class CallerRole(StrEnum):
    """What a line of the caller's is for."""

    REPLY = "reply"
    FAILS = "fails"
    CORRECTS = "corrects"
    MOVE = "move"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class AgentLines:
    """Variants of the agent's, one of which is said.

    Attributes:
        place: Where the list stands; `at` gives the place of one variant.
        node: The earliest node of the flow at which they can be said.
        mentions: Of which one stands in every variant; empty where nothing has to.
        act: The act they belong to.
    """

    role: AgentRole
    place: str
    lines: tuple[str, ...]
    node: Node
    mentions: tuple[str, ...] = ()
    act: Act | None = None

    def at(self, index: int) -> str:
        """The place of one variant."""
        return f"{self.place}[{index}]"


@dataclass(frozen=True, slots=True)
class SpokenByCaller:
    """A line of the caller's.

    Attributes:
        act: The question they answer.
        grounding: The act that they have heard whole, for a move that takes it up.
        intent: Who says it, for hidden information.
        own_words: What else they know: the hidden information itself.
    """

    role: CallerRole
    place: str
    text: str
    act: Act | None = None
    grounding: Act | None = None
    grounding_node: Node = START
    intent: Intent | None = None
    own_words: str = ""


def act_place(stage: Stage, act: Act) -> str:
    """The place of an act."""
    return f"stages.{stage.id}.acts.{act.id}"


def move_place(stage: Stage, kind: str, move: CallerMove) -> str:
    """The place of a caller's move; `kind` is the field's name."""
    return f"stages.{stage.id}.caller_may.{kind}.{move.id}"


def moves_of(stage: Stage) -> Iterator[tuple[str, CallerMove]]:
    """Every move of a stage with the name of the field it stands in."""
    for kind in ("pushback", "normal", "topic_switch"):
        for move in getattr(stage.caller_may, kind):
            yield kind, move


def grounding_of(stage: Stage, move: CallerMove) -> Act | None:
    """The act that a move takes up; None where it takes up none or the reference leads nowhere."""
    return next((act for act in stage.acts if act.id == move.after), None)


def agent_lines(workflow: Workflow) -> Iterator[AgentLines]:
    """Everything the agent may say."""
    for stage in workflow.stages:
        for act in stage.acts:
            yield from _act_lines(stage, act)
        for kind, move in moves_of(stage):
            ground = grounding_of(stage, move)
            node = act_node(stage.id, ground.id) if ground else enter_node(stage.id)
            yield _answer(move_place(stage, kind, move), move.answer, node)
    for name, stop in workflow.hard_stops.items():
        yield AgentLines(AgentRole.HARD_STOP, f"hard_stops.{name}.say", stop.say, hard_stop_node(name), stop.mentions)
    for intent in workflow.intents:
        for hidden in intent.hidden_information:
            place = f"intents.{intent.id}.hidden_information.{hidden.id}"
            yield _answer(place, hidden.answer, START)


def _act_lines(stage: Stage, act: Act) -> Iterator[AgentLines]:
    place, node = act_place(stage, act), act_node(stage.id, act.id)
    for role, lines in (
        (AgentRole.SAY, act.say),
        (AgentRole.RESUME, act.resume),
        (AgentRole.BRIEF, act.brief),
    ):
        yield AgentLines(role, f"{place}.{role}", lines, node, act.mentions, act)
    for index, reaction in enumerate(act.received):
        answered = answered_node(stage.id, act.id)
        at = f"{place}.received" if len(act.received) == 1 else f"{place}.received[{index}].say"
        yield AgentLines(AgentRole.RECEIVED, at, reaction.say, answered, act=act)
    if act.hint:
        yield AgentLines(AgentRole.HINT, f"{place}.hint.say", act.hint.say, node, act=act)
    if act.failure:
        failure = act.failure
        retry = f"{place}.failure.retry"
        yield AgentLines(AgentRole.RETRY, retry, failure.retry, node, (*failure.mentions, *act.mentions), act)


def _answer(place: str, answer: Answer, node: Node) -> AgentLines:
    return AgentLines(AgentRole.ANSWER, f"{place}.answer.say", answer.say, node, answer.mentions)


def caller_lines(workflow: Workflow) -> Iterator[SpokenByCaller]:
    """Everything the caller may say."""
    for stage in workflow.stages:
        for act in stage.acts:
            yield from _caller_act_lines(stage, act)
        for kind, move in moves_of(stage):
            ground = grounding_of(stage, move)
            node = act_node(stage.id, ground.id) if ground else enter_node(stage.id)
            for place, text in _each(f"{move_place(stage, kind, move)}.says", move.says):
                yield SpokenByCaller(CallerRole.MOVE, place, text, grounding=ground, grounding_node=node)
    for intent in workflow.intents:
        for hidden in intent.hidden_information:
            root = f"intents.{intent.id}.hidden_information.{hidden.id}.says"
            for place, text in _each(root, hidden.says):
                yield SpokenByCaller(CallerRole.HIDDEN, place, text, intent=intent, own_words=hidden.info)


def _caller_act_lines(stage: Stage, act: Act) -> Iterator[SpokenByCaller]:
    root = act_place(stage, act)
    for index, reply in enumerate(act.replies or ()):
        for place, text in _each(f"{root}.replies[{index}].says", reply.says):
            yield SpokenByCaller(CallerRole.REPLY, place, text, act=act)
    if act.failure:
        for place, text in _each(f"{root}.failure.fails", act.failure.fails):
            yield SpokenByCaller(CallerRole.FAILS, place, text, act=act)
    if act.corrects:
        for place, text in _each(f"{root}.corrects", act.corrects):
            yield SpokenByCaller(CallerRole.CORRECTS, place, text, act=act)


def _each(place: str, says: CallerLines) -> Iterator[tuple[str, str]]:
    for profile in type(says).model_fields:
        for index, text in enumerate(getattr(says, profile)):
            yield f"{place}.{profile}[{index}]", text
