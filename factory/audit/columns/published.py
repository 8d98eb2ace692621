"""The rules of the columns on published calls, as they go by: in the audit of a dataset and in that of a run alike."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from factory.audit.columns.audit import rules_words
from factory.audit.columns.item_files import ListedItems
from factory.audit.columns.read import call_of
from factory.audit.columns.result import RulesResult
from factory.audit.columns.rules import ColumnRule, Outcome, broken, held
from factory.audit.columns.tally import RuleTally
from factory.audit.columns.understood import Understood
from factory.audit.findings import Findings
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, TurnRow
from factory.records.conversation import Cut
from factory.simulate.cut import OVERLAP_S, overlap_can_be_had


class PublishedRules:
    """Holds call after call against the rules, and the lists of items against the interruptions.

    Attributes:
        findings: Gets where a list of items does not fit.
        tally: What the rules come to.
        understood: How much the columns tell.
    """

    def __init__(self, dataset: Path, findings: Findings) -> None:
        """Begins before the first call.

        Raises:
            RunError: if the list of interruptions is damaged.
        """
        self.findings = findings
        self.tally = RuleTally(rubrics=True)
        self.understood = Understood()
        self._items = ListedItems.of(dataset, findings)

    def add(self, conversation: ConversationRow, rows: tuple[TurnRow, ...]) -> None:
        """Holds the next call."""
        call = call_of(self.tally.calls + 1, conversation)
        self.tally.add(call, overlap_outcomes(rows))
        self.understood.add(call)
        if self._items is not None:
            self._items.hold(conversation)

    def close(self) -> None:
        """Looks whether a list of items goes on behind the last call."""
        if self._items is not None:
            self._items.close()

    @property
    def items(self) -> int | None:
        """Interruptions that were held against both lists; None where one of these is not there."""
        return None if self._items is None else self._items.compared


def found_words(rules: RulesResult, findings: Findings) -> str:
    """What is found for certain, in words; empty where nothing is."""
    found = (findings.in_words(),) if findings.total else ()
    return "; ".join((*found, *((rules_words(rules, certain=True),) if rules.broken else ())))


def overlap_outcomes(rows: tuple[TurnRow, ...]) -> Iterator[Outcome]:
    """Whether each interruption's onset and cut word leave room for the overlap that its type asks for."""
    for agent, caller in zip(rows[::2], rows[1::2], strict=False):
        if not isinstance(agent, AgentRow) or not isinstance(caller, CallerRow) or caller.interruption_type is None:
            continue
        onset, cut, kind = agent.onset_word, agent.cut_word, caller.interruption_type
        words = agent.as_meant.split(" ")
        if onset is None or cut is None or not onset < cut < len(words):
            continue  # a finding of its own
        outcome = held(ColumnRule.OVERLAP_NOT_POSSIBLE)
        if not overlap_can_be_had(words, Cut(onset_word=onset, cut_word=cut), kind):
            low, high = OVERLAP_S[kind]
            outcome = broken(
                ColumnRule.OVERLAP_NOT_POSSIBLE, f"no overlap of {low} to {high} s is possible at every pace"
            )
        yield replace(outcome, turn=agent.round + 1, type=kind)
