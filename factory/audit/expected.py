"""What the ledger must hold of a round, recomputed from the published rows.

Nothing here asks how the program works: each item's content is a column, or a history made from columns, and its
digest is taken as the ledger takes it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factory.audit.course.engines import CONTINUATION, EDITED, INTERRUPTED, INTERRUPTING, NORMAL
from factory.audit.graph.itemid import id_of
from factory.dataset.rebuild import rebuild_caller_views
from factory.dataset.rows import AgentRow, CallerRow, ConversationRow, TurnRow, mapping
from factory.records.enums import InterruptionType
from factory.records.ledger import Label, Read, Role
from factory.simulate.canary import plant
from factory.simulate.ledger import data_item
from factory.simulate.views import ReactionView, UserView

READS: dict[Role, tuple[str, ...]] = {
    Role.PLANNER: ("workflow", "meant", "entry", "slots", "planner_seed"),
    Role.ASSISTANT: ("workflow", "delivered", "plan", "after", "values", "answered", "assistant_seed"),
    Role.CUTTER: ("utterance", "entry", "type", "cutter_seed"),
    Role.REACTION_PLANNER: ("heard", "intent", "type", "lines", "facts", "reaction_seed"),
    Role.USER: ("heard", "reaction", "type", "facts", "user_seed"),
}
"""The items that each role's view consists of, besides the round and the attempt that the line itself names.

A call that says it read fewer or others is not believed.
"""

CONTINUES = "rest"
"""What the assistant reads besides where it says the rest of a turn that a filler cut."""

EDIT = "edit"
"""What the assistant reads besides where its words were settled before."""

WRITER_READS = ("workflow", "entry", "type", "cut_utterance")
"""What both writers of an item read of the round of the interruption."""

FOLLOWING_READS = ("delivered", "values", "answered", "entry")
"""What they read of the round behind it: all that the caller has said by then, and what is to come next."""

WRITES: dict[Role, str] = {
    Role.PLANNER: "plan",
    Role.ASSISTANT: "utterance",
    Role.CUTTER: "cut",
    Role.REACTION_PLANNER: "reaction",
    Role.USER: "caller",
}
"""The item that each role makes."""

LABELS: dict[str, Label] = {
    "workflow": Label.WORKFLOW_AGENT_SIDE,
    "meant": Label.HISTORY_AS_MEANT,
    "delivered": Label.HISTORY_DELIVERED,
    "heard": Label.HISTORY_HEARD,
    "entry": Label.BLUEPRINT_ROUND,
    "plan": Label.AGENT_PLAN,
    "utterance": Label.UTTERANCE_AS_MEANT,
    CONTINUES: Label.UTTERANCE_AS_MEANT,
    EDIT: Label.EDIT,
    "cut": Label.CUT,
    "intent": Label.INTENT,
    "lines": Label.RELEASED_LINES,
    "facts": Label.RELEASED_FACTS,
    "reaction": Label.REACTION_PLAN,
    "caller": Label.CALLER_WORDS,
    **dict.fromkeys(("after", "type"), Label.INTERRUPTION_TYPE),
    **dict.fromkeys(("slots", "values", "answered"), Label.CALLER_VALUES),
    **{f"{role}_seed": Label.SEED for role in ("planner", "assistant", "cutter", "reaction", "user")},
}
"""What kind of data each item of a round is."""

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
        after: How the caller cut into the turn before.
    """

    agent: AgentRow
    caller: CallerRow | None
    views: tuple[ReactionView, UserView] | None
    digests: tuple[str, ...]
    items: dict[str, Read]
    after: InterruptionType | None = None

    @property
    def type(self) -> InterruptionType | None:
        """How the caller cuts in."""
        return None if self.caller is None else self.caller.interruption_type

    @property
    def roles(self) -> tuple[Role, ...]:
        """Whose calls the round consists of; where somebody cuts in there is a cut, whatever is published of it."""
        cut = (Role.CUTTER,) if self.agent.cut_word is not None or self.type is not None else ()
        caller = CALLER_ROLES if self.caller is not None else ()
        return (Role.PLANNER, Role.ASSISTANT, *cut, *caller)

    def reads(self, role: Role, branch: str) -> frozenset[str]:
        """The ids of the items that a role's view consists of in this round, on the branch that it took."""
        rest = (CONTINUES,) if role is Role.ASSISTANT and self.item_id(CONTINUES) in self.items else ()
        edit = (EDIT,) if role is Role.ASSISTANT and branch == EDITED else ()
        return frozenset(self.item_id(name) for name in (*READS[role], *rest, *edit))

    def branches(self, role: Role) -> frozenset[str]:
        """The ways that a role can have taken in this round."""
        kind = None if self.type is None else self.type.value
        if role is Role.PLANNER:
            return frozenset({INTERRUPTED if kind else NORMAL})
        if role is Role.USER:
            return frozenset({INTERRUPTING if kind else NORMAL})
        if role is not Role.ASSISTANT:
            return frozenset({kind or NORMAL})
        if self.item_id(CONTINUES) in self.items:
            return frozenset({CONTINUATION})
        return frozenset({EDITED, NORMAL if self.after is None else f"after_{self.after.value}"})

    def item_id(self, name: str) -> str:
        """The id of an item of this round."""
        return name if name in WHOLE_CALL else id_of(self.agent.round, self.agent.attempt, name)


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
    slots: dict[str, str] = {}
    revised: dict[str, str] = {}
    after: InterruptionType | None = None
    rest = ""
    for agent, caller in _rounds(rows):
        words = _as_meant(agent, canary)
        heard = views.get(agent.round)
        expected = ExpectedRound(agent, caller, heard, tuple(view.digest() for view in heard or ()), {}, after)
        items = [
            data_item(Label.HISTORY_AS_MEANT, "meant", meant),
            data_item(Label.HISTORY_DELIVERED, "delivered", delivered),
            data_item(Label.INTERRUPTION_TYPE, "after", after),
            data_item(Label.CALLER_VALUES, "values", {"slots": slots, "revised": revised}),
            data_item(Label.CALLER_VALUES, "slots", slots),
            data_item(Label.EDIT, EDIT, [segment.model_dump(mode="json") for segment in agent.segments]),
            *((data_item(Label.UTTERANCE_AS_MEANT, CONTINUES, rest),) if after is InterruptionType.FILLER else ()),
            data_item(Label.UTTERANCE_AS_MEANT, "utterance", words),
            data_item(Label.UTTERANCE_AS_MEANT, "cut_utterance", agent.as_meant),
            *_cut_items(agent),
            *(_caller_items(caller, heard) if caller is not None and heard is not None else ()),
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
            after, rest = caller.interruption_type, words[len(agent.text) :].strip()
            given = mapping(caller.gives)
            revised |= {slot: slots[slot] for slot, value in given.items() if slots.get(slot, value) != value}
            slots |= given


def interrupted_rounds(rounds: Sequence[ExpectedRound]) -> Iterator[tuple[ExpectedRound, ExpectedRound | None]]:
    """Each interrupted round with the one behind it, which is None if it was left out."""
    for expected, following in zip(rounds, (*rounds[1:], None), strict=True):
        if expected.caller is not None and expected.caller.interruption_type is not None:
            yield expected, following


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
