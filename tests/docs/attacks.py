"""The tables of attacks in `docs/flow-report.md`: their rows come from the catalogue in `tests/audit/attacks/`.

A comment above a table says which: `<!-- attacks: ledger -->`, or `<!-- attacks: passes -->` for what nothing catches.
"""

import re
from collections.abc import Iterable
from typing import Any

from factory.audit.findings import Kind
from factory.audit.scan.findings import LeakKind
from factory.records.conversation import RerunReason
from factory.run.answers import Refusal
from factory.workflow.findings import Check
from tests.audit.attacks import behind, builder, dataset, forged, freeze, ledger, prompts, roles
from tests.audit.attacks.attack import Attack, Caught, Seen
from tests.audit.attacks.catalogue import PASSES

GROUPS: dict[str, tuple[Attack[Any], ...]] = {
    "roles": roles.ATTACKS,
    "builder": builder.ATTACKS,
    "prompts": prompts.ATTACKS,
    "ledger": ledger.ATTACKS,
    "behind": behind.ATTACKS,
    "dataset": dataset.ATTACKS,
    "forged": forged.ATTACKS,
    "freeze": freeze.ATTACKS,
    "passes": PASSES,
}
_TABLE = re.compile(r"^<!-- attacks: (?P<group>\w+) -->\n(?:\|[^\n]*\n)*", re.MULTILINE)
_WORDS: dict[type, str] = {
    Kind: "`{}`",
    LeakKind: "`{}` by the content scan",
    Refusal: "refused as `{}`",
    RerunReason: "said again: `{}`",
    Check: "`{}` by `factory workflow lint`",
    Seen: "{}",
}


def groups_of(page: str) -> list[str]:
    """The groups whose tables stand in a page, in order."""
    return [match["group"] for match in _TABLE.finditer(page)]


def with_attacks(page: str) -> str:
    """A page with its tables of attacks made anew."""
    return _TABLE.sub(lambda match: f"<!-- attacks: {match['group']} -->\n{_table(match['group'])}", page)


def _table(group: str) -> str:
    head = (
        ["| who | does what |", "| --- | --- |"]
        if group == "passes"
        else ["| who | does what | caught by |", "| --- | --- | --- |"]
    )
    rows = [(attack.who.value, attack.name, caught(attack.by)) for attack in GROUPS[group]]
    return "".join(f"{line}\n" for line in (*head, *(_row(row[: head[0].count("|") - 1]) for row in rows)))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def caught(by: Iterable[Caught]) -> str:
    """By what an attack is caught, in words; always in the same order."""
    order = tuple(_WORDS)
    known = [one for one in by if not isinstance(one, type)]
    words = [
        _WORDS[type(one)].format(one.value) for one in sorted(known, key=lambda c: (order.index(type(c)), c.value))
    ]
    return ", ".join([*words, *(f"error `{one.__name__}`" for one in by if isinstance(one, type))])
