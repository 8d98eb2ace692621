"""What was said: utterances, the cut, rounds."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from factory.records.base import Record
from factory.records.enums import InterruptionType, Profile, Speaker


class Segment(Record):
    """A stretch of an agent's utterance that does one act."""

    act: str
    text: str


class Cut(Record):
    """Where a caller cuts in, as indices of words of the utterance, from 0.

    Attributes:
        onset_word: The last word finished before the caller starts; what they react to ends here.
        cut_word: The last word the agent says; what is published as delivered ends here.
    """

    onset_word: Annotated[int, Field(ge=0)]
    cut_word: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _onset_first(self) -> "Cut":
        if not self.onset_word < self.cut_word:
            raise ValueError(f"onset word {self.onset_word} is not before cut word {self.cut_word}")
        return self


class Utterance(Record):
    """What an agent meant to say, and how much of it was said and heard.

    `delivered + undelivered` is the text as meant, exactly.
    """

    segments: Annotated[tuple[Segment, ...], Field(min_length=1)]
    cut: Cut | None = None

    @property
    def text(self) -> str:
        """The whole utterance as meant."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def delivered(self) -> str:
        """What was said aloud: up to and including the cut word."""
        return self.text if self.cut is None else first_words(self.text, self.cut.cut_word + 1)

    @property
    def undelivered(self) -> str:
        """What was not said: the rest, with the space before it."""
        return self.text[len(self.delivered) :]

    @property
    def heard(self) -> str:
        """What the caller had listened to when they started to speak: up to and including the onset word."""
        return self.text if self.cut is None else first_words(self.text, self.cut.onset_word + 1)

    def acts_within(self, prefix: str) -> tuple[str, ...]:
        """References of the acts that lie wholly inside a prefix of the text."""
        end, acts = 0, []
        for segment in self.segments:
            end += len(segment.text)
            if end <= len(prefix):
                acts.append(segment.act)
            end += 1
        return tuple(acts)

    def remainder(self) -> tuple[Segment, ...]:
        """The undelivered words as segments, to be said next after a filler."""
        rest, end, out = len(self.delivered), 0, []
        for segment in self.segments:
            start, end = end, end + len(segment.text)
            if end > rest:
                text = segment.text[max(0, rest - start) :].lstrip()
                if text:
                    out.append(Segment(act=segment.act, text=text))
            end += 1
        return tuple(out)


def first_words(text: str, count: int) -> str:
    """The prefix of a text that ends with its `count`-th word (words are separated by spaces)."""
    parts = text.split(" ", count)
    return text if len(parts) <= count else text[: len(text) - len(parts[-1]) - 1]


class Message(Record):
    """One line of history as one side knows it."""

    speaker: Speaker
    text: str


class ReleasedLine(Record):
    """An authored line that code hands to the caller's side because its ground was heard.

    Attributes:
        kind: What it is for: `answer`, `fail`, `closing`, `move`, `correction`, `filler`, `hurry`,
            `hurry_before_answer`, `hurry_after_answer`.
        texts: The ways to say it; placeholders are names of released facts.
    """

    kind: str
    texts: tuple[str, ...]


class ReactionPlan(Record):
    """What the caller will say, planned from the heard side alone.

    Attributes:
        gist: What they will say; with the composer, an authored line with its placeholders.
        answer: The answer that they give along with an interruption, if they do.
        manner: How they speak.
    """

    gist: str
    answer: str | None = None
    manner: Profile


class RerunReason(StrEnum):
    """Why a round was run again: a closed list, told to no role on the caller's side.

    The first eight are decided by rules. `UNUSABLE_REPLY`: a model made nothing that can be used. `FOUND_…`: a model
    read the finished conversation and found a fault.
    """

    CUT_NOT_POSSIBLE = "cut_not_possible"
    CONTINUATION_NOT_EXACT = "continuation_not_exact"
    AGENT_REPEATS_HEARD = "agent_repeats_heard"
    AGENT_WORDING = "agent_wording"
    CALLER_WORDING = "caller_wording"
    CALLER_KNOWS_TOO_MUCH = "caller_knows_too_much"
    SENSITIVE_TOO_EARLY = "sensitive_too_early"
    OLD_VALUE_RETURNS = "old_value_returns"
    UNUSABLE_REPLY = "unusable_reply"
    FOUND_IN_AGENT_WORDS = "found_in_agent_words"
    FOUND_IN_CALLER_WORDS = "found_in_caller_words"
    FOUND_BEYOND_REPAIR = "found_beyond_repair"


class CallerTurn(Record):
    """What a caller said in one turn, and what the auditor needs to rebuild how it came about.

    Attributes:
        text: The words.
        type: The interruption type, where they cut in.
        plan: The reaction plan.
        released: The authored lines that code released for it.
        facts: The facts that code released with them.
        gives: Slots that the turn fills or revises, with the value.
        reaction_seed: Seed of the reaction planner's draw.
        user_seed: Seed of the user's draw.
        reaction_view: Digest of the reaction planner's view.
        user_view: Digest of the user's view.
    """

    text: str
    type: InterruptionType | None = None
    plan: ReactionPlan
    released: tuple[ReleasedLine, ...]
    facts: dict[str, str]
    gives: dict[str, str] = Field(default_factory=dict)
    reaction_seed: int
    user_seed: int
    reaction_view: str
    user_view: str


class Round(Record):
    """One finished round: what the agent meant, where it was cut, what the caller said.

    Attributes:
        attempt: How often the round had been run before (0 the first time).
    """

    index: int
    attempt: int = 0
    agent: Utterance
    caller: CallerTurn | None = None


class Settled(Record):
    """The agent's words of a round that is run again, where they are not chosen anew.

    Attributes:
        segments: The words: edited, or those of the attempt before.
        cut_as_in: The attempt whose draw of the cut stands, so that the caller hears just the same; None where the
            words are cut anew.
    """

    segments: tuple[Segment, ...]
    cut_as_in: int | None = None


class Rerun(Record):
    """A rewind: everything from `round` on is run again."""

    round: int
    reason: RerunReason


def delivered_history(rounds: tuple[Round, ...]) -> tuple[Message, ...]:
    """What was said so far, as both sides and the published transcript have it."""
    return history_of(rounds, lambda agent: agent.delivered)


def history_of(rounds: tuple[Round, ...], words: Callable[[Utterance], str]) -> tuple[Message, ...]:
    """The messages of rounds: of the agent's utterances what `words` takes of them, the caller's as they were said."""
    messages: list[Message] = []
    for done in rounds:
        messages.append(Message(speaker=Speaker.AGENT, text=words(done.agent)))
        if done.caller is not None:
            messages.append(Message(speaker=Speaker.CALLER, text=done.caller.text))
    return tuple(messages)
