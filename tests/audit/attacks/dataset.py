"""Published files that somebody changes after the fact."""

from collections.abc import Callable, Set
from dataclasses import dataclass

from factory.audit.findings import Kind
from factory.dataset.parquet import Row, read_rows, read_schema, writing_rows
from factory.dataset.write import BASELINE, CONVERSATIONS, TURNS
from factory.records.base import canonical_json, sha256
from factory.records.run import LedgerRoot
from factory.run.folder import RunFolder
from factory.simulate.canary import canary_word
from tests.audit.runs import interrupted, ledgers, refreeze, rewrite, rewrite_conversations, rewrite_turn
from tests.dataset.runs import SEED

from .attack import OTHER_INPUTS, Attack, Caught, Stage, Way, Who, caught_in, report_on

Change = Callable[[RunFolder], None]
Rows = list[Row]


@dataclass(frozen=True)
class InDataset(Way[Change]):
    """The published files of a run are changed, and the run is audited.

    Attributes:
        of: Which run.
    """

    of: str = "plain"

    def go(self, stage: Stage, cheat: Change | None) -> Set[Caught]:
        folder = stage.copy(self.of)
        if cheat is not None:
            cheat(folder)
        else:
            _written(folder, CONVERSATIONS, lambda rows: rows)
        return caught_in(report_on(folder))


def _written(folder: RunFolder, name: str, change: Callable[[Rows], Rows]) -> None:
    """Writes all rows of a table anew, as they are changed."""
    path = folder.dataset / name
    schema, rows = read_schema(path), list(read_rows(path))
    with writing_rows(path, schema) as file:
        for row in change(rows):
            file.add(row)


def _both(folder: RunFolder, change: Callable[[Rows], Rows]) -> None:
    for name in (CONVERSATIONS, TURNS):
        _written(folder, name, change)


def _ids(rows: Rows) -> list[str]:
    return list(dict.fromkeys(str(row["conversation_id"]) for row in rows))


def _callers_words(folder: RunFolder) -> None:
    rewrite_turn(folder, "caller", text="I never said that.")


def _callers_words_everywhere(folder: RunFolder) -> None:
    _, caller = interrupted(folder)
    _callers_words(folder)
    _in_conversations(folder, caller, "user_turn_{}_transcript", "I never said that.")


def _in_conversations(folder: RunFolder, turn: Row, column: str, value: object) -> None:
    """Changes what `conversations.parquet` has of a message."""

    def change(row: Row) -> None:
        if row["conversation_id"] == turn["conversation_id"]:
            row[column.format(int(str(turn["round"])) + 1)] = value

    rewrite_conversations(folder, change)


def _type(folder: RunFolder) -> None:
    def change(row: Row) -> None:
        for name in row:
            if name.endswith("_interruption_type") and row[name] == "pushback":
                row[name] = "normal"

    rewrite_conversations(folder, change)


def _heard(folder: RunFolder) -> None:
    agent, _ = interrupted(folder)
    rewrite_turn(folder, "agent", heard=agent["text"])


def _onset(folder: RunFolder) -> None:
    agent, _ = interrupted(folder)
    onset = int(str(agent["onset_word"])) - 1
    rewrite_turn(folder, "agent", onset_word=onset, heard=" ".join(str(agent["text"]).split(" ")[: onset + 1]))


def _onset_behind_the_cut(folder: RunFolder) -> None:
    agent, _ = interrupted(folder)
    rewrite_turn(folder, "agent", onset_word=agent["cut_word"], heard=agent["text"])


def _undelivered(folder: RunFolder) -> None:
    rewrite_turn(folder, "agent", undelivered=" something harmless.")


def _undelivered_everywhere(folder: RunFolder) -> None:
    agent, _ = interrupted(folder)
    whole = f"{agent['text']} something harmless."
    segments = [{"act": "a.b", "text": whole}]
    rewrite_turn(folder, "agent", undelivered=" something harmless.", as_meant=whole, segments=segments)
    _in_conversations(folder, agent, "assistant_turn_{}_original", whole)


def _fact(folder: RunFolder) -> None:
    rewrite_turn(folder, "caller", facts=[{"key": "code", "value": "12345"}])


def _line(folder: RunFolder) -> None:
    rewrite_turn(folder, "caller", released=[{"kind": "move", "texts": ["I would rather not."]}])


def _secrets(folder: RunFolder) -> None:
    def change(row: Row) -> None:
        row["user_intent"]["description"] = "Somebody else."  # type: ignore[index]

    rewrite_conversations(folder, change)


def _seed(column: str) -> Change:
    return lambda folder: rewrite_turn(folder, "caller", **{column: 1})


def _digest(folder: RunFolder) -> None:
    rewrite_turn(folder, "caller", user_view="0" * 64)


def _attempt(folder: RunFolder) -> None:
    rewrite_turn(folder, "agent", attempt=3)


def _left_out(folder: RunFolder) -> None:
    _both(folder, lambda rows: [row for row in rows if row["conversation_id"] != _ids(rows)[0]])


def _left_out_of_one_file(folder: RunFolder) -> None:
    _written(folder, TURNS, lambda rows: [row for row in rows if row["conversation_id"] != _ids(rows)[0]])


def _left_out_everywhere(folder: RunFolder) -> None:
    _left_out(folder)
    first = next(iter(folder.ledger_root().heads))
    folder.ledger_file(first).unlink()
    heads = {name: head for name, head in folder.ledger_root().heads.items() if name != first}
    _ledger_root(folder, heads, sha256(canonical_json(heads)))


def _added(folder: RunFolder) -> None:
    """A call as good as any, under an id of its own."""

    def more(rows: Rows) -> Rows:
        last = _ids(rows)[-1]
        return rows + [row | {"conversation_id": "one-more"} for row in rows if row["conversation_id"] == last]

    _both(folder, more)


