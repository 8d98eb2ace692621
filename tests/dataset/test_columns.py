"""The published tables have the reference's columns and types, and hold what was said."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from factory.dataset.calls import FinishedCall, finished_calls
from factory.dataset.parquet import Row, read_rows
from factory.dataset.publish import conversation_row
from factory.dataset.rows import Domain
from factory.dataset.schema import conversations_schema
from factory.dataset.write import BASELINE, CONVERSATIONS, INTERRUPTIONS, TURNS
from factory.run.folder import RunFolder
from factory.workflow.library import Library

TURN_1 = [
    ("assistant_turn_1_transcript", "string"),
    ("assistant_turn_1_original", "string"),
    ("user_turn_1_transcript", "string"),
    ("user_turn_1_audio", "struct<bytes: binary, path: string>"),
    ("user_turn_1_interruption_type", "string"),
    ("turn_1_tf_rubric", "string"),
    ("turn_1_rq_rubrics", "list<element: string>"),
]


def columns(schema: pa.Schema) -> list[tuple[str, str]]:
    return [(field.name, str(field.type).replace("item:", "element:")) for field in schema]


@pytest.fixture(scope="module")
def calls(spoken: RunFolder, library: Library) -> list[FinishedCall]:
    return list(finished_calls(spoken, library))


@pytest.fixture(scope="module")
def rows(spoken: RunFolder) -> list[Row]:
    return list(read_rows(spoken.dataset / CONVERSATIONS))


def test_a_conversation_has_the_columns_of_the_reference(spoken: RunFolder) -> None:
    found = columns(pq.read_schema(spoken.dataset / CONVERSATIONS))
    assert [name for name, _ in found[:7]] == [
        "conversation_id", "domain", "goal", "system_message", "knowledge_base", "user_intent", "num_turns",
    ]  # fmt: skip
    assert dict(found)["num_turns"] == "int32"
    assert dict(found)["domain"] == "struct<id: string, name: string, description: string>"
    assert found[7:14] == TURN_1


def test_there_are_as_many_numbered_columns_as_the_longest_call_has_turns(
    spoken: RunFolder, calls: list[FinishedCall]
) -> None:
    most = max(len(call.rounds) for call in calls)
    schema = pq.read_schema(spoken.dataset / CONVERSATIONS)
    assert schema.names[7:] == [
        name.replace("_1_", f"_{n}_") for n in range(1, most + 1) for name, _ in TURN_1
    ]  # fmt: skip


def test_the_baseline_has_the_columns_of_the_reference(spoken: RunFolder) -> None:
    assert columns(pq.read_schema(spoken.dataset / BASELINE)) == [
        ("conversation_id", "string"),
        ("turn", "int32"),
        ("interrupting_user_message_index", "int32"),
        ("response", "string"),
    ]


def test_turns_hold_the_delivered_words_and_the_whole_utterance_only_where_it_was_cut(
    rows: list[Row], calls: list[FinishedCall]
) -> None:
    cuts = 0
    for row, call in zip(rows, calls, strict=True):
        for number, done in enumerate(call.rounds, 1):
            assert row[f"assistant_turn_{number}_transcript"] == done.agent.delivered
            if done.agent.cut is None:
                assert row[f"assistant_turn_{number}_original"] is None
            else:
                cuts += 1
                assert row[f"assistant_turn_{number}_original"] == done.agent.text != done.agent.delivered
            assert done.caller is not None
            assert row[f"user_turn_{number}_transcript"] == done.caller.text
    assert cuts == 14


def test_rubric_and_type_stand_where_the_caller_cut_in_and_nowhere_else(
    rows: list[Row], calls: list[FinishedCall]
) -> None:
    for row, call in zip(rows, calls, strict=True):
        types = dict(call.interruptions)
        for number in range(1, len(call.rounds) + 1):
            item = call.items.get(number)
            assert row[f"user_turn_{number}_interruption_type"] == types.get(number)
            assert row[f"turn_{number}_tf_rubric"] == (item.task_fulfilment.text if item else None)
            assert row[f"turn_{number}_rq_rubrics"] == ([c.text for c in item.recovery] if item else None)


def test_behind_the_end_of_a_call_everything_is_null(rows: list[Row], calls: list[FinishedCall]) -> None:
    shortest = min(range(len(calls)), key=lambda i: len(calls[i].rounds))
    row, turns = rows[shortest], len(calls[shortest].rounds)
    assert row["num_turns"] == turns
    later = list(row)[7 + 7 * turns :]
    assert later
    assert all(row[name] is None for name in later)


def test_a_call_that_the_agent_ends_has_no_last_user_turn(calls: list[FinishedCall]) -> None:
    *before, last = calls[0].rounds
    call = FinishedCall(
        calls[0].blueprint, calls[0].workflow, (*before, last.model_copy(update={"caller": None})), calls[0].items
    )
    row = conversation_row(call, Domain(id="d", name="D", description="."), "", {})
    assert row.turns[-1].user_transcript is None
    assert row.turns[-1].assistant_transcript == last.agent.delivered


def test_the_domain_is_the_same_for_all_its_calls_and_the_goal_says_who_called(rows: list[Row]) -> None:
    domains = [json.dumps(row["domain"]) for row in rows]
    assert len(set(domains)) == 2
    water = next(row["domain"] for row in rows if "water" in str(row["conversation_id"]))
    assert water == {
        "id": "water_supply",
        "name": "Water Supply",
        "description": "Phone calls in water supply in which a voice agent takes a caller through a process step "
        "by step: Booking a pipe visit.",
    }
    goals = {str(row["conversation_id"])[:-5]: row["goal"] for row in rows}
    assert goals["utilities-meter-visit"] == "[OUTBOUND] Book a visit."
    assert goals["utilities-meter-fault"] == "[INBOUND] Book a visit."


def test_the_baseline_holds_the_reference_recovery_of_every_item(spoken: RunFolder, calls: list[FinishedCall]) -> None:
    assert list(read_rows(spoken.dataset / BASELINE)) == [
        {
            "conversation_id": call.conversation_id,
            "turn": turn,
            "interrupting_user_message_index": 2 * turn - 1,
            "response": item.reference,
        }
        for call in calls
        for turn, item in call.items.items()
    ]


def test_the_list_of_items_names_every_interruption_in_order(spoken: RunFolder, calls: list[FinishedCall]) -> None:
    listed = json.loads((spoken.dataset / INTERRUPTIONS).read_text())
    assert listed == [
        {"conversation_id": call.conversation_id, "interrupting_turn_index": turn, "interruption_type": kind}
        for call in calls
        for turn, kind in call.interruptions
    ]
    assert len(listed) == 14


def test_turns_hold_every_message_and_null_what_belongs_to_the_other_speaker(
    spoken: RunFolder, calls: list[FinishedCall]
) -> None:
    rows = list(read_rows(spoken.dataset / TURNS))
    said = [
        (call.conversation_id, text)
        for call in calls
        for done in call.rounds
        for text in (done.agent.delivered, done.caller.text if done.caller else None)
    ]
    assert [(row["conversation_id"], row["text"]) for row in rows] == said
    for row in rows:
        agents = [row[name] for name in ("as_meant", "heard", "undelivered", "segments", "attempt")]
        callers = [row[name] for name in ("reaction_plan", "released", "facts", "gives", "reaction_seed", "user_view")]
        mine, other = (agents, callers) if row["speaker"] == "agent" else (callers, agents)
        assert all(value is not None for value in mine)
        assert all(value is None for value in other)
        assert row["message_index"] == 2 * row["round"] + (row["speaker"] == "caller")  # type: ignore[operator]
        if row["speaker"] == "agent":
            assert row["text"] + row["undelivered"] == row["as_meant"]  # type: ignore[operator]


def test_a_column_is_described_to_hugging_face_readers_by_its_own_type() -> None:
    metadata = json.loads(conversations_schema(1).metadata[b"huggingface"])
    features = metadata["info"]["features"]
    assert list(features) == conversations_schema(1).names
    assert features["user_turn_1_audio"] == {"sampling_rate": 24000, "_type": "Audio"}
