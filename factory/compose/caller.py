"""The composer's caller side: chooses among the lines that code released, and says them like a person."""

from random import Random

from factory.compose.openers import agrees, asks_openly, behind, can_follow, hesitates, pausing, refuses
from factory.records.conversation import ReactionPlan, ReleasedLine
from factory.records.enums import InterruptionType, Speaker
from factory.records.shared import CallerPhrases, SmallWords
from factory.simulate.roles import COMPOSER, Made
from factory.simulate.views import ReactionView, UserView
from factory.workflow.fill import fill, sentence
from factory.workflow.phrases import bare_words, holds_phrase

CUT_IN_CHANCE = 0.45
"""How often an interruption starts with "Sorry," or the like."""
HURRIED_START_CHANCE = 0.35
"""How often a hurried answer starts in a hurry too, before the caller says so behind it."""
_THOUGHT = ("answer", "fail", "correction", "move")
"""Kinds of lines that a caller has to find words for; the others come by themselves."""


class ComposerCaller:
    """Plays the caller from what was released; holds nothing but phrases that fit any call."""

    def __init__(self, phrases: CallerPhrases) -> None:
        """Takes the small words of every way of speaking; they say nothing about any call."""
        self._speech = phrases.speech

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        """Chooses a released line that was not said before; an answer that comes with it is said first."""
        rng = Random(view.seed)
        lines = {line.kind: line for line in view.lines}
        words = self._speech[view.intent.speaks]
        answer = None
        if len(lines) == 1:
            (line,) = lines.values()
            gist = _started(line, _choose(line, view, rng), view, words, rng)
        else:
            answer = _hesitating(_choose(_statements(lines["answer"]), view, rng), words.searches, words, rng)
            if "move" in lines:
                gist = f"{answer} {_choose(lines['move'], view, rng)}"
            else:
                hurried = _hurried(answer, lines["hurry_before_answer"], view, rng)
                gist = f"{hurried} {_choose(_unlike(lines['hurry_after_answer'], hurried), view, rng)}"
        return Made(ReactionPlan(gist=gist, answer=answer, manner=view.intent.profile), COMPOSER)

    async def speak(self, view: UserView) -> Made[str]:
        """Says the planned line with its facts."""
        spoken = fill(view.plan.gist, view.facts)
        return Made(spoken if view.type is InterruptionType.FILLER else sentence(spoken), COMPOSER)


def _starts(line: str, cut_in: InterruptionType | None, words: SmallWords) -> tuple[tuple[str, ...], float]:
    """Small starts for a kind of line, and how often there is one; none for closing words, hurry or a backchannel."""
    if line in ("answer", "fail"):
        return words.openers, words.opens
    if cut_in in (InterruptionType.PUSHBACK, InterruptionType.CORRECTION):
        return words.cut_in, CUT_IN_CHANCE
    return (words.asides, CUT_IN_CHANCE) if line == "move" else ((), 0.0)


def _started(line: ReleasedLine, text: str, view: ReactionView, words: SmallWords, rng: Random) -> str:
    """Now and then a small start, or a pause inside; nobody agrees with a refusal, or to a what-question."""
    starts, chance = _starts(line.kind, view.type, words)
    if refuses(text) or asks_openly(view.heard[-1].text):
        starts = tuple(start for start in starts if not agrees(start))
    if starts and rng.random() < chance and not hesitates(text) and can_follow(text):
        return behind(rng.choice(starts), text)
    # A value that is only taken up again is not looked for.
    searches = words.searches if line.kind in ("answer", "fail") else words.pauses
    return _hesitating(text, searches, words, rng) if line.kind in _THOUGHT else text


def _hesitating(text: str, searches: tuple[str, ...], words: SmallWords, rng: Random) -> str:
    """Now and then a pause where people make one."""
    if rng.random() >= words.hesitates:
        return text
    return pausing(text, rng.choice(words.pauses), rng.choice(searches))


def _choose(line: ReleasedLine, view: ReactionView, rng: Random) -> str:
    """One way to say a line; one that was said earlier in the call only if there is no other."""
    said = [_smooth(m.text) for m in view.heard if m.speaker is Speaker.CALLER]

    def is_said(text: str) -> bool:
        spoken = _smooth(fill(text, view.facts))
        return any(holds_phrase(earlier, spoken) for earlier in said)

    return rng.choice([text for text in line.texts if not is_said(text)] or line.texts)


def _statements(line: ReleasedLine) -> ReleasedLine:
    """The ways to say a line that ask nothing, if there are any: something else is going to be said behind it."""
    stated = tuple(text for text in line.texts if "?" not in text)
    return line.model_copy(update={"texts": stated or line.texts})


def _unlike(line: ReleasedLine, said: str) -> ReleasedLine:
    """The ways to say a line that do not begin like what is said before it, if there are any."""
    others = tuple(text for text in line.texts if bare_words(text)[:1] != bare_words(said)[:1])
    return line.model_copy(update={"texts": others or line.texts})


def _smooth(text: str) -> str:
    """The words of a text without hesitation, so that it is known again when another pause was made."""
    return " ".join(word for word in bare_words(text) if word not in ("uh", "um"))


def _hurried(answer: str, starts: ReleasedLine, view: ReactionView, rng: Random) -> str:
    """An answer behind the start of someone in a hurry, where it can stand behind one."""
    start = _choose(starts, view, rng)
    joins = can_follow(answer) and not hesitates(answer) and rng.random() < HURRIED_START_CHANCE
    return behind(start, answer) if joins else answer
