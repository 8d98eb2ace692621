"""The system-message writer: a model writes a product's prompt from the agent's side of a workflow."""

import re
from collections.abc import Iterable, Iterator

from factory.dataset.system_message import SLOT
from factory.models.ask import Asks, Question
from factory.models.brief import Brief
from factory.models.patterns import narrow_system_message
from factory.models.prompt import Prompts
from factory.models.replies import SystemMessageReply
from factory.records.models import ModelRole
from factory.simulate.roles import Made
from factory.workflow.aloud import is_unseen
from factory.workflow.phrases import holds_words, is_everyday_word

TEMPLATE = "system_writer/writer.md.j2"
SHORTEST, LONGEST = 800, 12_000
"""Characters of a system message."""

_NOT_A_PRODUCT = re.compile(r"\b(benchmarks?|judges?|rubrics?|evaluat\w+|test sets?)\b", re.IGNORECASE)
"""Words that no product's prompt has."""


async def write_system_message(asker: Asks, prompts: Prompts, brief: Brief, seed: int) -> Made[str]:
    """Lets a model write the system message with exactly one placeholder, `{known_user_information}`.

    Args:
        asker: Asks the model.
        prompts: Holds `system_writer/writer.md.j2`, which reads `brief`.
        brief: The agent's side of the workflow.
        seed: Tells this call from others with the same prompt.

    Raises:
        UnusableReply: if the model's replies cannot be used.
        ModelError: if no reply is to be had.
    """
    prompt = prompts.render(TEMPLATE, brief=brief)

    def faults(reply: SystemMessageReply) -> Iterator[str]:
        return _faults(_lines(reply.system_message), brief)

    schema = narrow_system_message(brief, SLOT) if asker.choice(ModelRole.SYSTEM_WRITER).patterns else None
    answered = await asker.ask(Question(ModelRole.SYSTEM_WRITER, prompt, SystemMessageReply, seed, faults, schema))
    return Made(_lines(answered.reply.system_message), engine=answered.call.model, call=answered.call)


def _lines(text: str) -> str:
    """A text of several lines without what nobody sees: control characters, marks of direction, trailing space."""
    split = text.replace("\r\n", "\n").replace("\t", " ").split("\n")
    seen = ("".join(c for c in line if not is_unseen(c)) for line in split)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in seen)).strip() + "\n"


def _faults(text: str, brief: Brief) -> Iterator[str]:
    """What is wrong with a system message, in words for its writer."""
    if text.count(SLOT) != 1:
        yield f"it has to hold {SLOT} exactly once, and holds it {text.count(SLOT)} times"
    if re.search(r"[{}]", text.replace(SLOT, "")):
        yield f"it may hold no braces but those of {SLOT}"
    if not SHORTEST <= len(text) <= LONGEST:
        yield f"it has {len(text)} characters, and needs {SHORTEST} to {LONGEST}"
    for name in (brief.organization, brief.agent):
        if not holds_words(text, name):
            yield f'it has to name "{name}"'
    yield from _stages_out_of_order(text, brief)
    own = brief.canonical().lower()
    for word in dict.fromkeys(match[0].lower() for match in _NOT_A_PRODUCT.finditer(text)):
        if word not in own:
            yield f'no product says "{word}" to its agent'
    for name, value in _private(brief):
        if holds_words(text, value):
            yield f"it gives away the {name.replace('_', ' ')}, which only {SLOT} brings in"


def _stages_out_of_order(text: str, brief: Brief) -> Iterator[str]:
    plain, place = " ".join(text.lower().split()), 0
    for stage in brief.stages:
        name = " ".join(stage.name.lower().split())
        found = plain.find(name, place)
        if found < 0:
            yield f'it has to name every stage in its order; "{stage.name}" is missing or stands too early'
            return
        place = found + len(name)


def _private(brief: Brief) -> Iterator[tuple[str, str]]:
    """Private values by name, but for those that are ordinary words or stand in the workflow's own texts."""
    told = " ".join(_texts(brief.model_dump(exclude={"known", "private"}).values()))
    for name, value in brief.known.items():
        if name.split(".")[0] in brief.private and not is_everyday_word(value) and not holds_words(told, value):
            yield name, value


def _texts(values: Iterable[object]) -> Iterator[str]:
    """Every text in some values, however deep."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from _texts(value.values())
        elif isinstance(value, tuple):
            yield from _texts(value)
