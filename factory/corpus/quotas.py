"""A spec's numbers, shared out over its conversations: lengths, depths, types; every sum exact."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from factory.corpus.state import MAY_ANSWER
from factory.errors import SpecError
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.spec import Spec
from factory.workflow.carry import MOST_ANSWERS

FULLEST = 0.75
"""Share of a band's caller turns that may be interruptions before longer calls are drawn instead."""

VARIETY = 2
"""Moves of messages between calls, for each call, that only make lengths differ."""

SCARCE_FIRST = (
    InterruptionType.CORRECTION,
    InterruptionType.PUSHBACK,
    InterruptionType.FILLER,
    InterruptionType.NORMAL,
    InterruptionType.TOPIC_SWITCH,
    InterruptionType.IMPATIENT,
)
"""Types in the order of how many conditions they have; shared out in this order."""


@dataclass(frozen=True)
class Carrier:
    """What a workflow and intent can carry, as far as shares depend on it.

    Attributes:
        questions: Fewest and most questions on a way to success.
        answerable: Questions that a caller can answer while cutting in, on the shortest way.
        places: Interruptions that there is room for.
        most: Most interruptions of each type that one call can hold.
        weights: The intent's interruption profile.
        short: The call ends early and gets one of the shortest lengths.
    """

    questions: tuple[int, int]
    answerable: int
    places: int
    most: dict[InterruptionType, int]
    weights: dict[InterruptionType, float]
    short: bool = False


@dataclass
class Share:
    """One conversation's part of the order.

    Attributes:
        messages: Its length in messages.
        by_band: Interruptions in each depth band.
        by_type: Interruptions of each type.
    """

    messages: int
    by_band: list[int] = field(default_factory=lambda: [0] * len(DEPTH_BANDS))
    by_type: dict[InterruptionType, int] = field(default_factory=dict)

    @property
    def agent_turns(self) -> int:
        """Number of agent turns."""
        return (self.messages + 1) // 2

    @property
    def interruptions(self) -> int:
        """Number of interruptions."""
        return sum(self.by_band)

    def bounds(self, carrier: Carrier) -> tuple[int, int]:
        """Fewest and most interruptions that a call of this length can hold; some may carry an answer."""
        turns = self.agent_turns - 1
        most = min(turns - 1, carrier.places, turns - carrier.questions[0] + min(MOST_ANSWERS, carrier.answerable))
        return max(0, turns - carrier.questions[1]), most


