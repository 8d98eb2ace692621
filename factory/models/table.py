"""Estimates and costs in the terminal, in the manner of the plan's tables."""

from factory.models.budget import dollars
from factory.models.estimate import Estimate, Range

_NOT_KNOWN = "not known"


def show_estimate(estimate: Estimate) -> str:
    """One line for each role with calls, tokens and cost as ranges, and the total."""
    model_width = max(len("model"), *(len(role.model) for role in estimate.roles))
    columns = f"{'calls':>15} {'tokens in':>17} {'tokens out':>17} {'US dollars':>19}"
    head = f"{'estimate':<18} {'model':<{model_width}} {columns}"
    rows = [
        _row(role.role.value, role.model, model_width, (role.calls, role.input, role.output), role.usd)
        for role in estimate.roles
    ]
    tokens_in = sum((role.input for role in estimate.roles), Range(0, 0))
    tokens_out = sum((role.output for role in estimate.roles), Range(0, 0))
    total = _row("all", "", model_width, (estimate.calls, tokens_in, tokens_out), estimate.usd)
    lines = [head, *rows, total]
    if estimate.unpriced:
        lines.append(f"  not in the sum, since nobody says what they cost: {', '.join(estimate.unpriced)}")
    lines.append(
        "  low: every first reply holds, and what stays the same comes from the providers' caches; "
        "high: a build that goes badly"
    )
    return "\n".join(lines)


def _row(name: str, model: str, model_width: int, counts: tuple[Range, Range, Range], usd: Range | None) -> str:
    calls, tokens_in, tokens_out = counts
    cost = _NOT_KNOWN if usd is None else _span(dollars(usd.low), dollars(usd.high))
    return (
        f"  {name:<16} {model:<{model_width}} {_span(f'{calls.low:,.0f}', f'{calls.high:,.0f}'):>15} "
        f"{_span(_tokens(tokens_in.low), _tokens(tokens_in.high)):>17} "
        f"{_span(_tokens(tokens_out.low), _tokens(tokens_out.high)):>17} {cost:>19}"
    )


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _tokens(count: float) -> str:
    """A number of tokens with three figures at the most: an estimate has no more."""
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if count >= size:
            return f"{count / size:.{0 if count >= 100 * size else 1}f}{unit}"
    return f"{count:.0f}"
