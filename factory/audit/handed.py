"""What the caller's side was handed, read: lines, facts, plan and intent that hold what is withheld from it.

The flow graph knows these by their digests, and by where they say to come from. Who makes all digests fit can hand on
undelivered words as a released line. So the texts are read as well: for undelivered words that nobody had heard, for
what other callers are told, and for stages and guidelines. They are compared as words, so that case, points and blanks
do not matter; in other words, in another writing or piece by piece nothing is found.
"""

from collections.abc import Iterator, Sequence

from factory.audit.expected import ExpectedRound
from factory.audit.findings import AddIn, Kind
from factory.audit.graph.outside import Outside
from factory.audit.runs_of_words import line_of, runs_of, words_of
from factory.dataset.rows import CallerRow, ConversationRow, UserIntent
from factory.records.workflow import STAGE_WORDS

_INTENT, _PLAN = "intent", "plan"

_Text = tuple[str, str]
"""What somebody was handed, and its words as one line."""


class HandedAudit:
    """Reads what one conversation's caller side was handed."""

    def __init__(
        self, conversation: ConversationRow, rounds: Sequence[ExpectedRound], outside: Outside, add: AddIn
    ) -> None:
        """Takes the published call, what is known of the rest of the run, and what gets findings."""
        self._conversation = conversation
        self._rounds = rounds
        self._outside = outside
        self._add = add
        self._intent = tuple(_of_intent(conversation.user_intent))
        self._told: set[tuple[str, str]] = set()

    def run(self) -> None:
        """Makes every check; what is in the intent is told once, and not in every round."""
        others = self._outside.intents.others(self._conversation)
        if others.differ:
            self._add(Kind.WITHHELD_HANDED, "callers of this goal with the same intent are told different things", None)
        known = self._conversation.knowledge_base
        stages = (text for stage in known.stages for text in (stage.description, stage.failure_handling or ""))
        agents = [line_of(text) for text in (*stages, *known.guidelines) if len(words_of(text)) >= STAGE_WORDS]
        self._hold_undelivered()
        handed: list[tuple[int | None, Sequence[_Text]]] = [(None, self._intent)]
        handed += [(now.agent.round, tuple(_handed(now.caller))) for now in self._rounds if now.caller is not None]
        for number, texts in handed:
            self._hold(texts, others.lines, "what another caller keeps to themselves", number)
            self._hold([text for text in texts if text[0] != _PLAN], agents, "the agent's stages or guidelines", number)

    def _hold(self, texts: Sequence[_Text], withheld: Sequence[str], whose: str, number: int | None) -> None:
        for what in dict.fromkeys(what for what, line in texts if any(other in line for other in withheld)):
            if (what, whose) not in self._told:
                self._add(Kind.WITHHELD_HANDED, f"the caller's {what} holds {whose}", number)
            if what == _INTENT:
                self._told.add((what, whose))

    def _hold_undelivered(self) -> None:
        """Undelivered words in what was given, from their round on until they were heard.

        What the caller's side had been given before, or had said itself, is its own.
        """
        known, pending = "", dict[str, None]()
        for now in self._rounds:
            heard = f"{known}{line_of(now.agent.heard)}"
            pending |= dict.fromkeys(runs_of(now.agent.as_meant[len(now.agent.heard) :]))
            pending = {run: None for run in pending if run not in heard}
            if now.caller is None:
                continue
            given = tuple(_handed(now.caller))
            self._hold((*given, *self._intent), tuple(pending), "words that were not heard", now.agent.round)
            own = "".join(line for what, line in given if not any(run in line for run in pending))
            known = f"{known}{line_of(now.agent.text)}{line_of(now.caller.text)}{own}"


def _of_intent(intent: UserIntent) -> Iterator[_Text]:
    for text in (intent.description, intent.reaction_profile, *intent.hidden_information):
        yield _INTENT, line_of(text)


def _handed(caller: CallerRow) -> Iterator[_Text]:
    """What the caller's side was given in a round beside what was heard; facts as one text, as they may go on."""
    for line in caller.released:
        for text in line.texts:
            yield "released line", line_of(text)
    yield "facts", line_of(" ".join(text for fact in caller.facts for text in (fact.key, fact.value)))
    yield _PLAN, line_of(f"{caller.reaction_plan.gist} {caller.reaction_plan.answer or ''}")
