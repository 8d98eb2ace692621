"""The composer's caller side: chooses among the lines that code released, and says them like a person."""

from random import Random

from factory.compose.openers import behind, can_follow, hesitates, refuses
from factory.records.conversation import ReactionPlan, ReleasedLine
from factory.records.enums import InterruptionType, Speaker
from factory.records.shared import CallerPhrases
from factory.simulate.views import ReactionView, UserView
from factory.workflow.fill import fill, sentence

OPENER_CHANCE = 0.45
"""How often an answer without an imperfection of its own gets a small start such as "Uh,"."""
CUT_IN_CHANCE = 0.35
"""How often an interruption starts with "Sorry," or the like."""


AGREEING = ("Yeah,", "Okay,", "Right,", "Sure,")
"""Starts that agree, and so do not stand before a refusal."""


class ComposerCaller:
    """Plays the caller from what was released; holds nothing but phrases that fit any call."""

    engine = "composer"

    def __init__(self, phrases: CallerPhrases) -> None:
        """Takes the small starts of messages; they say nothing about any call."""
        self._openers = phrases.openers
        self._cut_in = phrases.cut_in

    async def react(self, view: ReactionView) -> ReactionPlan:
        """Chooses a released line that was not said before; an answer that comes with it is said first."""
        rng = Random(view.seed)
        lines = {line.kind: line for line in view.lines}
        said = tuple(m.text for m in view.heard if m.speaker is Speaker.CALLER)
        answer = None
        if len(lines) == 1:
            (line,) = lines.values()
            gist = self._started(_choose(line, said, rng), line.kind, rng)
        else:
            answer = _choose(lines["answer"], said, rng)
            if "move" in lines:
                gist = f"{answer} {_choose(lines['move'], said, rng)}"
            else:
                gist = f"{_hurried(answer, lines, said, rng)} {_choose(lines['hurry_after_answer'], said, rng)}"
        return ReactionPlan(gist=gist, answer=answer, manner=view.intent.profile)

    async def speak(self, view: UserView) -> str:
        """Says the planned line with its facts."""
        spoken = fill(view.plan.gist, view.facts)
        return spoken if view.type is InterruptionType.FILLER else sentence(spoken)

    def _started(self, text: str, kind: str, rng: Random) -> str:
        """Now and then a small start; never before closing words, hurry or a backchannel."""
        starts, chance = {
            "answer": (self._openers, OPENER_CHANCE),
            "fail": (self._openers, OPENER_CHANCE),
            "move": (self._cut_in, CUT_IN_CHANCE),
            "correction": (self._cut_in, CUT_IN_CHANCE),
        }.get(kind, ((), 0.0))
        if rng.random() >= chance or hesitates(text) or not can_follow(text):
            return text
        fitting = [start for start in starts if not (refuses(text) and start in AGREEING)]
        return behind(rng.choice(fitting), text)


def _choose(line: ReleasedLine, said: tuple[str, ...], rng: Random) -> str:
    """One way to say a line; one that was said earlier in the call only if there is no other."""
    fresh = [text for text in line.texts if not any(text.lower() in earlier.lower() for earlier in said)]
    return rng.choice(fresh or line.texts)


def _hurried(answer: str, lines: dict[str, ReleasedLine], said: tuple[str, ...], rng: Random) -> str:
    """An answer behind the start of someone in a hurry, where it can stand behind one."""
    start = _choose(lines["hurry_before_answer"], said, rng)
    joins = not start.endswith(",") or (can_follow(answer) and not hesitates(answer))
    return behind(start, answer) if joins else answer
