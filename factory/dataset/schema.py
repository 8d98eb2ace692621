"""Columns and types of the published tables, as the reference corpus has them."""

import json

import pyarrow as pa  # type: ignore[import-untyped]

SAMPLE_RATE_HZ = 24_000
"""Samples a second of every clip and every call."""

TEXTS = pa.list_(pa.string())
KEY_VALUES = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
AUDIO = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

WORD = pa.struct([("text", pa.string()), ("start_s", pa.float64()), ("end_s", pa.float64())])

DOMAIN = pa.struct([("id", pa.string()), ("name", pa.string()), ("description", pa.string())])

STAGE = pa.struct(
    [
        ("name", pa.string()),
        ("description", pa.string()),
        ("skip_conditions", pa.string()),
        ("failure_handling", pa.string()),
        ("terminate_conditions", pa.string()),
    ]
)

KNOWLEDGE_BASE = pa.struct([("stages", pa.list_(STAGE)), ("guidelines", TEXTS), ("known_user_information", KEY_VALUES)])

USER_INTENT = pa.struct(
    [
        ("id", pa.string()),
        ("profile", pa.string()),
        ("speaks", pa.string()),
        ("reaction_profile", pa.string()),
        ("description", pa.string()),
        ("interruption_profile", pa.list_(pa.struct([("type", pa.string()), ("weight", pa.float64())]))),
        ("hidden_information", TEXTS),
    ]
)

CALL_COLUMNS = [
    ("conversation_id", pa.string()),
    ("domain", DOMAIN),
    ("goal", pa.string()),
    ("system_message", pa.string()),
    ("knowledge_base", KNOWLEDGE_BASE),
    ("user_intent", USER_INTENT),
    ("num_turns", pa.int32()),
]
"""The columns of `conversations.parquet` that stand once, before the numbered ones."""


def turn_columns(number: int) -> dict[str, str]:
    """Names of one turn's columns (numbered from 1) by the field of `PublishedTurn` that they hold, in order."""
    return {
        "assistant_transcript": f"assistant_turn_{number}_transcript",
        "assistant_original": f"assistant_turn_{number}_original",
        "user_transcript": f"user_turn_{number}_transcript",
        "user_audio": f"user_turn_{number}_audio",
        "interruption_type": f"user_turn_{number}_interruption_type",
        "tf_rubric": f"turn_{number}_tf_rubric",
        "rq_rubrics": f"turn_{number}_rq_rubrics",
    }


_TURN_TYPES = {"user_audio": AUDIO, "rq_rubrics": TEXTS}


def conversations_schema(most_turns: int) -> pa.Schema:
    """Schema of `conversations.parquet` for calls of at most so many agent turns."""
    fields = [pa.field(name, kind) for name, kind in CALL_COLUMNS]
    for number in range(1, most_turns + 1):
        fields += [pa.field(name, _TURN_TYPES.get(field, pa.string())) for field, name in turn_columns(number).items()]
    return _for_hugging_face(pa.schema(fields))


def calls_schema() -> pa.Schema:
    """Schema of `calls.parquet`."""
    return _for_hugging_face(
        pa.schema(
            [
                ("conversation_id", pa.string()),
                ("audio", AUDIO),
                ("duration_s", pa.float64()),
                ("condition", pa.string()),
                ("snr_db", pa.float64()),
                ("packet_loss", pa.float64()),
                ("caller_level_db", pa.float64()),
                ("engine", pa.string()),
                ("agent_voice", pa.string()),
                ("caller_voice", pa.string()),
                ("loudness_lufs", pa.float64()),
                ("peak_dbtp", pa.float64()),
            ]
        )
    )


def baseline_schema() -> pa.Schema:
    """Schema of `baseline.parquet`."""
    return _for_hugging_face(
        pa.schema(
            [
                ("conversation_id", pa.string()),
                ("turn", pa.int32()),
                ("interrupting_user_message_index", pa.int32()),
                ("response", pa.string()),
            ]
        )
    )


def turns_schema() -> pa.Schema:
    """Schema of `turns.parquet`: columns of one speaker are null in rows of the other."""
    return _for_hugging_face(
        pa.schema(
            [
                ("conversation_id", pa.string()),
                ("message_index", pa.int32()),
                ("round", pa.int32()),
                ("speaker", pa.string()),
                ("text", pa.string()),
                ("as_meant", pa.string()),
                ("heard", pa.string()),
                ("undelivered", pa.string()),
                ("onset_word", pa.int32()),
                ("cut_word", pa.int32()),
                ("segments", pa.list_(pa.struct([("act", pa.string()), ("text", pa.string())]))),
                ("attempt", pa.int32()),
                ("interruption_type", pa.string()),
                (
                    "reaction_plan",
                    pa.struct([("gist", pa.string()), ("answer", pa.string()), ("manner", pa.string())]),
                ),
                ("released", pa.list_(pa.struct([("kind", pa.string()), ("texts", TEXTS)]))),
                ("facts", KEY_VALUES),
                ("gives", KEY_VALUES),
                ("reaction_seed", pa.int64()),
                ("user_seed", pa.int64()),
                ("reaction_view", pa.string()),
                ("user_view", pa.string()),
                ("start_s", pa.float64()),
                ("end_s", pa.float64()),
                ("words", pa.list_(WORD)),
                ("overlap_s", pa.float64()),
                ("asr_text", pa.string()),
                ("asr_words", pa.int32()),
                ("asr_errors", pa.int32()),
            ]
        )
    )


def _for_hugging_face(schema: pa.Schema) -> pa.Schema:
    """The schema with the metadata from which `datasets` restores every feature, audio included."""
    features = {field.name: _feature(field.type) for field in schema}
    text = json.dumps({"info": {"features": features}}, separators=(",", ":"))
    return schema.with_metadata({"huggingface": text})


def _feature(kind: pa.DataType) -> object:
    """A type as a feature; lists in the short form that every version of `datasets` reads."""
    if kind == AUDIO:
        return {"sampling_rate": SAMPLE_RATE_HZ, "_type": "Audio"}
    if pa.types.is_struct(kind):
        return {field.name: _feature(field.type) for field in kind}
    if pa.types.is_list(kind):
        return [_feature(kind.value_type)]
    return {"dtype": {"double": "float64"}.get(str(kind), str(kind)), "_type": "Value"}
