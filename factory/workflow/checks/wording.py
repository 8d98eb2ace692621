"""Enough ways to say each thing, really different, and cut and taken up again as the design needs it."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from rapidfuzz.distance import Indel

from factory.records.acts import Act
from factory.records.workflow import Workflow
from factory.workflow.carry import closing_start
from factory.workflow.fill import fill_known
from factory.workflow.findings import Check, Finding, error, warning
from factory.workflow.lines import AgentLines, AgentRole, act_place
from factory.workflow.phrases import holds_phrase
from factory.workflow.sentences import MIN_CUT_WORDS, is_cuttable, sentences, spoken_words

MIN_SAY, MIN_HARD_STOP, MIN_RESUME, MIN_BRIEF = 4, 3, 3, 2
"""Variants that a corpus needs to sound like many calls and not like one."""

MAX_RATIO = 0.92
"""Two variants that are more alike (share of their letters that stand in both, in order) count as one."""

_PUNCTUATION = re.compile(r"[\W_]+")
_PARTS = re.compile(r"\{[a-z0-9_.]+\}|[^\s{}]+")

_MIN_VARIANTS = {
    AgentRole.SAY: MIN_SAY,
    AgentRole.HINT: MIN_SAY,
    AgentRole.RETRY: MIN_SAY,
    AgentRole.ANSWER: MIN_SAY,
    AgentRole.HARD_STOP: MIN_HARD_STOP,
}


def check_variants(lines: AgentLines) -> Iterator[Finding]:
    """There are enough variants, and they are distinct."""
    least = _MIN_VARIANTS.get(lines.role, 0)
    if len(lines.lines) < least:
        message = f"there are {len(lines.lines) or 'no'} ways to say this; write {least - len(lines.lines)} more"
        yield error(Check.VARIANTS, lines.place, message)
    plain = [" ".join(normalised(line)) for line in lines.lines]
    for index in range(1, len(plain)):
        for earlier in range(index):
            if Indel.normalized_similarity(plain[index], plain[earlier]) > MAX_RATIO:
                message = f"nearly the same as variant [{earlier}]; say it in a really different way"
                yield error(Check.DISTINCT, lines.at(index), message)
                break


def check_mentions(known: Mapping[str, str], lines: AgentLines) -> Iterator[Finding]:
    """Each variant has one of the words by which rubrics recognise it, found just as rubrics find them.

    Args:
        known: Known user information by dotted name, which stands in the place of its placeholders.
        lines: What the agent may say.
    """
    wanted = [fill_known(mention, known) for mention in lines.mentions]
    for index, line in enumerate(lines.lines if wanted else ()):
        spoken = fill_known(line, known)
        if not any(holds_phrase(spoken, mention) for mention in wanted):
            listed = " or ".join(f"`{mention}`" for mention in lines.mentions)
            message = (
                f"none of the `mentions` stands in this variant, as whole words or their beginning; use {listed}, "
                "or add its own word"
            )
            yield error(Check.MENTIONS, lines.at(index), message)


@lru_cache(maxsize=8192)
def normalised(text: str) -> tuple[str, ...]:
    """The words of a text without case and punctuation; a placeholder is one word."""
    found = []
    for part in _PARTS.findall(text):
        if part.startswith("{"):
            found.append(part)
        elif plain := _PUNCTUATION.sub("", part.casefold()):
            found.append(plain)
    return tuple(found)


def check_forms(workflow: Workflow) -> Iterator[Finding]:
    """Acts can be cut, taken up again and said in a hurry."""
    closing = closing_start(workflow)
    for s, stage in enumerate(workflow.stages):
        for a, act in enumerate(stage.acts):
            place = act_place(stage, act)
            cut = act.is_question or ((s, a) < closing and is_cuttable(act.say))
            if cut and len(act.resume) < MIN_RESUME:
                message = f"there are {len(act.resume) or 'no'} ways to take this up after a cut; write {MIN_RESUME}"
                yield error(Check.VARIANTS, f"{place}.resume", message)
            if (act.is_question or act.required) and len(act.brief) < MIN_BRIEF:
                message = f"there are {len(act.brief) or 'no'} short ways for a hurried caller; write {MIN_BRIEF}"
                yield error(Check.VARIANTS, f"{place}.brief", message)
            if not act.is_question and (s, a) < closing:
                yield from _check_cuttable(act, place)
            yield from _check_hint(act, place)
    last = workflow.stages[-1].acts[-1]
    if not last.is_question and not last.mentions:
        message = "rubrics know the last response by these words; write some of which one stands in every variant"
        yield error(Check.MENTIONS, f"{act_place(workflow.stages[-1], last)}.mentions", message)


def _check_cuttable(act: Act, place: str) -> Iterator[Finding]:
    """The plain and the taken-up form can be cut in on; the brief one never is."""
    for form, index, line in [
        *(("say", i, line) for i, line in enumerate(act.say)),
        *(("resume", i, line) for i, line in enumerate(act.resume)),
    ]:
        if not is_cuttable((line,)):
            message = (
                f"the first sentence has {_first_length(line)} words; with fewer than {MIN_CUT_WORDS} nobody "
                "can cut in on this act: make it longer"
            )
            yield warning(Check.CUTTABLE, f"{place}.{form}[{index}]", message)


def _check_hint(act: Act, place: str) -> Iterator[Finding]:
    for index, line in enumerate(act.hint.say if act.hint else ()):
        if len(sentences(line)) < 2:
            message = "a hint has two sentences or more, so that a caller can cut in during the first; add one"
            yield error(Check.HINT, f"{place}.hint.say[{index}]", message)
        if not is_cuttable((line,)):
            message = f"the first sentence has {_first_length(line)} words; it needs {MIN_CUT_WORDS} or more"
            yield error(Check.HINT, f"{place}.hint.say[{index}]", message)


def _first_length(line: str) -> int:
    return spoken_words((sentences(line) or ("",))[0])
