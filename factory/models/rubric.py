"""The rubric writer: code decides what a rubric asks and how it is checked, a model puts it into words.

What may not be lost in the wording, the quotes and the values of a criterion, is derived here from the composer's
own text and rules, told to the model and looked for in its reply. So the rules that go with a criterion still decide
what its text says.
"""

import re
from collections.abc import Iterator

from factory.models.ask import Asks, Question
from factory.models.brief import Brief
from factory.models.patterns import narrow_rubric
from factory.models.prompt import Prompts
from factory.models.replies import RubricReply
from factory.models.rules import cleaned, tidy
from factory.records.base import Record
from factory.records.conversation import Message
from factory.records.enums import InterruptionType
from factory.records.models import ModelRole
from factory.records.rubric import Criterion
from factory.rubric.context import Interrupted
from factory.rubric.write import write_criteria
from factory.simulate.roles import Made
from factory.simulate.views import meant_history
from factory.workflow.phrases import bare_words, holds_phrase, is_everyday_word
from factory.workflow.sentences import sentences

LONGEST_CRITERION = 60
"""Words of a criterion; one whose composed text is longer, since it lists many steps, may be as long as that."""
MOST_RECOVERY = 4
"""Recovery criteria of a rubric."""
QUOTE_WORDS = 4
"""Words from which on something in quotation marks has to have been said; fewer may be an example of a phrase."""

LONGEST_TOLD = 80
"""Characters of a text that a fault shows."""

_QUOTED = re.compile(r'"([^"]*)"')
_GAP = re.compile(r'[\s"]+')
_MARKUP = frozenset("*_#`|<>{}[]")
_NOT_FOR_READERS = re.compile(
    r"\b(criteri(?:on|a)|rubrics?|judges?|graders?|evaluat\w+|benchmarks?|placeholders?|blueprints?|stages?"
    r"|(?:the|this|that|these|each|every|next|first|previous) acts?)\b",
    re.IGNORECASE,
)
"""Words of those who made the rubric: whoever reads a criterion knows the transcript and nothing else."""


class InterruptionBrief(Record):
    """An interruption, as its rubric's writer is told of it.

    Attributes:
        type: How the caller cut in.
        delivered: What of the agent's utterance was said.
        undelivered: What of it was not.
        caller: What the caller cut in with.
        next: What the agent does in its next response, in order.
    """

    type: InterruptionType
    delivered: str
    undelivered: str
    caller: str
    next: tuple[str, ...]


class CriterionBrief(Record):
    """A criterion that a model has to word.

    Attributes:
        text: It in the composer's words.
        keep: Values and quotes that any wording has to hold, exactly.
    """

    text: str
    keep: tuple[str, ...]


class CriteriaBrief(Record):
    """All criteria of a rubric that a model has to word."""

    task_fulfilment: CriterionBrief
    recovery: tuple[CriterionBrief, ...]


async def write_rubric(
    asker: Asks, prompts: Prompts, brief: Brief, item: Interrupted, seed: int
) -> Made[tuple[Criterion, ...]]:
    """Lets a model word a rubric: task fulfilment first, recovery behind it.

    Every criterion keeps its mechanical rules. Behind them the model may add one of its own, which has none.

    Args:
        asker: Asks the model.
        prompts: Holds `rubric_writer/<type>.md.j2`, which reads `brief`, `history`, `interruption` and `criteria`.
        brief: The agent's side of the workflow.
        item: The interruption in its place.
        seed: Tells this call from others with the same prompt.

    Raises:
        UnusableReply: if the model's replies cannot be used.
        ModelError: if no reply is to be had.
    """
    criteria = write_criteria(item)
    wanted = criteria_brief(item, criteria)
    history, interruption = meant_history(item.rounds), interruption_brief(item)
    prompt = prompts.render(
        f"rubric_writer/{item.interruption.type.value}.md.j2",
        brief=brief,
        history=history,
        interruption=interruption,
        criteria=wanted,
    )
    known = _known(history, interruption, wanted)

    def faults(reply: RubricReply) -> Iterator[str]:
        return _faults(reply, wanted, known)

    schema = None
    if asker.choice(ModelRole.RUBRIC_WRITER).patterns:
        schema = narrow_rubric(wanted.task_fulfilment.text, [c.text for c in wanted.recovery])
    answered = await asker.ask(Question(ModelRole.RUBRIC_WRITER, prompt, RubricReply, seed, faults, schema))
    texts = _texts(answered.reply)
    worded = [Criterion(text=text, rules=c.rules) for text, c in zip(texts, criteria, strict=False)]
    added = [Criterion(text=text) for text in texts[len(criteria) :]]
    return Made((*worded, *added), engine=answered.call.model, call=answered.call)


def interruption_brief(item: Interrupted) -> InterruptionBrief:
    """What the writer is told of an interruption."""
    subject = item.script.workflow.subject
    return InterruptionBrief(
        type=item.interruption.type,
        delivered=item.utterance.delivered,
        undelivered=item.utterance.undelivered.strip(),
        caller=item.caller_words,
        next=tuple(f"lead back to {subject}" if u.ref == "steer" else item.does(u.ref) for u in item.next_acts),
    )


def criteria_brief(item: Interrupted, criteria: tuple[Criterion, ...]) -> CriteriaBrief:
    """The criteria of an interruption as a model is asked to word them."""
    task, *recovery = (CriterionBrief(text=c.text, keep=kept_texts(item, c)) for c in criteria)
    return CriteriaBrief(task_fulfilment=task, recovery=tuple(recovery))


