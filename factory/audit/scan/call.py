"""A call as the scan reads it: built from rows of `turns.parquet`, or from a transcript in the reference's columns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, KeyValue, PublishedTurn, TurnRow


@dataclass(frozen=True)
class AgentPart:
    """Some of the agent's words.

    Attributes:
        planned: Whether the call's plan has them there whatever the caller says; answers and reactions are not.
    """

    text: str
    planned: bool


@dataclass(frozen=True)
class ScannedTurn:
    """One round.

    Attributes:
        heard: The agent's words up to the onset.
        talked_over: Those between onset and cut, with which the caller was already speaking; empty where no onset
            is published.
        undelivered: Those behind the cut.
        parts: The utterance as meant, in its parts.
        caller: What the caller says; None where the agent has the last word.
        released: Texts that code handed to the caller's side for this turn, with the facts in them.
        answers: Those of them that answer a question, with their facts.
        facts: The caller's own values that were handed over with them.
        plan: What the caller's side planned to say, where it is published.
        asked: Acts that were wholly heard, a hint counting for its question.
        question: The last of them that asks something.
    """

    heard: str
    talked_over: str
    undelivered: str
    parts: tuple[AgentPart, ...]
    caller: str | None
    released: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    plan: str = ""
    asked: frozenset[str] = frozenset()
    question: str | None = None


@dataclass(frozen=True)
class Passage:
    """A text of the agent's side with the name of its place."""

    place: str
    text: str


@dataclass(frozen=True)
class ScannedCall:
    """All that the scan knows of a call.

    Attributes:
        topic: What it is about: calls with the same one share their material.
        turns: Its rounds, from 0.
        stages: Names of the stages, in order.
        stage_texts: What the stages say of themselves, by stage name.
        guidelines: The agent's rules.
        known_user: What the agent's side knows of the caller.
        own: What the caller knows of themselves: intent and hidden information.
        hidden: The hidden information alone.
        with_releases: Whether it is published what was handed to the caller's side. Where it is not, a value that
            the agent's side knows of the caller may be the caller's own.
    """

    conversation_id: str
    topic: str
    turns: tuple[ScannedTurn, ...]
    stages: tuple[str, ...]
    stage_texts: tuple[Passage, ...]
    guidelines: tuple[Passage, ...]
    known_user: tuple[Passage, ...]
    own: tuple[str, ...]
    hidden: tuple[str, ...]
    with_releases: bool


def call_of_rows(conversation: ConversationRow, rows: Sequence[TurnRow]) -> ScannedCall:
    """A call from its row of `conversations.parquet` and its rows of `turns.parquet`."""
    agents = [row for row in rows if isinstance(row, AgentRow)]
    callers = {row.round: row for row in rows if isinstance(row, CallerRow)}
    turns = tuple(_turn(row, callers.get(row.round)) for row in agents)
    return _call(conversation, turns, with_releases=True)


def call_of_transcript(conversation: ConversationRow) -> ScannedCall:
    """A call from its row of `conversations.parquet` alone: no onset, no acts, nothing of what was handed over."""
    return _call(conversation, tuple(map(transcribed, conversation.turns)), with_releases=False)


def _call(conversation: ConversationRow, turns: tuple[ScannedTurn, ...], with_releases: bool) -> ScannedCall:
    base, intent = conversation.knowledge_base, conversation.user_intent
    return ScannedCall(
        conversation_id=conversation.conversation_id,
        topic=conversation.goal,
        turns=turns,
        stages=tuple(stage.name for stage in base.stages),
        stage_texts=tuple(
            Passage(stage.name, text)
            for stage in base.stages
            for text in (
                stage.description,
                stage.skip_conditions,
                stage.failure_handling,
                stage.terminate_conditions,
            )
            if text
        ),
        guidelines=tuple(Passage(f"guideline {n}", text) for n, text in enumerate(base.guidelines, 1)),
        known_user=tuple(Passage(entry.key, entry.value) for entry in base.known_user_information),
        own=(intent.description, intent.reaction_profile, *intent.hidden_information),
        hidden=intent.hidden_information,
        with_releases=with_releases,
    )


def _turn(agent: AgentRow, caller: CallerRow | None) -> ScannedTurn:
    facts = caller.facts if caller is not None else ()
    lines = caller.released if caller is not None else ()
    heard = tuple(_wholly_heard(agent))
    return ScannedTurn(
        heard=agent.heard,
        talked_over=agent.text[len(agent.heard) :].strip(),
        undelivered=agent.undelivered.strip(),
        parts=tuple(AgentPart(segment.text, _is_planned(segment.act)) for segment in agent.segments),
        caller=caller.text if caller is not None else None,
        released=tuple(_filled((text for line in lines for text in line.texts), facts)),
        answers=tuple(_filled((text for line in lines if line.kind == "answer" for text in line.texts), facts)),
        facts=tuple(fact.value for fact in facts),
        plan=" ".join(_filled((caller.reaction_plan.gist, caller.reaction_plan.answer or ""), facts)) if caller else "",
        asked=frozenset(act for act, _ in heard),
        question=next((act for act, text in reversed(heard) if "?" in text), None),
    )


def _wholly_heard(agent: AgentRow) -> Iterable[tuple[str, str]]:
    """Acts that ended before the onset, with their words; hint and second asking count for the question."""
    end = 0
    for segment in agent.segments:
        end += len(segment.text)
        if end <= len(agent.heard):
            yield segment.act.split("#")[0], segment.text
        end += 1


def _is_planned(act: str) -> bool:
    """Whether an act's reference is that of a step; answers, reactions and other words between steps have none."""
    return "." in act and ":" not in act


def _filled(texts: Iterable[str], facts: Iterable[KeyValue]) -> Iterable[str]:
    """Authored lines with the facts that were handed over in their places."""
    values = {f"{{{fact.key}}}": fact.value for fact in facts}
    for text in texts:
        for place, value in values.items():
            text = text.replace(place, value)
        yield text


def transcribed(turn: PublishedTurn) -> ScannedTurn:
    """A round from its numbered columns alone: all that was delivered counts as heard."""
    meant = turn.assistant_original or turn.assistant_transcript
    rest = _behind(meant, turn.assistant_transcript) if turn.assistant_original else ""
    return ScannedTurn(
        heard=turn.assistant_transcript,
        talked_over="",
        undelivered=rest,
        parts=(AgentPart(meant, planned=False),),
        caller=turn.user_transcript,
    )


def _behind(meant: str, delivered: str) -> str:
    """What of an utterance was not delivered: all behind the words that both begin with."""
    words, said = meant.split(), delivered.split()
    same = 0
    while same < min(len(words), len(said)) and words[same].strip(".,;:!?…-—") == said[same].strip(".,;:!?…-—"):
        same += 1
    return " ".join(words[same:])
