"""The verdict: one line, with what it rests on."""

from factory.audit.findings import Findings
from factory.audit.flow import CanaryResult, ChainResult, InputsResult, ModelsResult


def verdict(
    findings: Findings, inputs: InputsResult, models: ModelsResult | None, chain: ChainResult, canary: CanaryResult
) -> str:
    """What the audit comes to.

    A clean one says what was proved of how much; any other says what was found, most frequent kinds first.
    """
    if findings.total:
        counts = sorted(findings.counts.items(), key=lambda entry: (-entry[1], entry[0].value))
        kinds = ", ".join(f"{number:,} {kind.value}" for kind, number in counts)
        return f"not clean: {_counted(findings.total, 'finding')} ({kinds})"
    asked = ""
    if models is not None:
        asked = (
            f"{models.prompts.equal:,} of {models.prompts.rebuilt:,} prompts rendered again from these inputs with the "
            f"ledger's digest; "
        )
    return (
        f"clean: {inputs.equal:,} of {inputs.rebuilt:,} caller-side inputs rebuilt from the published files with the "
        f"ledger's digest, {inputs.unmoved:,} unmoved by other undelivered words; {asked}"
        f"{_counted(chain.unbroken, 'chain')} unbroken up to root {chain.root[:16]}; {canary_words(canary)}"
    )


def canary_words(canary: CanaryResult) -> str:
    """The canary result in a few words."""
    if not canary.planted:
        return "canaries: not planted in this run"
    return (
        f"canaries: {canary.found:,} found in {canary.searched:,} texts, "
        f"planted in {_counted(canary.utterances, 'cut utterance')}"
    )


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"
