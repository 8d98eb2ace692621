"""How much the columns tell of the calls: what is missing decides what cannot be checked, and how sure the rest is."""

from dataclasses import dataclass

from factory.audit.columns.call import Call
from factory.audit.columns.verification import can_be_checked
from factory.audit.scan.findings import Severity


@dataclass
class Understood:
    """In how many calls what is told.

    Attributes:
        calls: All of them.
        goals: Those whose goal is told.
        stages: Those whose knowledge base has stages.
        guidelines: Those whose knowledge base has guidelines.
        known_user: Those whose knowledge base has known user information.
        intents: Those whose user intent is told.
        verifying: Those of which the order of verification can be checked.
    """

    calls: int = 0
    goals: int = 0
    stages: int = 0
    guidelines: int = 0
    known_user: int = 0
    intents: int = 0
    verifying: int = 0

    def add(self, call: Call) -> None:
        """Counts one call."""
        self.calls += 1
        self.goals += bool(call.goal)
        self.stages += bool(call.base.stages)
        self.guidelines += bool(call.base.guidelines)
        self.known_user += bool(call.base.known_user)
        self.intents += bool(call.intent.own)
        self.verifying += can_be_checked(call)

    def missing_for_scan(self) -> str:
        """What the content scan had to do without, in words; empty where nothing was missing."""
        counts = {
            "goal": self.goals,
            "stages": self.stages,
            "guidelines": self.guidelines,
            "known user information": self.known_user,
            "user intent": self.intents,
        }
        missing = [
            f"{name} ({self.calls - count:,} of {self.calls:,} calls)"
            for name, count in counts.items()
            if count < self.calls
        ]
        if not missing:
            return ""
        unsure = "; without an intent nothing counts as certain" if self.intents < self.calls else ""
        return f"not told: {', '.join(missing)}{unsure}"

    def why_no_verification(self) -> str:
        """Why no call's order of verification could be checked."""
        if not self.known_user:
            return "no call has known user information that could be read"
        if not self.stages:
            return "no call has stages that could be read"
        return "no call has a stage that verifies somebody together with numbers, dates or addresses of the record"


def surest(call: Call) -> Severity:
    """How sure a finding of the content scan can be: without an intent any words may be the caller's own."""
    return Severity.CERTAIN if call.intent.own else Severity.LIKELY
