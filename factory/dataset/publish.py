"""Finished call → its rows in every published file."""

from collections.abc import Iterator

from factory.dataset.about import goal_of, knowledge_base_of, user_intent_of
from factory.dataset.calls import FinishedCall
from factory.dataset.clips import WavClip
from factory.dataset.rows import (
    AgentRow,
    AudioCell,
    BaselineRow,
    CallerRow,
    ConversationRow,
    Domain,
    ListedInterruption,
    PublishedTurn,
    TurnRow,
    pairs,
)
from factory.errors import RunError
from factory.records.call import CallTimeline
from factory.records.conversation import CallerTurn, Round
from factory.records.enums import Speaker


def conversation_row(call: FinishedCall, domain: Domain, system: str, clips: dict[int, WavClip]) -> ConversationRow:
    """A call's row.

    Args:
        call: The call.
        domain: Its domain.
        system: Its system message.
        clips: The caller's clips by turn number, from 1; empty without audio.
    """
    return ConversationRow(
        conversation_id=call.conversation_id,
        domain=domain,
        goal=goal_of(call.workflow),
        system_message=system,
        knowledge_base=knowledge_base_of(call.workflow),
        user_intent=user_intent_of(call.workflow.intent(call.blueprint.intent)),
        turns=tuple(_turn(call, number, done, clips.get(number)) for number, done in enumerate(call.rounds, 1)),
    )


def _turn(call: FinishedCall, number: int, done: Round, clip: WavClip | None) -> PublishedTurn:
    item, caller = call.items.get(number), done.caller
    return PublishedTurn(
        assistant_transcript=done.agent.delivered,
        assistant_original=done.agent.text if done.agent.cut is not None else None,
        user_transcript=caller.text if caller else None,
        user_audio=AudioCell(bytes=clip.wav, path=clip.name) if clip else None,
        interruption_type=caller.type if caller else None,
        tf_rubric=item.task_fulfilment.text if item else None,
        rq_rubrics=tuple(criterion.text for criterion in item.recovery) if item else (),
    )


def baseline_rows(call: FinishedCall) -> Iterator[BaselineRow]:
    """The reference recovery of each of a call's items."""
    for turn, item in call.items.items():
        yield BaselineRow(
            conversation_id=call.conversation_id,
            turn=turn,
            interrupting_user_message_index=2 * turn - 1,
            response=item.reference,
        )


def listed_interruptions(call: FinishedCall) -> Iterator[ListedInterruption]:
    """A call's entries in the list of items."""
    for turn, kind in call.interruptions:
        yield ListedInterruption(
            conversation_id=call.conversation_id, interrupting_turn_index=turn, interruption_type=kind
        )


def turn_rows(call: FinishedCall, timeline: CallTimeline | None = None) -> Iterator[TurnRow]:
    """Every message of a call, agent first, with its times where there is a time-line.

    Raises:
        RunError: if the time-line has other turns.
    """
    messages: list[TurnRow] = []
    for done in call.rounds:
        messages.append(_agent_row(call.conversation_id, done))
        if done.caller is not None:
            messages.append(_caller_row(call.conversation_id, done.index, done.caller))
    if timeline is None:
        return iter(messages)
    times = times_of(timeline)
    cut_in = [2 * turn - 1 for turn, _ in call.interruptions]
    if list(times) != [message.message_index for message in messages] or cut_in != [
        interruption.message_index for interruption in timeline.interruptions
    ]:
        raise RunError(
            f"{call.conversation_id}: its time-line has other turns or interruptions than the conversation; "
            "remove its files in calls/ and build again"
        )
    return (message.model_copy(update=times[message.message_index]) for message in messages)


def times_of(timeline: CallTimeline) -> dict[int, dict[str, object]]:
    """The columns of `turns.parquet` that a time-line decides, by the index of the message."""
    overlaps = {interruption.message_index: interruption.measured_overlap_s for interruption in timeline.interruptions}
    times: dict[int, dict[str, object]] = {}
    for turn in timeline.turns:
        times[turn.message_index] = {"start_s": turn.start_s, "end_s": turn.end_s, "words": turn.words}
        if turn.speaker is Speaker.CALLER:
            heard = turn.heard_by_ear
            times[turn.message_index] |= {
                "overlap_s": overlaps.get(turn.message_index),
                "asr_text": heard.text if heard else None,
                "asr_words": heard.words if heard else None,
                "asr_errors": heard.errors if heard else None,
            }
    return times


def _agent_row(conversation_id: str, done: Round) -> AgentRow:
    agent = done.agent
    return AgentRow(
        conversation_id=conversation_id,
        message_index=2 * done.index,
        round=done.index,
        text=agent.delivered,
        as_meant=agent.text,
        heard=agent.heard,
        undelivered=agent.undelivered,
        onset_word=agent.cut.onset_word if agent.cut else None,
        cut_word=agent.cut.cut_word if agent.cut else None,
        segments=agent.segments,
        attempt=done.attempt,
    )


def _caller_row(conversation_id: str, index: int, caller: CallerTurn) -> CallerRow:
    return CallerRow(
        conversation_id=conversation_id,
        message_index=2 * index + 1,
        round=index,
        text=caller.text,
        interruption_type=caller.type,
        reaction_plan=caller.plan,
        released=caller.released,
        facts=pairs(caller.facts),
        gives=pairs(caller.gives),
        reaction_seed=caller.reaction_seed,
        user_seed=caller.user_seed,
        reaction_view=caller.reaction_view,
        user_view=caller.user_view,
    )
