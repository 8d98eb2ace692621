"""What was found, ordered for a reader: by call and kind, each kind with its meaning in a few words."""

from collections.abc import Iterable
from dataclasses import dataclass

from factory.audit.findings import Finding, Kind

GOT_THROUGH = frozenset(
    {
        Kind.PATH_LEAKS,
        Kind.ORIGIN_UNKNOWN,
        Kind.LABEL_NOT_ALLOWED,
        Kind.UNDELIVERED_MATTERS,
        Kind.WITHHELD_HANDED,
        Kind.CANARY_HEARD,
        Kind.TEMPLATE_READS_MORE,
    }
)
"""Findings that say more than that files do not agree: what reached somebody who may not have it."""

MEANS: dict[Kind, str] = {
    Kind.LEDGER_MISSING: "a call has no ledger",
    Kind.LEDGER_DAMAGED: "a line of the ledger cannot be read",
    Kind.LEDGER_FOREIGN: "a ledger or a line does not belong here",
    Kind.CHAIN_BROKEN: "a line does not hold the digest of the one before",
    Kind.SEQUENCE_BROKEN: "lines are missing or out of order",
    Kind.ORDER_BROKEN: "no round has its role calls in this order",
    Kind.HEAD_DIFFERS: "a ledger does not end as its root says",
    Kind.ROOT_DIFFERS: "the root is not the digest of what it names",
    Kind.LABEL_NOT_ALLOWED: "a role read what it may not read",
    Kind.WRITE_NOT_ALLOWED: "a role wrote what it may not write",
    Kind.READS_INCOMPLETE: "a role did not read just what its view is made of",
    Kind.CONTENT_DIFFERS: "what a role read or wrote is not what is published or was made",
    Kind.VIEW_DIFFERS: "an input that was made again has another digest in the ledger",
    Kind.CALL_MISSING: "the ledger lacks a role call",
    Kind.CALL_UNPUBLISHED: "the ledger has a role call of which nothing is published",
    Kind.ATTEMPT_DIFFERS: "another attempt is published than stands",
    Kind.REASON_DIFFERS: "the reason for a round run again is not borne out",
    Kind.EDIT_DIFFERS: "words were settled by something else than an edit",
    Kind.ENGINE_DIFFERS: "who answered, or how, is not what was ordered or recorded",
    Kind.PATH_LEAKS: "something withheld reached a role that must not get it",
    Kind.ORIGIN_UNKNOWN: "nobody made what a role read",
    Kind.FREEZE_MISSING: "there is no freeze",
    Kind.FREEZE_DAMAGED: "the freeze cannot be read",
    Kind.FREEZE_DIFFERS: "what is frozen is not what is in the chain or published",
    Kind.TEMPLATE_DIFFERS: "a template here is not the one that the ledger names",
    Kind.TEMPLATE_READS_MORE: "a template reads more than its role’s view",
    Kind.PROMPT_DIFFERS: "a prompt that was rendered again has another digest",
    Kind.HEARD_DIFFERS: "heard text does not end at the onset",
    Kind.DELIVERED_DIFFERS: "delivered and undelivered text do not fit the cut",
    Kind.TRANSCRIPT_DIFFERS: "two published files do not say the same",
    Kind.RECORDED_VIEW_DIFFERS: "an input that was made again has another published digest",
    Kind.CONVERSATION_MISSING: "a call is missing",
    Kind.CONVERSATION_TWICE: "two calls are one and the same",
    Kind.DATASET_DAMAGED: "published rows cannot be read or do not fit together",
    Kind.UNDELIVERED_MATTERS: "an input of the caller’s side changes with undelivered words",
    Kind.WITHHELD_HANDED: "code handed the caller’s side words that are withheld from it",
    Kind.CANARY_HEARD: "a planted word came to the caller’s side",
    Kind.CANARY_PUBLISHED: "a planted word is published",
}
"""Each kind in a few words."""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind in one call.

    Attributes:
        kind: What they are.
        means: The same in words.
        is_grave: Whether something reached somebody who may not have it.
        first: The first of them.
        others: Those that follow.
    """

    kind: Kind
    means: str
    is_grave: bool
    first: Finding
    others: tuple[Finding, ...]


def grouped(findings: Iterable[Finding]) -> tuple[Group, ...]:
    """Findings by call and kind in the order in which they were met; what got through stands first."""
    groups: dict[tuple[str | None, Kind], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.conversation_id, finding.kind), []).append(finding)
    made = (
        Group(kind, MEANS[kind], kind in GOT_THROUGH, first, tuple(others))
        for (_, kind), (first, *others) in groups.items()
    )
    return tuple(sorted(made, key=lambda group: not group.is_grave))
