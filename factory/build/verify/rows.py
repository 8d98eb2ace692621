"""The published rows of one call, against its log."""

from collections.abc import Iterator, Mapping, Sequence

from factory.audit.findings import Findings
from factory.audit.published import agent_row_fits
from factory.build.verify.damage import guarded
from factory.build.verify.models import is_filled_from
from factory.dataset.clips import read_clip
from factory.dataset.publish import times_of
from factory.dataset.rows import (
    AgentRow,
    AudioCell,
    BaselineRow,
    CallRow,
    ConversationRow,
    ListedInterruption,
    PublishedTurn,
    TurnRow,
    pairs,
)
from factory.dataset.sound import call_row
from factory.dataset.write import BASELINE, CALLS, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.records.base import Record
from factory.records.blueprint import Blueprint
from factory.records.call import CallTimeline
from factory.records.conversation import Round
from factory.records.rubric import Item
from factory.run.folder import RunFolder


def row_faults(
    blueprint: Blueprint, row: ConversationRow, rounds: Sequence[Round], items: Mapping[int, Item]
) -> Iterator[str]:
    """Where a call's row in `conversations.parquet` is not what was planned and logged; audio apart."""
    place = f"dataset/{CONVERSATIONS}: {blueprint.conversation_id}"
    if row.user_intent.id != blueprint.intent:
        yield f"{place}: the intent is not the planned one"
    if row.domain.id != blueprint.workflow.split("/")[0]:
        yield f"{place}: the domain is not the planned one"
    if len(row.turns) != len(rounds):
        yield f"{place}: has {len(row.turns)} turns, the log {len(rounds)}"
    for number, (turn, done) in enumerate(zip(row.turns, rounds, strict=False), 1):
        item, caller, agent = items.get(number), done.caller, done.agent
        wanted = PublishedTurn(
            assistant_transcript=agent.delivered,
            assistant_original=agent.text if agent.cut is not None else None,
            user_transcript=caller.text if caller else None,
            user_audio=turn.user_audio,  # held against the clips
            interruption_type=caller.type if caller else None,
            tf_rubric=item.task_fulfilment.text if item else None,
            rq_rubrics=tuple(criterion.text for criterion in item.recovery) if item else (),
        )
        yield from _differences(
            f"{place}: turn {number}", turn, {f: getattr(wanted, f) for f in PublishedTurn.model_fields}
        )


def introduced_faults(name: str, row: ConversationRow, template: str) -> Iterator[str]:
    """Where a published system message is not the written one, with all that is known of the user in its place."""
    known = (entry.value for entry in row.knowledge_base.known_user_information)
    if not is_filled_from(row.system_message, template) or not all(value in row.system_message for value in known):
        yield f"dataset/{CONVERSATIONS}: {name}: `system_message` is not what the log has"


def clip_faults(
    folder: RunFolder, timeline: CallTimeline, rounds: Sequence[Round], row: ConversationRow | None
) -> Iterator[str]:
    """Clips that are missing, not usable, or not the published ones."""
    name = timeline.conversation_id
    for number, done in enumerate(rounds, 1):
        if done.caller is None:
            continue
        path = folder.audio_file(name, number)
        place = folder.name_of(path)
        if not path.is_file():
            yield f"{place}: is missing"
        elif row is not None and number <= len(row.turns):
            yield from guarded(place, _clip(folder, timeline, number, row.turns[number - 1].user_audio))


def _clip(folder: RunFolder, timeline: CallTimeline, number: int, published: AudioCell | None) -> Iterator[str]:
    clip, place = read_clip(folder, timeline, number), f"dataset/{CONVERSATIONS}: {timeline.conversation_id}"
    if published is None:
        yield f"{place}: turn {number}: has no audio"
    elif (published.bytes, published.path) != (clip.wav, clip.name):
        yield f"{place}: turn {number}: the audio is not the clip in audio/"


