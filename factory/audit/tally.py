"""Counts calls and checks as they go by; of a conversation nothing is kept but a digest of what was said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from factory.audit.course.course import Course
from factory.audit.graph.paths import Carried
from factory.audit.policy import DECLARED_CHANNELS, USED, Channel, may_read
from factory.audit.report_parts import (
    ChannelUse,
    GraphResult,
    HeardResult,
    InputsResult,
    MatrixCell,
    ModelsResult,
    PromptsResult,
    RerunsResult,
)
from factory.audit.usage import ModelUses
from factory.dataset.rows import AgentRow, TurnRow
from factory.records.base import canonical_json, sha256
from factory.records.conversation import RerunReason
from factory.records.ledger import USER_SIDE, Label, LedgerLine, Role


@dataclass
class Tally:
    """The run in numbers, so far.

    Attributes:
        conversations: Published conversations.
        reads: Data items read, by role and label, over all attempts.
        calls: Calls by role, over all attempts.
        chains: Chains that were read.
        unbroken: Those without a fault.
        rewinds: Times that a round was run again.
        redrawn: Times that a conversation was begun anew.
        reasons: Rewinds and redraws by reason.
        rewound_inputs: Calls of the caller's side in attempts that do not stand.
        turns: Published agent turns.
        cut: Those that a caller cut into.
        agreeing: Those whose texts fit onset, cut and utterance as meant.
        rebuilt: Inputs of the caller's side that were made again.
        equal: Those whose digest the ledger has.
        unmoved: Those that other undelivered words do not change.
        planted: Cut utterances in which the ledger proves a canary.
        searched: Texts searched for canaries.
        found: Those that hold one.
        uses: Calls to models.
        graphs: Flow graphs.
        nodes: Nodes in them.
        sources: Those at which something begins that is withheld from somebody.
        held: Calls from which something is withheld.
        leaks: Times that such a call got it.
        unknown: Items that came from nowhere.
        rules: By channel, the rules in the flow graphs.
        lowered: By channel, how often one of them lowered something.
        unread: Conversations that a reader gave no verdict on.
        said: Digests of what was said in each conversation, and in which it was said first.
    """

    conversations: int = 0
    reads: Counter[tuple[Role, Label]] = field(default_factory=Counter)
    calls: Counter[Role] = field(default_factory=Counter)
    chains: int = 0
    unbroken: int = 0
    rewinds: int = 0
    redrawn: int = 0
    reasons: Counter[RerunReason] = field(default_factory=Counter)
    rewound_inputs: int = 0
    turns: int = 0
    cut: int = 0
    agreeing: int = 0
    rebuilt: int = 0
    equal: int = 0
    unmoved: int = 0
    planted: int = 0
    searched: int = 0
    found: int = 0
    uses: ModelUses = field(default_factory=ModelUses)
    graphs: int = 0
    nodes: int = 0
    sources: int = 0
    held: int = 0
    leaks: int = 0
    unknown: int = 0
    rules: Counter[Channel] = field(default_factory=Counter)
    lowered: Counter[Channel] = field(default_factory=Counter)
    unread: int = 0
    said: dict[str, str] = field(default_factory=dict)

    def first_with(self, rows: Sequence[TurnRow]) -> str:
        """The first conversation in which just this was said; the rows are a whole one's."""
        words = [(row.text, row.as_meant if isinstance(row, AgentRow) else None) for row in rows]
        return self.said.setdefault(sha256(canonical_json(words)), rows[0].conversation_id)

    def add_call(self, line: LedgerLine) -> None:
        """Counts one call and what it read."""
        self.calls[line.role] += 1
        self.reads.update((line.role, read.label) for read in line.reads)
        self.uses.add(line)

    def add_course(self, course: Course) -> None:
        """Counts what was run again in one conversation."""
        self.rewinds += course.rewinds
        self.redrawn += course.redrawn
        self.reasons.update(course.reasons)
        self.rewound_inputs += course.rewound_inputs
        self.unread += course.is_unread

    def add_graph(self, nodes: int, carried: Carried, unknown: int) -> None:
        """Counts what the paths of one conversation came to."""
        self.graphs += 1
        self.nodes += nodes
        self.sources += len(carried.sources)
        self.held += carried.calls
        self.leaks += len(carried.leaks)
        self.unknown += unknown
        self.rules += carried.uses
        self.lowered += carried.lowered

    @property
    def lines(self) -> int:
        """All calls."""
        return self.calls.total()

    def matrix(self) -> tuple[MatrixCell, ...]:
        """Every role with every kind of data, also those that never met."""
        return tuple(
            MatrixCell(
                role=role,
                label=label,
                allowed=may_read(role, label),
                used=self.reads[role, label],
                violated=0 if may_read(role, label) else self.reads[role, label],
            )
            for role in Role
            for label in Label
        )

    def inputs(self) -> InputsResult:
        """Re-derivation and non-interference."""
        return InputsResult(
            calls=sum(self.calls[role] for role in USER_SIDE),
            rewound=self.rewound_inputs,
            rebuilt=self.rebuilt,
            equal=self.equal,
            differing=self.rebuilt - self.equal,
            unmoved=self.unmoved,
        )

    def heard(self) -> HeardResult:
        """What was said against what was heard."""
        return HeardResult(turns=self.turns, cut=self.cut, agreeing=self.agreeing)

    def reruns(self) -> RerunsResult:
        """Rounds run again."""
        return RerunsResult(rewinds=self.rewinds, redrawn=self.redrawn, reasons=dict(sorted(self.reasons.items())))

    def graph(self) -> GraphResult:
        """What the paths came to."""
        return GraphResult(
            conversations=self.graphs,
            nodes=self.nodes,
            sources=self.sources,
            calls=self.held,
            sources_lowered={channel: self.lowered[channel] for channel in Channel},
            leaks=self.leaks,
            unknown=self.unknown,
        )

    def models(self, prompts: PromptsResult) -> ModelsResult:
        """What models were asked, and what came of it."""
        return ModelsResult(
            prompts=prompts,
            uses=tuple(self.uses.by_role()),
            rubrics_by_code=self.uses.rubrics_by_code,
            unread=self.unread,
        )

    def channels(self) -> tuple[ChannelUse, ...]:
        """The declared channels, with how often each was used over all attempts."""
        uses = {
            **self.rules,
            Channel.CUT: self.calls[Role.CUTTER],
            Channel.RELEASE: self.reads[Role.REACTION_PLANNER, Label.RELEASED_LINES],
            Channel.RERUN: self.rewinds + self.redrawn,
        }
        return tuple(
            ChannelUse(name=name, why=why, count=uses.get(name, 0), unit=USED[name])
            for name, why in DECLARED_CHANNELS.items()
        )
