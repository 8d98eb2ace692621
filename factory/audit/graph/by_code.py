"""What code makes between the calls of a round: parts of an utterance, histories, values, and what is released.

The rules that lower something are used here. A *cut* takes the two last parts of an utterance away from the words that
a caller has heard. What was *spoken* is known whatever it was written from, and so is what a turn behind a *filler*
said of the rest; only the parts of the very utterance that were not heard are not known by that. What code *releases*
it takes from the order of the round and from the workflow, and of the *order* the type alone goes through.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from factory.audit.graph.itemid import ItemId, id_of
from factory.audit.graph.nodes import Part, PartNode, RuleNode, Way
from factory.audit.graph.sheet import Origin, Sheet
from factory.audit.policy import Channel, Source


@dataclass
class Played:
    """An attempt at a round, as far as its calls have come.

    Attributes:
        names: The nodes of its items, by the names that these have in a round.
        parts: What was not heard of its utterance; none where nobody cut in.
        continues: Whether the agent says the rest of a turn that a filler cut.
        listened: The words up to the onset, where somebody cut in.
        heard: The rule behind which its words are heard when the caller speaks, once it was used.
        said: The rule behind which its words belong to the history, once it was used.
        released: The rule behind which lines and facts are released, once it was used.
    """

    round: int
    attempt: int
    stands: bool
    names: dict[str, str] = field(default_factory=dict)
    parts: dict[Part, str] = field(default_factory=dict)
    continues: bool = False
    listened: str | None = None
    heard: str | None = None
    said: str | None = None
    released: str | None = None


class Making:
    """Knows what code makes each item from, in the conversation as it stands at the moment.

    Attributes:
        played: The attempts that stand by now, one for each round from 0.
    """

    def __init__(self, sheet: Sheet) -> None:
        """Takes the graph under way."""
        self._sheet = sheet
        self.played: list[Played] = []

    def at(self, means: ItemId) -> Played | None:
        """The attempt to which an item belongs, if it stands by now."""
        if means.round is None or means.round >= len(self.played):
            return None
        played = self.played[means.round]
        return played if played.attempt == means.attempt else None

    def origins(self, means: ItemId) -> Sequence[Origin] | None:
        """What code makes an item from; None if code does not make it, or cannot have made it by now."""
        if means.name == "workflow":
            return self._from(*map(self._sheet.source, (Source.STAGES, Source.OTHER_CALLERS)))
        if means.name == "intent":
            return self._from(self._sheet.source(Source.INTENT))
        if means.name == "entry":  # also those of rounds that are still to come
            return self._from(self._sheet.source(Source.BLUEPRINT))
        now = self.at(means)
        return None if now is None else self._of_round(means.name, now)

    def divide(self, played: Played, call: str) -> None:
        """Divides an utterance that gets cut: two parts will not be heard."""
        for part, source in ((Part.SPOKEN_OVER, Source.SPOKEN_OVER), (Part.UNDELIVERED, Source.UNDELIVERED)):
            node = PartNode(part, source, played.round, played.attempt, played.stands)
            name = f"{id_of(played.round, played.attempt, 'utterance')}:{part.value}"
            played.parts[part] = self._sheet.put(name, node, [(call, Way.PART)])

    def _from(self, *names: str | None) -> Sequence[Origin]:
        return [(name, Way.MADE) for name in names]

    def _of_round(self, name: str, now: Played) -> Sequence[Origin] | None:
        before = self.played[now.round - 1] if now.round else None
        own, old = now.names.get, ({} if before is None else before.names).get
        if name.endswith("_seed"):
            return self._from(self._sheet.source(Source.SEEDS))
        if name == "meant":
            return self._from(old("meant"), old("utterance"), old("caller"))
        if name == "delivered":
            return [
                *self._from(old("delivered"), old("caller")),
                *self._by_rule(None if before is None else self._said(before)),
            ]
        if name == "heard":
            return [*self._from(own("delivered")), *self._by_rule(self._heard(now))]
        if name in ("slots", "values"):
            return self._from(old(name), old("caller"))
        if name == "answered":
            return self._from(old("entry"))
        if name == "after":
            return self._from(old("type"))
        if name == "type":
            return self._by_rule(self._ordered(now))
        if name in ("lines", "facts"):
            return self._by_rule(self._released(now))
        if name in ("cut_utterance", "edited_utterance"):
            return self._from(own("utterance"))
        return self._settled(name, now, before)

    def _settled(self, name: str, now: Played, before: Played | None) -> Sequence[Origin] | None:
        """Agent's words that are not chosen anew: the rest of a cut turn, and what was kept of the attempt before."""
        source = None
        if name == "rest" and before is not None:
            source = before.parts.get(Part.UNDELIVERED)
        elif name == "edit":
            source = self._sheet.now.get(id_of(now.round, now.attempt - 1, "utterance"))
        return None if source is None else self._from(source)

    def _by_rule(self, rule: str | None) -> Sequence[Origin]:
        return [(rule, Way.RULE)]

    def _heard(self, played: Played) -> str:
        """What is heard of an agent's turn when the caller speaks."""
        if played.heard is None:
            words = played.names.get("utterance")
            if played.parts:
                kept = frozenset(played.parts.values())
                origins = [(words, Way.RULE), (played.names.get("cut"), Way.RULE)]
                cut = self._rule(Channel.CUT, played, origins, lowers=kept)
                part = PartNode(Part.HEARD, None, played.round, played.attempt, played.stands)
                name = f"{id_of(played.round, played.attempt, 'utterance')}:{Part.HEARD.value}"
                words = played.listened = self._sheet.put(name, part, [(cut, Way.RULE)])
            played.heard = self._aloud(played, [(words, Way.RULE)], frozenset(played.parts.values()))
        return played.heard

    def _said(self, played: Played) -> str:
        """What of an agent's turn belongs to the history in later rounds."""
        if played.said is None:
            played.said = self._heard(played)
            if played.parts:  # the words that were spoken over count as heard from now on
                words = (played.listened, played.parts[Part.SPOKEN_OVER])
                origins = [(name, Way.RULE) for name in words]
                played.said = self._aloud(played, origins, frozenset({played.parts[Part.UNDELIVERED]}))
        return played.said

    def _aloud(self, played: Played, origins: Sequence[Origin], leaves: frozenset[str]) -> str:
        channel = Channel.FILLER if played.continues else Channel.SPOKEN
        return self._rule(channel, played, origins, leaves=leaves)

    def _ordered(self, played: Played) -> str:
        """The type of the interruption, out of the order of the round."""
        return self._rule(Channel.ORDER, played, [(self._entry(played), Way.RULE)])

    def _released(self, played: Played) -> str:
        """Lines and facts, out of the order, the workflow and what the caller knows, where their ground was heard."""
        if played.released is None:
            taken = (
                self._entry(played),
                self._sheet.now.get("workflow"),
                self._sheet.source(Source.INTENT),
                played.names.get("heard"),
            )
            played.released = self._rule(Channel.RELEASE, played, [(name, Way.RULE) for name in taken])
        return played.released

    def _entry(self, played: Played) -> str:
        return played.names.get("entry") or self._sheet.source(Source.BLUEPRINT)

    def _rule(self, channel: Channel, played: Played, origins: Sequence[Origin], **how: frozenset[str]) -> str:
        node = RuleNode(channel, played.round, played.attempt, played.stands, **how)
        return self._sheet.put(f"{channel.value}:r{played.round}.{played.attempt}", node, origins)
