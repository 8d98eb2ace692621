"""What the ledger must hold of a round, recomputed from the published rows.

Nothing here asks how the program works: each item's content is a column, or a history made from columns, and its
digest is taken as the ledger takes it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factory.dataset.rebuild import rebuild_caller_views
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, TurnRow, mapping
from factory.records.enums import InterruptionType
from factory.records.ledger import Label, Read, Role
from factory.simulate.canary import plant
from factory.simulate.ledger import data_item
from factory.simulate.views import ReactionView, UserView

READS: dict[Role, tuple[str, ...]] = {
    Role.PLANNER: ("workflow", "meant", "entry"),
    Role.ASSISTANT: ("workflow", "delivered", "plan", "after", "assistant_seed"),
    Role.CUTTER: ("utterance", "type", "cutter_seed"),
    Role.REACTION_PLANNER: ("heard", "intent", "type", "lines", "facts", "reaction_seed"),
    Role.USER: ("heard", "reaction", "type", "facts", "user_seed"),
}
"""The items that each role's view consists of; a call that says it read fewer or others is not believed."""

WRITES: dict[Role, str] = {
    Role.PLANNER: "plan",
    Role.ASSISTANT: "utterance",
    Role.CUTTER: "cut",
    Role.REACTION_PLANNER: "reaction",
    Role.USER: "caller",
}
"""The item that each role makes."""

CALLER_ROLES = (Role.REACTION_PLANNER, Role.USER)
"""The caller's side, in the order of its calls."""

WHOLE_CALL = frozenset({"workflow", "intent"})
"""Items that are the same in every round, so that their ids name none."""


@dataclass(frozen=True)
class ExpectedRound:
    """One round as the ledger must have it.

    Attributes:
        agent: The agent's row.
        caller: The caller's row, if they spoke.
        views: The rebuilt inputs of the caller's side, in the order of `CALLER_ROLES`, if they spoke.
        digests: Their digests.
        items: By id, all items whose content is published.
    """

    agent: AgentRow
    caller: CallerRow | None
    views: tuple[ReactionView, UserView] | None
    digests: tuple[str, ...]
    items: dict[str, Read]

    @property
    def roles(self) -> tuple[Role, ...]:
        """Whose calls the round consists of."""
        cut = (Role.CUTTER,) if self.agent.cut_word is not None else ()
        caller = CALLER_ROLES if self.caller is not None else ()
        return (Role.PLANNER, Role.ASSISTANT, *cut, *caller)

    def item_id(self, name: str) -> str:
        """The id of an item of this round."""
        return name if name in WHOLE_CALL else f"r{self.agent.round}.{self.agent.attempt}/{name}"


def expected_rounds(
    conversation: ConversationRow, rows: Sequence[TurnRow], canary: str | None
) -> Iterator[ExpectedRound]:
    """The rounds of one call.

    Args:
        conversation: Its row.
        rows: Its messages, in order.
        canary: The word that stood in every cut utterance during the build; None in an ordinary build.

    Raises:
        RunError: if the rows are not one call's messages, agent and caller in turn.
    """
    views = {number: (reaction, user) for number, reaction, user in rebuild_caller_views(rows, conversation)}
    meant: list[str] = []
    delivered: list[str] = []
    after: InterruptionType | None = None
    for agent, caller in _rounds(rows):
        words = _as_meant(agent, canary)
        given = views.get(agent.round)
        expected = ExpectedRound(agent, caller, given, tuple(view.digest() for view in given or ()), {})
        items = [
            data_item(Label.HISTORY_AS_MEANT, "meant", meant),
            data_item(Label.HISTORY_DELIVERED, "delivered", delivered),
            data_item(Label.INTERRUPTION_TYPE, "after", after),
            data_item(Label.UTTERANCE_AS_MEANT, "utterance", words),
            *_cut_items(agent),
            *(_caller_items(caller, given) if caller is not None and given is not None else ()),
        ]
        for item in items:
            name = expected.item_id(item.item)
            expected.items[name] = item.model_copy(update={"item": name})
        yield expected
        meant.append(words)
        delivered.append(agent.text)
        if caller is not None:
            meant.append(caller.text)
            delivered.append(caller.text)
            after = caller.interruption_type


def expected_rubric_reads(rounds: Sequence[ExpectedRound]) -> Iterator[tuple[ExpectedRound, tuple[Read, ...]]]:
    """Each interrupted round with what the writer of its rubric must have read of the published text.

    A rubric is written once the canaries are out, so it is the published utterances as meant that count.
    """
    meant: list[str] = []
    for expected in rounds:
        meant.append(expected.agent.as_meant)
        kind = expected.caller.interruption_type if expected.caller is not None else None
        if kind is not None:
            number = expected.agent.round
            yield (
                expected,
                (
                    data_item(Label.HISTORY_AS_MEANT, f"r{number}/meant", meant),
                    data_item(Label.INTERRUPTION_TYPE, f"r{number}/type", kind),
                ),
            )


def _rounds(rows: Sequence[TurnRow]) -> Iterator[tuple[AgentRow, CallerRow | None]]:
    """Each agent's row with the caller's behind it; `rebuild_caller_views` has seen to their order."""
    for index in range(0, len(rows), 2):
        agent, caller = rows[index], rows[index + 1] if index + 1 < len(rows) else None
        assert isinstance(agent, AgentRow) and not isinstance(caller, AgentRow)
        yield agent, caller


def _as_meant(agent: AgentRow, canary: str | None) -> str:
    """The utterance as the build had it."""
    if canary is None or agent.cut_word is None or not (agent.segments and agent.segments[-1].text):
        return agent.as_meant
    return " ".join(segment.text for segment in plant(agent.segments, canary))


def _cut_items(agent: AgentRow) -> Iterator[Read]:
    if agent.cut_word is not None:
        yield data_item(Label.CUT, "cut", {"onset_word": agent.onset_word, "cut_word": agent.cut_word})


def _caller_items(caller: CallerRow, views: tuple[ReactionView, UserView]) -> Iterator[Read]:
    reaction, user = views
    yield data_item(Label.INTERRUPTION_TYPE, "type", reaction.type)
    yield data_item(Label.HISTORY_HEARD, "heard", [message.text for message in reaction.heard])
    yield data_item(Label.INTENT, "intent", reaction.intent.model_dump(mode="json"))
    yield data_item(Label.RELEASED_LINES, "lines", [line.model_dump(mode="json") for line in reaction.lines])
    yield data_item(Label.RELEASED_FACTS, "facts", mapping(caller.facts))
    yield data_item(Label.SEED, "reaction_seed", reaction.seed)
    yield data_item(Label.REACTION_PLAN, "reaction", user.plan.model_dump(mode="json"))
    yield data_item(Label.SEED, "user_seed", user.seed)
    yield data_item(Label.CALLER_WORDS, "caller", caller.text)
