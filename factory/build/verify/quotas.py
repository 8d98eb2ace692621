"""What was planned, against what was ordered."""

from collections import Counter
from collections.abc import Iterator

from factory.records.blueprint import SUCCESS, Blueprint, ReplyKind
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.spec import Spec


class Planned:
    """Counts over all blueprints, taken one at a time."""

    def __init__(self) -> None:
        """Begins with none."""
        self._types: Counter[InterruptionType] = Counter()
        self._bands: Counter[int] = Counter()
        self._lengths: Counter[int] = Counter()
        self._hard_stops = self._retries = 0

    def add(self, blueprint: Blueprint) -> None:
        """Counts one more."""
        self._types.update(i.type for _, i in blueprint.interruptions)
        self._bands.update(depth_band(turn) for turn, _ in blueprint.interruptions)
        self._lengths[blueprint.messages] += 1
        if blueprint.outcome != SUCCESS:
            self._hard_stops += 1
        elif any(r.reply is not None and r.reply.kind is ReplyKind.FAIL for r in blueprint.rounds):
            self._retries += 1

    def faults(self, spec: Spec) -> Iterator[str]:
        """Every count that is not the ordered one."""
        total = self._lengths.total()
        if total != spec.conversations:
            yield f"quota: {spec.conversations} conversations ordered, {total} planned"
        for kind in InterruptionType:
            if self._types[kind] != spec.interruptions.of_type(kind):
                yield f"quota: {kind}: {spec.interruptions.of_type(kind)} ordered, {self._types[kind]} planned"
        for band in range(len(DEPTH_BANDS)):
            if self._bands[band] != spec.interruptions.of_band(band):
                ordered = spec.interruptions.of_band(band)
                yield f"quota: depth {band_name(band)}: {ordered} ordered, {self._bands[band]} planned"
        ways = spec.variations
        if (self._hard_stops, self._retries) != (ways.hard_stops, ways.retries):
            yield (
                f"quota: {ways.hard_stops} hard stops and {ways.retries} retries ordered, "
                f"{self._hard_stops} and {self._retries} planned"
            )
        order = spec.messages
        if total > 1:
            mean = round(sum(n * count for n, count in self._lengths.items()) / total, 1)
            found = (min(self._lengths), max(self._lengths), mean)
            if found != (order.min, order.max, round(order.mean, 1)):
                yield f"quota: messages min, max, mean {order.min}, {order.max}, {order.mean} ordered, {found} planned"
