"""The modifier: mends one turn of the agent's with as few words changed as possible.

It sees what was said before, the turn and the fault, and nothing else. The cut is made anew behind it, and all that
followed is played again.
"""

from collections.abc import Iterator, Sequence

from factory.models.ask import Asks, Question
from factory.models.brief import ActBrief
from factory.models.patterns import narrow_edit
from factory.models.prompt import Prompts
from factory.models.replies import ModifierReply
from factory.models.rules import act_faults, number_faults, spoken_faults, tidy
from factory.models.verifier import VerifierFinding
from factory.records.base import Record
from factory.records.conversation import Message, Round, Segment
from factory.records.models import ModelRole
from factory.simulate.roles import Made
from factory.simulate.views import joined

TEMPLATE = "modifier/edit.md.j2"
FEWEST_CHANGES = 12
"""Words that an edit may always change, however short the turn is; a longer one may be changed by half."""


class EditCommand(Record):
    """What the modifier is told of a fault."""

    problem: str
    fix: str


async def edit(
    asker: Asks,
    prompts: Prompts,
    done: Round,
    acts: tuple[ActBrief, ...],
    history: tuple[Message, ...],
    finding: VerifierFinding,
    seed: int,
) -> Made[tuple[Segment, ...]]:
    """Lets a model mend the agent's words of one round.

    Args:
        asker: Asks the model.
        prompts: Holds `modifier/edit.md.j2`, which reads `history`, `segments` and `finding`.
        done: The round.
        acts: What its writer was told of each act; the model sees of them only what its edit would lose.
        history: What was delivered before the round.
        finding: The fault.
        seed: Tells this call from others with the same prompt.

    Raises:
        UnusableReply: if the model's replies cannot be used.
        ModelError: if no reply is to be had.
    """
    before = done.agent.segments
    command = EditCommand(problem=finding.problem, fix=finding.fix)
    prompt = prompts.render(TEMPLATE, history=history, segments=before, finding=command)
    given = [*(m.text for m in history), command.problem, command.fix]

    def faults(reply: ModifierReply) -> Iterator[str]:
        return _faults(before, _segments(reply), acts, given)

    schema = narrow_edit(before) if asker.choice(ModelRole.MODIFIER).patterns else None
    answered = await asker.ask(Question(ModelRole.MODIFIER, prompt, ModifierReply, seed, faults, schema))
    return Made(_segments(answered.reply), engine=answered.call.model, call=answered.call)


def most_changes(words: int) -> int:
    """Words that an edit of a turn of so many may take out, put in or replace."""
    return max(FEWEST_CHANGES, words // 2)


def changed_words(before: Sequence[str], after: Sequence[str]) -> int:
    """The fewest words that have to be taken out, put in or replaced to get from one text to the other."""
    row = list(range(len(after) + 1))
    for i, old in enumerate(before, 1):
        above = row
        row = [i]
        for j, new in enumerate(after, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (old != new)))
    return row[-1]


def _segments(reply: ModifierReply) -> tuple[Segment, ...]:
    return tuple(Segment(act=s.act, text=tidy(s.text)) for s in reply.segments)


def _faults(
    before: tuple[Segment, ...], after: tuple[Segment, ...], acts: tuple[ActBrief, ...], given: Sequence[str]
) -> Iterator[str]:
    """What is wrong with an edit, in words for its writer."""
    order = [s.act for s in before]
    if [s.act for s in after] != order:
        yield f"`segments` has to hold these acts, each once and in this order: {', '.join(order)}"
        return
    yield from _too_little_or_much(joined(before).split(), joined(after).split())
    briefs = {act.ref: act for act in acts}
    for segment in after:
        brief = briefs.get(segment.act)
        faults = spoken_faults(segment.text) if brief is None else act_faults(brief, segment.text)
        yield from (f"`{segment.act}`: {fault}" for fault in faults)
    values = [value for act in acts for value in act.holds]
    yield from number_faults(joined(after), [joined(before), *given, *values])


def _too_little_or_much(old: list[str], new: list[str]) -> Iterator[str]:
    if old == new:
        yield "nothing was changed"
    most = most_changes(len(old))
    # A reply of many times the turn's length is told by that alone: comparing word by word would take too long.
    changed = abs(len(new) - len(old))
    if changed <= most:
        changed = changed_words(old, new)
    if changed > most:
        yield f"{changed} words or more were changed, at most {most} may be; change only what the fault asks for"
