"""What the fake server does with a call: a scenario, named by the model that the call asks for.

A name is `player`, or `player-` and letters of one's own, and then words behind semicolons:
`player;slow=0.2;500=0.25;429=0.25;retry-after=0.05`.

- Faults: `429`, `500`, `529`, `quota`, `auth`, `context`, `cut`, `refusal`, `invalid-json`, `wrong-schema`, `empty`,
  `no-usage`, `no-choices`, `html`, `reset`, `hang`. With `=SHARE` they strike that share of the calls, else all; the
  shares of one name add up to 1 at the most.
- `slow=SECONDS`: how long every call takes.
- `retry-after=SECONDS`: what a 429 or 529 asks to wait; without it they say nothing.
- `after=N`, `until=N`: faults strike only behind the N-th request of the server, and up to the N-th.
- `findings=K`: the verifier finds K faults in a conversation that nobody has mended yet.
- `unfixable=SHARE`: in that share of the conversations it finds one that cannot be mended.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from random import Random


class Outcome(StrEnum):
    """How a call ends; all but the first are faults, by the word that asks for them."""

    PLAYED = "played"
    RATE_LIMIT = "429"
    SERVER = "500"
    OVERLOADED = "529"
    QUOTA = "quota"
    AUTHENTICATION = "auth"
    CONTEXT = "context"
    CUT = "cut"
    REFUSAL = "refusal"
    INVALID_JSON = "invalid-json"
    WRONG_SCHEMA = "wrong-schema"
    EMPTY = "empty"
    NO_USAGE = "no-usage"
    NO_CHOICES = "no-choices"
    HTML = "html"
    RESET = "reset"
    HANG = "hang"
    BAD_REQUEST = "bad-request"
    """Nothing that a name can ask for: the request itself was wrong."""
    FAILED = "failed"
    """Nothing that a name can ask for: this server has a fault of its own."""


ERRORS = frozenset(
    {
        Outcome.RATE_LIMIT,
        Outcome.SERVER,
        Outcome.OVERLOADED,
        Outcome.QUOTA,
        Outcome.AUTHENTICATION,
        Outcome.CONTEXT,
        Outcome.BAD_REQUEST,
    }
)
"""Outcomes that end in a maker's error body."""

PAID = frozenset(
    {
        Outcome.PLAYED,
        Outcome.CUT,
        Outcome.REFUSAL,
        Outcome.INVALID_JSON,
        Outcome.WRONG_SCHEMA,
        Outcome.EMPTY,
    }
)
"""Outcomes that are a whole reply with its usage: whoever got one has no reason to send that call again."""

_NAME = re.compile(r"player(-[a-z0-9]+)*")


class UnknownScenario(ValueError):
    """A model's name that is no scenario; says which word is wrong."""


@dataclass(frozen=True)
class Scenario:
    """What one model's name asks for.

    Attributes:
        shares: How often each fault strikes, from 0 to 1; all the other calls are played.
        slow_s: Seconds that a call takes.
        retry_after_s: Seconds that an error asks to wait.
        after: Number of the last request that is spared.
        until: Number of the last request that is struck; None where there is no end.
        findings: Faults that the verifier finds.
        unfixable: Share of the conversations in which it finds one that cannot be mended.
    """

    shares: dict[Outcome, float] = field(default_factory=dict)
    slow_s: float = 0.0
    retry_after_s: float | None = None
    after: int = 0
    until: int | None = None
    findings: int = 0
    unfixable: float = 0.0

    def outcome(self, number: int, seed: int) -> Outcome:
        """How the request of that number ends: the same for the same seed."""
        if not self.shares or number <= self.after or (self.until is not None and number > self.until):
            return Outcome.PLAYED
        drawn = Random(f"{seed}:{number}").random()
        for outcome, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                return outcome
        return Outcome.PLAYED


_UNASKED = (Outcome.PLAYED, Outcome.BAD_REQUEST, Outcome.FAILED)
_FAULTS = {outcome.value: outcome for outcome in Outcome if outcome not in _UNASKED}
_PARAMETERS = ("slow", "retry-after", "after", "until", "findings", "unfixable")


@lru_cache(maxsize=256)
def read_scenario(model: str) -> Scenario:
    """The scenario of a model's name.

    Raises:
        UnknownScenario: if it is none.
    """
    name, *words = model.split(";")
    if not _NAME.fullmatch(name):
        raise UnknownScenario(f"the model `{model}` does not exist: a name begins with `player`")
    shares: dict[Outcome, float] = {}
    parts: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key in parts or _FAULTS.get(key) in shares:
            raise UnknownScenario(f"the model `{model}` does not exist: `{key}` stands in it twice")
        if key in _FAULTS:
            shares[_FAULTS[key]] = _number(model, word, value, float) if equals else 1.0
        elif key in _PARAMETERS and equals:
            parts[key] = word
        else:
            raise UnknownScenario(f"the model `{model}` does not exist: `{word}` is no word of a scenario")
    if sum(shares.values()) > 1 + 1e-9:
        raise UnknownScenario(f"the model `{model}` does not exist: its shares add up to more than 1")

    def given(key: str, kind: Callable[[str], float]) -> float | None:
        return _number(model, parts[key], parts[key].partition("=")[2], kind) if key in parts else None

    until = given("until", int)
    return Scenario(
        shares=shares,
        slow_s=given("slow", float) or 0.0,
        retry_after_s=given("retry-after", float),
        after=int(given("after", int) or 0),
        until=None if until is None else int(until),
        findings=int(given("findings", int) or 0),
        unfixable=given("unfixable", float) or 0.0,
    )


def _number(model: str, word: str, text: str, kind: Callable[[str], float]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UnknownScenario(f"the model `{model}` does not exist: `{word}` does not end in a number")
    return number