def band_capacity(messages: int) -> list[int]:
    """Caller turns in each depth band at which a call of that length can be cut into: all but its last."""
    room = [0] * len(DEPTH_BANDS)
    for turn in range((messages + 1) // 2 - 1):
        room[depth_band(turn)] += 1
    return room


def share_out(spec: Spec, lengths: Sequence[int], carriers: Sequence[Carrier], rng: Random) -> list[Share]:
    """Every conversation's share; the sums are exactly what was ordered.

    Args:
        spec: The order.
        lengths: The calls' lengths in messages, shortest first.
        carriers: What each call can carry.
        rng: Decides between shares of equal merit.

    Raises:
        SpecError: naming the number that cannot be met, and by how much.
    """
    shares = [Share(messages) for messages in _dealt(lengths, carriers, rng)]
    _share_depths(spec, shares, carriers, rng)
    _share_types(spec, shares, carriers, rng)
    return shares


def draw_lengths(spec: Spec, rng: Random) -> list[int]:
    """The lengths of all calls in messages, shortest first: minimum, maximum and mean as ordered.

    Raises:
        SpecError: if no lengths have that mean.
    """
    n, order = spec.conversations, spec.messages
    if n == 1 and order.min != order.max:
        raise SpecError(
            f"messages: one conversation has one length; make `min` ({order.min}) and `max` ({order.max}) equal"
        )
    total = _total_messages(spec)
    ends = [order.min, order.max][: n if order.min != order.max else 1]
    rest = n - len(ends)
    middle = total - sum(ends)
    if not rest * order.min <= middle <= rest * order.max:
        raise SpecError(
            f"messages: {n} conversations with one of {order.min} and one of {order.max} messages cannot "
            f"have a mean of {order.mean}; change `mean`, `min` or `max`"
        )
    lengths = ends + [middle // rest] * rest if rest else ends
    for i in range(middle - (middle // rest) * rest if rest else 0):
        lengths[len(ends) + i] += 1
    _spread(spec, lengths, len(ends), rng)
    return sorted(lengths)


def _dealt(lengths: Sequence[int], carriers: Sequence[Carrier], rng: Random) -> list[int]:
    """Deals the lengths out: the shortest to calls that end early, the others by chance."""
    short = [i for i, carrier in enumerate(carriers) if carrier.short]
    rest = [i for i, carrier in enumerate(carriers) if not carrier.short]
    rng.shuffle(rest)
    by_call = dict(zip([*short, *rest], lengths, strict=True))
    return [by_call[i] for i in range(len(carriers))]


def _total_messages(spec: Spec) -> int:
    """A sum of messages whose mean, to one decimal, is the one ordered."""
    n, mean = spec.conversations, spec.messages.mean
    for total in (round(mean * n), math.floor(mean * n), math.ceil(mean * n)):
        if round(total / n, 1) == round(mean, 1):
            return total
    raise SpecError(
        f"messages.mean: {n} conversations cannot have a mean of {mean} to one decimal; "
        f"the nearest is {round(mean * n) / n:.2f}"
    )


def _spread(spec: Spec, lengths: list[int], fixed: int, rng: Random) -> None:
    """Moves messages between calls until the deep bands have room, then a little for variety."""
    order = spec.messages
    demand = [spec.interruptions.of_band(b) for b in range(len(DEPTH_BANDS))]
    room = [sum(column) for column in zip(*map(band_capacity, lengths), strict=True)]

    def short(rooms: list[int]) -> float:
        return sum(max(0.0, d - FULLEST * r) for d, r in zip(demand, rooms, strict=True))

    def move(a: int, b: int, size: int) -> list[int]:
        delta = [0] * len(DEPTH_BANDS)
        for index, change in ((a, -size), (b, size)):
            before, after = band_capacity(lengths[index]), band_capacity(lengths[index] + change)
            delta = [d + y - x for d, x, y in zip(delta, before, after, strict=True)]
        return [r + d for r, d in zip(room, delta, strict=True)]

    free = range(fixed, len(lengths))
    if len(free) < 2:
        return
    need = short(room)
    for step in range(60 * len(lengths)):
        a, b = rng.sample(free, 2)
        size = min(rng.randint(1, 4), lengths[a] - order.min, order.max - lengths[b])
        if size <= 0:
            continue
        moved = move(a, b, size)
        if short(moved) < need or (need == short(moved) and step < VARIETY * len(lengths) and need == 0):
            lengths[a] -= size
            lengths[b] += size
            room, need = moved, short(moved)
        if need == 0 and step >= VARIETY * len(lengths):
            return


def _share_depths(spec: Spec, shares: list[Share], carriers: Sequence[Carrier], rng: Random) -> None:
    rooms = [band_capacity(s.messages) for s in shares]
    for band in range(len(DEPTH_BANDS)):
        wanted = spec.interruptions.of_band(band)
        available = sum(room[band] for room in rooms)
        if wanted > available:
            raise SpecError(
                f"interruptions.by_depth.{band_name(band)}: {wanted} ordered, but calls of these lengths "
                f"have only {available} caller turns there that can be cut into: {wanted - available} too many"
            )
        shares_of_band = _proportional(wanted, [room[band] for room in rooms], rng)
        for share, count in zip(shares, shares_of_band, strict=True):
            share.by_band[band] = count
    _balance_depths(spec, shares, rooms, carriers)


def _must_answer(share: Share, carrier: Carrier) -> int:
    """Interruptions that have to carry an answer, so that the call's questions fit its turns."""
    return max(0, share.interruptions - (share.agent_turns - 1 - carrier.questions[0]))


def _balance_depths(spec: Spec, shares: list[Share], rooms: list[list[int]], carriers: Sequence[Carrier]) -> None:
    """Moves interruptions within their band from calls that hold too many to calls that hold too few."""
    bounds = [s.bounds(c) for s, c in zip(shares, carriers, strict=True)]
    _require_bounds(spec, bounds)
    while True:
        over = [i for i, s in enumerate(shares) if s.interruptions > bounds[i][1]]
        under = [i for i, s in enumerate(shares) if s.interruptions < bounds[i][0]]
        if not over and not under:
            return
        givers = over or [i for i, s in enumerate(shares) if s.interruptions > bounds[i][0]]
        takers = under or [i for i, s in enumerate(shares) if s.interruptions < bounds[i][1]]
        if not _hand_over(shares, rooms, givers, takers):
            raise SpecError(
                "interruptions.by_depth: the depths ordered cannot be shared out over calls of these lengths; "
                "order longer calls, or move interruptions to other bands"
            )


def _require_bounds(spec: Spec, bounds: list[tuple[int, int]]) -> None:
    least, most = (sum(b[end] for b in bounds) for end in (0, 1))
    total = spec.interruptions.total
    if total > most:
        raise SpecError(
            f"interruptions: {total} ordered, but these workflows and lengths carry at most {most}: "
            f"{total - most} too many; order longer calls or fewer interruptions"
        )
    if total < least:
        raise SpecError(
            f"interruptions: {total} ordered, but calls of these lengths need at least {least}: "
            f"{least - total} too few; order shorter calls or more interruptions"
        )
    for low, high in bounds:
        if low > high:
            raise SpecError(
                f"messages: a call needs at least {low} interruptions to be that long, but carries at most {high}; "
                f"order shorter calls"
            )


def _hand_over(shares: list[Share], rooms: list[list[int]], givers: list[int], takers: list[int]) -> bool:
    """Moves one interruption from a giver to a taker, through other calls where their bands do not meet.

    A step (band, call, next band) says that the call has room in the band and can give up the next one;
    with four bands a way is found, if there is one, in at most three steps.
    """
    bands = range(len(DEPTH_BANDS))
    start = {b: i for b in bands for i in givers if shares[i].by_band[b]}
    end = {b: j for b in bands for j in takers if shares[j].by_band[b] < rooms[j][b]}
    came: dict[int, tuple[int, int] | None] = {b: None for b in start}
    queue = list(start)
    while queue:
        band = queue.pop(0)
        if band in end:
            _walk_back(shares, came, band, start, end[band])
            return True
        for following in bands:
            if following in came:
                continue
            for m, share in enumerate(shares):
                if share.by_band[following] and share.by_band[band] < rooms[m][band]:
                    came[following] = (band, m)
                    queue.append(following)
                    break
    return False


def _walk_back(
    shares: list[Share], came: dict[int, tuple[int, int] | None], band: int, start: dict[int, int], taker: int
) -> None:
    shares[taker].by_band[band] += 1
    while (step := came[band]) is not None:
        earlier, middle = step
        shares[middle].by_band[band] -= 1
        shares[middle].by_band[earlier] += 1
        band = earlier
    shares[start[band]].by_band[band] -= 1


def _proportional(total: int, weights: list[int], rng: Random) -> list[int]:
    """Integers that add up to `total`, in proportion to weights and never above them."""
    whole = sum(weights)
    if whole == 0:
        return [0] * len(weights)
    exact = [total * w / whole for w in weights]
    parts = [math.floor(e) for e in exact]
    order = sorted(range(len(weights)), key=lambda i: (parts[i] - exact[i], rng.random()))
    left = total - sum(parts)
    for i in order * 2:
        if left and parts[i] < weights[i]:
            parts[i] += 1
            left -= 1
    return parts


def _share_types(spec: Spec, shares: list[Share], carriers: Sequence[Carrier], rng: Random) -> None:
    """Shares types out by the intents' profiles; a type with more conditions first."""
    room = [s.interruptions for s in shares]
    answering = [_must_answer(s, c) for s, c in zip(shares, carriers, strict=True)]
    for kind in SCARCE_FIRST:
        left = spec.interruptions.of_type(kind)
        taken = [0] * len(shares)
        kept = [0] * len(shares) if kind in MAY_ANSWER else answering
        limits = [max(0, min(r - a, c.most[kind])) for r, a, c in zip(room, kept, carriers, strict=True)]
        if kind is SCARCE_FIRST[-1]:
            limits = room.copy()
        if left > sum(limits):
            raise SpecError(
                f"interruptions.by_type.{kind.value}: {left} ordered, but these workflows and lengths carry "
                f"at most {sum(limits)}: {left - sum(limits)} too many"
            )
        # The ideal share of each call, then the largest deficits first.
        ideal = [
            r * c.weights[kind] / (sum(c.weights.values()) or 1.0)
            for r, c in zip((s.interruptions for s in shares), carriers, strict=True)
        ]
        scale = left / (sum(ideal) or 1.0)
        ideal = [i * scale for i in ideal]
        for i, value in enumerate(ideal):
            taken[i] = min(math.floor(value), limits[i])
        left -= sum(taken)
        while left > 0:
            order = sorted(
                (i for i in range(len(shares)) if taken[i] < limits[i]),
                key=lambda i: (taken[i] - ideal[i], rng.random()),
            )
            for i in order[:left]:
                taken[i] += 1
            left -= min(left, len(order))
        for i, count in enumerate(taken):
            if count:
                shares[i].by_type[kind] = count
            room[i] -= count
