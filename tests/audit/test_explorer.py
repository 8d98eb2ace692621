"""The data behind the calls that can be looked into: nothing but what was given, each text once, and an end to it."""

import json
from collections.abc import Iterator

import pytest

from factory.audit.page.explorer import MOST_CALLS, MOST_TEXT, Explorer
from factory.audit.page.shown_call import Calls
from factory.audit.report import audit_run
from factory.dataset.parquet import read_rows
from factory.dataset.read import read_conversations
from factory.dataset.write import CONVERSATIONS, TURNS
from factory.models.prompt import Prompts
from factory.records.base import canonical_json, sha256
from factory.run.folder import RunFolder

from .runs import interrupted, ledgers, read_ledger, rewrite, rewrite_conversations, rewrite_turn

HOSTILE = "</script><script>alert(1)</script><!--\u2028'\"&\\"


def explored(run: RunFolder) -> Calls:
    """The calls of a run that its page shows."""
    identity = run.identity()
    explorer = Explorer(Prompts() if identity.models else None)
    audit_run(run, identity, explorer=explorer)
    return explorer.calls()


def texts(packed: list[dict]) -> list[str]:
    """Packed texts, put together again."""
    whole: list[str] = []
    for entry in packed:
        before = whole[entry["base"]] if "base" in entry else ""
        whole.append(before[: entry.get("keep", 0)] + entry.get("tail", ""))
    return whole


def prompts(calls: Calls) -> Iterator[tuple[dict, str, str]]:
    """Each prompt of the page with its two messages, put together as the page's script does."""
    systems = texts(json.loads(calls.systems))
    for listed in calls.listed:
        before = ""
        for turn in json.loads(listed.data)["turns"]:
            for given in turn["caller"]["given"] if turn["caller"] else []:
                prompt = given["prompt"]
                user = prompt.get("user", {})
                before = before[: user.get("keep", 0)] + user.get("tail", "")
                yield prompt, systems[prompt.get("system", 0)], before


def test_every_prompt_on_the_page_is_the_one_that_the_ledger_has_the_digest_of(modelled: RunFolder) -> None:
    asked = {
        line["call"]["prompt"]  # type: ignore[index]
        for path in ledgers(modelled)
        for line in read_ledger(path)
        if line["role"] in ("reaction_planner", "user")
    }
    shown = list(prompts(explored(modelled)))
    assert len(shown) > 50
    for prompt, system, user in shown:
        assert sha256(canonical_json([system, user])) == prompt["ledger"]
        assert prompt["ledger"] in asked


def test_prompts_take_little_more_room_than_what_is_new_in_them(modelled: RunFolder) -> None:
    calls = explored(modelled)
    whole = sum(len(system) + len(user) for _, system, user in prompts(calls))
    packed = len(calls.systems) + sum(len(prompt["user"].get("tail", "")) for prompt, _, _ in prompts(calls))
    assert packed < whole / 5


def test_a_turn_holds_what_was_meant_heard_and_delivered(plain: RunFolder) -> None:
    published = [row for row in read_rows(plain.dataset / TURNS) if row["speaker"] == "agent"]
    turns = [turn for listed in explored(plain).listed for turn in json.loads(listed.data)["turns"]]
    assert len(turns) == len(published)
    for turn, row in zip(turns, published, strict=True):
        assert turn["meant"] == row["as_meant"]
        assert turn["meant"][: turn["heard"]] == row["heard"]
        assert turn["meant"][: turn["delivered"]] == row["text"]


def marks(run: RunFolder) -> list[tuple[int, str, str]]:
    """Round, cell and words of every mark in a run."""
    return [
        (turn["round"], mark["cell"], mark["text"])
        for listed in explored(run).listed
        for turn in json.loads(listed.data)["turns"]
        for mark in turn.get("marks", ())
    ]


def test_other_words_of_the_callers_are_marked_where_they_stand_and_nowhere_else(run: RunFolder) -> None:
    agent, caller = interrupted(run)
    assert marks(run) == []
    rewrite_turn(run, "caller", text="completely other words")
    files, ledger = marks(run)
    assert files[:2] == ledger[:2] == (agent["round"], "said")
    assert "completely other words" in files[2] and caller["text"][:10] in files[2]
    assert ledger[2].startswith("the digest of the caller’s words in turns.parquet is ")


