"""The verdict: what an audit comes to, and what that rests on; published as one line."""

from dataclasses import dataclass

from factory.audit.findings import Findings
from factory.audit.report_parts import (
    AnswersResult,
    CanaryResult,
    ChainResult,
    GraphResult,
    InputsResult,
    ModelsResult,
    OrderResult,
    PromptsResult,
)
from factory.report.labels import counted


@dataclass(frozen=True)
class Proved:
    """What a verdict rests on; the records of the report."""

    inputs: InputsResult
    models: ModelsResult | None
    graph: GraphResult
    order: OrderResult
    chain: ChainResult
    canary: CanaryResult


CLEAN, NOT_CLEAN = "clean", "not clean"
"""What a verdict's head says, or begins with."""


@dataclass(frozen=True)
class Verdict:
    """What an audit comes to; its text is the line that reports publish.

    Attributes:
        head: That in a few words.
        parts: The things that it rests on, or that were found.
    """

    head: str
    parts: tuple[str, ...]

    @classmethod
    def read(cls, line: str) -> "Verdict":
        """A verdict as a report has it."""
        head, _, rest = line.partition(": ")
        return cls(head, tuple(rest.split("; ")))

    def __str__(self) -> str:
        """The line."""
        return f"{self.head}: {'; '.join(self.parts)}"


def verdict(findings: Findings, proved: Proved) -> Verdict:
    """What the audit of the corpus comes to; answers are told apart, by `answer_words`.

    A clean one says what was proved of how much; any other says what was found, most frequent kinds first.
    """
    if findings.total:
        return Verdict(NOT_CLEAN, (findings.in_words(),))
    inputs, graph, chain = proved.inputs, proved.graph, proved.chain
    parts = (
        f"{inputs.equal:,} of {inputs.rebuilt:,} caller-side inputs rebuilt from the published files with the "
        f"ledger's digest, {inputs.unmoved:,} unmoved by other undelivered words",
        *(() if proved.models is None else (_prompt_words(proved.models.prompts),)),
        f"no path from {counted(graph.sources, 'withheld source')} to any of {counted(graph.calls, 'role call')}",
        order_words(proved.order),
        f"{counted(chain.unbroken, 'chain')} unbroken up to root {chain.root[:16]}",
        canary_words(proved.canary),
    )
    return Verdict(CLEAN, parts)


def _prompt_words(prompts: PromptsResult) -> str:
    return f"{prompts.equal:,} of {prompts.rebuilt:,} prompts rendered again from these inputs with the ledger's digest"


def order_words(order: OrderResult) -> str:
    """The order proof in a few words."""
    frozen = f"{order.frozen:,} of {counted(order.items, 'rubric')} in the chain and frozen"
    if order.freeze is not None:
        frozen += f" under root {order.freeze.root[:16]}"
    return frozen


def answer_words(answers: AnswersResult) -> str:
    """What targets' answers came to: a line of its own, for the corpus is as clean or not without them."""
    if not answers.not_accepted:
        return f"answers: {answers.accepted:,} of {answers.seen:,} accepted under the freeze's root"
    reasons = ", ".join(f"{number:,} {reason.value}" for reason, number in answers.refused.items())
    refused = f"{answers.not_accepted:,} of {answers.seen:,} refused"
    return f"answers: {refused}: {reasons or 'there is no freeze to hold them against'}"


def canary_words(canary: CanaryResult) -> str:
    """The canary result in a few words."""
    if not canary.planted:
        return "canaries: not planted in this run"
    return (
        f"canaries: {canary.found:,} found in {canary.searched:,} texts, "
        f"planted in {counted(canary.utterances, 'cut utterance')}"
    )