def sound_row_faults(
    folder: RunFolder, timeline: CallTimeline, row: CallRow, rows: Sequence[TurnRow] | None, suffix: str
) -> Iterator[str]:
    """Where a call's row in `calls.parquet`, or its times in `turns.parquet`, are not those of its time-line."""
    name = timeline.conversation_id
    wanted = call_row(folder, timeline, suffix)
    yield from _differences(f"dataset/{CALLS}: {name}", row, {f: getattr(wanted, f) for f in CallRow.model_fields})
    times = times_of(timeline)
    for number, message in enumerate(rows or ()):
        yield from _differences(f"dataset/{TURNS}: {name}: message {number}", message, times.get(number, {}))


def message_faults(name: str, rows: Sequence[TurnRow], rounds: Sequence[Round]) -> Iterator[str]:
    """Where a call's messages in `turns.parquet` are not those of its log."""
    place = f"dataset/{TURNS}: {name}"
    wanted = list(_wanted_messages(rounds))
    if len(rows) != len(wanted):
        yield f"{place}: has {len(rows)} messages, the log {len(wanted)}"
    for number, (row, fields) in enumerate(zip(rows, wanted, strict=False)):
        yield from _differences(f"{place}: message {number}", row, {"message_index": number, **fields})
        if isinstance(row, AgentRow):
            findings = Findings()
            agent_row_fits(row, findings)
            yield from (f"{place}: message {number}: {finding.message}" for finding in findings.kept)
            if row.undelivered and not (row.undelivered.startswith(" ") and row.text.strip() == row.text != ""):
                yield f"{place}: message {number}: the delivered text does not end on a whole word"


def _wanted_messages(rounds: Sequence[Round]) -> Iterator[dict[str, object]]:
    """What each message's row has to hold."""
    for number, done in enumerate(rounds):
        agent, caller = done.agent, done.caller
        yield {
            "round": number,
            "speaker": "agent",
            "text": agent.delivered,
            "as_meant": agent.text,
            "heard": agent.heard,
            "undelivered": agent.undelivered,
            "onset_word": agent.cut.onset_word if agent.cut else None,
            "cut_word": agent.cut.cut_word if agent.cut else None,
            "segments": agent.segments,
            "attempt": done.attempt,
        }
        if caller is not None:
            yield {
                "round": number,
                "speaker": "caller",
                "text": caller.text,
                "interruption_type": caller.type,
                "reaction_plan": caller.plan,
                "released": caller.released,
                "facts": pairs(caller.facts),
                "gives": pairs(caller.gives),
                "reaction_seed": caller.reaction_seed,
                "user_seed": caller.user_seed,
                "reaction_view": caller.reaction_view,
                "user_view": caller.user_view,
            }


def recovery_faults(name: str, rows: Sequence[BaselineRow], items: Mapping[int, Item]) -> Iterator[str]:
    """Where a call's rows in `baseline.parquet` are not the references of its items."""
    place = f"dataset/{BASELINE}: {name}"
    if [row.turn for row in rows] != list(items):
        yield f"{place}: has rows for turns {[row.turn for row in rows]}, the log items for {list(items)}"
    for row in rows:
        if row.turn in items:
            wanted = {"interrupting_user_message_index": 2 * row.turn - 1, "response": items[row.turn].reference}
            yield from _differences(f"{place}: turn {row.turn}", row, wanted)


def entry_faults(name: str, rows: Sequence[ListedInterruption], rounds: Sequence[Round]) -> Iterator[str]:
    """Where a call's entries in `interruptions_all.json` are not its interruptions."""
    said = ((number, done.caller.type if done.caller else None) for number, done in enumerate(rounds, 1))
    wanted = [(number, kind) for number, kind in said if kind is not None]
    if [(row.interrupting_turn_index, row.interruption_type) for row in rows] != wanted:
        yield f"dataset/{INTERRUPTIONS}: {name}: its entries are not the interruptions in the log"


def _differences(place: str, row: Record, wanted: Mapping[str, object]) -> Iterator[str]:
    for field, value in wanted.items():
        if getattr(row, field, None) != value:
            yield f"{place}: `{field}` is not what the log has"
