"""Writes a rubric from acts: what the next response has to do, and how the transition has to be made.

The two axes do not overlap: task fulfilment says *what* gets done, recovery says *how*. Every criterion
is self-contained, since a judge sees the history and the criterion and nothing else.
"""

from factory.records.callers import CallerMove
from factory.records.enums import InterruptionType
from factory.records.rubric import SHORT_WORDS, Criterion, Rule, RuleKind
from factory.rubric.checker import DISMISSIVE
from factory.rubric.context import Interrupted
from factory.workflow.phrases import bare_words, holds_phrase, shares_phrase

ACKNOWLEDGEMENTS = (
    "sure", "yes", "yeah", "go ahead", "take your time", "no problem", "of course", "great", "thanks",
    "thank you", "i'm glad", "sorry", "did you", "okay",
)  # fmt: skip
"""Ways to answer a backchannel that should have had no answer."""


def write_criteria(item: Interrupted) -> tuple[Criterion, ...]:
    """The whole rubric: task fulfilment first, recovery behind it."""
    return (task_fulfilment(item), *recovery(item))


def task_fulfilment(item: Interrupted) -> Criterion:
    """The one criterion of what the next single response can do: all of it, and only that."""
    if item.interruption.type is InterruptionType.FILLER:
        rest = item.utterance.undelivered.strip()
        return Criterion(
            text=f'The response says the rest of what the agent was saying, which is: "{rest}"',
            rules=_done(item),
        )
    steps = [item.does(use.ref) for use in item.next_acts if use.ref != "steer"]
    if item.interruption.answers is not None:
        slot = item.script.act(item.interruption.answers).fills
        if slot is not None and holds_phrase(item.caller_words, item.standing.slots[slot]):
            value = item.standing.slots[slot]
            steps.insert(0, f"take {value} as the {item.called(slot)}, without asking for it again")
    return Criterion(
        text=f"In this one response the agent does all of the following: {_series(steps)}.",
        rules=_done(item),
    )


def _done(item: Interrupted) -> tuple[Rule, ...]:
    """What shows that the next acts were done: the words of each, and a question where one comes."""
    asks = (Rule(kind=RuleKind.ASKS),) if item.asks else ()
    return (Rule(kind=RuleKind.MENTIONS_EACH, groups=_groups(item)), *asks)


def recovery(item: Interrupted) -> tuple[Criterion, ...]:
    """Two to four yes/no criteria of how the transition is made, by type."""
    kind = item.interruption.type
    if kind is InterruptionType.FILLER:
        return _after_filler(item)
    if kind is InterruptionType.IMPATIENT:
        return (*_after_impatient(item), _fresh_start(item))
    if kind is InterruptionType.CORRECTION:
        return (*_after_correction(item), _fresh_start(item))
    return (*_after_move(item), _fresh_start(item))


def _groups(item: Interrupted) -> tuple[tuple[str, ...], ...]:
    """For each act of the next response that has them, the words by which it is recognised.

    The rest of a cut sentence need not hold its act's words, so that act is left out after a filler.
    """
    uses = item.next_acts
    if item.interruption.type is InterruptionType.FILLER:
        uses = uses[1:]
    return tuple(group for use in uses if (group := item.mentions(use.ref)))


def _series(steps: list[str]) -> str:
    return steps[0] if len(steps) == 1 else f"{'; '.join(steps[:-1])}; and then {steps[-1]}"


def _quote(text: str, words: int = 12) -> str:
    tail = text.split(" ")[-words:]
    return ("… " if len(text.split(" ")) > words else "") + " ".join(tail)


def _fresh_start(item: Interrupted) -> Criterion:
    heard = item.utterance.delivered
    rest = item.utterance.undelivered.strip()
    return Criterion(
        text=(
            "The response starts afresh: it neither completes the sentence that was cut off after "
            f'"{_quote(heard, 8)}" nor repeats the wording that the caller had already heard in that turn; '
            "asking or explaining again in other words is fine."
        ),
        rules=(
            Rule(kind=RuleKind.FRESH_START, text=rest),
            Rule(kind=RuleKind.NO_HEARD_REPEAT, text=heard),
        ),
    )


