"""All the providers of a run: one client, one limiter and one memory of what went wrong for each."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, TypeVar

from factory.errors import FactoryError
from factory.models.clients import open_client
from factory.models.errors import ErrorKind, ModelError
from factory.models.limits import Limiter
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
        """Says what a call has used; None where no reply came back."""
        ...


Reserve = Callable[[ModelRequest], Awaitable[Callable[[Usage | None], None]]]
"""Lets a call pass, and gives what settles it."""


def _reserving(spending: Spending[T] | None) -> Reserve:
    async def reserve(request: ModelRequest) -> Callable[[Usage | None], None]:
        if spending is None:
            return lambda _: None
        ticket = await spending.reserve(request)
        return lambda usage: spending.settle(ticket, usage)

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
    stopped: FactoryError | None = None
    given_up: int = 0

    def stop(self, error: FactoryError) -> None:
        self.stopped = self.stopped or error

    def check(self) -> None:
        if self.stopped is not None:
            raise _Stopped(self.stopped)


class Pool:
    """Sends requests to their providers; a context manager that belongs to one event loop.

    A call waits for its money, then for its turn, and is tried again while that can help. Between two tries it gives
    its turn to others. Once a provider has said that nothing will go on there (see `STOPS`), or has failed
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
        """
        self._models = models
        self._environ = environ
        self._reserve = _reserving(spending)
        self._given = dict(clients or {})
        self._roles = roles
        self._clock = clock
        self._sleep = sleep
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
        try:
            server.check()
            try:
                settle = await self._reserve(request)
            except FactoryError as exc:
                server.stop(exc)
                raise
            usage: Usage | None = None
            try:
                reply = await self._try(server, request)
                usage = reply.usage
                return reply
            finally:
                settle(usage)
        except _Stopped as stopped:
            # The same error for every call; its trace would grow with each, and keep the calls' frames alive.
            raise stopped.error.with_traceback(None) from None

    def _server(self, name: str) -> _Server:
        if name not in self._servers:
            provider = self._models.providers[name]
            client = self._given.get(name) or open_client(name, provider, self._environ)
            self._servers[name] = _Server(client, Limiter(provider.at_once, self._clock, self._sleep))
        return self._servers[name]

    async def _try(self, server: _Server, request: ModelRequest) -> ModelReply:
        async def attempt() -> ModelReply:
            server.check()  # it may have been stopped while this call waited
            reply = await server.client.complete(request)
            server.given_up = 0
            return reply

        try:
            return await self._retry.run(attempt, server.limiter.slot)
        except ModelError as exc:
            server.given_up += exc.heals
            if exc.kind in STOPS or server.given_up >= GIVEN_UP_IN_A_ROW:
                server.stop(exc)
            raise