def kept_texts(item: Interrupted, criterion: Criterion) -> tuple[str, ...]:
    """What any wording of a criterion has to hold: its quotes, the values in it, its numbers; none inside another."""
    text = cleaned(criterion.text)
    quotes = [quote.removeprefix("… ").strip() for quote in _QUOTED.findall(text)]
    rest = _QUOTED.sub(" ", text)
    values = map(cleaned, _values(item, criterion))
    found = [*quotes, *(value for value in values if _stands(value, rest)), *_numbers(rest)]
    kept: list[str] = []
    for one in sorted(dict.fromkeys(found), key=len, reverse=True):
        if any(map(str.isalnum, one)) and not any(_stands(one, longer) for longer in kept):
            kept.append(one)
    return tuple(sorted(kept, key=text.find))


def _values(item: Interrupted, criterion: Criterion) -> Iterator[str]:
    """Values that a criterion may be about: an everyday word only where a rule or the interruption names it."""
    for rule in criterion.rules:
        yield from (group[0] for group in rule.groups if len(group) == 1)
    slots, revised, interruption = item.standing.slots, item.standing.revised, item.interruption
    named = [interruption.slot]
    if interruption.answers is not None:
        named.append(item.script.act(interruption.answers).fills)
    for slot in named:
        if slot is not None:
            yield from (values[slot] for values in (slots, revised) if slot in values)
    yield from (value for value in (*item.scope.values(), *revised.values()) if not is_everyday_word(value))


def _known(history: tuple[Message, ...], interruption: InterruptionBrief, wanted: CriteriaBrief) -> str:
    """What a criterion's details can come from: what was said, what comes next, what the criteria say."""
    composed = [c.text for c in (wanted.task_fulfilment, *wanted.recovery)]
    return cleaned(" ".join([*(m.text for m in history), *interruption.next, *composed]))


def _texts(reply: RubricReply) -> list[str]:
    return [tidy(text) for text in (reply.task_fulfilment, *reply.recovery)]


def _faults(reply: RubricReply, wanted: CriteriaBrief, known: str) -> Iterator[str]:
    """What is wrong with a reply, in words for its writer."""
    asked, most = len(wanted.recovery), min(len(wanted.recovery) + 1, MOST_RECOVERY)
    if not asked <= len(reply.recovery) <= most:
        yield f"`recovery` has {len(reply.recovery)} texts; write the {asked} that were asked for, at most {most}"
        return
    names = ["`task_fulfilment`", *(f"`recovery` {n}" for n in range(1, len(reply.recovery) + 1))]
    briefs: list[CriterionBrief | None] = [wanted.task_fulfilment, *wanted.recovery]
    briefs += [None] * (len(names) - len(briefs))
    seen: dict[tuple[str, ...], str] = {}
    for name, brief, text in zip(names, briefs, _texts(reply), strict=True):
        yield from (f"{name} {fault}" for fault in _faults_of_one(text, brief, known))
        same = seen.setdefault(bare_words(text), name)
        if same != name:
            yield f"{name} says the same as {same}"


def _faults_of_one(text: str, brief: CriterionBrief | None, known: str) -> Iterator[str]:
    composed, keep = (brief.text, brief.keep) if brief else ("", ())
    for kept in keep:
        if not _stands(kept, text):
            yield f'has to hold this exactly: "{_shortened(kept)}"'
    plain, before = (_QUOTED.sub("quote", t) for t in (text, composed))
    # Where what was said holds quotes itself, the composer's own wording looks like several sentences too.
    several = len(sentences(plain)) > max(1, len(sentences(before)))
    if several or plain.count("?") > before.count("?"):
        yield "has to be one statement, one sentence, that a reader answers with yes or no"
    if "response" not in bare_words(plain):
        yield 'has to say what "the response" does or does not do'
    most = max(LONGEST_CRITERION, len(composed.split()))
    if len(text.split()) > most:
        yield f"has {len(text.split())} words, at most {most}"
    for word in dict.fromkeys(match[0].lower() for match in _NOT_FOR_READERS.finditer(plain)):
        if word not in composed.lower():
            yield f'says "{word}", but its reader knows the conversation and nothing else'
    odd = "".join(sorted(c for c in _MARKUP & set(plain) if c not in composed))
    if odd:
        yield f"holds mark-up or a name out of a file ({odd}); write plain words"
    yield from _unknown(text, known)


def _shortened(text: str) -> str:
    """The beginning of a long text: a fault is kept, and its writer knows the whole."""
    return text if len(text) <= LONGEST_TOLD else text[:LONGEST_TOLD] + "…"


def _unknown(text: str, known: str) -> Iterator[str]:
    """Numbers and quotes that nobody said and no criterion holds."""
    for number in _numbers(text):
        if not _stands(number, known):
            yield f'holds "{_shortened(number)}", which stands neither in the conversation nor in the criteria'
    for quote in _QUOTED.findall(text):
        if len(bare_words(quote)) >= QUOTE_WORDS and not holds_phrase(known, quote.strip(" .…")):
            yield "quotes what was not said"


def _numbers(text: str) -> list[str]:
    return [word.strip(".,;:!?()'") for word in _GAP.split(text) if any(map(str.isdigit, word))]


def _stands(wanted: str, text: str) -> bool:
    """Whether a text holds another as it is, but for capitals, and not inside a longer word or number."""
    if wanted.isascii() and text.isascii() and wanted.lower() not in text.lower():
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", text, re.IGNORECASE) is not None
