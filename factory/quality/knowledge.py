"""What must not happen at all: a caller who knows too much, and a value that returns once it was corrected.

All of it is read off what was said and heard. What code released to the caller's side is not looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from factory.dataset.calls import FinishedCall
from factory.quality.turns import Turn, Turns
from factory.records.conversation import CallerTurn, Round
from factory.records.quality import FigureId, Place
from factory.workflow.fill import fill_known, flatten
from factory.workflow.lookup import Script
from factory.workflow.phrases import holds_words, is_everyday_word

Fault = tuple[FigureId, Place]


def faults(call: FinishedCall, script: Script, turns: Turns) -> Iterator[Fault]:
    """Everything that must not happen and does, in the order of the call.

    Args:
        call: The call.
        script: Its workflow's texts.
        turns: Its turns.
    """
    told, returning = _Told(call), _Returning(script)
    by_message = {turn.message: turn for turn in turns}
    for done in call.rounds:
        yield from _placed(FigureId.RETURNED_VALUES, by_message[2 * done.index], returning.by_agent(done))
        told.hear(done.agent.heard)
        if done.caller is not None:
            turn = by_message[2 * done.index + 1]
            yield from _placed(FigureId.STAGES_NAMED, turn, _stages(call, turn.text))
            yield from _placed(FigureId.UNHEARD_VALUES, turn, told.unknown(turn.text))
            yield from _placed(FigureId.RETURNED_VALUES, turn, returning.by_caller(done.caller))
            returning.take(done.caller)
        told.hear(done.agent.delivered[len(done.agent.heard) :])


def _placed(figure: FigureId, turn: Turn, abouts: Iterator[str]) -> Iterator[Fault]:
    return ((figure, turn.place(about)) for about in abouts)


def _stages(call: FinishedCall, said: str) -> Iterator[str]:
    """Names of stages that a caller says; those of one word are words of any call."""
    for stage in call.workflow.stages:
        if len(stage.name.split()) > 1 and holds_words(said, stage.name):
            yield f"names the stage “{stage.name}”"


class _Told:
    """What a caller knows of themselves, and has heard so far."""

    def __init__(self, call: FinishedCall) -> None:
        intent = call.workflow.intent(call.blueprint.intent)
        facts = (v for fact in call.blueprint.facts.values() for v in (fact.value, fact.corrected, fact.wrong) if v)
        own = (*facts, intent.description, *(hidden.info for hidden in intent.hidden_information))
        known = flatten(call.workflow.known_user_information)
        self._secrets = {
            name: value
            for name, value in known.items()
            if not is_everyday_word(value) and not any(holds_words(text, value) for text in own)
        }
        self._heard = ""

    def hear(self, text: str) -> None:
        self._heard += f" {text}"

    def unknown(self, said: str) -> Iterator[str]:
        for name, value in self._secrets.items():
            if holds_words(said, value) and not holds_words(self._heard, value):
                yield f"says “{value}” ({name}), which was not told whole before"


@dataclass
class _Returning:
    """Values that a caller has given, and those that they have taken back.

    A line that was authored with the value in it says nothing of the caller's answer, and a value that is part
    of another one that stands is that one's.
    """

    script: Script
    standing: dict[str, str] = field(default_factory=dict)
    taken_back: dict[str, set[str]] = field(default_factory=dict)

    def take(self, caller: CallerTurn) -> None:
        """Notes what a turn gives; a correction itself may say the old value once more."""
        for slot, value in caller.gives.items():
            old = self.standing.get(slot)
            if old is not None and old != value:
                self.taken_back.setdefault(slot, set()).add(old)
            self.taken_back.get(slot, set()).discard(value)
            self.standing[slot] = value

    def by_agent(self, done: Round) -> Iterator[str]:
        known = flatten(self.script.workflow.known_user_information)
        for slot, old in self._gone():
            for segment in done.agent.segments:
                authored = (fill_known(line, known) for line in self.script.wordings(segment.act))
                if holds_words(segment.text, old) and not any(holds_words(line, old) for line in authored):
                    yield f"the agent comes back to “{old}” ({slot}), which the caller has corrected"
                    break

    def by_caller(self, caller: CallerTurn) -> Iterator[str]:
        authored = [text for line in caller.released for text in line.texts]
        for slot, old in self._gone(*caller.gives.values()):
            if holds_words(caller.text, old) and not any(holds_words(line, old) for line in authored):
                yield f"the caller comes back to “{old}” ({slot}), which they have corrected"

    def _gone(self, *now: str) -> Iterator[tuple[str, str]]:
        """Slots with a value that no other one holds, of those that stand or are given just now."""
        for slot in sorted(self.taken_back):
            for old in sorted(self.taken_back[slot]):
                if not any(holds_words(value, old) for value in (*self.standing.values(), *now)):
                    yield slot, old
