"""One interruption with all that a rubric is written from."""

from dataclasses import dataclass
from functools import cached_property

from factory.records.base import sha256
from factory.records.blueprint import ActUse, Blueprint, Interruption
from factory.records.conversation import Message, Round, Utterance, delivered_history
from factory.simulate.state import Standing, agent_scope, standing
from factory.workflow.fill import fill, fill_known, fill_prose
from factory.workflow.lookup import HINT, Script
from factory.workflow.phrases import holds_phrase


@dataclass(frozen=True)
class Interrupted:
    """An interruption in its place.

    Attributes:
        script: The workflow.
        blueprint: The conversation's blueprint.
        rounds: The rounds up to and including the interrupted one.
    """

    script: Script
    blueprint: Blueprint
    rounds: tuple[Round, ...]

    @property
    def turn(self) -> int:
        """Number of the interrupting user turn, from 1."""
        return len(self.rounds)

    @cached_property
    def interruption(self) -> Interruption:
        """The blueprint's entry for it."""
        interruption = self.blueprint.rounds[len(self.rounds) - 1].interruption
        assert interruption is not None
        return interruption

    @property
    def utterance(self) -> Utterance:
        """The utterance that was cut."""
        return self.rounds[-1].agent

    @property
    def caller_words(self) -> str:
        """What the caller cut in with."""
        caller = self.rounds[-1].caller
        assert caller is not None
        return caller.text

    @cached_property
    def standing(self) -> Standing:
        """Where the conversation stands once the caller has cut in."""
        return standing(self.blueprint, self.rounds)

    @cached_property
    def scope(self) -> dict[str, str]:
        """What the agent's lines may read now."""
        return agent_scope(self.script, self.standing.slots)

    @cached_property
    def next_acts(self) -> tuple[ActUse, ...]:
        """All that the next single response can do; a hint may follow a question, but need not."""
        following = self.blueprint.rounds[len(self.rounds)]
        return tuple(u for u in following.acts if following.continues or not u.ref.endswith(HINT))

    @property
    def old_value(self) -> str:
        """The value that a correction has just taken back."""
        assert self.interruption.slot is not None
        return self.standing.revised[self.interruption.slot]

    @property
    def asks(self) -> bool:
        """Whether the next response ends by asking something."""
        last = self.next_acts[-1].ref
        return last in self.script.questions

    def authored(self, value: str) -> bool:
        """Whether the next acts' own lines, or another slot, hold a value."""
        lines = [fill_known(line, self.scope) for use in self.next_acts for line in self.script.wordings(use.ref)]
        return any(holds_phrase(text, value) for text in (*self.standing.slots.values(), *lines))

    @cached_property
    def cut_act(self) -> str:
        """Reference of the act that was cut."""
        return self.blueprint.rounds[len(self.rounds) - 1].acts[self.interruption.cut].ref

    @cached_property
    def history(self) -> tuple[Message, ...]:
        """The delivered history up to and including the interruption."""
        return delivered_history(self.rounds)

    @property
    def history_digest(self) -> str:
        """Digest of the delivered history; ties an item to the transcript it belongs to."""
        return history_digest(self.rounds)

    def called(self, slot: str) -> str:
        """A slot in the agent's words."""
        return fill(self.script.workflow.question_of(slot)[1].called or slot, self.scope)

    def does(self, ref: str) -> str:
        """An act's description with its values."""
        if ref.startswith("accept:"):
            slot = ref.removeprefix("accept:")
            return f"take over {self.standing.slots[slot]} as the corrected {self.called(slot)}"
        return fill_prose(self.script.does(ref), self.scope)

    def mentions(self, ref: str) -> tuple[str, ...]:
        """Words of which one must stand in any wording of an act."""
        if ref.startswith("accept:"):
            return (self.standing.slots[ref.removeprefix("accept:")],)
        return () if ref == "steer" else tuple(fill(m, self.scope) for m in self.script.mentions(ref))


def history_digest(rounds: tuple[Round, ...]) -> str:
    """Digest of the delivered history of some rounds."""
    return sha256("\n".join(f"{m.speaker.value}: {m.text}" for m in delivered_history(rounds)))