@pytest.mark.parametrize(("column", "cell"), [("heard", "heard"), ("undelivered", "meant"), ("text", "meant")])
def test_what_does_not_fit_in_an_agents_row_is_marked_in_its_cell(run: RunFolder, column: str, cell: str) -> None:
    agent, _ = interrupted(run)
    rewrite_turn(run, "agent", **{column: "something else"})
    assert (agent["round"], cell) in {(number, where) for number, where, _ in marks(run)}


def test_lengths_count_as_scripts_do(run: RunFolder) -> None:
    rewrite_turn(run, "agent", as_meant="😀😀 one two", text="😀😀 one", heard="😀😀")
    turn = next(
        turn
        for listed in explored(run).listed
        for turn in json.loads(listed.data)["turns"]
        if turn["meant"].startswith("😀")
    )
    assert (turn["heard"], turn["delivered"]) == (4, 8)


def test_what_is_no_beginning_of_the_words_as_meant_stands_for_itself(run: RunFolder) -> None:
    rewrite_turn(run, "agent", heard="something else")
    turns = [turn for listed in explored(run).listed for turn in json.loads(listed.data)["turns"]]
    assert [turn["heard"] for turn in turns if isinstance(turn["heard"], str)] == ["something else"]


def test_nothing_in_the_data_can_end_its_element(run: RunFolder) -> None:
    rewrite_turn(run, "caller", text=HOSTILE)
    calls = explored(run)
    for listed in calls.listed:
        assert "<" not in listed.data
        assert not {"\u2028", "\u2029"} & set(listed.data)
    assert any(
        HOSTILE in turn["caller"]["text"] for turn in json.loads(calls.listed[0].data)["turns"] if turn["caller"]
    )


def test_a_text_without_an_end_is_cut_and_told_to_be(run: RunFolder) -> None:
    rewrite_turn(run, "agent", as_meant="word " * 200_000)
    call = next(json.loads(listed.data) for listed in explored(run).listed if "(1,000,000 characters)" in listed.data)
    assert max(len(turn["meant"]) for turn in call["turns"]) < MOST_TEXT + 50


@pytest.mark.parametrize("column", ["text", "reaction_plan"])
def test_from_what_is_cut_no_digest_can_be_taken(run: RunFolder, column: str) -> None:
    long = "word " * 10_000
    rewrite_turn(run, "caller", **{column: long if column == "text" else {"gist": long, "manner": "wary"}})
    assert [json.loads(listed.data).get("shortened") for listed in explored(run).listed] == [True, None, None, None]


def test_a_call_that_is_too_long_for_a_page_is_named_and_left_out(run: RunFolder) -> None:
    def lengthen(row: dict) -> None:
        row["user_intent"]["hidden_information"] = ["a secret " * 100_000]

    rewrite_conversations(run, lengthen)
    for listed in explored(run).listed:
        call = json.loads(listed.data)
        assert call == {"key": listed.key, "missing": "it is too long for a page"}


def test_rows_that_do_not_fit_together_are_named_and_left_out(run: RunFolder) -> None:
    def misplace(row: dict) -> None:
        row["round"] += row["message_index"] == 4

    rewrite(run.dataset / TURNS, misplace)
    assert {json.loads(c.data)["missing"] for c in explored(run).listed} == {"its published rows do not fit together"}


def test_calls_with_findings_come_first_and_a_hundred_is_the_most(plain: RunFolder) -> None:
    row = next(read_conversations(plain.dataset / CONVERSATIONS))
    explorer = Explorer(None)
    for number in range(250):
        renamed = row.model_copy(update={"conversation_id": f"call-{number:03}"})
        explorer.add(renamed, (), None, None, (), flagged=number % 5 == 4)
    calls = explorer.calls()
    assert calls.of == 250
    assert len(calls.listed) == MOST_CALLS
    flagged = [f"call-{number:03}" for number in range(4, 250, 5)]
    others = [f"call-{number:03}" for number in range(250) if number % 5 != 4][: MOST_CALLS - len(flagged)]
    assert [call.key for call in calls.listed] == sorted(flagged + others)
