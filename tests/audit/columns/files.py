"""Calls as another toolkit would write them: a hand-made one that keeps every rule, and files of it in many forms."""

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from factory.audit.columns.audit import audit_foreign
from factory.audit.columns.rules import Certainty, ColumnRule
from factory.audit.result import AuditResult

Row = dict[str, object]
"""One row: values by column."""

GOAL = "[INBOUND] Book a repair of a bicycle"
BASE = {
    "stages": [
        {"name": "Check the booking", "description": "Verify the caller by the booking code."},
        {"name": "Agree on the work", "description": "Tell what has to be done and what it costs."},
        {"name": "Find a day", "description": "Agree on the day on which the bicycle is brought in."},
    ],
    "guidelines": ["Never promise a discount.", "Keep to one question a turn."],
    "known_user_information": [
        {"key": "booking_code", "value": "48213"},
        {"key": "estimate", "value": "$87.50"},
        {"key": "frame_number", "value": "KX-550129"},
    ],
}
INTENT = {
    "description": "Wants the bicycle back before the weekend.",
    "hidden_information": ["can only come after five"],
}

TURNS: tuple[tuple[str, str | None, str | None, str | None], ...] = (
    ("Hello, this is Harbor Bikes. How can I help you today?", None, "Hi, I'd like to book a repair.", None),
    (
        "Sure, I can set that up. Before we look at any days",
        "Sure, I can set that up. Before we look at any days I need to check that the booking is yours. "
        "Could you read me its code?",
        "Oh, and I can only come after five.",
        "normal",
    ),
    ("After five is fine. Would you read me the code of the booking?", None, "It's 48213.", None),
    (
        "Thank you, I have found it. Your bicycle needs a new chain",
        "Thank you, I have found it. Your bicycle needs a new chain and the brakes have to be set again. "
        "Is that what you expected?",
        "Mm-hm.",
        "filler",
    ),
    ("and the brakes have to be set again. Is that what you expected?", None, "Yes, that's right.", None),
    (
        "Good. The work takes about two days because",
        "Good. The work takes about two days because the chain has to be ordered first. Which day would suit you?",
        "Can we just pick a day, please?",
        "impatient",
    ),
    ("Of course. What day do you have in mind?", None, "Let's say Friday.", None),
    (
        "Friday it is. We will call the number that you",
        "Friday it is. We will call the number that you gave us when the bicycle is ready. Shall I note anything else?",
        "Sorry, not Friday, I meant Thursday.",
        "correction",
    ),
    ("Thursday, then, and after five. May I put that down?", None, "Yes, please.", None),
    (
        "Done. You will get a message with the price",
        "Done. You will get a message with the price before anybody starts to work on it. Is there anything else?",
        "Do you sell helmets, by the way?",
        "topic_switch",
    ),
    ("We do, in the front room. Coming back to the repair, do you have any questions?", None, "No, I don't.", None),
    (
        "All right. Please bring the key of the lock",
        "All right. Please bring the key of the lock with you so that we can take it off. Do you have one at hand?",
        "Why would you need that?",
        "pushback",
    ),
    ("Only so that nothing gets scratched. Taking it off at home works, too. Goodbye!", None, "Bye.", None),
)
"""Delivered, original, caller and type of every turn: one interruption of each type, and every rule kept."""


def honest(conversation_id: str = "harbor-1") -> Row:
    """The call as one row, all columns in the reference's order."""
    row: Row = {
        "conversation_id": conversation_id,
        "domain": {"id": "repair", "name": "Repairs"},
        "goal": GOAL,
        "system_message": "You answer the telephone of Harbor Bikes.",
        "knowledge_base": copy.deepcopy(BASE),
        "user_intent": copy.deepcopy(INTENT),
        "num_turns": len(TURNS),
    }
    for number, (delivered, meant, caller, kind) in enumerate(TURNS, 1):
        row |= {
            f"assistant_turn_{number}_transcript": delivered,
            f"assistant_turn_{number}_original": meant,
            f"user_turn_{number}_transcript": caller,
            f"user_turn_{number}_audio": None,
            f"user_turn_{number}_interruption_type": kind,
            f"turn_{number}_tf_rubric": "Asks for the code." if kind else None,
            f"turn_{number}_rq_rubrics": ["Starts afresh.", "Is calm."] if kind else None,
        }
    return row


