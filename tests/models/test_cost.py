"""What was spent: counted from the replies that were kept, by role and model, over all runs of a folder."""

from pathlib import Path

import pytest

from factory.errors import RunError
from factory.models.cost import CostReport, cost_report, spent_lines, spent_usd, write_cost_report
from factory.models.prices import PriceTable
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.models.store import LOST_CALLS, Books, LostCall, ReplyStore, keep_lost
from factory.records.models import ModelRole, Price, Usage

TABLE = PriceTable({("a", "big"): Price(input=2, cached=1, output=10), ("b", "new"): None})


def keep(folder: Path, file: str, role: ModelRole, model: str, usage: Usage, sample: str = "0") -> None:
    provider = {"big": "a", "new": "b"}[model]
    request = ModelRequest(
        provider=provider, model=model, system="s", messages=(), max_output_tokens=100, sample=sample
    )
    reply = ModelReply(text="t", finish=Finish.DONE, usage=usage, model=f"{model}-2026-01-01")
    (folder / "replies").mkdir(exist_ok=True)
    ReplyStore(folder / "replies" / file).keep(request.digest(), request, role, reply)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    million = Usage(input=1_000_000, cached=500_000, output=100_000)
    keep(tmp_path, "one.agent.jsonl", ModelRole.PLANNER, "big", million)
    keep(tmp_path, "one.agent.jsonl", ModelRole.PLANNER, "big", million, "1")
    keep(tmp_path, "two.caller.jsonl", ModelRole.USER, "big", Usage(input=500_000))
    keep(tmp_path, "two.caller.jsonl", ModelRole.USER, "new", Usage(input=7, output=3))
    return tmp_path


def test_every_reply_counts_once_under_its_role_and_model(run: Path) -> None:
    report = cost_report(run / "replies", TABLE)
    lines = {(line.role, line.model): (line.calls, line.usage, line.usd) for line in report.lines}
    assert lines == {
        (ModelRole.PLANNER, "big"): (2, Usage(input=2_000_000, cached=1_000_000, output=200_000), 5.0),
        (ModelRole.USER, "big"): (1, Usage(input=500_000), 1.0),
        (ModelRole.USER, "new"): (1, Usage(input=7, output=3), None),
    }
    assert [line.role for line in report.lines] == [ModelRole.PLANNER, ModelRole.USER, ModelRole.USER]
    assert (report.usd, report.calls, report.unpriced) == (6.0, 4, ("new",))
    assert spent_usd(Books.of_run(run / "replies"), TABLE) == 6.0


def test_a_later_run_adds_to_what_is_there(run: Path) -> None:
    keep(run, "three.agent.jsonl", ModelRole.VERIFIER, "big", Usage(output=100_000))
    assert spent_usd(Books.of_run(run / "replies"), TABLE) == 7.0


def test_where_nothing_was_asked_nothing_was_spent(tmp_path: Path) -> None:
    assert spent_usd(Books.of_run(tmp_path / "replies"), TABLE) == 0
    assert cost_report(tmp_path / "replies", TABLE).lines == ()
    assert spent_lines(tmp_path) == []


def test_the_report_is_a_record_and_the_closing_lines_are_made_from_it(run: Path) -> None:
    written = write_cost_report(run / "replies", run / "reports", TABLE)
    path = run / "reports" / "cost.json"
    assert CostReport.from_json(path.read_bytes()) == written
    first, second = spent_lines(run)
    assert first == (
        "models: 4 replies, 2,500,007 tokens in (1,000,000 of them cached), 200,003 out; "
        "$6.00 and whatever new costs spent"
    )
    assert second == f"most of it: planner by big, $5.00; all in {path}"


def test_an_unfinished_last_line_does_not_count_and_a_damaged_one_is_told(run: Path) -> None:
    file = run / "replies" / "two.caller.jsonl"
    file.write_bytes(file.read_bytes() + b'{"key": "half')
    assert spent_usd(Books.of_run(run / "replies"), TABLE) == 6.0
    file.write_bytes(b"nothing\n" + file.read_bytes())
    with pytest.raises(RunError, match=r"two\.caller\.jsonl:1: "):
        spent_usd(Books.of_run(run / "replies"), TABLE)


def test_a_damaged_report_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "cost.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match=r"cost\.json: .* build again"):
        spent_lines(tmp_path)


def test_a_lost_call_counts_with_the_most_that_it_can_cost(run: Path) -> None:
    lost = run / "replies" / LOST_CALLS
    for model, provider in (("big", "a"), ("new", "b")):
        keep_lost(lost, LostCall(provider=provider, asked=model, input=1_000_000, output=100_000))
    report = cost_report(run / "replies", TABLE)
    assert (report.lost, report.lost_usd, report.usd, report.calls) == (2, 3.0, 9.0, 4)
    assert spent_usd(Books.of_run(run / "replies"), TABLE) == 9.0
    write_cost_report(run / "replies", run / "reports", TABLE)
    assert "calls lost on the way: 2, counted at their most: $3.00 of it" in spent_lines(run)


def test_a_lost_call_that_a_kill_left_half_written_is_none_and_a_damaged_one_is_told(run: Path) -> None:
    lost = run / "replies" / LOST_CALLS
    call = LostCall(provider="a", asked="big", input=1, output=1)
    keep_lost(lost, call)
    lost.write_bytes(lost.read_bytes() + b'{"prov')
    keep_lost(lost, call)
    assert cost_report(run / "replies", TABLE).lost == 2
    lost.write_bytes(b"{}\n" + lost.read_bytes())
    with pytest.raises(RunError, match=rf"{LOST_CALLS}:1: "):
        cost_report(run / "replies", TABLE)
