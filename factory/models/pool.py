"""All the providers of a run: one client, one limiter and one memory of what went wrong for each."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, TypeVar

from factory.errors import FactoryError
from factory.models.clients import open_client
from factory.models.errors import ErrorKind, ModelError
from factory.models.limits import Limiter
from factory.models.outage import Outage, Tell
from factory.models.request import ModelClient, ModelReply, ModelRequest
from factory.models.retry import Patience, Retry
from factory.models.roles_file import BUILD_ROLES
from factory.records.models import ModelRole, Models, Usage

STOPS = frozenset({ErrorKind.QUOTA, ErrorKind.AUTHENTICATION, ErrorKind.REQUEST})
"""Kinds that say that every further call to the provider would fail as well."""

GIVEN_UP_IN_A_ROW = 3
"""So many calls given up on, with none answered between them, and the provider counts as down."""


T = TypeVar("T")


class Spending(Protocol[T]):
    """Watches over what calls cost; its tickets are its own affair."""

    async def reserve(self, request: ModelRequest) -> T:
        """Lets a call pass, at once or when there is money for it; the ticket is for `settle`.

        Raises:
            FactoryError: if the call must not be made; no later one of its provider is then made either.
        """
        ...

    def settle(self, ticket: T, usage: Usage | None) -> None:
        """Says what a call has used; None where nothing is taken for it."""
        ...

    def lose(self, ticket: T) -> None:
        """Says that something may be taken for a call, and that nobody tells what."""
        ...


Settle = Callable[[Usage | None, bool], None]
"""Settles a call by what it has used, or as lost."""
Reserve = Callable[[ModelRequest], Awaitable[Settle]]
"""Lets a call pass, and gives what settles it."""


def _reserving(spending: Spending[T] | None) -> Reserve:
    async def reserve(request: ModelRequest) -> Settle:
        if spending is None:
            return lambda usage, lost: None
        ticket = await spending.reserve(request)
        return lambda usage, lost: spending.lose(ticket) if lost else spending.settle(ticket, usage)

    return reserve


class _Stopped(Exception):
    """Passes through the retry layer untouched."""

    def __init__(self, error: FactoryError) -> None:
        super().__init__()
        self.error = error


@dataclass
class _Server:
    """A provider at work.

    Attributes:
        stopped: Why no call is made there any more.
        given_up: Calls given up on since the last one that was answered.
    """

    client: ModelClient
    limiter: Limiter
    outage: Outage
    stopped: FactoryError | None = None
    given_up: int = 0

    def stop(self, error: FactoryError) -> None:
        self.stopped = self.stopped or error

    def check(self) -> None:
        if self.stopped is not None:
            raise _Stopped(self.stopped)


class _Tries:
    """The tries of one call. Each waits for its money, then for its turn, and is settled by how it ends."""

    def __init__(self, server: _Server, request: ModelRequest, reserve: Reserve) -> None:
        self._server = server
        self._request = request
        self._reserve = reserve
        self._usage: Usage | None = None
        self._under_way = False  # until the try has begun

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Money and turn for one try."""
        self._server.check()  # it may have been stopped while this call paused
        try:
            settle = await self._reserve(self._request)
        except FactoryError as exc:
            self._server.stop(exc)
            raise
        lost = self._under_way = False
        try:
            async with self._server.limiter.slot():
                yield
        except ModelError as exc:
            lost = exc.maybe_billed
            raise
        except BaseException:
            lost = self._under_way  # nobody waits for its reply any more
            raise
        finally:
            settle(self._usage, lost)

    async def attempt(self) -> ModelReply:
        """One try, in its turn."""
        self._server.check()  # or while it waited for its turn
        self._under_way = True
        try:
            reply = await self._server.client.complete(self._request)
        except ModelError as exc:
            self._server.outage.failed(exc)
            raise
        self._usage = reply.usage
        self._server.given_up = 0
        self._server.outage.answered()
        return reply


class Pool:
    """Sends requests to their providers; a context manager that belongs to one event loop.

    A call waits for its money, then for its turn, and is tried again while that can help. Between two tries it gives
    both to others. Once a provider has said that nothing will go on there (see `STOPS`), or has failed
    `GIVEN_UP_IN_A_ROW` calls for good with none answered between them, later calls to it fail with the same error and
    nothing is sent; calls under way come to their end.
    """

    def __init__(
        self,
        models: Models,
        environ: Mapping[str, str],
        spending: Spending[T] | None = None,
        clients: Mapping[str, ModelClient] | None = None,
        roles: Collection[ModelRole] = BUILD_ROLES,
        patience: Patience | None = None,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        tell: Tell | None = None,
    ) -> None:
        """Opens nothing yet.

        Args:
            models: The roles file.
            environ: Where the keys are.
            spending: Watches over the cost; nothing does where it is None.
            clients: Used instead of clients of the pool's own, by provider; whoever gives them closes them.
            roles: Whose providers must have their keys from the start; others are opened when they are first asked.
            patience: How long a call is tried.
            rng: Draws the pauses between tries.
            clock: Seconds that only grow.
            sleep: Waits for some seconds.
            tell: Told when a provider does not answer, and when it does again.
        """
        self._models = models
        self._environ = environ
        self._reserve = _reserving(spending)
        self._given = dict(clients or {})
        self._roles = roles
        self._clock = clock
        self._sleep = sleep
        self._tell = tell or _tell_nobody
        self._retry = Retry(rng or random.Random(), patience, clock, sleep)
        self._servers: dict[str, _Server] = {}

    async def __aenter__(self) -> Self:
        """Opens the clients of the roles.

        Raises:
            ModelError: `AUTHENTICATION` if a key is missing; names its variable.
        """
        for role in ModelRole:
            if role in self._roles and role in self._models.roles:
                self._server(self._models.roles[role].provider)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the pool's own clients."""
        for name, server in self._servers.items():
            server.outage.close()
            if name not in self._given:
                await server.client.close()
        self._servers.clear()

    async def send(self, request: ModelRequest) -> ModelReply:
        """The reply to a request.

        Raises:
            ModelError: if there is none; says how often it was tried.
            FactoryError: if spending does not let the call pass.
        """
        server = self._server(request.provider)
        tries = _Tries(server, request, self._reserve)
        try:
            return await self._retry.run(tries.attempt, tries.turn)
        except _Stopped as stopped:
            # The same error for every call; its trace would grow with each, and keep the calls' frames alive.
            raise stopped.error.with_traceback(None) from None
        except ModelError as exc:
            server.given_up += exc.heals
            if exc.kind in STOPS or server.given_up >= GIVEN_UP_IN_A_ROW:
                server.stop(exc)
            raise

    def _server(self, name: str) -> _Server:
        if name not in self._servers:
            provider = self._models.providers[name]
            client = self._given.get(name) or open_client(name, provider, self._environ)
            limiter = Limiter(provider.at_once, self._clock, self._sleep)
            self._servers[name] = _Server(client, limiter, Outage(name, self._tell))
        return self._servers[name]


def _tell_nobody(line: str) -> None:
    """Nobody wants to know."""
