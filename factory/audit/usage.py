"""Counts how models were asked, by role: calls, replies, what of it could be used, and tokens."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from factory.audit.findings import shown
from factory.audit.report_parts import RoleUse
from factory.records.ledger import NOTHING, LedgerLine, Role
from factory.records.models import Usage
from factory.simulate.roles import BY_CODE

MOST_MODELS = 100
"""Roles and models that are told apart; no run has so many, and a forged ledger may not fill the memory."""
OTHERS = "others"


@dataclass
class _Use:
    """One role's calls to one model."""

    calls: int = 0
    nothing: int = 0
    replies: int = 0
    not_taken: int = 0
    tokens: Usage = field(default_factory=Usage)


class ModelUses:
    """The calls to models, counted as they go by.

    Attributes:
        rubrics_by_code: Rubrics that code worded because no reply of the model's could be used.
    """

    def __init__(self) -> None:
        """Begins with none."""
        self._uses: dict[tuple[Role, str, str], _Use] = {}
        self.rubrics_by_code = 0

    def add(self, line: LedgerLine) -> None:
        """Counts one line; one behind which no model stands counts for nothing."""
        call = line.call
        if call is None:
            return
        key = (line.role, shown(call.provider), shown(call.model))
        if key not in self._uses and len(self._uses) >= MOST_MODELS:
            key = (line.role, OTHERS, OTHERS)
        use = self._uses.setdefault(key, _Use())
        by_code = line.engine == BY_CODE
        self.rubrics_by_code += by_code and line.role is Role.RUBRIC_WRITER
        use.calls += 1
        use.nothing += by_code or line.wrote.content == NOTHING
        use.replies += len(call.replies)
        use.not_taken += sum(reply.fault is not None for reply in call.replies)
        use.tokens = sum((reply.usage for reply in call.replies), use.tokens)

    def by_role(self) -> Iterator[RoleUse]:
        """The counts, role by role in the order in which they come in a call."""
        order = tuple(Role)
        for (role, provider, model), use in sorted(
            self._uses.items(), key=lambda entry: (order.index(entry[0][0]), *entry[0][1:])
        ):
            yield RoleUse(
                role=role,
                provider=provider,
                model=model,
                calls=use.calls,
                nothing=use.nothing,
                replies=use.replies,
                not_taken=use.not_taken,
                tokens=use.tokens,
            )