def _after_filler(item: Interrupted) -> tuple[Criterion, ...]:
    heard, rest = item.utterance.delivered, item.utterance.undelivered.strip()
    # Where the rest itself takes up words from before the cut, only the exact continuation decides.
    repeats = () if shares_phrase(rest, heard) else (Rule(kind=RuleKind.NO_HEARD_REPEAT, text=heard),)
    return (
        Criterion(
            text=(
                f'The response goes on from the exact word of the cut: behind "{_quote(heard, 6)}" its first '
                f'words are "{" ".join(rest.split(" ")[:5])}", so that both read as one utterance.'
            ),
            rules=(Rule(kind=RuleKind.EXACT_CONTINUATION, text=rest),),
        ),
        Criterion(
            text="The response says nothing again that was already said before the cut.",
            rules=repeats,
        ),
        Criterion(
            text=f'The response does not react to the caller\'s "{item.caller_words}" in any way.',
            rules=(Rule(kind=RuleKind.NO_ACKNOWLEDGEMENT, groups=(_not_the_rest(rest),)),),
        ),
    )


def _not_the_rest(rest: str) -> tuple[str, ...]:
    """The acknowledgements, but for one with which the rest itself happens to begin."""
    first = " ".join(bare_words(rest)[:3])
    return tuple(a for a in ACKNOWLEDGEMENTS if not first.startswith(a))


def _after_impatient(item: Interrupted) -> tuple[Criterion, ...]:
    cut = item.does(item.cut_act)
    again = any(use.ref == item.cut_act for use in item.next_acts)
    place = next(s for s in item.utterance.segments if s.act == item.cut_act)
    if again:
        first = Criterion(
            text=f"The response says what the caller cut off ({cut}) only in short, without the earlier wording.",
            rules=(Rule(kind=RuleKind.SKIPS_CUT_CONTENT, text=place.text),),
        )
    else:
        first = Criterion(
            text=f"The response does not come back to what the caller cut off ({cut}).",
            rules=(Rule(kind=RuleKind.SKIPS_CUT_CONTENT, text=place.text),),
        )
    return (
        first,
        Criterion(
            text=(
                f"The response meets the caller's hurry: it is short, at most {SHORT_WORDS} words, and explains "
                f"nothing at length."
            ),
            rules=(Rule(kind=RuleKind.SHORT, limit=SHORT_WORDS),),
        ),
    )


def _after_correction(item: Interrupted) -> tuple[Criterion, ...]:
    slot = item.interruption.slot
    assert slot is not None
    new, old = item.standing.slots[slot], item.standing.revised[slot]
    called = item.called(slot)
    # Where the acts to come name the old value for another reason, only a judge can tell.
    telling = () if item.authored(old) else (Rule(kind=RuleKind.NO_OLD_VALUE, groups=((old,),)),)
    return (
        Criterion(
            text=f"The response accepts that the {called} is {new}, without doubt or a request to justify it.",
            rules=(Rule(kind=RuleKind.NOT_DEFENSIVE, groups=(DISMISSIVE,)),),
        ),
        Criterion(
            text=f"The response does not use {old}, the {called} that no longer holds.",
            rules=telling,
        ),
    )


def _after_move(item: Interrupted) -> tuple[Criterion, ...]:
    move = item.script.moves[item.interruption.move or ""]
    kind = item.interruption.type
    about = move.source.about if isinstance(move.source, CallerMove) else f"that the caller {move.source.info}"
    engaged = item.mentions(item.next_acts[0].ref)
    later = tuple(word for use in item.next_acts[1:] for word in item.mentions(use.ref) if word not in engaged)
    first_rules = (Rule(kind=RuleKind.ENGAGES_BEFORE_RESUMING, groups=(engaged, later)),) if later else ()
    if kind is InterruptionType.PUSHBACK:
        return (
            Criterion(
                text=f"The response takes up the caller's objection about {about} before it goes on.",
                rules=first_rules,
            ),
            Criterion(
                text="The response stays calm and on the caller's side: it does not dismiss, blame or lecture them.",
                rules=(Rule(kind=RuleKind.NOT_DEFENSIVE, groups=(DISMISSIVE,)),),
            ),
        )
    if kind is InterruptionType.TOPIC_SWITCH:
        return (
            Criterion(
                text=(
                    f"The response first answers the caller's side request ({about}) briefly, then returns to "
                    f"{item.script.workflow.subject} in a sentence of its own, without blending the two."
                ),
                rules=first_rules,
            ),
        )
    return (
        Criterion(
            text=f"The response reacts to what the caller brought up ({about}) before it goes on.",
            rules=first_rules,
        ),
    )
