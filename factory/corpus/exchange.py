"""Changes of two conversations' shares that leave every sum as it was ordered."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from factory.corpus.quotas import SCARCE_FIRST, Carrier, Share, band_capacity
from factory.records.enums import InterruptionType


@dataclass(frozen=True)
class Change:
    """A change of one share: a type it gives, a type it takes, or both; alone it moves within a depth band."""

    give: InterruptionType | None = None
    take: InterruptionType | None = None
    band: int | None = None

    def reversed(self) -> "Change":
        """What the partner does."""
        return Change(give=self.take, take=self.give, band=self.band)

    def fits(self, share: Share, carrier: Carrier) -> bool:
        """Whether a share can make this change at all."""
        if self.give is not None and not share.by_type.get(self.give):
            return False
        if self.take is not None and share.by_type.get(self.take, 0) >= carrier.most[self.take]:
            return False
        if self.band is None:
            return True
        room = share.by_band[self.band] < band_capacity(share.messages)[self.band]
        return room and share.interruptions < share.bounds(carrier)[1]

    def applied(self, share: Share) -> Share:
        """The share after the change."""
        types, bands = Counter(share.by_type), list(share.by_band)
        for kind, step in ((self.give, -1), (self.take, 1)):
            if kind is not None:
                types[kind] += step
                if self.band is not None:
                    bands[self.band] += step
        return Share(share.messages, bands, {k: n for k, n in types.items() if n})


def exchanges(share: Share) -> Iterator[Change]:
    """Changes that give one type and take another."""
    for give in SCARCE_FIRST:
        for take in reversed(SCARCE_FIRST):
            if take is not give and share.by_type.get(give):
                yield Change(give=give, take=take)


def hand_overs(share: Share) -> Iterator[Change]:
    """Changes that give one interruption away: late ones first, for the fewest acts are left there to be cut."""
    for band in reversed(range(len(share.by_band))):
        for give in SCARCE_FIRST if share.by_band[band] else ():
            if share.by_type.get(give):
                yield Change(give=give, band=band)
