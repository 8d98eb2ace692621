"""The fake server's book of calls: what came, how it ended, and what was sent again."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import openai
import pytest

from tests.models.fake_calls import HANGS, KEY, SYSTEM, USER, chat, ended, message, until
from tests.models.servers import RunningServer, running_server


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_the_log_has_every_call_and_tells_equal_ones_from_others() -> None:
    with running_server() as server:
        chat(server, "player", "one")
        chat(server, "player", "two")
        chat(server, "player", "one")
        with pytest.raises(openai.InternalServerError):
            chat(server, "player;500", "one")
        log, stats = server.log(), server.stats()
    assert [line["number"] for line in log] == [1, 2, 3, 4]
    assert [line["outcome"] for line in log] == ["played", "played", "played", "500"]
    assert [line["answered"] for line in log] == [True, True, True, False]
    assert log[0]["digest"] == log[2]["digest"] and len({line["digest"] for line in log}) == 3
    assert log[0]["form"] == "PlannerReply"
    assert all(a["ended_s"] <= b["arrived_s"] for a, b in pairwise(log))
    assert stats["requests"] == 4 and stats["answered"] == 3 and stats["under_way"] == 0
    assert stats["sent_again_after_answer"] == 1
    assert stats["outcomes"] == {"500": 1, "played": 3}
    assert stats["tokens"]["input"] == sum(line["input_tokens"] for line in log) > 0


def test_a_failed_call_may_be_sent_again_without_counting_as_paid_twice() -> None:
    with running_server() as server:
        model = "player;500;until=1"
        with pytest.raises(openai.InternalServerError):
            chat(server, model)
        chat(server, model)
        assert server.stats()["sent_again_after_answer"] == 0


def test_a_reply_that_did_not_hold_may_be_asked_for_again() -> None:
    with running_server() as server:
        for _ in range(2):
            chat(server, "player;cut")
        assert server.stats()["answered"] == 2 and server.stats()["sent_again_after_answer"] == 0


def test_a_reply_that_nobody_waited_for_is_not_answered(server: RunningServer) -> None:
    with pytest.raises(openai.APITimeoutError):
        chat(server, "player;slow=0.6", "left early", timeout_s=0.1)
    line = ended(server, lambda line: line["model"] == "player;slow=0.6")
    assert line["outcome"] == "played" and not line["answered"] and line["output_tokens"] == 0


def test_calls_at_once_are_counted() -> None:
    async def three(server: RunningServer) -> None:
        client = openai.AsyncOpenAI(base_url=server.openai_url, api_key=KEY, max_retries=0)
        asked = [{"role": "user", "content": "Hello"}]
        await asyncio.gather(
            *(client.chat.completions.create(model="player;slow=0.3", messages=asked) for _ in range(3))  # type: ignore[call-overload]
        )
        await client.close()

    with running_server() as server:
        asyncio.run(three(server))
        assert server.stats()["most_at_once"] == 3


def test_a_log_file_holds_the_same_lines_and_outlives_the_server(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with running_server(log=path) as server:
        chat(server, "player")
        first = server.log()
        server.kill()
    with running_server(log=path) as server:
        message(server, "player")
        second = server.log()
    assert [json.loads(line) for line in path.read_text().splitlines()] == [*first, *second]
    assert len(first) == len(second) == 1
    assert KEY not in path.read_text() and "greet" not in path.read_text()


def test_whole_prompts_are_kept_only_where_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    with running_server(keep_bodies=path) as server:
        chat(server, "player")
        message(server, "player")
        log = server.log()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["system"] for line in lines] == [SYSTEM, SYSTEM]
    assert [line["messages"] for line in lines] == [[USER], [USER]]
    assert [line["digest"] for line in lines] == [line["digest"] for line in log]


def test_a_client_that_is_killed_leaves_its_call_unanswered() -> None:
    with running_server() as server:
        client = subprocess.Popen([sys.executable, "-c", HANGS.replace("hang", "slow=0.8"), server.openai_url])
        until(lambda: server.stats()["under_way"] == 1)
        os.kill(client.pid, signal.SIGKILL)
        client.wait()
        line = ended(server, lambda line: True)
    assert line["outcome"] == "played" and not line["answered"]
