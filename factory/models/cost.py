"""What a run has spent: by role and model, from the replies that it kept, those of earlier runs of its folder too.

What counts is what providers said of replies that came back. A call that may have been billed all the same, though it
was lost on the way or nobody said what it used, counts with the most that it can cost.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from pydantic import ValidationError

from factory.errors import RunError
from factory.models.budget import dollars
from factory.models.prices import PriceTable, cost_usd, most_usd
from factory.models.store import Books, KeptReply, LostCall, read_kept, read_lost
from factory.records.base import SCHEMA_VERSION, Record
from factory.records.models import ModelRole, Usage
from factory.run.files import write_text
from factory.run.reading import MOST_RECORD_BYTES, read_bytes

COST_FILE = "cost.json"
"""The report's name among a run's reports."""

_PLACES = 6
"""Decimals of US dollars in the report."""


class CostLine(Record):
    """What one role has asked one model for.

    Attributes:
        calls: Replies that came back, those that were not taken included.
        usd: What they cost, in US dollars; None where the price is not known.
    """

    role: ModelRole
    provider: str
    model: str
    calls: int
    usage: Usage
    usd: float | None


class CostReport(Record):
    """What a run has spent.

    Attributes:
        lines: In the order of roles, then of providers and models.
        lost: Calls that may have been billed, though no reply of theirs could be kept.
        lost_usd: The most that those with a known price cost, in US dollars.
        usd: What all replies with a known price cost, and `lost_usd`, in US dollars.
        unpriced: Models whose price is not known.
    """

    schema_version: int = SCHEMA_VERSION
    lines: tuple[CostLine, ...]
    lost: int = 0
    lost_usd: float = 0.0
    usd: float
    unpriced: tuple[str, ...]

    @property
    def calls(self) -> int:
        """Replies of all roles."""
        return sum(line.calls for line in self.lines)

    @property
    def usage(self) -> Usage:
        """Tokens of all roles."""
        return sum((line.usage for line in self.lines), Usage())


@dataclass
class _Sum:
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    usd: float = 0.0


def spent_usd(books: Books, prices: PriceTable) -> float:
    """What was spent, in US dollars: on kept replies, and at the most on lost calls; nothing where no price is known.

    Args:
        books: Where it is written what was paid for.
        prices: What the models cost.

    Raises:
        RunError: if a line is damaged; names file and line.
    """
    kept = sum(_cost(kept, prices) for path in books.replies for kept in read_kept(path))
    return kept + sum(_most(lost, prices) for lost in read_lost(books.lost))


def cost_report(replies: Path, prices: PriceTable) -> CostReport:
    """What the models of a run have cost so far, by role and model.

    Args:
        replies: The folder of the kept replies, and of the lost calls.
        prices: What the models cost.

    Raises:
        RunError: if a line is damaged; names file and line.
    """
    sums: defaultdict[tuple[ModelRole, str, str], _Sum] = defaultdict(_Sum)
    books = Books.of_run(replies)
    for kept in chain.from_iterable(map(read_kept, books.replies)):
        entry = sums[kept.role, kept.provider, kept.asked]
        entry.calls += 1
        entry.usage += kept.reply.usage
        entry.usd += _cost(kept, prices)
    order = list(ModelRole)
    lines = tuple(
        CostLine(
            role=role,
            provider=provider,
            model=model,
            calls=entry.calls,
            usage=entry.usage,
            usd=None if prices.price(provider, model) is None else round(entry.usd, _PLACES),
        )
        for (role, provider, model), entry in sorted(sums.items(), key=lambda s: (order.index(s[0][0]), *s[0][1:]))
    )
    lost = [_most(call, prices) for call in read_lost(books.lost)]
    return CostReport(
        lines=lines,
        lost=len(lost),
        lost_usd=round(sum(lost), _PLACES),
        usd=round(sum(lost) + sum(entry.usd for entry in sums.values()), _PLACES),
        unpriced=tuple(sorted({line.model for line in lines if line.usd is None})),
    )


def write_cost_report(replies: Path, reports: Path, prices: PriceTable) -> CostReport:
    """Writes `reports/cost.json` anew from all that is in the folder of replies."""
    report = cost_report(replies, prices)
    write_text(reports / COST_FILE, report.model_dump_json(indent=2) + "\n")
    return report


def spent_lines(folder: Path) -> list[str]:
    """What a run has spent, for the end of a build: the sum, and the role that took most; none without a report.

    Args:
        folder: The run folder, with `reports/cost.json` in it.

    Raises:
        RunError: if the report is damaged.
    """
    path = folder / "reports" / COST_FILE
    try:
        report = CostReport.from_json(read_bytes(path, MOST_RECORD_BYTES))
    except FileNotFoundError:
        return []
    except (OSError, ValidationError):
        raise RunError(f"{path}: cannot be read; build again, and it is written anew") from None
    if not report.lines and not report.lost:
        return []
    usage, unpriced = report.usage, ", ".join(report.unpriced)
    cost = f"{dollars(report.usd)}" + (f" and whatever {unpriced} costs" if unpriced else "")
    first = (
        f"models: {report.calls:,} replies, {usage.input:,} tokens in ({usage.cached:,} of them cached), "
        f"{usage.output:,} out; {cost} spent"
    )
    lines = [first]
    if report.lost_usd:
        lines.append(f"calls lost on the way: {report.lost:,}, counted at their most: {dollars(report.lost_usd)} of it")
    dearest = max(report.lines, key=lambda line: line.usd or 0.0, default=None)
    if dearest is not None and dearest.usd:
        lines.append(f"most of it: {dearest.role.value} by {dearest.model}, {dollars(dearest.usd)}; all in {path}")
    return lines


def _cost(kept: KeptReply, prices: PriceTable) -> float:
    price = prices.price(kept.provider, kept.asked)
    return 0.0 if price is None else cost_usd(price, kept.reply.usage)


def _most(lost: LostCall, prices: PriceTable) -> float:
    price = prices.price(lost.provider, lost.asked)
    return 0.0 if price is None else most_usd(price, lost.input, lost.output)
