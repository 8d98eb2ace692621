"""Which models play which roles, and what one answered call was: the records of the model engine."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, AnyHttpUrl, Field, StringConstraints, field_validator, model_validator

from factory.records.base import SCHEMA_VERSION, Record

ShortName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)]


def _printable(name: str) -> str:
    if not name.isprintable():
        raise ValueError("a name holds no line breaks, control characters or marks of direction")
    return name


ModelName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_printable)
]
Dollars = Annotated[float, Field(ge=0, le=1_000_000)]
"""For a million tokens; the bound keeps sums finite."""


class ModelRole(StrEnum):
    """The roles that a model can play; each has a folder of that name under `prompts/`, but for the judge."""

    SYSTEM_WRITER = "system_writer"
    PLANNER = "planner"
    ASSISTANT = "assistant"
    REACTION_PLANNER = "reaction_planner"
    USER = "user"
    RUBRIC_WRITER = "rubric_writer"
    VERIFIER = "verifier"
    MODIFIER = "modifier"
    WORKFLOW_WRITER = "workflow_writer"
    JUDGE = "judge"


class ProviderKind(StrEnum):
    """The wire format that a provider speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class LongPrompt(Record):
    """What a call with a long prompt costs: all of its tokens are dearer, not only those behind the limit.

    Attributes:
        above: Tokens of the prompt up to which the usual prices hold.
        input: Factor on the price of prompt tokens, from the cache or not.
        output: Factor on the price of the reply's tokens.
    """

    above: Annotated[int, Field(ge=1)]
    input: Annotated[float, Field(ge=1, le=1_000)]
    output: Annotated[float, Field(ge=1, le=1_000)]


class Price(Record):
    """US dollars for a million tokens.

    Attributes:
        input: Tokens of the prompt.
        cached: Tokens of the prompt that the provider had in its cache; as `input` unless given.
        written: Tokens of the prompt that the provider put into its cache; as `input` unless given.
        output: Tokens of the reply.
        long: Where prompts above a length are dearer.
    """

    input: Dollars
    cached: Dollars | None = None
    written: Dollars | None = None
    output: Dollars
    long: LongPrompt | None = None


class Provider(Record):
    """A server that models are asked at.

    Attributes:
        kind: Its wire format.
        base_url: Where it is; the maker's own address unless given. Holds no user name or password.
        key: Name of the environment variable that holds the key; None for a server that wants none.
        at_once: Calls under way at once, at the most; fewer while it says that there are too many.
        timeout_s: Seconds after which a call counts as lost.
        free: Whether its calls cost nothing, whatever the price file says.
    """

    kind: ProviderKind
    base_url: AnyHttpUrl | None = None
    key: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=80)] | None = None
    at_once: Annotated[int, Field(ge=1, le=1000)] = 50
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    free: bool = False

    @field_validator("base_url")
    @classmethod
    def _holds_no_secret(cls, url: AnyHttpUrl | None) -> AnyHttpUrl | None:
        if url is not None and (url.username or url.password or url.query):
            raise ValueError("a base_url holds no user name, password or query: keys come from the environment only")
        return url


class ModelChoice(Record):
    """The model that plays a role, and how it is asked.

    Attributes:
        provider: Name of the provider in the same file.
        model: The model's name, as the provider has it.
        max_output_tokens: The longest reply; one that is longer is cut and counts as failed.
        temperature: Left to the provider where it is None.
        seeded: Whether a seed is sent along; not every server takes one, and Anthropic's never does.
        patterns: Whether the reply's schema holds patterns for the rules that code checks. For small models on
            servers that write by a grammar (llama.cpp, vLLM); others refuse such schemas.
        price: What it costs at this provider, instead of what the price file says.
    """

    provider: ShortName
    model: ModelName
    max_output_tokens: Annotated[int, Field(ge=16, le=64_000)] = 1_000
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seeded: bool = False
    patterns: bool = False
    price: Price | None = None


class PlayedBy(Record):
    """Of a model's choice, what decides what it writes; where it is asked and what it costs do not."""

    provider: ShortName
    kind: ProviderKind
    model: ModelName
    max_output_tokens: int
    temperature: float | None
    seeded: bool
    patterns: bool


class Models(Record):
    """A roles file: which model plays which role.

    Attributes:
        providers: By name.
        roles: Every role of a build, and whatever else the file names.
    """

    schema_version: Annotated[int, Field(ge=1, le=1)] = SCHEMA_VERSION
    providers: Annotated[dict[ShortName, Provider], Field(min_length=1)]
    roles: dict[ModelRole, ModelChoice]

    @model_validator(mode="after")
    def _providers_are_there(self) -> "Models":
        for role, choice in self.roles.items():
            if choice.provider not in self.providers:
                raise ValueError(f"role `{role}` names the provider `{choice.provider}`, which the file does not hold")
        return self

    def played_by(self, role: ModelRole) -> PlayedBy:
        """Who plays a role, as a run's identity has it."""
        choice = self.roles[role]
        return PlayedBy(
            provider=choice.provider,
            kind=self.provider_of(role).kind,
            model=choice.model,
            max_output_tokens=choice.max_output_tokens,
            temperature=choice.temperature,
            seeded=choice.seeded,
            patterns=choice.patterns,
        )

    def provider_of(self, role: ModelRole) -> Provider:
        """Who is asked for a role."""
        return self.providers[self.roles[role].provider]


class Usage(Record):
    """Tokens of one reply, as the server counted them.

    Attributes:
        input: Tokens of the prompt, those from the cache included.
        cached: Of these, tokens that the server had in its cache.
        written: Of these, tokens that the server put into its cache, where it says so.
        output: Tokens of the reply, thoughts included.
    """

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """The sum of two."""
        return Usage(
            input=self.input + other.input,
            cached=self.cached + other.cached,
            written=self.written + other.written,
            output=self.output + other.output,
        )


class ReplyUse(Record):
    """One reply of a model: its digest, what it cost, and what was wrong with it.

    Attributes:
        fault: Why it was not taken; None for the one that was.
    """

    text: str
    usage: Usage
    fault: str | None = None


class ModelCall(Record):
    """How a model was asked for one thing; stands in the ledger's line.

    Attributes:
        template: The prompt template, as a path under `prompts/`.
        template_digest: Digest of it and of all that it includes.
        prompt: Digest of the prompt that was rendered from the role's view.
        provider: Name of the provider in the roles file.
        model: The model that was asked for.
        replies: Every reply, the one that was taken last.
    """

    template: str
    template_digest: str
    prompt: str
    provider: str
    model: str
    replies: tuple[ReplyUse, ...]
