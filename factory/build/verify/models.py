"""Who answered: every call in a ledger against the models and templates that run.json names."""

from collections.abc import Iterator

from factory.audit.findings import shown
from factory.dataset.system_message import SLOT
from factory.records.ledger import NOTHING, Label, LedgerLine, Role
from factory.records.models import ModelCall, ModelRole
from factory.records.run import RunIdentity
from factory.simulate.ledger import data_item
from factory.simulate.roles import BY_CODE

ALWAYS_BY_CODE = frozenset({Role.CUTTER, Role.CONTROL_WRITER, Role.REWINDER})
"""Roles that no model plays; all others are those of the roles file by the same names."""

BY_CODE_AT_TIMES = frozenset({Role.PLANNER, Role.ASSISTANT})
"""Roles of which code takes the place where the agent's words are settled."""


def call_faults(identity: RunIdentity, line: LedgerLine) -> Iterator[str]:
    """Where a line's call is not one that the run can have made."""
    role, call = line.role.value, line.call
    if identity.models is None or line.role in ALWAYS_BY_CODE:
        if call is not None:
            yield f"a model was asked as the {role}, but run.json names none for it"
        return
    if call is None:
        if line.role not in BY_CODE_AT_TIMES or line.engine != BY_CODE:
            yield f"run.json names a model for the {role}, but {shown(line.engine)} wrote without one"
        return
    wrote_instead = line.role is Role.RUBRIC_WRITER and line.engine == BY_CODE
    if line.engine != call.model and not wrote_instead:
        yield f"{shown(call.model)} was asked as the {role}, but {shown(line.engine)} wrote"
    yield from _asked_faults(identity, ModelRole(line.role.value), call)


def _asked_faults(identity: RunIdentity, role: ModelRole, call: ModelCall) -> Iterator[str]:
    """Model, provider and template of a call."""
    played = (identity.models or {}).get(role)
    if played is None or (played.provider, played.model) != (call.provider, call.model):
        yield f"{shown(call.model)} at {shown(call.provider)} was asked as {role.value}, but run.json names another"
    if not call.template.startswith(f"{role.value}/"):
        yield f"the {role.value} was asked with {shown(call.template)}, which is not a template of that role"
    elif identity.templates.get(call.template) != call.template_digest:
        yield f"the template {shown(call.template)} that was used is not the one that run.json names"


def introduction_faults(line: LedgerLine | None, written: str | None) -> Iterator[str]:
    """The system message in a conversation's log, against the line of who wrote it."""
    made = line is not None and line.wrote.content != NOTHING
    if made != (written is not None):
        yield "the log holds a system message that nobody wrote, or lacks the one that was written"
    elif line is not None and written is not None:
        wanted = data_item(Label.SYSTEM_MESSAGE, "system_message", written)
        if line.wrote != wanted:
            yield "the log's system message is not the one that was written"


def is_filled_from(message: str, template: str) -> bool:
    """Whether a published system message is this template, with something in the place of its slot."""
    before, slot, behind = template.partition(SLOT)
    return (
        bool(slot) and len(message) >= len(before + behind) and message.startswith(before) and message.endswith(behind)
    )