def schema_of(rows: Sequence[Row], **types: pa.DataType) -> pa.Schema:
    """The reference's types for the columns of some rows; those that are given replace them."""
    text, texts = pa.string(), pa.list_(pa.string())
    fixed = {
        "domain": pa.struct([("id", text), ("name", text)]),
        "knowledge_base": pa.struct(
            [
                ("stages", pa.list_(pa.struct([("name", text), ("description", text)]))),
                ("guidelines", texts),
                ("known_user_information", pa.list_(pa.struct([("key", text), ("value", text)]))),
            ]
        ),
        "user_intent": pa.struct([("description", text), ("hidden_information", texts)]),
        "num_turns": pa.int32(),
    } | types
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.schema([(name, fixed.get(name, texts if name.endswith("rq_rubrics") else text)) for name in names])


def write(path: Path, rows: Sequence[Row], **types: pa.DataType) -> Path:
    """Writes rows as a Parquet file; types of columns may be given."""
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema_of(rows, **types)), path)
    return path


def as_others_write(path: Path, rows: Sequence[Row]) -> Path:
    """The same calls in the manner of a data-frame library: other order, long strings, JSON, and columns of its own."""
    plain = [
        dict(sorted((row | {"knowledge_base": json.dumps(row["knowledge_base"]), "index": n, "note": "x"}).items()))
        | {"num_turns": float(str(row["num_turns"])), "user_intent": json.dumps(row["user_intent"])}
        for n, row in enumerate(rows)
    ]
    long, longs = pa.large_string(), pa.large_list(pa.large_string())
    kinds: Mapping[str, pa.DataType] = {"index": pa.int64(), "num_turns": pa.float64()}
    fields = []
    for name in plain[0]:
        kind = kinds.get(name, longs if name.endswith("rq_rubrics") else long)
        if name.endswith("interruption_type"):
            kind = pa.dictionary(pa.int8(), pa.string())
        if name == "domain":
            kind = pa.struct([("id", long), ("name", long)])
        if all(row[name] is None for row in plain):
            kind = pa.null()
        fields.append((name, kind))
    pq.write_table(pa.Table.from_pylist(plain, schema=pa.schema(fields)), path)
    return path


def audited(tmp_path: Path, *changes: Callable[[Row], object], rows: Sequence[Row] | None = None) -> AuditResult:
    """The audit of the honest call after some changes."""
    calls = list(rows) if rows is not None else [honest()]
    for change in changes:
        change(calls[0])
    return audit_foreign(write(tmp_path / "calls.parquet", calls))


def put(**values: object) -> Callable[[Row], object]:
    """A change that sets columns."""
    return lambda row: row.update(values)


def turn(number: int, **values: object) -> Callable[[Row], object]:
    """A change of one turn: `delivered`, `meant`, `caller`, `kind`, `task`, `recovery`."""
    names = {
        "delivered": f"assistant_turn_{number}_transcript",
        "meant": f"assistant_turn_{number}_original",
        "caller": f"user_turn_{number}_transcript",
        "kind": f"user_turn_{number}_interruption_type",
        "task": f"turn_{number}_tf_rubric",
        "recovery": f"turn_{number}_rq_rubrics",
    }
    return lambda row: row.update({names[field]: value for field, value in values.items()})


def breaks(result: AuditResult, certainty: Certainty | None = None) -> set[ColumnRule]:
    """The rules that are broken, or look so."""
    assert result.rules is not None
    found = {
        count.rule
        for count in result.rules.counts
        if (certainty is not Certainty.LOOKS_SO and count.broken)
        or (certainty is not Certainty.CERTAIN and count.looks_broken)
    }
    assert found >= {e.rule for e in result.rules.examples if certainty in (None, e.certainty)}
    return found
