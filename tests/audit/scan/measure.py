"""Measures the scan and writes `measured.json`: `python -m tests.audit.scan.measure [--honest 980]`.

On the held-out half of the labelled set, without and with the sentence model (where it is installed), and on honest
calls of all workflows, with all published columns and from the transcript alone.
"""

import argparse
import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from factory.audit.scan.background import Background
from factory.audit.scan.call import ScannedCall, call_of_rows, call_of_transcript
from factory.audit.scan.findings import LeakFinding, Severity
from factory.audit.scan.meaning import Embedder, installed_embedder
from factory.audit.scan.measured import FIGURES
from factory.audit.scan.scan import scan_call
from factory.build.conversations import compose
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall
from factory.dataset.publish import conversation_row, turn_rows
from factory.dataset.rows import ConversationRow, TurnRow
from factory.workflow.library import standard_library
from tests.audit.scan.stored import Case, stored_calls, stored_cases
from tests.bench.bench import scaled

HONEST_SEED = 5


def strong(case: Case, background: Background, embed: Embedder | None) -> list[LeakFinding]:
    """The findings in a case's turn at which a person should look."""
    found = scan_call(case.in_call(stored_calls()[case.call]), background, embed)
    return [f for f in found if f.round == case.round and f.severity is not Severity.HINT]


def labelled(cases: Iterable[Case], embed: Embedder | None) -> dict[str, object]:
    """Recall by kind of leak, precision by kind of finding, and both over all."""
    background = Background(stored_calls().values())
    found: dict[tuple[str, bool], list[bool]] = defaultdict(list)
    by_kind: dict[str, Counter[bool]] = defaultdict(Counter)
    for case in cases:
        findings = strong(case, background, embed)
        found[case.kind, case.leak].append(bool(findings))
        for finding in findings:
            by_kind[finding.kind.value][case.leak] += 1
    leaks = [hit for (_, leak), hits in found.items() if leak for hit in hits]
    clean = [hit for (_, leak), hits in found.items() if not leak for hit in hits]
    return {
        "leaks": len(leaks),
        "clean": len(clean),
        "found": sum(leaks),
        "false": sum(clean),
        "recall": round(sum(leaks) / len(leaks), 3),
        "precision": round(sum(leaks) / max(1, sum(leaks) + sum(clean)), 3),
        "recall_by_kind": {k: [sum(h), len(h)] for (k, leak), h in sorted(found.items()) if leak},
        "false_by_kind": {k: [sum(h), len(h)] for (k, leak), h in sorted(found.items()) if not leak},
        "findings_by_kind": {k: [c[True], c[False]] for k, c in sorted(by_kind.items())},
    }


def honest_rows(count: int) -> list[tuple[ConversationRow, tuple[TurnRow, ...]]]:
    """Published rows of honest calls of all workflows."""
    library = standard_library()
    engine, rows = Engine(library), []
    for blueprint in plan_corpus(scaled(load_spec("ihbench-45"), count), library, HONEST_SEED):
        workflow = library.workflow(blueprint.workflow)
        call = FinishedCall(blueprint, workflow, asyncio.run(compose(engine, blueprint)), {})
        row = conversation_row(call, domain_of(workflow, [workflow]), "", {})
        rows.append((row, tuple(turn_rows(call))))
    return rows


def honest(calls: list[ScannedCall]) -> dict[str, object]:
    """Findings in calls in which nobody knows too much."""
    background = Background(calls)
    counts: Counter[str] = Counter()
    for call in calls:
        counts.update(f"{f.kind.value} {f.severity.value}" for f in scan_call(call, background))
    turns = sum(turn.caller is not None for call in calls for turn in call.turns)
    strong_ones = sum(n for name, n in counts.items() if not name.endswith("hint"))
    return {
        "calls": len(calls),
        "turns": turns,
        "strong_per_1000": round(1000 * strong_ones / turns, 2),
        "hints_per_1000": round(1000 * (counts.total() - strong_ones) / turns, 1),
        "findings": dict(sorted(counts.items())),
    }


KINDS = {
    "verbatim": "words as they stand (6 to 10 in a row)",
    "number_respelled": "a number in another spelling",
    "date_rephrased": "a date in other words",
    "stage_name": "a stage's name",
    "half_phrase": "half a phrase of seven words or more",
    "unasked_answer": "the answer to a question not yet asked",
    "future_step": "a later step",
    "paraphrase": "a paraphrase, written by hand",
}


def tables(measured: dict[str, Any]) -> str:
    """The figures as they stand in `docs/content-scan.md`."""
    bare, full = measured["without_model"], measured["with_model"]
    rows = ["| planted | turns | found without the model | with it |", "| --- | ---: | ---: | ---: |"]
    for kind, name in KINDS.items():
        (found, count), (more, _) = bare["recall_by_kind"][kind], full["recall_by_kind"][kind]
        rows.append(f"| {name} | {count} | {found / count:.2f} | {more / count:.2f} |")
    rows.append(f"| **all leaks: recall** | {bare['leaks']} | **{bare['recall']:.3f}** | **{full['recall']:.3f}** |")
    rows.append(f"| clean turns reported | {bare['clean']} | {bare['false']} | {full['false']} |")
    rows.append(f"| **precision** | | **{bare['precision']:.3f}** | **{full['precision']:.3f}** |")
    rows += ["", "| a finding called | in leaks | in clean turns | precision |", "| --- | ---: | ---: | ---: |"]
    for kind, (right, wrong) in full["findings_by_kind"].items():
        rows.append(f"| `{kind}` | {right} | {wrong} | {right / (right + wrong):.3f} |")
    rows += ["", "| honest calls | caller turns | certain or likely per 1,000 | hints per 1,000 |"]
    rows.append("| --- | ---: | ---: | ---: |")
    for key, name in (("honest_published", "all published columns"), ("honest_transcript", "transcript alone")):
        one = measured[key]
        figures = f"{one['turns']:,} | {one['strong_per_1000']:.2f} | {one['hints_per_1000']:.1f}"
        rows.append(f"| {one['calls']} calls, {name} | {figures} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--honest", type=int, default=0)
    count = parser.parse_args().honest
    measured = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    held_out = [case for case in stored_cases() if case.held_out]
    measured["without_model"] = labelled(held_out, None)
    embed = installed_embedder()
    if embed is not None:
        measured["with_model"] = labelled(held_out, embed)
    if count:
        rows = honest_rows(count)
        measured["honest_published"] = honest([call_of_rows(*row) for row in rows])
        measured["honest_transcript"] = honest([call_of_transcript(row) for row, _ in rows])
        first = [call_of_rows(*row) for row in rows[:45]]
        start = time.perf_counter()
        honest(first)
        print(f"45 calls in {time.perf_counter() - start:.2f} s")
    FIGURES.write_text(json.dumps(measured, indent=1) + "\n")
    print(tables(measured))


if __name__ == "__main__":
    main()
