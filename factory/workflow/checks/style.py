"""How both sides sound: nothing that cannot be spoken, one question at a time, nothing left over."""

import re
from collections.abc import Iterator
from functools import lru_cache

from factory.records.lines import PLACEHOLDER
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.aloud import unsaid_fault
from factory.workflow.checks.wording import normalised
from factory.workflow.findings import Check, Finding, error
from factory.workflow.lines import AgentLines, AgentRole
from factory.workflow.sentences import sentences

_UNSPOKEN = (
    (re.compile(r"[*`#_~]|^\s*(?:[-•]|\d+[.)])\s"), "markdown or a list sign", "write a plain sentence"),
    (re.compile(r"[–—]|--|\s-\s"), "a dash", "make it two sentences or use a comma"),
    (re.compile(r";"), "a semicolon", "make it two sentences"),
    (re.compile(r"[()]"), "a parenthesis", "say it in a sentence of its own"),
    (re.compile(r"[\[\]<>]"), "a bracket", "write what is to be said"),
)
_SIGN = re.compile(r"[*`#_~–—;()\[\]<>•)]|--|\s-\s|^\s*(?:-|\d+\.)\s")
"""Stands in every text with an unspoken sign, and in hardly any other."""
_UNSPOKEN_BY_CALLER = (_UNSPOKEN[0], _UNSPOKEN[4])
_LEFTOVER = re.compile(
    r"\b(?:TBD|TBC|TODO|FIXME|X{3,}|N/A)\b|\blorem\b|\bipsum\b|\[[^\]]*\]|<[a-z][^>]*>|\bplaceholder\b|(?-i:GAP:)",
    re.IGNORECASE,
)
_LEFT = ("tbd", "tbc", "todo", "fixme", "xxx", "n/a", "lorem", "ipsum", "[", "<", "placeholder", "gap:")
"""One of these stands in every text with something left over; looking for them costs next to nothing."""
_ANNOUNCES = r"(?i:\bstage\b|\bstep (?:number )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b)"
_STATEMENTS = {
    AgentRole.ANSWER: "an answer leads back to the open question, so it holds no question of its own",
    AgentRole.HINT: "a hint stands behind its question, so it holds no question of its own",
    AgentRole.RECEIVED: "a reaction to an answer asks nothing",
    AgentRole.HARD_STOP: "the call ends here, so nothing is asked",
}


def check_agent_style(workflow: Workflow, lines: AgentLines) -> Iterator[Finding]:
    """What the agent says can be spoken, announces no stage and asks at most one thing."""
    names = tuple(stage.name for stage in workflow.stages if " " in stage.name)
    announced = _announcements(names)
    for index, text in enumerate(lines.lines):
        place = lines.at(index)
        yield from _check_signs(place, text, _UNSPOKEN)
        yield from check_leftover(place, text)
        yield from _check_end(place, text)
        folded = text.casefold()
        may_tell = "stage" in folded or "step" in folded or any(name in text for name in names)
        told = announced.search(text) if may_tell else None
        if told:
            message = f'"{told[0]}" announces the workflow\'s own structure; just go on with what comes next'
            yield error(Check.ANNOUNCES, place, message)
        yield from _check_question_marks(lines, place, text)


@lru_cache(maxsize=64)
def _announcements(names: tuple[str, ...]) -> re.Pattern[str]:
    """Words like "step 3", and stage names as titles, since "I'll block the card" may well be said."""
    titles = [rf"(?<!^)(?<![.!?] ){re.escape(name)}" for name in names]
    return re.compile("|".join([_ANNOUNCES, *titles]))


def _check_question_marks(lines: AgentLines, place: str, text: str) -> Iterator[Finding]:
    marks = text.count("?")
    in_act = lines.role in (AgentRole.SAY, AgentRole.RESUME, AgentRole.BRIEF)
    if in_act and lines.act and lines.act.is_question:
        if marks > 1:
            yield error(Check.QUESTION_MARK, place, f"{marks} questions at once; ask one thing")
        elif not text.rstrip("\"'”’").endswith("?"):
            yield error(Check.QUESTION_MARK, place, "a question ends with its question mark; put it last")
    elif lines.role is AgentRole.RETRY:
        if marks > 1:
            yield error(Check.QUESTION_MARK, place, f"{marks} questions at once; ask one thing")
    elif lines.role is AgentRole.ANSWER:
        if text.rstrip("\"'”’").endswith("?"):
            message = f"{_STATEMENTS[lines.role]}; end it with a statement"
            yield error(Check.QUESTION_MARK, place, message)
    elif marks:
        why = _STATEMENTS.get(lines.role, "a tell asks nothing: the caller would answer it")
        yield error(Check.QUESTION_MARK, place, f"{why}; make it a statement")


def check_caller_style(place: str, text: str) -> Iterator[Finding]:
    """What the caller says can be spoken and has nothing left over."""
    yield from _check_signs(place, text, _UNSPOKEN_BY_CALLER)
    yield from _check_end(place, text)
    yield from check_leftover(place, text)


def _check_signs(place: str, text: str, signs: tuple[tuple[re.Pattern[str], str, str], ...]) -> Iterator[Finding]:
    plain = PLACEHOLDER.sub("x", text)
    found = [sign for sign in signs if sign[0].search(plain)] if _SIGN.search(plain) else []
    for _, what, remedy in found:
        yield error(Check.STYLE, place, f"{what} cannot be spoken; {remedy}")
    fault = "" if found else unsaid_fault(plain)
    if fault:
        yield error(Check.UNSAID, place, f"this line {fault}")
    if " ".join(text.split()) != text:
        message = "a line break or double space stands in this line; fold the text with single spaces"
        yield error(Check.STYLE, place, message)


def _check_end(place: str, text: str) -> Iterator[Finding]:
    """A line is a whole one; a list in brackets splits lines at their commas unless they stand in quotes."""
    if text.rstrip("\"'”’")[-1:] not in (".", "?", "!", "…", "}"):
        message = "this line has no end; write its full stop, and put lines with commas in quotes"
        yield error(Check.STYLE, place, message)


def check_leftover(place: str, text: str) -> Iterator[Finding]:
    """Nothing that was to be filled in later is left."""
    folded = text.casefold()
    left = _LEFTOVER.search(text) if any(word in folded for word in _LEFT) else None
    if left:
        yield error(Check.LEFTOVER, place, f'"{left[0]}" was left to be filled in; write the real words')


def check_lead_in(shared: Shared, lines: AgentLines) -> Iterator[Finding]:
    """An answer does not begin with a lead-in, since a shared one is put before it."""
    if lines.role is not AgentRole.ANSWER:
        return
    agent = shared.agent
    phrases = {normalised(p) for p in (*agent.calm, *agent.noted, *agent.sidestep, *agent.quick, *agent.steer)}
    for index, text in enumerate(lines.lines):
        first = sentences(text)[0]
        if normalised(first) in phrases and first != text:
            message = f'"{first}" is a shared lead-in that is put before the answer anyway; leave it out'
            yield error(Check.LEAD_IN, lines.at(index), message)
