"""After a cut there is always a way on that repeats nothing of what was just heard.

Rubrics and checks forbid five words in a row that the caller has just heard; the engine looks for wordings
that share none. Here is proved that it finds one: values filled in, since a caller hears values.
"""

from collections.abc import Iterator, Mapping, Sequence

from factory.records.acts import Act
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.facts import acts_of, spoken_values
from factory.workflow.fill import fill, fill_known
from factory.workflow.findings import Check, Finding, error
from factory.workflow.lines import act_place
from factory.workflow.phrases import phrases
from factory.workflow.sentences import is_cuttable

Variants = list[tuple[str, str]]
"""Places and spoken texts of some variants."""


def check_repeats(workflow: Workflow) -> Iterator[Finding]:
    """Whatever wording of an act was heard, one is left that starts afresh."""
    values = spoken_values(workflow)
    for stage, act in acts_of(workflow):
        spoken = _Spoken(act, act_place(stage, act), values)
        yield from _check_resume(spoken)
        if act.is_question:
            yield from _check_asked_again(spoken)
        else:
            yield from _check_told_again(spoken, is_cuttable(act.say + act.resume))
        yield from _check_hint(spoken)


def check_subject(workflow: Workflow, shared: Shared) -> Iterator[Finding]:
    """Side requests may come twice in a row, and the way back to the subject is another one then."""
    ways = (fill(line, {"subject": workflow.subject}) for line in shared.agent.steer)
    variants = [(str(number), text) for number, text in enumerate(ways)]
    stuck = next((text for place, text in variants if not _has_other(place, text, variants)), None)
    if stuck:
        message = f'every way back to it shares five words in a row with "{stuck}"; three words are short enough'
        yield error(Check.SUBJECT, "subject", message)


class _Spoken:
    """An act's wordings as they are heard."""

    def __init__(self, act: Act, place: str, values: Mapping[str, str]) -> None:
        def variants(name: str, lines: Sequence[str]) -> Variants:
            return [(f"{place}.{name}[{i}]", fill_known(line, values)) for i, line in enumerate(lines)]

        self.required = act.required
        self.say = variants("say", act.say)
        self.resume = variants("resume", act.resume)
        self.brief = variants("brief", act.brief)
        self.retry = variants("failure.retry", act.failure.retry if act.failure else ())
        self.hint = variants("hint.say", act.hint.say if act.hint else ())


def _check_resume(spoken: _Spoken) -> Iterator[Finding]:
    for place, text in spoken.resume:
        shared = next((run for _, heard in spoken.say if (run := _shared(text, heard))), None)
        if shared:
            message = f'shares "{shared}" with a `say`; a resume is a fresh start in other words'
            yield error(Check.RESUME_OVERLAP, place, message)


def _check_told_again(spoken: _Spoken, cuttable: bool) -> Iterator[Finding]:
    """A tell that was cut comes again; without a `resume` of its own it comes in another `say`."""
    heard = [*spoken.resume] if spoken.resume else [*spoken.say]
    again = spoken.resume or spoken.say
    for place, text in heard if cuttable else ():
        if not _has_other(place, text, again):
            message = (
                "each other way to take this up shares five words in a row with it, so that it cannot be taken "
                "up twice; say one of them in other words"
            )
            yield error(Check.FRESH_START, place, message)
    for place, text in spoken.brief if spoken.required else ():
        shared = next((run for _, heard in (*spoken.say, *spoken.resume) if (run := _shared(text, heard))), None)
        if shared:
            message = f'shares "{shared}" with what a hurried caller has just cut off; say it in other words'
            yield error(Check.BRIEF_OVERLAP, place, message)


def _check_asked_again(spoken: _Spoken) -> Iterator[Finding]:
    """A question that was left open is asked again, and was heard in any wording, with a hint behind it."""
    for place, text in (*spoken.say, *spoken.resume, *spoken.brief, *spoken.retry) if spoken.resume else ():
        for hint in [hint for _, hint in spoken.hint] or [""]:
            if not _has_other(place, f"{text} {hint}", spoken.resume):
                behind = f' with the hint "{hint[:40]}…" behind it' if hint else ""
                message = (
                    f"each other `resume` shares five words in a row with this{behind}, so that it cannot be asked "
                    "again; say one of them in other words"
                )
                yield error(Check.FRESH_START, place, message)
                break


def _check_hint(spoken: _Spoken) -> Iterator[Finding]:
    for place, text in spoken.hint:
        if not _has_other(place, text, spoken.hint):
            message = (
                "each other variant of the hint shares five words in a row with this one, but it may be begun "
                "twice; say one of them in other words"
            )
            yield error(Check.FRESH_START, place, message)


def _has_other(place: str, heard: str, variants: Variants) -> bool:
    """Whether a variant, other than the one at that place, repeats nothing of what was heard."""
    said = phrases(heard)
    return any(where != place and said.isdisjoint(phrases(text)) for where, text in variants)


def _shared(text: str, heard: str) -> str:
    """Words in a row that two texts share; empty where there are fewer than five."""
    return " ".join(min(phrases(text) & phrases(heard), default=()))
