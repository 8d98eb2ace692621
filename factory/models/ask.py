"""The one way to ask a model: look among what was paid for, send, validate, and let it mend its reply."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import ValidationError

from factory.models.errors import OF_ONE_CALL, ErrorKind, ModelError, UnusableReply
from factory.models.prompt import Prompt
from factory.models.replies import reply_schema
from factory.models.request import ChatMessage, Finish, ModelReply, ModelRequest, ReplySchema, Sender
from factory.models.store import ReplyStore
from factory.records.base import Record, sha256
from factory.records.models import ModelCall, ModelChoice, ModelRole, Models, ReplyUse
from factory.simulate.canary import says_canary

R = TypeVar("R", bound=Record)

FaultsIn = Callable[[R], Iterable[str]]
"""What code finds wrong with a reply beyond its form, in words that go back to its writer.

So it reads nothing that the role itself was not given. What does, such as the checks of a finished conversation, never
speaks to a model: it has the round run again, and the caller's side asked with the identical prompt.
"""

_SEEDS = 2**31
"""Seeds that every server takes lie below this."""

_CHARACTERS_A_TOKEN = 5
"""A reply goes back to its writer as far as it may be long: so many characters for each token of `max_output_tokens`.

English has four to five, JSON fewer. With 64,000 tokens the longest workflows (180,000 characters) go back whole; what
a server sends beyond its limit is hostile, and must not come to fill the next prompt.
"""
_LONGEST_FAULT = 500
"""Characters of what is said about a reply."""

_CALLERS_SIDE = frozenset({ModelRole.REACTION_PLANNER, ModelRole.USER})

MOST_REPAIRS = 2
"""How often a reply that does not hold is asked for again before the call counts as failed."""


class Sends(Protocol):
    """Sends requests, with all that it takes to get a reply: limits, retries, budget."""

    async def send(self, request: ModelRequest) -> ModelReply:
        """The reply to a request; raises `ModelError` where none is to be had."""
        ...


@dataclass(frozen=True)
class Question(Generic[R]):
    """What a model is asked for.

    Attributes:
        role: Whose model is asked.
        prompt: Rendered from the role's view.
        reply: The record that the reply must be.
        seed: Tells this call from others with the same prompt (another draw, another attempt); sent along where the
            model's choice says so.
        faults: Finds what is wrong with a reply of that form; nothing is where it is None.
        schema: Narrower than the record's own, where there is one.
    """

    role: ModelRole
    prompt: Prompt
    reply: type[R]
    seed: int
    faults: FaultsIn[R] | None = None
    schema: ReplySchema | None = None

    @property
    def form(self) -> ReplySchema:
        """The schema that the reply must fit."""
        return self.schema or reply_schema(self.reply)


@dataclass(frozen=True)
class Answered(Generic[R]):
    """A reply that holds, and how it came about."""

    reply: R
    call: ModelCall


class Asks(Protocol):
    """Who is asked, and how: all that a role knows of the models."""

    def choice(self, role: ModelRole) -> ModelChoice:
        """The model of a role."""
        ...

    async def ask(self, question: Question[R]) -> Answered[R]:
        """A reply that holds; see `Asker.ask`."""
        ...


class Asker:
    """Asks the models of one conversation."""

    def __init__(self, models: Models, sender: Sends, store: ReplyStore) -> None:
        """Takes who plays which role, what sends requests, and what was answered before."""
        self._models = models
        self._sender = sender
        self._store = store

    def choice(self, role: ModelRole) -> ModelChoice:
        """The model of a role."""
        return self._models.roles[role]

    async def ask(self, question: Question[R]) -> Answered[R]:
        """Asks until a reply holds, at most `MOST_REPAIRS` times more.

        Raises:
            UnusableReply: if none holds, or the prompt is longer than the model takes.
            ModelError: as the sender raises it, if no reply is to be had.
        """
        role, prompt, form = question.role, question.prompt, question.form
        choice = self.choice(role)
        longest = _CHARACTERS_A_TOKEN * choice.max_output_tokens
        told: tuple[ChatMessage, ...] = ()
        uses: list[ReplyUse] = []
        kind = ErrorKind.INVALID_REPLY
        for number in range(MOST_REPAIRS + 1):
            request = _request(choice, prompt, form, told, question.seed, number)
            try:
                answer = await self._answer(role, request)
            except ModelError as exc:
                if exc.kind not in OF_ONE_CALL:
                    raise
                said = f"{choice.model} as {role.value}: {exc}"
                raise UnusableReply(exc.kind, said, _call(choice, prompt, uses)) from None
            read = _read(answer, question.reply, question.faults)
            uses.append(ReplyUse(text=sha256(answer.text), usage=answer.usage, fault=read.fault))
            if read.value is not None:
                return Answered(read.value, _call(choice, prompt, uses))
            kind = read.kind
            told = () if read.told is None else _told(answer.text[:longest], read.told)
            # A caller's side that says a planted word must not have it in a prompt, not even as its own.
            if role in _CALLERS_SIDE and any(says_canary(message.text) for message in told):
                told = ()
        wrong = "; ".join(dict.fromkeys(use.fault for use in uses if use.fault))
        said = f"{choice.model} as {role.value}: no usable reply in {len(uses)}: {wrong}"
        raise UnusableReply(kind, said, _call(choice, prompt, uses))

    async def _answer(self, role: ModelRole, request: ModelRequest) -> ModelReply:
        key = request.digest()  # taken once: it is as much work as sending the request's text
        kept = self._store.find(key)
        if kept is not None:
            return kept
        answer = await self._sender.send(request)
        self._store.keep(key, request, role, answer)
        return answer


def _request(
    choice: ModelChoice, prompt: Prompt, form: ReplySchema, told: tuple[ChatMessage, ...], seed: int, number: int
) -> ModelRequest:
    """The request for a reply, or for another one; `told` is the last one with its faults."""
    return ModelRequest(
        provider=choice.provider,
        model=choice.model,
        system=prompt.system,
        messages=(ChatMessage(sender=Sender.USER, text=prompt.user), *told),
        reply_schema=form,
        max_output_tokens=choice.max_output_tokens,
        temperature=choice.temperature,
        seed=(seed + number) % _SEEDS if choice.seeded else None,
        sample=f"{seed}.{number}",
    )


def _call(choice: ModelChoice, prompt: Prompt, uses: Sequence[ReplyUse]) -> ModelCall:
    """How a model was asked, with the replies that came so far."""
    return ModelCall(
        template=prompt.template,
        template_digest=prompt.template_digest,
        prompt=prompt.digest,
        provider=choice.provider,
        model=choice.model,
        replies=tuple(uses),
    )


@dataclass(frozen=True)
class _ReadReply(Generic[R]):
    """A reply as read: its value, or what is wrong with it, and what of that its writer is told."""

    value: R | None = None
    kind: ErrorKind = ErrorKind.INVALID_REPLY
    fault: str | None = None
    told: str | None = None


def _read(answer: ModelReply, reply: type[R], faults: FaultsIn[R] | None) -> _ReadReply[R]:
    if answer.finish is Finish.CUT:
        return _ReadReply(kind=ErrorKind.REPLY_CUT, fault="the reply was cut off")
    if answer.finish is Finish.REFUSED:
        return _ReadReply(kind=ErrorKind.REFUSAL, fault="the model refused")
    try:
        value = reply.model_validate_json(answer.text)
    except ValidationError as exc:
        wrong = _schema_faults(exc)
    else:
        wrong = "; ".join(faults(value))[:_LONGEST_FAULT] if faults else ""
        if not wrong:
            return _ReadReply(value=value)
    return _ReadReply(fault=wrong, told=wrong)


def _schema_faults(exc: ValidationError) -> str:
    """What does not fit the form, without a word of what was sent: that may be long, and hostile."""
    errors = exc.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(_schema_fault(error["type"], error["loc"], error["msg"]) for error in errors[:5])[:_LONGEST_FAULT]


def _schema_fault(kind: str, place: tuple[int | str, ...], message: str) -> str:
    if kind == "extra_forbidden":  # the property's name is what was sent
        place, message = place[:-1], "has a property that the form does not have"
    return f"`{'.'.join(map(str, place)) or 'reply'}`: {message.splitlines()[0]}"


def _told(text: str, faults: str) -> tuple[ChatMessage, ChatMessage]:
    """A reply and its faults: the messages behind the prompt."""
    return (
        ChatMessage(sender=Sender.ASSISTANT, text=text or "(empty)"),
        ChatMessage(
            sender=Sender.USER,
            text=f"That reply cannot be used: {faults}. Send the whole reply again in the same form, with this mended.",
        ),
    )
