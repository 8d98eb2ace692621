"""The rows of the published files, as records; `factory.dataset.schema` gives their columns and types."""

from typing import Annotated, Literal

from pydantic import Field

from factory.records.base import Record
from factory.records.call import TimedWord
from factory.records.conversation import ReactionPlan, ReleasedLine, Segment
from factory.records.enums import InterruptionType, Profile, Speaker, Speech

Index = Annotated[int, Field(ge=0)]
TurnNumber = Annotated[int, Field(ge=1)]


class KeyValue(Record):
    """An entry of a mapping; Parquet readers want a list of these instead."""

    key: str
    value: str


class Domain(Record):
    """What a call belongs to; the same for all calls of a domain."""

    id: str
    name: str
    description: str


class StageRow(Record):
    """One stage as published; None where a stage has no such condition."""

    name: str
    description: str
    skip_conditions: str | None
    failure_handling: str | None
    terminate_conditions: str | None


class KnowledgeBase(Record):
    """What the agent works from."""

    stages: tuple[StageRow, ...]
    guidelines: tuple[str, ...]
    known_user_information: tuple[KeyValue, ...]


class TypeWeight(Record):
    """How readily a caller cuts in with one type, relative to the others."""

    type: InterruptionType
    weight: float


class UserIntent(Record):
    """Who calls: the caller's side, never shown to the agent's."""

    id: str
    profile: Profile
    speaks: Speech
    reaction_profile: str
    description: str
    interruption_profile: tuple[TypeWeight, ...]
    hidden_information: tuple[str, ...]


class AudioCell(Record):
    """Sound as Hugging Face readers know it: the bytes of a file, and a name for them."""

    bytes: bytes
    path: str


class PublishedTurn(Record):
    """One agent turn and the caller turn behind it: the columns with one number.

    Attributes:
        assistant_transcript: What was delivered.
        assistant_original: The utterance as meant; only where it was cut.
        user_transcript: None where the agent has the last word.
        user_audio: None where nothing was said, audio was not made, or was not read.
        tf_rubric: The task-fulfilment criterion of the response to this interruption.
        rq_rubrics: Its recovery criteria; empty without an interruption.
    """

    assistant_transcript: str
    assistant_original: str | None = None
    user_transcript: str | None = None
    user_audio: AudioCell | None = None
    interruption_type: InterruptionType | None = None
    tf_rubric: str | None = None
    rq_rubrics: tuple[str, ...] = ()


class ConversationRow(Record):
    """A row of `conversations.parquet`; `turns` stands for the numbered columns, turn 1 first."""

    conversation_id: str
    domain: Domain
    goal: str
    system_message: str
    knowledge_base: KnowledgeBase
    user_intent: UserIntent
    turns: Annotated[tuple[PublishedTurn, ...], Field(min_length=1)]


class CallRow(Record):
    """A row of `calls.parquet`: a whole call as sound.

    Attributes:
        audio: Both channels: agent, caller.
        condition: What it is recorded under.
        snr_db: Level of the caller's speech over that of the background; None without a background.
        packet_loss: Share of the caller's packets that are lost.
        caller_level_db: Level of the caller's channel over the agent's, beside what the voices bring with them.
        engine: The speech engine that spoke.
        loudness_lufs: Integrated loudness (ITU-R BS.1770).
        peak_dbtp: Highest true peak.
    """

    conversation_id: str
    audio: AudioCell
    duration_s: float
    condition: str
    snr_db: float | None
    packet_loss: float
    caller_level_db: float
    engine: str
    agent_voice: str
    caller_voice: str
    loudness_lufs: float
    peak_dbtp: float


class BaselineRow(Record):
    """A row of `baseline.parquet`: the reference recovery of one item.

    Attributes:
        turn: Number N of the interrupting user turn, from 1.
        interrupting_user_message_index: Its index over all messages, from 0; that is 2N - 1.
    """

    conversation_id: str
    turn: TurnNumber
    interrupting_user_message_index: Index
    response: str


class ListedInterruption(Record):
    """An entry of `interruptions_all.json`; the index is the N of `user_turn_N_…`."""

    conversation_id: str
    interrupting_turn_index: TurnNumber
    interruption_type: InterruptionType


class AgentRow(Record):
    """A row of `turns.parquet` in which the agent speaks.

    Attributes:
        message_index: Over all messages of the call, from 0.
        round: Over the rounds of the call, from 0.
        text: What was delivered.
        as_meant: The whole utterance; `text + undelivered` is the same.
        heard: What the caller had listened to when they started to speak; all of it where nobody cut in.
        onset_word: Index of the last word finished before the caller starts.
        cut_word: Index of the last word that the agent says.
        attempt: How often the round had been run before.
        start_s: Where its sound begins in the call; as all times None where there is no audio.
        end_s: Where it ends; for a turn that was cut, the cut.
        words: When each word that was spoken sounds.
    """

    conversation_id: str
    message_index: Index
    round: Index
    speaker: Literal[Speaker.AGENT] = Speaker.AGENT
    text: str
    as_meant: str
    heard: str
    undelivered: str
    onset_word: Index | None
    cut_word: Index | None
    segments: tuple[Segment, ...]
    attempt: Index
    start_s: float | None = None
    end_s: float | None = None
    words: tuple[TimedWord, ...] | None = None


class CallerRow(Record):
    """A row of `turns.parquet` in which the caller speaks: all that its two roles were given, and the outcome.

    Attributes:
        text: The words.
        reaction_plan: What the reaction planner made of its view.
        released: The authored lines that code released.
        facts: The caller's facts that code released with them.
        gives: Slots that the turn fills or revises.
        reaction_view: Digest of the reaction planner's view.
        user_view: Digest of the user's view.
        start_s: Where its sound begins in the call; as all times None where there is no audio.
        end_s: Where it ends.
        words: When each word sounds.
        overlap_s: How long both sides are heard at once, where they cut in; measured.
        asr_text: What a speech recogniser understood; None where none listened.
        asr_words: Words that were said, normalised.
        asr_errors: Words of it that were misheard.
    """

    conversation_id: str
    message_index: Index
    round: Index
    speaker: Literal[Speaker.CALLER] = Speaker.CALLER
    text: str
    interruption_type: InterruptionType | None
    reaction_plan: ReactionPlan
    released: tuple[ReleasedLine, ...]
    facts: tuple[KeyValue, ...]
    gives: tuple[KeyValue, ...]
    reaction_seed: int
    user_seed: int
    reaction_view: str
    user_view: str
    start_s: float | None = None
    end_s: float | None = None
    words: tuple[TimedWord, ...] | None = None
    overlap_s: float | None = None
    asr_text: str | None = None
    asr_words: Index | None = None
    asr_errors: Index | None = None


TurnRow = AgentRow | CallerRow


def pairs(values: dict[str, str]) -> tuple[KeyValue, ...]:
    """A mapping as a list, by key."""
    return tuple(KeyValue(key=key, value=values[key]) for key in sorted(values))


def mapping(entries: tuple[KeyValue, ...]) -> dict[str, str]:
    """A list of entries as the mapping that it was made from."""
    return {entry.key: entry.value for entry in entries}
