"""Damage to what is published."""

import pyarrow.parquet as pq

from tests.build.verify.runs import Damage, Json, Run


def without_column(run: Run) -> None:
    path = run.folder.dataset / "conversations.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["turn_1_tf_rubric"]), path)


def item_turn(row: Json) -> int:
    return next(n for n in range(1, row["num_turns"] + 1) if row[f"turn_{n}_tf_rubric"] is not None)


def rubric_row(rows: list[Json]) -> None:
    rows[0][f"turn_{item_turn(rows[0])}_tf_rubric"] += " Really?"


def recovery_row(rows: list[Json]) -> None:
    rows[0][f"turn_{item_turn(rows[0])}_rq_rubrics"].pop()


def original_row(rows: list[Json]) -> None:
    rows[0][f"assistant_turn_{item_turn(rows[0])}_original"] += " And more."


def half_word(rows: list[Json]) -> None:
    """Moves the end of a delivered text into a word; text and rest still add up."""
    row = next(row for row in rows if row["undelivered"])
    row["text"], row["undelivered"] = row["text"][:-1], row["text"][-1] + row["undelivered"]


def rest(rows: list[Json]) -> None:
    row = next(row for row in rows if row["undelivered"])
    row["undelivered"] += " more"


TABLES: dict[str, Damage] = {
    "baseline response": (
        lambda run: run.edit_rows("baseline.parquet", lambda rows: rows[0].update(response="Whatever.")),
        ("baseline.parquet", "`response` is not what the log has"),
    ),
    "baseline row dropped": (
        lambda run: run.edit_rows("baseline.parquet", lambda rows: rows.pop(0)),
        ("dataset/baseline.parquet", "has rows for turns"),
    ),
    "published rubric": (
        lambda run: run.edit_rows("conversations.parquet", rubric_row),
        ("conversations.parquet", "`tf_rubric` is not what the log has"),
    ),
    "published criteria": (
        lambda run: run.edit_rows("conversations.parquet", recovery_row),
        ("conversations.parquet", "`rq_rubrics` is not what the log has"),
    ),
    "published transcript": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows[0].update(user_turn_1_transcript="Hm.")),
        ("turn 1: `user_transcript` is not what the log has",),
    ),
    "published original": (
        lambda run: run.edit_rows("conversations.parquet", original_row),
        ("`assistant_original` is not what the log has",),
    ),
    "published type": (
        lambda run: run.edit_rows(
            "conversations.parquet",
            lambda rows: rows[0].update({f"user_turn_{item_turn(rows[0])}_interruption_type": None}),
        ),
        ("`interruption_type` is not what the log has",),
    ),
    "number of turns": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows[0].update(num_turns=3)),
        ("num_turns is 3",),
    ),
    "conversation row dropped": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows.pop(0)),
        ("dataset/conversations.parquet", "has no rows, or not in their place"),
    ),
    "conversation row twice": (
        lambda run: run.edit_rows("conversations.parquet", lambda rows: rows.append(rows[0])),
        ("dataset/conversations.parquet", "rows that do not belong here"),
    ),
    "column dropped": (without_column, ("conversations.parquet: its columns are not those of this file",)),
    "message": (
        lambda run: run.edit_rows("turns.parquet", lambda rows: rows[1].update(text="Hm.")),
        ("turns.parquet", "message 1: `text` is not what the log has"),
    ),
    "message dropped": (lambda run: run.edit_rows("turns.parquet", lambda rows: rows.pop()), ("messages, the log",)),
    "half a word": (
        lambda run: run.edit_rows("turns.parquet", half_word),
        ("the delivered text does not end on a whole word",),
    ),
    "undelivered rest": (
        lambda run: run.edit_rows("turns.parquet", rest),
        ("delivered and undelivered text are not the utterance as meant",),
    ),
    "turns damaged": (
        lambda run: (run.folder.dataset / "turns.parquet").write_bytes(b"PAR1 nothing PAR1"),
        ("turns.parquet: cannot be read as Parquet",),
    ),
    "list of interruptions": (
        lambda run: run.edit_json(run.folder.dataset / "interruptions_all.json", lambda data: data.__delitem__(0)),
        ("interruptions_all.json", "its entries are not the interruptions in the log"),
    ),
    "list damaged": (
        lambda run: (run.folder.dataset / "interruptions_all.json").write_text("[{}]"),
        ("interruptions_all.json: not a list of interruptions",),
    ),
}
