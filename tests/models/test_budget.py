"""The budget: never passed, whatever replies cost and however they come in; and stopped as late as can be."""

import asyncio
import random
from collections.abc import Awaitable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.errors import Unfinished
from factory.models.budget import FRAME_TOKENS, Budget, BudgetReached, Ticket, most_tokens
from factory.models.prices import PriceTable
from factory.models.request import ChatMessage, ModelRequest, ReplySchema, Sender
from factory.records.models import Price, Usage

TABLE = PriceTable({("makers", "m"): Price(input=0, output=1_000_000), ("makers", "unknown"): None})
"""One dollar for a token of the reply, so that `request(3)` may cost three dollars."""


def request(most: int, model: str = "m") -> ModelRequest:
    return ModelRequest(provider="makers", model=model, system="", messages=(), max_output_tokens=most)


def cost(dollars: int) -> Usage:
    return Usage(output=dollars)


async def turns(count: int = 3) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def started(call: Awaitable[Ticket]) -> "asyncio.Task[Ticket]":
    async def run() -> Ticket:
        return await call

    return asyncio.get_running_loop().create_task(run())


def test_a_prompt_has_at_most_a_token_for_each_byte_of_all_that_is_sent() -> None:
    asked = ModelRequest(
        provider="makers",
        model="m",
        system="é" * 10,
        messages=(ChatMessage(sender=Sender.USER, text="abc"),),
        reply_schema=ReplySchema(name="R", json_schema="{}"),
        max_output_tokens=1,
    )
    assert most_tokens(asked) == FRAME_TOKENS + 20 + 3 + 2


async def _what_was_not_used_is_free_again() -> None:
    budget = Budget(10, TABLE)
    first = await budget.reserve(request(9))
    second = started(budget.reserve(request(9)))
    await turns()
    assert not second.done()
    budget.settle(first, cost(1))
    await second
    assert budget.spent_usd == 1


async def _the_stop_comes_only_when_nothing_is_under_way() -> None:
    budget = Budget(10, TABLE)
    first = await budget.reserve(request(8))
    second = started(budget.reserve(request(5)))
    await turns()
    budget.settle(first, cost(6))
    with pytest.raises(BudgetReached) as told:
        await second
    assert "$6.00 of $10.00" in str(told.value) and "$5.00" in str(told.value) and "larger --budget" in str(told.value)
    with pytest.raises(BudgetReached):  # nothing starts behind a stop, though it were small
        await budget.reserve(request(1))


async def _a_small_call_goes_before_a_large_one_that_waits() -> None:
    budget = Budget(10, TABLE)
    first = await budget.reserve(request(8))
    large, small = started(budget.reserve(request(6))), started(budget.reserve(request(2)))
    await turns()
    assert not large.done()
    budget.settle(await small, cost(2))
    budget.settle(first, cost(1))
    await large


async def _a_call_that_is_given_up_frees_what_was_set_aside() -> None:
    budget = Budget(10, TABLE)
    first = await budget.reserve(request(8))
    waiting = started(budget.reserve(request(5)))
    await turns()
    waiting.cancel()
    budget.settle(first, None)  # lets it in before its task has come round to the cancellation
    await asyncio.gather(waiting, return_exceptions=True)
    admitted = started(budget.reserve(request(10)))
    await turns()
    assert admitted.done() and budget.spent_usd == 0
    late = started(budget.reserve(request(4)))
    await turns()
    budget.settle(await admitted, None)
    late.cancel()  # let in, and given up in the same moment
    await asyncio.gather(late, return_exceptions=True)
    await asyncio.wait_for(budget.reserve(request(10)), 1)


async def _a_lost_call_counts_with_the_most_that_it_can_cost() -> None:
    budget = Budget(10, TABLE)
    budget.lose(await budget.reserve(request(6)))
    assert budget.spent_usd == pytest.approx(6)
    with pytest.raises(BudgetReached):
        await budget.reserve(request(5))


async def _a_lost_call_counts_where_there_is_no_budget_too() -> None:
    budget = Budget(None, TABLE)
    budget.lose(await budget.reserve(request(6)))
    budget.lose(await budget.reserve(request(6, "unknown")))
    assert budget.spent_usd == pytest.approx(6)


async def _earlier_runs_count() -> None:
    with pytest.raises(BudgetReached):
        await Budget(10, TABLE, spent_usd=9.5).reserve(request(1))
    await Budget(10, TABLE, spent_usd=9.0).reserve(request(1))


async def _without_a_limit_everything_passes_and_is_counted() -> None:
    budget = Budget(None, TABLE)
    for _ in range(50):
        budget.settle(await budget.reserve(request(1_000)), cost(7))
    budget.settle(await budget.reserve(request(9, "unknown")), cost(7))
    assert budget.spent_usd == 350


@pytest.mark.parametrize(
    "behaviour",
    [
        _what_was_not_used_is_free_again,
        _the_stop_comes_only_when_nothing_is_under_way,
        _a_small_call_goes_before_a_large_one_that_waits,
        _a_call_that_is_given_up_frees_what_was_set_aside,
        _a_lost_call_counts_with_the_most_that_it_can_cost,
        _a_lost_call_counts_where_there_is_no_budget_too,
        _earlier_runs_count,
        _without_a_limit_everything_passes_and_is_counted,
    ],
    ids=lambda f: f.__name__.strip("_"),
)
def test_the_budget(behaviour) -> None:  # type: ignore[no-untyped-def]
    asyncio.run(behaviour())


def test_a_stop_counts_as_unfinished() -> None:
    assert issubclass(BudgetReached, Unfinished)


CALLS = st.lists(st.tuples(st.integers(1, 12), st.floats(0, 1)), min_size=1, max_size=40)


@settings(max_examples=150, deadline=None)
@given(calls=CALLS, budget_usd=st.integers(0, 60), seed=st.integers(0, 10_000))
def test_no_order_of_replies_passes_the_budget_and_none_is_left_waiting(
    calls: list[tuple[int, float]], budget_usd: int, seed: int
) -> None:
    """Any calls, replies in any order, some lost, some given up: what is sent fits, and every call gets an answer."""
    order = random.Random(seed)
    budget = Budget(budget_usd, TABLE)
    largest = max(most for most, _ in calls)
    under_way: set[Ticket] = set()

    async def call(most: int, share: float) -> bool:
        for _ in range(order.randrange(4)):
            await asyncio.sleep(0)
        try:
            ticket = await budget.reserve(request(most))
        except BudgetReached:
            return False
        under_way.add(ticket)
        assert budget.spent_usd + sum(one.most_usd for one in under_way) <= budget_usd  # what is sent fits
        lost, usage = order.random() < 0.1, None
        try:
            for _ in range(order.randrange(6)):
                await asyncio.sleep(0)
            usage = None if order.random() < 0.1 else cost(int(most * share))
        finally:
            under_way.remove(ticket)
            if lost:
                budget.lose(ticket)
            else:
                budget.settle(ticket, usage)
        assert budget.spent_usd <= budget_usd
        return True

    async def run() -> list[bool | BaseException]:
        tasks = [asyncio.ensure_future(call(*each)) for each in calls]
        for task in tasks:
            if order.random() < 0.1:
                asyncio.get_running_loop().call_soon(task.cancel)
        return await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 2)

    done = asyncio.run(run())
    assert all(isinstance(one, bool | asyncio.CancelledError) for one in done)
    assert budget.spent_usd <= budget_usd
    if False in done:  # it stopped: then not even the largest call could have been sure to fit
        assert budget.spent_usd + largest > budget_usd
