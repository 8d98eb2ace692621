"""Who answered: a call in a ledger against the models and templates that run.json names, and against its own replies.

What was sent to a model and what came back are digests. So it is held what lines say of themselves: that the one who
wrote is the one whom run.json names for the role, that a reply was taken which no check refused, and only the last one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from factory.audit.findings import shown
from factory.records.enums import InterruptionType
from factory.records.ledger import NOTHING, USER_SIDE, LedgerLine, Role
from factory.records.models import ModelCall, ModelRole, PlayedBy, ReplyUse
from factory.records.run import RunIdentity
from factory.simulate.roles import BY_CODE, COMPOSER

NORMAL, INTERRUPTED, INTERRUPTING = "normal", "interrupted", "interrupting"
CONTINUATION = "continuation"
"""The assistant's branch in which code says the rest of a cut turn; its words are settled there as in `EDITED`."""
EDITED = "edited"
"""The assistant's branch where its words were settled before."""

_TYPES = frozenset(kind.value for kind in InterruptionType)

BRANCHES: dict[Role, frozenset[str]] = {
    Role.SYSTEM_WRITER: frozenset({"system_message"}),
    Role.PLANNER: frozenset({NORMAL, INTERRUPTED}),
    Role.ASSISTANT: frozenset({NORMAL, CONTINUATION, EDITED, *(f"after_{kind}" for kind in _TYPES)}),
    Role.CUTTER: _TYPES,
    Role.REACTION_PLANNER: _TYPES | {NORMAL},
    Role.USER: frozenset({NORMAL, INTERRUPTING}),
    Role.RUBRIC_WRITER: _TYPES,
    Role.CONTROL_WRITER: _TYPES,
    Role.VERIFIER: frozenset({"conversation"}),
    Role.MODIFIER: frozenset({"edit"}),
}
"""The ways that each role has; a rewinder's is a reason, which has a list of its own."""

_SETTLED = frozenset({CONTINUATION, EDITED})

MODELS_ONLY = frozenset({Role.SYSTEM_WRITER, Role.VERIFIER, Role.MODIFIER})
"""Roles that nobody plays where the composer writes."""

_ALWAYS: dict[Role, str] = {Role.CUTTER: BY_CODE, Role.REWINDER: BY_CODE, Role.CONTROL_WRITER: COMPOSER}
"""Roles that no model plays; all others are those of the roles file by the same names."""

_AT_TIMES = frozenset({Role.PLANNER, Role.ASSISTANT})
"""Roles of which code takes the place where the agent's words are settled."""


@dataclass(frozen=True)
class Engines:
    """What run.json says of who answers.

    Attributes:
        models: Who plays each role; None where the composer does.
        templates: Digest of each template that is used.
    """

    models: dict[ModelRole, PlayedBy] | None = None
    templates: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, identity: RunIdentity) -> "Engines":
        """As a run's identity has it."""
        return cls(identity.models, identity.templates)

    def faults(self, line: LedgerLine) -> Iterator[str]:
        """Where a line is not one that the run can have made."""
        branches = BRANCHES.get(line.role)
        if branches is not None and line.branch not in branches:
            yield f"{shown(line.branch)} is not a way that the {line.role.value} has"
        if self.models is None or line.role in _ALWAYS:
            yield from self._unasked(line)
        elif line.call is None:
            if line.role not in _AT_TIMES or line.engine != BY_CODE:
                who = shown(line.engine)
                yield f"run.json names a model for the {line.role.value}, but {who} wrote without one"
        else:
            yield from self._asked(line, line.call, self.models.get(ModelRole(line.role.value)))

    def _unasked(self, line: LedgerLine) -> Iterator[str]:
        """A role that no model plays."""
        role = line.role.value
        if line.call is not None or (self.models is None and line.role in MODELS_ONLY):
            yield f"a model was asked as the {role}, but run.json names none for it"
            return
        engine = _ALWAYS.get(line.role, BY_CODE if line.branch in _SETTLED else COMPOSER)
        if line.engine != engine and not (line.role in _AT_TIMES and line.engine == BY_CODE):
            yield f"run.json names no model for the {role}, but {shown(line.engine)} wrote"

    def _asked(self, line: LedgerLine, call: ModelCall, played: PlayedBy | None) -> Iterator[str]:
        """Model, provider, template and replies of a call."""
        role = line.role.value
        wrote_instead = line.role is Role.RUBRIC_WRITER and line.engine == BY_CODE
        if line.engine != call.model and not wrote_instead:
            yield f"{shown(call.model)} was asked as the {role}, but {shown(line.engine)} wrote"
        if played is None or (played.provider, played.model) != (call.provider, call.model):
            yield f"{shown(call.model)} at {shown(call.provider)} was asked as {role}, but run.json names another"
        if not call.template.startswith(f"{role}/"):
            yield f"the {role} was asked with {shown(call.template)}, which is not a template of that role"
        elif self.templates.get(call.template) != call.template_digest:
            yield f"the template {shown(call.template)} that was used is not the one that run.json names"
        elif call.template not in _templates(line):
            yield f"the {role} was asked with {shown(call.template)}, which is for another situation"
        if not _bears_out(line, call.replies, wrote_instead):
            yield f"the replies to the {role} do not bear out what was taken: one that has no fault, and only the last"


def _templates(line: LedgerLine) -> frozenset[str]:
    """The templates of a call's branch; only a reaction planner's has two, of which its view tells which it is."""
    role, branch = line.role.value, line.branch
    names = {
        Role.SYSTEM_WRITER: {"writer"},
        Role.PLANNER: {NORMAL},
        Role.ASSISTANT: {NORMAL if branch == "after_filler" else branch},
        Role.REACTION_PLANNER: {f"interrupting_{branch}", *({branch} & {NORMAL})},
    }.get(line.role, {branch})
    return frozenset(f"{role}/{name}.md.j2" for name in names)


def _bears_out(line: LedgerLine, replies: Sequence[ReplyUse], wrote_instead: bool) -> bool:
    """Whether a call's replies are those behind what it made: refused ones, and behind them the one that was taken.

    Where nothing was made, all were refused; but on the caller's side one is taken and thrown away that has a planted
    word.
    """
    *before, last = [reply.fault is None for reply in replies] or [False]
    if any(before):
        return False
    if wrote_instead:
        return not last
    if line.wrote.content == NOTHING:
        return not last or line.role in USER_SIDE
    return last
