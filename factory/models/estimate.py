"""What a build with models will cost, as a range: calls counted from the blueprints, sizes measured on a few of them.

The low end is a build in which everything goes well at once and providers' caches work; the high end is one that goes
badly in the way that the constants here say. Neither is a promise: `--budget` is what holds.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from factory.models.prices import PriceTable, cost_usd
from factory.records.blueprint import Blueprint
from factory.records.models import ModelChoice, ModelRole, Models, Price, Usage

CHARACTERS_PER_TOKEN_LOW, CHARACTERS_PER_TOKEN_HIGH = 4.5, 3.0
"""English and JSON have between so many characters for a token, by the tokenizer: the first makes the low end."""

REPAIRED = 0.25
"""High end: share of replies that are asked for again, with the faulty reply behind the prompt."""
EDITS = 1.0
"""High end: edits of each conversation; each plays the rest of the call anew, and has it read again."""
PLAYED_ANEW = 0.5
"""High end: share of a conversation's rounds that an edit plays anew."""
DROPPED = 0.1
"""High end: share of conversations that are dropped and drawn anew."""
LONGER = 1.5
"""High end: replies are so many times as long as measured."""
THOUGHTS = 400
"""High end: tokens that a model thinks before each reply, which count as output."""
REPAIR_NOTE = 300
"""Characters of what a model is told about a faulty reply."""

_OF_A_ROUND = frozenset({ModelRole.PLANNER, ModelRole.ASSISTANT, ModelRole.REACTION_PLANNER, ModelRole.USER})


@dataclass(frozen=True)
class CallSize:
    """One call, in characters.

    Attributes:
        stable: The system message and the reply's form, which stay the same from call to call.
        varying: What stands behind them.
        reply: The reply.
    """

    stable: float
    varying: float
    reply: float


@dataclass(frozen=True)
class Range:
    """The low and the high end of a number."""

    low: float
    high: float

    def __add__(self, other: "Range") -> "Range":
        """The range of the sum."""
        return Range(self.low + other.low, self.high + other.high)


@dataclass(frozen=True)
class RoleEstimate:
    """What one role will ask for.

    Attributes:
        calls: Calls; the low end is exact for a build in which nothing is asked for twice.
        input: Tokens of the prompts.
        output: Tokens of the replies.
        usd: US dollars; None where the price is not known.
    """

    role: ModelRole
    model: str
    calls: Range
    input: Range
    output: Range
    usd: Range | None


@dataclass(frozen=True)
class Estimate:
    """What a build will ask for and cost.

    Attributes:
        roles: By role, in the order of `ModelRole`; roles without a call are left out.
        unpriced: Models that no cost can be named for.
    """

    roles: tuple[RoleEstimate, ...]
    unpriced: tuple[str, ...]

    @property
    def calls(self) -> Range:
        """Calls of all roles."""
        return sum((role.calls for role in self.roles), Range(0, 0))

    @property
    def usd(self) -> Range:
        """US dollars of all roles whose price is known."""
        return sum((role.usd for role in self.roles if role.usd), Range(0, 0))


def count_calls(blueprints: Iterable[Blueprint]) -> Counter[ModelRole]:
    """Calls of each role if every first reply holds and nothing is found to mend.

    In each round the planner and the assistant, unless the turn only goes on behind a filler; the reaction planner and
    the user where the caller speaks; the rubric writer for each interruption; the system-message writer and the
    verifier once for each conversation.
    """
    calls: Counter[ModelRole] = Counter()
    for blueprint in blueprints:
        worded = sum(not entry.continues for entry in blueprint.rounds)
        spoken = sum(entry.interruption is not None or entry.reply is not None for entry in blueprint.rounds)
        calls[ModelRole.SYSTEM_WRITER] += 1
        calls[ModelRole.PLANNER] += worded
        calls[ModelRole.ASSISTANT] += worded
        calls[ModelRole.REACTION_PLANNER] += spoken
        calls[ModelRole.USER] += spoken
        calls[ModelRole.RUBRIC_WRITER] += len(blueprint.interruptions)
        calls[ModelRole.VERIFIER] += 1
    return calls


def estimate(
    calls: Mapping[ModelRole, int], sizes: Mapping[ModelRole, CallSize], models: Models, prices: PriceTable
) -> Estimate:
    """Calls, tokens and cost as ranges.

    Args:
        calls: Calls of each role if all goes well (`count_calls`).
        sizes: The mean call of each role, the modifier's too.
        models: The roles file.
        prices: What its models cost.
    """
    conversations = calls[ModelRole.VERIFIER]
    roles = tuple(
        _of_role(role, calls.get(role, 0), conversations, sizes[role], models.roles[role], prices)
        for role in ModelRole
        if role in sizes
    )
    unpriced = {role.model for role in roles if role.usd is None}
    return Estimate(roles, tuple(sorted(unpriced)))


def _calls(role: ModelRole, well: int, conversations: int) -> Range:
    if role is ModelRole.MODIFIER:
        badly = conversations * EDITS * (1 + DROPPED)
    elif role in _OF_A_ROUND:
        badly = well * (1 + EDITS * PLAYED_ANEW) * (1 + DROPPED)
    elif role is ModelRole.VERIFIER:
        badly = well * (1 + EDITS) * (1 + DROPPED)
    else:
        badly = float(well)
    return Range(well, badly * (1 + REPAIRED))


def _of_role(
    role: ModelRole, well: int, conversations: int, size: CallSize, choice: ModelChoice, prices: PriceTable
) -> RoleEstimate:
    calls = _calls(role, well, conversations)
    low, high = _low(well, conversations, size, choice), _high(calls.high, size, choice)
    price = prices.price(choice.provider, choice.model)
    return RoleEstimate(
        role=role,
        model=choice.model,
        calls=calls,
        input=Range(low.input, high.input),
        output=Range(low.output, high.output),
        usd=None if price is None else Range(_cost(price, low), _cost(price, high)),
    )


def _low(calls: int, conversations: int, size: CallSize, choice: ModelChoice) -> Usage:
    """All of one role's calls if what stays the same is in the cache from a conversation's second call on."""
    stable = size.stable / CHARACTERS_PER_TOKEN_LOW
    reply = min(size.reply / CHARACTERS_PER_TOKEN_LOW, choice.max_output_tokens)
    prompt = stable + size.varying / CHARACTERS_PER_TOKEN_LOW
    return Usage(
        input=round(calls * prompt), cached=round(max(0, calls - conversations) * stable), output=round(calls * reply)
    )


def _high(calls: float, size: CallSize, choice: ModelChoice) -> Usage:
    """The same if every prompt is written to a cache that nothing is read from."""
    reply = min(LONGER * size.reply / CHARACTERS_PER_TOKEN_HIGH + THOUGHTS, choice.max_output_tokens)
    repairs = REPAIRED / (1 + REPAIRED) * (LONGER * size.reply + REPAIR_NOTE)
    prompt = round(calls * (size.stable + size.varying + repairs) / CHARACTERS_PER_TOKEN_HIGH)
    return Usage(input=prompt, written=prompt, output=round(calls * reply))


def _cost(price: Price, usage: Usage) -> float:
    """What many calls cost together, none of which has a long prompt."""
    return cost_usd(price.model_copy(update={"long": None}), usage)
