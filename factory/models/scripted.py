"""A provider whose replies are written beforehand, for tests."""

from collections import deque
from collections.abc import Callable, Iterable

from factory.models.errors import ErrorKind, ModelError
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.records.models import Usage

Scripted = str | ModelReply | ModelError
"""What is scripted: a reply's text, a whole reply, or an error that is raised."""


class ScriptedClient:
    """Answers from a function of the request, or from a list in its order.

    Attributes:
        requests: Every request that came, in order.
    """

    def __init__(self, script: Callable[[ModelRequest], Scripted] | Iterable[Scripted]) -> None:
        """Takes the function, or the list."""
        self._script = script if callable(script) else _from(script)
        self.requests: list[ModelRequest] = []

    @property
    def calls(self) -> int:
        """How many requests came."""
        return len(self.requests)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next reply; a text is one that was written to its end, at a token for each four characters."""
        self.requests.append(request)
        answer = self._script(request)
        if isinstance(answer, ModelError):
            raise answer
        if isinstance(answer, ModelReply):
            return answer
        size = len(request.system) + sum(len(message.text) for message in request.messages)
        usage = Usage(input=size // 4 + 1, output=len(answer) // 4 + 1)
        return ModelReply(text=answer, finish=Finish.DONE, usage=usage, model=request.model)

    async def close(self) -> None:
        """Has nothing to give back."""


def _from(script: Iterable[Scripted]) -> Callable[[ModelRequest], Scripted]:
    queue = deque(script)

    def next_of(request: ModelRequest) -> Scripted:
        if not queue:
            raise ModelError(ErrorKind.REQUEST, f"{request.provider}: the script has no reply left")
        return queue.popleft()

    return next_of
