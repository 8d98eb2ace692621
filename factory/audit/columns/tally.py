"""Holds call after call against the rules, counts every check by the type of its interruption, and keeps examples."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from factory.audit.columns.call import Call
from factory.audit.columns.cuts import cut_outcomes
from factory.audit.columns.following import following_outcomes
from factory.audit.columns.result import BrokenRule, RuleCount, RulesResult
from factory.audit.columns.rules import Certainty, ColumnRule, Outcome, broken, held
from factory.audit.columns.structure import interruption_outcomes, rubric_outcomes, turn_outcomes
from factory.audit.columns.verification import verification_outcomes
from factory.audit.findings import shown
from factory.records.enums import InterruptionType

MOST_EXAMPLES = 10
"""Breaks of one rule that are kept with their place; all are counted."""
_TYPES = (*InterruptionType, None)


class RuleTally:
    """The rules over a whole corpus.

    Attributes:
        calls: Calls that were held against them.
        turns: Agent turns in these.
    """

    def __init__(self, rubrics: bool) -> None:
        """Begins with no call.

        Args:
            rubrics: Whether there are columns for rubrics, so that a missing one can be told.
        """
        self._rubrics = rubrics
        self._seen: set[bytes] = set()
        self._interruptions: Counter[InterruptionType | None] = Counter()
        self._counts: dict[tuple[ColumnRule, InterruptionType | None], Counter[Certainty | None]] = {}
        self._kept: Counter[ColumnRule] = Counter()
        self._examples: list[BrokenRule] = []
        self.calls = 0
        self.turns = 0

    def add(self, call: Call, more: Iterable[Outcome] = ()) -> None:
        """Holds one call against every rule that its columns decide, and takes in what was checked elsewhere."""
        self.calls += 1
        self.turns += len(call.turns)
        self._interruptions.update(turn.type for turn in call.turns if turn.interrupted)
        for outcome in chain(self._outcomes(call), more):
            self._add(call, outcome)

    def checked(self, *rules: ColumnRule) -> int:
        """How often some rules were checked."""
        return sum(sum(counts.values()) for (rule, _), counts in self._counts.items() if rule in rules)

    def result(self) -> RulesResult:
        """What came of it."""
        if self.calls and not self._interruptions.total():
            self._counts[ColumnRule.NO_INTERRUPTIONS, None] = Counter({Certainty.CERTAIN: 1})
        return RulesResult(
            interruptions=self._interruptions.total(),
            by_type={kind: self._interruptions[kind] for kind in InterruptionType if self._interruptions[kind]},
            counts=tuple(
                RuleCount(
                    rule=rule,
                    type=kind,
                    checked=counts.total(),
                    broken=counts[Certainty.CERTAIN],
                    looks_broken=counts[Certainty.LOOKS_SO],
                )
                for rule in ColumnRule
                for kind in _TYPES
                if (counts := self._counts.get((rule, kind))) is not None
            ),
            examples=tuple(sorted(self._examples, key=lambda example: _RULES.index(example.rule))),
        )

    def _outcomes(self, call: Call) -> Iterator[Outcome]:
        yield from self._id(call)
        yield from turn_outcomes(call)
        yield from interruption_outcomes(call)
        yield from cut_outcomes(call)
        yield from following_outcomes(call)
        if self._rubrics:
            yield from rubric_outcomes(call)
        yield from verification_outcomes(call)

    def _id(self, call: Call) -> Iterator[Outcome]:
        if call.conversation_id is None:
            yield broken(ColumnRule.ID_MISSING, "the row has no conversation_id")
            return
        yield held(ColumnRule.ID_MISSING)
        digest = hashlib.blake2b(call.conversation_id.encode(errors="replace"), digest_size=16).digest()
        if digest in self._seen:
            yield broken(ColumnRule.ID_TWICE, "another row before it has the same conversation_id")
        else:
            yield held(ColumnRule.ID_TWICE)
        self._seen.add(digest)

    def _add(self, call: Call, outcome: Outcome) -> None:
        self._counts.setdefault((outcome.rule, outcome.type), Counter())[outcome.certainty] += 1
        if outcome.certainty is None or self._kept[outcome.rule] >= MOST_EXAMPLES:
            return
        self._kept[outcome.rule] += 1
        self._examples.append(
            BrokenRule(
                rule=outcome.rule,
                certainty=outcome.certainty,
                conversation_id=shown(call.name),
                row=call.row,
                turn=outcome.turn,
                type=outcome.type,
                message=outcome.message,
            )
        )


_RULES = tuple(ColumnRule)
