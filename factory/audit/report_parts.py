"""What each part of an audit came to, in numbers: the records that a flow report is made of."""

from factory.audit.policy import Channel
from factory.audit.scan.findings import LeakFinding, LeakKind, Severity
from factory.records.base import Record
from factory.records.conversation import RerunReason
from factory.records.freeze import FreezeResult
from factory.records.ledger import Label, Role
from factory.records.models import Usage
from factory.run.answers import Refusal


class MatrixCell(Record):
    """One role and one kind of data.

    Attributes:
        allowed: Whether the role may read it.
        used: How often it did, over all calls of the ledger.
        violated: How often it did without being allowed to.
    """

    role: Role
    label: Label
    allowed: bool
    used: int
    violated: int


class ChainResult(Record):
    """The ledger's integrity.

    Attributes:
        conversations: Chains that the root names.
        unbroken: Chains that run without a fault from their first line to the head that the root holds.
        lines: Calls in all chains.
        root: The digest over all heads; compare it with the one that was published.
    """

    conversations: int
    unbroken: int
    lines: int
    root: str


class InputsResult(Record):
    """Re-derivation and non-interference of the caller's side.

    Attributes:
        calls: Calls of the caller's side in the ledger.
        rewound: Those of attempts that do not stand; nothing is published of them, so only labels are checked.
        rebuilt: Inputs rebuilt from the published files.
        equal: Those whose digest the ledger has.
        differing: Those whose digest it does not have.
        unmoved: Those that are the same with every undelivered part replaced by other words, given the cut.
    """

    calls: int
    rewound: int
    rebuilt: int
    equal: int
    differing: int
    unmoved: int


class HeardResult(Record):
    """What was said against what was heard.

    Attributes:
        turns: Published agent turns.
        cut: Those that a caller cut into.
        agreeing: Those whose heard, delivered and undelivered text fit onset, cut and utterance as meant.
    """

    turns: int
    cut: int
    agreeing: int


class CanaryResult(Record):
    """Canaries, where the build planted some.

    Attributes:
        planted: Whether this build did.
        utterances: Cut utterances in which the ledger proves that one stood.
        searched: Caller-side inputs, caller turns and published rows that were searched.
        found: Those in which one turned up.
    """

    planted: bool
    utterances: int
    searched: int
    found: int


class RerunsResult(Record):
    """Rounds that were run again, as the rewinder's lines in the ledger tell.

    Attributes:
        rewinds: Times that a round and all behind it were run again.
        redrawn: Times that a whole conversation was given up and drawn anew.
        reasons: Rewinds and redraws by reason; one whose reason is not on the list is a finding and left out here.
    """

    rewinds: int
    redrawn: int
    reasons: dict[RerunReason, int]


class PromptsResult(Record):
    """Prompts of the caller's side, rendered again from the rebuilt views.

    Attributes:
        calls: Calls of the caller's side in attempts that stand.
        rebuilt: Those whose prompt was rendered again; not those whose template is not the one that is here.
        equal: Those of them whose digest the ledger has.
        differing: Those of them whose digest it does not have.
        repaired: Calls in which a reply went back to the model with its faults. Only the first prompt of such a call
            follows from the view; the messages behind it hold the model's own reply.
    """

    calls: int
    rebuilt: int
    equal: int
    differing: int
    repaired: int


class RoleUse(Record):
    """How a model was asked as one role, over all attempts.

    Attributes:
        role: Whose calls they are.
        provider: Its name in the roles file.
        model: The model's name there.
        calls: Times that something was asked for.
        nothing: Those of them of which nothing could be used.
        replies: Replies that came.
        not_taken: Those of them that were not taken: cut, refused, or with a fault that a check found.
        tokens: What the replies used.
    """

    role: Role
    provider: str
    model: str
    calls: int
    nothing: int
    replies: int
    not_taken: int
    tokens: Usage


class ModelsResult(Record):
    """Where models write: what they were asked, and what came of it.

    Attributes:
        prompts: The caller side's prompts, rendered again.
        uses: Calls by role.
        rubrics_by_code: Rubrics that code worded because no reply of the model's could be used.
        unread: Conversations whose last reading by the verifier brought no verdict.
    """

    prompts: PromptsResult
    uses: tuple[RoleUse, ...]
    rubrics_by_code: int
    unread: int


class GraphResult(Record):
    """The flow graphs of all conversations, and what their paths come to.

    Attributes:
        conversations: Graphs; of a conversation whose ledger cannot be followed there is none.
        nodes: Their nodes: sources, items, parts of utterances, rules and calls.
        sources: Nodes at which something begins that is withheld from somebody.
        calls: Calls from which something is withheld: the caller side's, and with answers those of who writes items.
        sources_lowered: By channel, how many sources its rules took off what went through them; one use of a rule may
            take off several, or none.
        leaks: Reads by which something withheld got to such a call; each is a finding.
        unknown: Items of which neither a call nor a rule says where they come from; each is a finding.
    """

    conversations: int
    nodes: int
    sources: int
    calls: int
    sources_lowered: dict[Channel, int]
    leaks: int
    unknown: int


class AnswersResult(Record):
    """Answers of targets, held against the freeze. They say nothing of the corpus, and its verdict nothing of them.

    Attributes:
        seen: Answers in the file.
        accepted: Those to a frozen item, under the freeze's root and not older than its commitment.
        refused: The others, by reason; empty where there is no freeze to hold them against.
        refusals: The first that are refused, a line each: where it stands in the file, and why it is refused.
    """

    seen: int
    accepted: int
    refused: dict[Refusal, int]
    refusals: tuple[str, ...] = ()

    @property
    def not_accepted(self) -> int:
        """How many are refused, for whatever reason."""
        return self.seen - self.accepted


class OrderResult(Record):
    """Whether every rubric was there before any answer to its item.

    Attributes:
        items: Items in `manifest.json`.
        in_chain: Items whose rubric's digest stands in a chain.
        frozen: Those of them whose rubric and controls have the same digests in the chain and under the root.
        published: Frozen items whose rubric is published word for word with their call.
        freeze: The root, proved again, with versions and commitment; None where there is no readable manifest.
        answers: What targets answered; None where no answers were given to the audit.
    """

    items: int
    in_chain: int
    frozen: int
    published: int
    freeze: FreezeResult | None
    answers: AnswersResult | None = None


class ChannelUse(Record):
    """A declared channel.

    Attributes:
        name: Which.
        why: Why it is there.
        count: How often it was used, over all attempts.
        unit: What one use is; what was lowered by it is in `GraphResult.sources_lowered`.
    """

    name: Channel
    why: str
    count: int
    unit: str


class LeakCount(Record):
    """How many findings of the content scan are of one kind and severity."""

    kind: LeakKind
    severity: Severity
    count: int


class ScanResult(Record):
    """The content scan: what callers say, against what they had not heard. No part of the verdict.

    Attributes:
        turns: Caller turns that were scanned.
        paraphrases: Whether a sentence model took part; without one no paraphrases are looked for.
        cut_short: Calls with longer texts than anybody says, of which only the beginning of each was scanned.
        counts: All findings by kind and severity; what was not found is left out.
        findings: The first that are certain or likely, in the order of the calls; long texts are cut.
    """

    turns: int
    paraphrases: bool
    cut_short: int
    counts: tuple[LeakCount, ...]
    findings: tuple[LeakFinding, ...]

    def number(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(count.count for count in self.counts if count.severity is severity)

    @property
    def strong(self) -> int:
        """How many findings are certain or likely."""
        return self.number(Severity.CERTAIN) + self.number(Severity.LIKELY)
