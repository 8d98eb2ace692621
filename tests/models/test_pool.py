"""The pool: money, turn, tries and client put together, and a provider that is left alone once it is of no use."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from factory.errors import FactoryError
from factory.models.errors import ErrorKind, ModelError
from factory.models.pool import GIVEN_UP_IN_A_ROW, STOPS, Pool
from factory.models.request import ModelReply, ModelRequest
from factory.models.retry import Patience
from factory.models.roles_file import load_models
from factory.models.scripted import Scripted, ScriptedClient
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage

from .canned import request
from .servers import roles_file, running_server
from .virtual_time import VirtualTime

MODELS = Models(
    providers={
        "p": Provider(kind=ProviderKind.OPENAI, key="P_KEY", at_once=4),
        "q": Provider(kind=ProviderKind.ANTHROPIC, key="Q_KEY"),
        "r": Provider(kind=ProviderKind.OPENAI, key="R_KEY"),
    },
    roles={
        ModelRole.PLANNER: ModelChoice(provider="p", model="m"),
        ModelRole.USER: ModelChoice(provider="q", model="m"),
        ModelRole.JUDGE: ModelChoice(provider="r", model="m"),
    },
)


def _client(script: Callable[[ModelRequest], Scripted] | Iterable[Scripted]) -> ScriptedClient:
    return ScriptedClient(script)


def _error(kind: ErrorKind) -> ModelError:
    return ModelError(kind, f"p: {kind.value}")


class Purse:
    """Counts what is reserved and how it ends; lets only so many tries pass."""

    def __init__(self, tries: int = 1_000) -> None:
        self.tries = tries
        self.reserved: list[str] = []
        self.settled: list[tuple[str, Usage | None]] = []
        self.lost: list[str] = []

    async def reserve(self, request: ModelRequest) -> str:
        if len(self.reserved) >= self.tries:
            raise FactoryError("the money is spent")
        self.reserved.append(f"ticket {len(self.reserved)}")
        return self.reserved[-1]

    def settle(self, ticket: str, usage: Usage | None) -> None:
        self.settled.append((ticket, usage))

    def lose(self, ticket: str) -> None:
        self.lost.append(ticket)


def _send_each(
    client: ScriptedClient, requests: Iterable[ModelRequest], purse: Purse | None = None
) -> list[ModelReply | FactoryError]:
    """What becomes of some requests, one after the other, without waiting."""

    async def run() -> list[ModelReply | FactoryError]:
        time, ended = VirtualTime(), list[ModelReply | FactoryError]()
        clients = {"p": client, "q": client, "r": client}
        async with Pool(MODELS, {}, purse, clients, rng=random.Random(0), clock=time.clock, sleep=time.sleep) as pool:
            for asked in requests:
                try:
                    ended.append(await pool.send(asked))
                except FactoryError as exc:
                    ended.append(exc)
        return ended

    return asyncio.run(run())


def test_a_request_comes_back_as_its_reply() -> None:
    (reply,) = _send_each(_client(lambda asked: f"to {asked.system}"), [request(system="you")])
    assert isinstance(reply, ModelReply) and reply.text == "to you"


def test_what_heals_is_sent_again_and_what_is_of_one_call_is_not() -> None:
    client = _client([_error(ErrorKind.SERVER), _error(ErrorKind.TIMEOUT), "done", _error(ErrorKind.REFUSAL), "next"])
    first, second, third = _send_each(client, [request()] * 3)
    assert isinstance(first, ModelReply) and isinstance(third, ModelReply)
    assert isinstance(second, ModelError) and second.kind is ErrorKind.REFUSAL
    assert client.calls == 5


@pytest.mark.parametrize("kind", sorted(STOPS))
def test_after_an_error_that_will_not_pass_nothing_more_is_sent_to_that_provider(kind: ErrorKind) -> None:
    client = _client(lambda asked: _error(kind) if asked.provider == "p" else "fine")
    *failed, fine = _send_each(client, [*[request()] * 4, request(provider="q")])
    assert [str(error) for error in failed] == [f"p: {kind.value}"] * 4
    assert isinstance(fine, ModelReply)
    assert client.calls == 2


def test_calls_under_way_come_to_their_end_and_those_in_line_do_not_begin() -> None:
    async def run() -> tuple[Counter[str], int]:
        begun, refused = 0, asyncio.Event()

        class Client:
            async def complete(self, asked: ModelRequest) -> ModelReply:
                nonlocal begun
                begun += 1
                if asked.system == "first":
                    await asyncio.sleep(0.01)
                    refused.set()
                    raise _error(ErrorKind.QUOTA)
                await refused.wait()
                return await ScriptedClient(["late"]).complete(asked)

            async def close(self) -> None:
                raise AssertionError("whoever gives a client closes it")

        async with Pool(MODELS, {}, clients={"p": Client(), "q": Client()}) as pool:
            sends = (pool.send(request(system=word)) for word in ["first", *["other"] * 11])
            ended = await asyncio.gather(*sends, return_exceptions=True)
        return Counter(type(end).__name__ for end in ended), begun

    assert asyncio.run(run()) == (Counter(ModelReply=3, ModelError=9), 4)


def test_a_provider_that_is_down_is_left_alone_after_a_few_calls_given_up() -> None:
    client = _client(lambda _: _error(ErrorKind.SERVER))
    ended = _send_each(client, [request()] * 10)
    assert all(isinstance(end, ModelError) and end.kind is ErrorKind.SERVER for end in ended)
    assert client.calls <= GIVEN_UP_IN_A_ROW * Patience().tries


def test_one_bad_request_among_good_ones_does_not_end_the_others() -> None:
    client = _client(lambda asked: _error(ErrorKind.SERVER) if asked.system == "bad" else "good")
    ended = _send_each(client, [request(system=word) for word in ["bad", "good"] * 6])
    assert [isinstance(end, ModelReply) for end in ended] == [False, True] * 6


def test_every_try_is_reserved_and_settled_once_with_what_it_used() -> None:
    purse = Purse()
    client = _client([_error(ErrorKind.SERVER), "done", _error(ErrorKind.CONTEXT_TOO_LONG)])
    _send_each(client, [request(), request()], purse)
    assert purse.reserved == ["ticket 0", "ticket 1", "ticket 2"]
    (first, nothing), (second, used), (third, none) = purse.settled
    assert (first, second, third, nothing, none) == ("ticket 0", "ticket 1", "ticket 2", None, None)
    assert used is not None and used.output > 0
    assert purse.lost == []


def test_a_try_that_may_have_been_billed_is_lost_and_the_next_one_needs_money_of_its_own() -> None:
    late = ModelError(ErrorKind.TIMEOUT, "p: no answer", maybe_billed=True)
    purse, client = Purse(tries=2), _client([late, late, "done"])
    (end,) = _send_each(client, [request()], purse)
    assert str(end) == "the money is spent" and client.calls == 2
    assert purse.lost == ["ticket 0", "ticket 1"] and purse.settled == []


class Hanging:
    """A server that never answers."""

    async def complete(self, asked: ModelRequest) -> ModelReply:
        await asyncio.sleep(60)
        raise AssertionError

    async def close(self) -> None: ...


def test_a_call_that_is_cancelled_is_lost_if_it_was_sent_and_costs_nothing_if_it_was_not() -> None:
    async def run() -> Purse:
        purse = Purse()
        async with Pool(MODELS, {}, purse, {"p": Hanging(), "q": Hanging()}) as pool:
            tasks = [asyncio.create_task(pool.send(request())) for _ in range(5)]  # one more than are let through
            await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return purse

    purse = asyncio.run(run())
    assert sorted(purse.lost) == ["ticket 0", "ticket 1", "ticket 2", "ticket 3"]
    assert purse.settled == [("ticket 4", None)]


def test_once_the_money_is_spent_nothing_is_sent_or_reserved_any_more() -> None:
    purse, client = Purse(tries=2), _client(lambda _: "done")
    ended = _send_each(client, [request()] * 5, purse)
    assert [str(end) for end in ended[2:]] == ["the money is spent"] * 3
    assert client.calls == 2


def test_a_missing_key_of_a_role_is_found_before_any_call() -> None:
    async def run() -> None:
        async with Pool(MODELS, {"P_KEY": "k"}):
            raise AssertionError("it must not open")

    with pytest.raises(ModelError, match="Q_KEY") as caught:
        asyncio.run(run())
    assert caught.value.kind is ErrorKind.AUTHENTICATION


def test_a_key_of_a_role_that_has_no_part_is_not_asked_for() -> None:
    async def run() -> None:
        async with Pool(MODELS, {"P_KEY": "k", "Q_KEY": "k"}) as pool:
            with pytest.raises(ModelError, match="R_KEY"):
                await pool.send(request(provider="r"))

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_half_of_all_calls_failing_over_the_wire_are_survived(tmp_path: Path, kind: str) -> None:
    """400 calls through the official SDK; every call is answered, and none that was answered is sent again."""
    with running_server() as server:
        model = "player;429=0.2;500=0.15;reset=0.15;retry-after=0.01"
        models = load_models(roles_file(tmp_path, server, model=model, kind=kind))

        async def run() -> list[ModelReply]:
            patience = Patience(first_s=0.002, longest_s=0.02)
            async with Pool(models, {}, patience=patience, rng=random.Random(0)) as pool:
                asked = (request(model, provider="fake", sample=str(n), system=f"s{n}") for n in range(400))
                return await asyncio.gather(*map(pool.send, asked))

        replies = asyncio.run(run())
        stats = Counter(line["outcome"] for line in server.log())
    assert len(replies) == 400
    assert stats["played"] == 400
    assert 250 < stats["429"] + stats["500"] + stats["reset"] < 600
