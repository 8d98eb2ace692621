"""The verdict: one line, with what it rests on."""

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


def verdict(findings: Findings, proved: Proved) -> str:
    """What the audit of the corpus comes to; answers are told apart, by `answer_words`.

    A clean one says what was proved of how much; any other says what was found, most frequent kinds first.
    """
    if findings.total:
        return f"not clean: {findings.in_words()}"
    inputs, models, chain = proved.inputs, proved.models, proved.chain
    asked = ""
    if models is not None:
        asked = (
            f"{models.prompts.equal:,} of {models.prompts.rebuilt:,} prompts rendered again from these inputs with the "
            f"ledger's digest; "
        )
    return (
        f"clean: {inputs.equal:,} of {inputs.rebuilt:,} caller-side inputs rebuilt from the published files with the "
        f"ledger's digest, {inputs.unmoved:,} unmoved by other undelivered words; {asked}"
        f"no path from {counted(proved.graph.sources, 'withheld source')} to any of "
        f"{counted(proved.graph.calls, 'role call')}; {order_words(proved.order)}; "
        f"{counted(chain.unbroken, 'chain')} unbroken up to root {chain.root[:16]}; {canary_words(proved.canary)}"
    )


def taken_apart(verdict: str) -> tuple[str, tuple[str, ...]]:
    """What a verdict comes to, in a word or two, and the things that it rests on or that were found."""
    head, _, rest = verdict.partition(": ")
    return head, tuple(rest.split("; "))


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
