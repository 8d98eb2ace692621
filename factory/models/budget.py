"""A budget that is never passed: before a call the most that it can cost is set aside, and after it what it did cost.

Of a call that may have been billed, while nobody says for what, the most that it can cost counts as spent.

As long as calls are under way, one that does not fit waits for them: mostly they cost far less than was set aside. If
none is left and nothing that waits fits, the run stops: as late as it can.

A token stands for at least one byte of text, so the bytes of a prompt bound its tokens.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from factory.errors import Unfinished
from factory.models.prices import PriceTable, cost_usd, most_usd
from factory.models.request import ModelRequest
from factory.models.store import LostCall, keep_lost
from factory.records.models import Price, Usage

FRAME_TOKENS = 1_000
"""Tokens that a server may add to a prompt of its own: marks around messages, its words about the reply's form."""


class BudgetReached(Unfinished):
    """The next call might pass the budget."""


@dataclass(eq=False, frozen=True)
class Ticket:
    """Money set aside for one call; each is another, though it may be of the same amount.

    Attributes:
        request: What the call asks.
        most_usd: The most that it can cost; 0 where there is no budget, and nothing has to be set aside.
        price: What its model takes; None where that is not known, and nothing is counted.
    """

    request: ModelRequest
    most_usd: float
    price: Price | None


@dataclass(eq=False)
class _Waiting:
    ticket: Ticket
    admitted: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Budget:
    """Lets calls pass as long as there is money for the worst that they can cost; belongs to one event loop."""

    def __init__(
        self, budget_usd: float | None, prices: PriceTable, spent_usd: float = 0.0, lost: Path | None = None
    ) -> None:
        """Nothing is set aside yet.

        Args:
            budget_usd: The limit in US dollars; None for none.
            prices: What the models cost.
            spent_usd: What earlier runs of the folder spent.
            lost: The file that lost calls are written down in; they are in none where it is None.
        """
        self._budget_usd = budget_usd
        self._prices = prices
        self._spent_usd = spent_usd
        self._lost = lost
        self._under_way: set[Ticket] = set()
        self._set_aside_usd = 0.0
        self._waiting: list[_Waiting] = []
        self._reached: BudgetReached | None = None

    @property
    def spent_usd(self) -> float:
        """What was spent so far, earlier runs included, in US dollars."""
        return self._spent_usd

    async def reserve(self, request: ModelRequest) -> Ticket:
        """Sets the most that a call can cost aside; waits while calls under way may still leave enough for it.

        Raises:
            BudgetReached: if neither it nor anything else that waits fits and nothing is under way; from then on for
                every call.
        """
        price = self._prices.price(request.provider, request.model)
        most = 0.0  # which nobody asks for where there is no budget
        if price is not None and self._budget_usd is not None:
            most = most_usd(price, most_tokens(request), request.max_output_tokens)
        ticket = Ticket(request, most, price)
        waiting = _Waiting(ticket)
        self._waiting.append(waiting)
        self._admit()
        try:
            await waiting.admitted
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif ticket in self._under_way:  # it was let in just now, and will not go
                self.settle(ticket, None)
            raise
        return ticket

    def settle(self, ticket: Ticket, usage: Usage | None) -> None:
        """Counts a call that is over: what it cost, or nothing where nothing is taken for it."""
        cost = 0.0 if usage is None or ticket.price is None else cost_usd(ticket.price, usage)
        self._count(ticket, cost)

    def lose(self, ticket: Ticket) -> None:
        """Counts a call that may have been billed, and writes it down for the runs to come.

        Raises:
            RunError: if it cannot be written down.
        """
        request, price = ticket.request, ticket.price
        tokens = most_tokens(request)
        self._count(ticket, 0.0 if price is None else most_usd(price, tokens, request.max_output_tokens))
        if self._lost is not None:
            call = LostCall(
                provider=request.provider, asked=request.model, input=tokens, output=request.max_output_tokens
            )
            keep_lost(self._lost, call)

    def _count(self, ticket: Ticket, cost: float) -> None:
        self._under_way.remove(ticket)
        self._set_aside_usd = self._set_aside_usd - ticket.most_usd if self._under_way else 0.0  # no drift is kept
        self._spent_usd += cost
        self._admit()

    def _admit(self) -> None:
        """Lets in whatever fits, oldest first; stops the run if nothing is under way then and something waits."""
        for waiting in tuple(self._waiting):
            if waiting.admitted.cancelled():  # its task has not yet come round to taking it back
                self._waiting.remove(waiting)
            elif self._reached is None and self._fits(waiting.ticket):
                self._waiting.remove(waiting)
                self._under_way.add(waiting.ticket)
                self._set_aside_usd += waiting.ticket.most_usd
                waiting.admitted.set_result(None)
        if self._waiting and not self._under_way and self._reached is None:
            self._reached = self._reached_error(min(w.ticket.most_usd for w in self._waiting))
        if self._reached is not None:
            for waiting in self._waiting:
                waiting.admitted.set_exception(BudgetReached(str(self._reached)))
            self._waiting.clear()

    def _fits(self, ticket: Ticket) -> bool:
        if self._budget_usd is None:
            return True
        return self._spent_usd + self._set_aside_usd + ticket.most_usd <= self._budget_usd

    def _reached_error(self, next_usd: float) -> BudgetReached:
        return BudgetReached(
            f"the budget is reached: {dollars(self._spent_usd)} of {dollars(self._budget_usd or 0.0)} spent, and the "
            f"next call might cost {dollars(next_usd)}; everything is kept, and the same command with a larger "
            "--budget goes on"
        )


def most_tokens(request: ModelRequest) -> int:
    """Tokens that the prompt of a request has at the most."""
    texts = [request.system, *(message.text for message in request.messages)]
    if request.reply_schema is not None:
        texts.append(request.reply_schema.json_schema)
    return FRAME_TOKENS + sum(len(text.encode(errors="surrogatepass")) for text in texts)


def dollars(usd: float) -> str:
    """An amount as people write it: two decimals, more where it is small."""
    return f"${usd:,.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"
