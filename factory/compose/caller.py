"""The composer's caller side: chooses among the lines that code released, and says them like a person."""

from collections.abc import Sequence
from random import Random

from factory.records.conversation import ReactionPlan, ReleasedLine
from factory.records.enums import InterruptionType
from factory.records.shared import CallerPhrases
from factory.simulate.views import ReactionView, UserView
from factory.workflow.fill import fill, sentence

OPENER_CHANCE = 0.45
"""How often a message without an imperfection of its own gets a small start such as "Uh,"."""
CUT_IN_CHANCE = 0.35
"""How often an interruption starts with "Sorry," or the like."""

HESITATIONS = ("uh", "um", "like", "i mean", "you know", "hmm", "well", "so,", "okay", "yeah", "oh", "wait", "sorry")

_LOWERABLE = frozenset(
    [
        "a",
        "about",
        "actually",
        "after",
        "again",
        "all",
        "also",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "back",
        "because",
        "before",
        "best",
        "both",
        "but",
        "by",
        "can",
        "can't",
        "cause",
        "could",
        "did",
        "didn't",
        "do",
        "does",
        "doesn't",
        "don't",
        "either",
        "every",
        "everything",
        "for",
        "from",
        "give",
        "go",
        "got",
        "had",
        "has",
        "have",
        "he",
        "her",
        "here",
        "here's",
        "his",
        "hold",
        "how",
        "if",
        "in",
        "is",
        "isn't",
        "it",
        "it'd",
        "it'll",
        "it's",
        "just",
        "last",
        "let",
        "let's",
        "look",
        "make",
        "maybe",
        "hmm",
        "couldn't",
        "oh",
        "okay",
        "that'd",
        "mine",
        "most",
        "my",
        "neither",
        "next",
        "no",
        "nobody",
        "nope",
        "not",
        "nothing",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "only",
        "or",
        "other",
        "our",
        "out",
        "people",
        "please",
        "probably",
        "put",
        "quick",
        "really",
        "said",
        "same",
        "say",
        "send",
        "she",
        "should",
        "shouldn't",
        "since",
        "so",
        "some",
        "somebody",
        "someone",
        "something",
        "sometimes",
        "somewhere",
        "still",
        "sure",
        "take",
        "tell",
        "thanks",
        "that",
        "that'll",
        "that's",
        "the",
        "their",
        "them",
        "then",
        "there",
        "there's",
        "these",
        "they",
        "they'd",
        "they'll",
        "they're",
        "they've",
        "this",
        "those",
        "though",
        "to",
        "too",
        "two",
        "uh",
        "um",
        "until",
        "use",
        "wait",
        "was",
        "wasn't",
        "we",
        "we'd",
        "we'll",
        "we're",
        "we've",
        "well",
        "were",
        "what",
        "what'd",
        "what's",
        "when",
        "when's",
        "where",
        "where's",
        "which",
        "while",
        "who",
        "who's",
        "whose",
        "why",
        "will",
        "with",
        "won't",
        "would",
        "wouldn't",
        "yeah",
        "yep",
        "yes",
        "you",
        "you'd",
        "you'll",
        "you're",
        "you've",
        "your",
    ]
)
"""Words whose capital only says that a sentence begins."""


class ComposerCaller:
    """Plays the caller from what was released; holds nothing but phrases that fit any call."""

    engine = "composer"

    def __init__(self, phrases: CallerPhrases) -> None:
        """Takes the small starts of messages; they say nothing about any call."""
        self._openers = phrases.openers
        self._cut_in = phrases.cut_in

    async def react(self, view: ReactionView) -> ReactionPlan:
        """Chooses one of the released lines; with an answer, one way to hurry along."""
        rng = Random(view.seed)
        lines = {line.kind: line for line in view.lines}
        manner = view.intent.profile
        if "hurry_before_answer" in lines:
            answer = rng.choice(lines["answer"].texts)
            before = rng.choice(lines["hurry_before_answer"].texts)
            after = rng.choice(lines["hurry_after_answer"].texts)
            joins = not before.endswith(",") or (_can_follow(answer) and not _hesitates(answer))
            gist = f"{_behind(before, answer) if joins else answer} {after}"
            return ReactionPlan(gist=gist, answer=answer, manner=manner)
        if "move" in lines and "answer" in lines:
            answer = rng.choice(lines["answer"].texts)
            return ReactionPlan(gist=f"{answer} {rng.choice(lines['move'].texts)}", answer=answer, manner=manner)
        (line,) = lines.values()
        return ReactionPlan(gist=_choose(line, rng), manner=manner)

    async def speak(self, view: UserView) -> str:
        """Says the chosen line with its facts, now and then with a small start."""
        rng = Random(view.seed)
        gist = view.plan.gist
        if view.type is InterruptionType.FILLER:
            return gist
        if view.plan.answer is not None:
            return sentence(fill(gist, view.facts))
        starts: Sequence[str] = self._openers
        chance = OPENER_CHANCE
        if view.type is not None:
            starts, chance = self._cut_in, CUT_IN_CHANCE
        start = rng.choice(starts)
        if rng.random() < chance and not _hesitates(gist) and _can_follow(gist):
            gist = _behind(start, gist)
        return sentence(fill(gist, view.facts))


def _choose(line: ReleasedLine, rng: Random) -> str:
    return rng.choice(line.texts)


def _hesitates(text: str) -> bool:
    """Whether a line begins with a small start of its own, or hesitates early on."""
    early = " ".join(text.lower().split()[:4])
    return any(h in early for h in HESITATIONS)


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0].rstrip(",.!?")


def _can_follow(text: str) -> bool:
    """Whether a line reads well behind a comma: its first word can be written small, or need not be."""
    first = _first_word(text)
    return first.lower() in _LOWERABLE or first in ("I", "I'm", "I've", "I'd", "I'll") or text[0] in "{0123456789$"


def _behind(start: str, text: str) -> str:
    """A line behind a start; a capital that only began the sentence goes."""
    if start.endswith(",") and _first_word(text).lower() in _LOWERABLE and not text.startswith("I "):
        text = text[:1].lower() + text[1:]
    return f"{start} {text}"
