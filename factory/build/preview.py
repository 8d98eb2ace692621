"""One conversation in the terminal, played at once and kept nowhere."""

from factory.build.conversations import Engine, compose, write_items
from factory.corpus.plan import plan_corpus
from factory.errors import WorkflowError
from factory.records.conversation import Round
from factory.records.enums import InterruptionType
from factory.records.rubric import Item
from factory.records.spec import InterruptionOrder, Messages, Spec
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


def count_errors(library: Library, workflow_id: str) -> int:
    """How many errors the linter finds in a workflow, which make wrong calls of it or none."""
    return sum(f.severity is Severity.ERROR for f in lint(library.workflow(workflow_id), library.shared))


async def preview(library: Library, workflow_id: str, seed: int, rubrics: bool, colour: bool) -> str:
    """Plays one call of about 30 messages with nine interruptions of all types.

    Raises:
        SpecError: if the workflow cannot carry such a call; the linter says why.
        WorkflowError: if it has errors that leave no call to play.
    """
    try:
        (blueprint,) = plan_corpus(_spec(workflow_id), library, seed)
        engine = Engine(library)
        rounds = await compose(engine, blueprint)
        items = {i.turn: i for i in write_items(engine, blueprint, rounds)} if rubrics else {}
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


def _spec(workflow_id: str) -> Spec:
    return Spec(
        schema_version=1,
        name="preview",
        conversations=1,
        workflows=(workflow_id,),
        interruptions=InterruptionOrder(by_type=_TYPES, by_depth=_DEPTHS),
        messages=Messages(min=30, max=30, mean=30.0),
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
