"""A plan in the terminal: what was ordered, what of the workflows it visits, and what each call will be."""

from collections import Counter
from collections.abc import Iterator, Sequence

from factory.corpus.coverage import Kind, WorkflowCoverage
from factory.corpus.plan import CorpusPlan
from factory.records.blueprint import SUCCESS
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.spec import Spec

MOST_NAMES = 4
"""Names of unvisited parts of one kind that are written out; the corpus report names them all."""


def show_plan(spec: Spec, plan: CorpusPlan) -> str:
    """Quotas by type, depth and domain, coverage by workflow, and one line for each conversation."""
    types: Counter[InterruptionType] = Counter()
    bands: Counter[int] = Counter()
    domains: Counter[str] = Counter()
    rows: list[str] = []
    messages = 0
    for blueprint in plan:
        cuts = blueprint.interruptions
        types.update(i.type for _, i in cuts)
        bands.update(depth_band(turn) for turn, _ in cuts)
        domains[blueprint.workflow.split("/")[0]] += 1
        messages += blueprint.messages
        rows.append(
            f"  {blueprint.conversation_id:<48} {blueprint.messages:>3} messages {len(cuts):>3} interruptions"
            f"  {blueprint.intent}" + ("" if blueprint.outcome == SUCCESS else f"  ends at {blueprint.outcome}")
        )
    total = sum(types.values())
    parts = [
        f"{spec.name}: {len(plan)} conversations, {messages} messages (mean {messages / len(plan):.1f}), "
        f"{total} interruptions",
        "\nby type",
        *(_row(kind.value, types[kind], total, spec.interruptions.of_type(kind)) for kind in InterruptionType),
        "\nby user turn",
        *(_row(band_name(b), bands[b], total, spec.interruptions.of_band(b)) for b in range(len(DEPTH_BANDS))),
        "\nby domain",
        *(f"  {name:<24} {count:>5} conversations" for name, count in sorted(domains.items())),
        *_coverage(plan.coverage),
        "\nconversations",
        *rows,
    ]
    return "\n".join(parts)


def _row(name: str, planned: int, total: int, ordered: int) -> str:
    share = 100 * planned / total if total else 0.0
    return f"  {name:<24} {planned:>5} {share:5.1f} %   ordered {ordered}"


def _coverage(workflows: Sequence[WorkflowCoverage]) -> Iterator[str]:
    """Visited of what there is, for all workflows and for each; behind it the names of what is not visited."""
    yield f"\n{'visited':<48} {'calls':>5}" + "".join(f"{kind.value + 's':>13}" for kind in Kind)
    for workflow in workflows:
        parts = [(workflow.visited(kind), len(workflow.counts[kind])) for kind in Kind]
        yield _coverage_row(workflow.workflow, workflow.calls, parts)
    totals = [(sum(w.visited(k) for w in workflows), sum(len(w.counts[k]) for w in workflows)) for k in Kind]
    yield _coverage_row("all", sum(w.calls for w in workflows), totals)
    yield "\nnot visited"
    for workflow in workflows:
        if not workflow.calls:
            yield f"  {workflow.workflow}: no call"
        elif missing := {kind: names for kind in Kind if (names := workflow.unvisited(kind))}:
            yield f"  {workflow.workflow}"
            yield from (f"    {kind.value + 's':<12} {_some(names)}" for kind, names in missing.items())


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def _coverage_row(name: str, calls: int, parts: Sequence[tuple[int, int]]) -> str:
    return f"  {name:<46} {calls:>5}" + "".join(f"{f'{visited:,}/{there:,}':>13}" for visited, there in parts)
