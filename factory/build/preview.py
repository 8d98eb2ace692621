"""One conversation in the terminal, played at once and kept nowhere."""

from factory.build.conversations import compose, composed_items
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.errors import SpecError, WorkflowError
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.enums import InterruptionType, Way
from factory.records.rubric import Item
from factory.records.spec import InterruptionOrder, Messages, Spec, Variations
from factory.workflow.findings import Severity
from factory.workflow.library import Library
from factory.workflow.lint import lint

STRIKE, DIM, BOLD, PLAIN = "\x1b[9m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
COMBINING_STROKE = "\u0336"

_TYPES = {
    InterruptionType.PUSHBACK: 3,
    InterruptionType.IMPATIENT: 2,
    InterruptionType.NORMAL: 1,
    InterruptionType.TOPIC_SWITCH: 1,
    InterruptionType.FILLER: 1,
    InterruptionType.CORRECTION: 1,
}
_DEPTHS = {"0-4": 4, "5-9": 3, "10-14": 2}
_TYPES_OF_A_STOP = {
    InterruptionType.PUSHBACK: 2,
    InterruptionType.NORMAL: 1,
    InterruptionType.FILLER: 1,
}
_DEPTHS_OF_A_STOP = {"0-4": 3, "5-9": 1}

MOST_DRAWS = 400
"""Seeds that are tried for a caller before it is said that none of them has such a call."""


def count_errors(library: Library, workflow_id: str) -> int:
    """How many errors the linter finds in a workflow, which make wrong calls of it or none."""
    return sum(f.severity is Severity.ERROR for f in lint(library.workflow(workflow_id), library.shared))


async def preview(
    library: Library,
    workflow_id: str,
    seed: int,
    rubrics: bool,
    colour: bool,
    intent_id: str | None = None,
    way: Way = Way.STRAIGHT,
) -> str:
    """Plays one call of 30 messages with nine interruptions of all types; one that stops early is shorter.

    Args:
        library: Where the workflow is.
        workflow_id: Which it is.
        seed: Decides every draw.
        rubrics: Whether to show the rubric of each interruption.
        colour: Whether the terminal knows styles.
        intent_id: Who calls; anybody if None.
        way: How the call goes.

    Raises:
        SpecError: if the workflow cannot carry such a call; the linter says why.
        WorkflowError: if it has errors that leave no call to play, or no such caller.
    """
    try:
        blueprint = _planned(library, workflow_id, seed, intent_id, way)
        engine = Engine(library)
        rounds = await compose(engine, blueprint)
        items = {i.turn: i for i in composed_items(engine, blueprint, rounds)} if rubrics else {}
    except (AssertionError, LookupError, ValueError) as exc:
        if count_errors(library, workflow_id):  # then nothing is certain that the engine takes for granted
            raise WorkflowError(f"{workflow_id}: cannot be played as long as it has errors; mend them first") from exc
        raise
    intent = library.workflow(workflow_id).intent(blueprint.intent)
    head = f"{workflow_id}, seed {seed}: {intent.reaction} ({intent.id}), ends with {blueprint.outcome}"
    lines = [_styled(head, BOLD, colour), ""]
    for done in rounds:
        lines += _round(done, colour)
        if done.index + 1 in items:
            lines += _rubric(items[done.index + 1], colour)
    return "\n".join(lines)


def _planned(library: Library, workflow_id: str, seed: int, intent_id: str | None, way: Way) -> Blueprint:
    """The first call of that seed, or of the next ones, that is the wanted caller's."""
    intents = [intent.id for intent in library.workflow(workflow_id).intents]
    if intent_id is not None and intent_id not in intents:
        raise WorkflowError(f"{workflow_id}: has no intent `{intent_id}`; it has {', '.join(intents)}")
    spec = _spec(workflow_id, way)
    if intent_id is None and way is Way.STRAIGHT:
        (blueprint,) = plan_corpus(spec, library, seed)
        return blueprint
    for draw in range(MOST_DRAWS):
        try:
            (blueprint,) = plan_corpus(spec, library, seed + draw)
        except SpecError:  # whom this seed has drawn cannot go this way
            continue
        if intent_id in (None, blueprint.intent):
            return blueprint
    raise SpecError(
        f"{workflow_id}: no call goes this way ({way}, {intent_id or 'anybody'}); choose another way or caller"
    )


def _spec(workflow_id: str, way: Way) -> Spec:
    stops = way is Way.STOP
    types, depths = (_TYPES_OF_A_STOP, _DEPTHS_OF_A_STOP) if stops else (_TYPES, _DEPTHS)
    length = 16 if stops else 30
    return Spec(
        schema_version=1,
        name="preview",
        conversations=1,
        workflows=(workflow_id,),
        interruptions=InterruptionOrder(by_type=types, by_depth=depths),
        messages=Messages(min=length, max=length, mean=length),
        variations=Variations(hard_stops=int(stops), retries=int(way is Way.RETRY)),
    )


def _round(done: Round, colour: bool) -> list[str]:
    utterance = done.agent
    text = utterance.delivered
    if utterance.cut is not None:
        text += _struck(utterance.undelivered, colour)
    lines = [f"Agent:  {text}"]
    if done.caller is not None:
        kind = f"  {_styled(f'[{done.caller.type.value}]', BOLD, colour)}" if done.caller.type else ""
        lines.append(f"Caller: {done.caller.text}{kind}")
    return lines


def _rubric(item: Item, colour: bool) -> list[str]:
    lines = [f"        task: {item.task_fulfilment.text}"]
    lines += [f"        recovery: {criterion.text}" for criterion in item.recovery]
    lines += [f"        {control.kind.value}: {control.text}" for control in item.controls]
    return [_styled(line, DIM, colour) for line in lines]


def _struck(text: str, colour: bool) -> str:
    if colour:
        return f"{DIM}{STRIKE}{text}{PLAIN}"
    return "".join(c + COMBINING_STROKE if c != " " else c for c in text)


def _styled(text: str, style: str, colour: bool) -> str:
    return f"{style}{text}{PLAIN}" if colour else text
