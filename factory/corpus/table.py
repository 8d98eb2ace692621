"""A plan in the terminal: what was ordered, and what each call will be."""

from collections import Counter

from factory.corpus.plan import CorpusPlan
from factory.records.enums import DEPTH_BANDS, InterruptionType, band_name, depth_band
from factory.records.spec import Spec


def show_plan(spec: Spec, plan: CorpusPlan) -> str:
    """Quotas by type, depth and domain, and one line for each conversation."""
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
            f"  {blueprint.intent}" + ("" if blueprint.outcome == "success" else f"  ends at {blueprint.outcome}")
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
        "\nconversations",
        *rows,
    ]
    return "\n".join(parts)


def _row(name: str, planned: int, total: int, ordered: int) -> str:
    share = 100 * planned / total if total else 0.0
    return f"  {name:<24} {planned:>5} {share:5.1f} %   ordered {ordered}"