def _twice(folder: RunFolder) -> None:
    _both(folder, lambda rows: rows + [row for row in rows if row["conversation_id"] == _ids(rows)[0]])


def _another_order(folder: RunFolder) -> None:
    _written(folder, CONVERSATIONS, lambda rows: rows[::-1])


def _last_message(folder: RunFolder) -> None:
    _written(folder, TURNS, lambda rows: rows[:-2])


def _nothing_at_all(folder: RunFolder) -> None:
    _both(folder, lambda rows: [])
    for path in ledgers(folder):
        path.unlink()
    _ledger_root(folder, {}, sha256(canonical_json({})))


def _another_root(folder: RunFolder) -> None:
    _ledger_root(folder, folder.ledger_root().heads, "0" * 64)


def _ledger_root(folder: RunFolder, heads: dict[str, str], root: str) -> None:
    """Writes the ledger's root, and a freeze that binds it."""
    folder.ledger_root_file.write_text(LedgerRoot(heads=heads, root=root).model_dump_json())
    refreeze(folder, ledger=root)


def _rubric(folder: RunFolder) -> None:
    """The first rubric becomes an easier one, where people read it."""
    (_, caller) = interrupted(folder)
    _in_conversations(folder, caller, "turn_{}_tf_rubric", "Says anything at all.")


def _canary_in_the_knowledge_base(folder: RunFolder) -> None:
    def change(row: Row) -> None:
        row["knowledge_base"]["guidelines"].append(canary_word(SEED, str(row["conversation_id"])))  # type: ignore[index]

    rewrite_conversations(folder, change)


def _canary_in_a_recovery(folder: RunFolder) -> None:
    word = canary_word(SEED, "another-call")
    rewrite(folder.dataset / BASELINE, lambda row: row.update(response=f"One {word[::-1]} please."))


PLAIN, CANARIED = InDataset(), InDataset("canaried")


def _of(change: Change, name: str, *by: Caught, way: InDataset = PLAIN) -> Attack[Change]:
    return Attack(name, Who.PUBLISHER, frozenset(by), way, change)


BY_WORDS = (
    _of(_callers_words, "publishes other words of the caller's", *OTHER_INPUTS, Kind.TRANSCRIPT_DIFFERS),
    _of(_callers_words_everywhere, "publishes other words of the caller's, in every file", *OTHER_INPUTS),
    _of(_type, "publishes another type of interruption in one file", Kind.TRANSCRIPT_DIFFERS),
    _of(_heard, "publishes as heard what was talked over", Kind.HEARD_DIFFERS),
    _of(_onset, "publishes an earlier onset, with what was heard made to fit", *OTHER_INPUTS),
    _of(_onset_behind_the_cut, "publishes an onset behind the cut", *OTHER_INPUTS, Kind.HEARD_DIFFERS),
    _of(_undelivered, "publishes other undelivered words", Kind.DELIVERED_DIFFERS),
    _of(_undelivered_everywhere, "publishes other undelivered words, wherever they stand", Kind.CONTENT_DIFFERS),
    _of(_fact, "publishes other released facts", *OTHER_INPUTS),
    _of(_line, "publishes another released line", *OTHER_INPUTS),
    _of(_secrets, "publishes another intent", *OTHER_INPUTS),
    _of(_seed("reaction_seed"), "publishes another seed of the reaction planner's", *OTHER_INPUTS),
    _of(_seed("user_seed"), "publishes another seed of the user's", *OTHER_INPUTS),
    _of(_digest, "publishes another digest of the user's input", Kind.RECORDED_VIEW_DIFFERS),
    _of(_attempt, "publishes another attempt than the one that stands", Kind.ATTEMPT_DIFFERS, Kind.CALL_UNPUBLISHED),
    _of(_last_message, "leaves out the last messages of a call", Kind.CALL_UNPUBLISHED, Kind.TRANSCRIPT_DIFFERS),
    _of(_rubric, "publishes an easier rubric", Kind.FREEZE_DIFFERS),
    _of(
        _canary_in_the_knowledge_base,
        "publishes what the build had planted in the knowledge base",
        Kind.CANARY_PUBLISHED,
        way=CANARIED,
    ),
    _of(
        _canary_in_a_recovery, "publishes a planted word in a recovery, backwards", Kind.CANARY_PUBLISHED, way=CANARIED
    ),
)

BY_CALLS = (
    _of(_left_out, "leaves a conversation out of the dataset", Kind.CONVERSATION_MISSING),
    _of(
        _left_out_of_one_file, "leaves a conversation out of one file", Kind.CONVERSATION_MISSING, Kind.DATASET_DAMAGED
    ),
    _of(
        _left_out_everywhere,
        "leaves a conversation out of dataset, ledger and root",
        Kind.CONVERSATION_MISSING,
        Kind.FREEZE_DIFFERS,
    ),
    _of(_added, "adds a conversation of its own", Kind.CONVERSATION_TWICE, Kind.FREEZE_DIFFERS, Kind.LEDGER_MISSING),
    _of(_twice, "publishes a conversation twice", Kind.DATASET_DAMAGED),
    _of(
        _another_order,
        "publishes the calls in another order in one file",
        Kind.CONVERSATION_MISSING,
        Kind.DATASET_DAMAGED,
    ),
    _of(_another_root, "publishes another root of the ledger", Kind.ROOT_DIFFERS),
    _of(_nothing_at_all, "publishes no conversation at all", Kind.CONVERSATION_MISSING, Kind.FREEZE_DIFFERS),
)

ATTACKS = (*BY_WORDS, *BY_CALLS)
