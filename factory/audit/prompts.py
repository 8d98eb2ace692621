"""Prompts of the caller's side, rendered again: from the rebuilt view and the project's templates, and nothing else.

A template is filled with the view alone, and strictly: one that reads more cannot be rendered. Only the first prompt
of a call follows from the view; where a reply could not be used, what goes back to the model is that reply and its
faults.
"""

from factory.audit.findings import Findings, Kind, shown
from factory.audit.report_parts import PromptsResult
from factory.errors import FactoryError
from factory.models.prompt import Prompts
from factory.records.ledger import LedgerLine, Role
from factory.records.models import ModelCall
from factory.simulate.views import ReactionView, UserView


class PromptAudit:
    """Holds the prompts that the ledger has digests of against those that follow from the views."""

    def __init__(self, prompts: Prompts, findings: Findings, versions: dict[str, str]) -> None:
        """Takes the templates, what gets findings, and the versions that the run was built with."""
        self._prompts = prompts
        self._findings = findings
        self._built_with = ", ".join(f"{name} {number}" for name, number in sorted(versions.items()))
        self._told: set[tuple[str, str]] = set()
        self._equal = 0
        self._differing = 0
        self._not_rendered = 0
        self._repaired = 0

    def hold(self, line: LedgerLine, view: ReactionView | UserView, conversation_id: str) -> None:
        """Holds one call of the caller's side against its rebuilt view."""
        if line.call is None:
            self._differs("the ledger does not say with what prompt the {role} was asked", line, conversation_id)
            return
        self._repaired += len(line.call.replies) > 1
        template = template_of(line.role, view)
        if line.call.template != template:
            self._differs("the {role} was asked with a template for another role or type", line, conversation_id)
            return
        if not self._is_the_ledgers(line.call):
            self._not_rendered += 1
            return
        try:
            digest = self._prompts.render(template, view=view).digest
        except FactoryError as exc:
            self._not_rendered += 1
            self._tell(Kind.TEMPLATE_READS_MORE, line.call, f"cannot be filled from the view alone: {exc}")
            return
        if digest != line.call.prompt:
            self._differs("the {role}'s prompt is not what its template makes of its view", line, conversation_id)
        else:
            self._equal += 1

    def result(self) -> PromptsResult:
        """What it came to."""
        rebuilt = self._equal + self._differing
        return PromptsResult(
            calls=rebuilt + self._not_rendered,
            rebuilt=rebuilt,
            equal=self._equal,
            differing=self._differing,
            repaired=self._repaired,
        )

    def _differs(self, message: str, line: LedgerLine, conversation_id: str) -> None:
        self._differing += 1
        self._findings.add(Kind.PROMPT_DIFFERS, message.format(role=line.role.value), conversation_id, line.round)

    def _is_the_ledgers(self, call: ModelCall) -> bool:
        """Whether the template here is the one that the call was made with; told once for each that is not."""
        try:
            here = self._prompts.digest(call.template)
        except FactoryError as exc:
            self._tell(Kind.TEMPLATE_DIFFERS, call, f"is needed, and cannot be read: {exc}")
            return False
        if here != call.template_digest:
            self._tell(Kind.TEMPLATE_DIFFERS, call, f"here has digest {here[:16]}, so it proves nothing of that run")
        return here == call.template_digest

    def _tell(self, kind: Kind, call: ModelCall, what: str) -> None:
        key = (call.template, call.template_digest)
        if key not in self._told:
            self._told.add(key)
            needed = f"needed is digest {shown(call.template_digest[:16])}, of {shown(self._built_with)}"
            self._findings.add(kind, f"prompts/{call.template} {shown(what, 200)}; {needed}")


def template_of(role: Role, view: ReactionView | UserView) -> str:
    """The template of a role of the caller's side, which follows from the type of interruption alone."""
    if view.type is None:
        return f"{role.value}/normal.md.j2"
    if role is Role.USER:
        return "user/interrupting.md.j2"
    return f"reaction_planner/interrupting_{view.type.value}.md.j2"
