"""What was said, as the figures read it: turns as delivered, in bare words."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from sys import intern

from factory.dataset.calls import FinishedCall
from factory.records.conversation import Utterance
from factory.records.enums import InterruptionType, Speaker
from factory.records.quality import Place
from factory.records.workflow import Workflow
from factory.workflow.facts import acts_of
from factory.workflow.lookup import act_ref, question_of
from factory.workflow.phrases import bare_words

MOST_SHOWN = 160
"""Characters of a turn that are shown with a place."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message.

    Attributes:
        message: Over all messages of the call, from 0.
        text: What was delivered.
        words: Its bare words.
        own: Stretches of words outside fixed disclosures; none in a backchannel.
        backchannel: Whether it is a caller's backchannel ("mm-hm").
    """

    conversation_id: str
    message: int
    speaker: Speaker
    text: str
    words: Words
    own: tuple[Words, ...]
    backchannel: bool = False

    @property
    def own_words(self) -> Words:
        """All words outside fixed disclosures."""
        return tuple(word for stretch in self.own for word in stretch)

    def place(self, about: str) -> Place:
        """This turn as a place, with what is to be seen there."""
        text = self.text if len(self.text) <= MOST_SHOWN else self.text[: MOST_SHOWN - 1] + "…"
        return Place(conversation_id=self.conversation_id, message=self.message, about=about, text=text)


Turns = tuple[Turn, ...]
"""The turns of one call."""


def turns_of(call: FinishedCall) -> Turns:
    """The turns of a call, in order."""
    fixed, name = _fixed_acts(call.workflow), call.conversation_id
    turns: list[Turn] = []
    for done in call.rounds:
        said = done.agent.delivered
        own = tuple(_words(text) for text in _own_texts(done.agent, fixed))
        turns.append(Turn(name, 2 * done.index, Speaker.AGENT, said, _words(said), own))
        if done.caller is not None:
            words, filler = _words(done.caller.text), done.caller.type is InterruptionType.FILLER
            own = () if filler else (words,)
            turns.append(Turn(name, 2 * done.index + 1, Speaker.CALLER, done.caller.text, words, own, filler))
    return tuple(turns)


def of_side(turns: Turns, side: Speaker) -> Turns:
    """The turns of one side."""
    return tuple(turn for turn in turns if turn.speaker is side)


def _own_texts(agent: Utterance, fixed: frozenset[str]) -> Iterator[str]:
    """The delivered words in stretches that no fixed disclosure interrupts."""
    left, delivered = len(agent.delivered), []
    for segment in agent.segments:
        delivered.append((question_of(segment.act) in fixed, segment.text[: max(0, left)]))
        left -= len(segment.text) + 1
    for is_fixed, pieces in groupby(delivered, key=lambda piece: piece[0]):
        if not is_fixed:
            yield " ".join(text for _, text in pieces if text)


def _fixed_acts(workflow: Workflow) -> frozenset[str]:
    return frozenset(act_ref(stage, act) for stage, act in acts_of(workflow) if act.fixed)


def _words(text: str) -> Words:
    """Bare words; each is kept once in memory, however often it is said."""
    return tuple(map(intern, bare_words(text)))
