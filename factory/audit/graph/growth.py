"""How a flow graph grows: call by call, in the order of the ledger."""

from collections.abc import Sequence

from factory.audit.course.course import Course
from factory.audit.expected import CONTINUES, ExpectedRound
from factory.audit.graph.by_code import Making, Played
from factory.audit.graph.itemid import id_of, parse
from factory.audit.graph.nodes import CallNode, ItemNode, Part, RuleNode, Way
from factory.audit.graph.outside import Outside
from factory.audit.graph.sheet import Origin, Sheet, item_node
from factory.audit.policy import WITHHELD, Channel, Source
from factory.records.base import canonical_json, sha256
from factory.records.ledger import USER_SIDE, Label, LedgerLine, Read, Role

_OF_A_ROUND = frozenset({Role.PLANNER, Role.ASSISTANT, Role.CUTTER, *USER_SIDE})
_HISTORIES = (("meant", Label.HISTORY_AS_MEANT), ("delivered", Label.HISTORY_DELIVERED))


class Growth:
    """Adds one call after the other, each with what it read and what it wrote.

    Attributes:
        graph: What has grown so far.
    """

    def __init__(self, course: Course, rounds: Sequence[ExpectedRound], outside: Outside) -> None:
        """Begins with what was there before the first call: the orders of all rounds."""
        self._lines = course.lines
        self._outside = outside
        self._rounds = {expected.agent.round: expected for expected in rounds}
        self._published = {name: read.content for expected in rounds for name, read in expected.items.items()}
        self._standing = {id(line) for attempt in course.standing for line in attempt.calls.values()}
        self._standing |= {id(line) for line in course.rubrics}
        self._sheet = Sheet()
        self._making = Making(self._sheet)
        self._since: list[list[str]] = []
        self._odd: dict[tuple[str, str, bool], str] = {}
        self._rerun: str | None = None
        self.graph = self._sheet.graph
        if outside.answers:
            self._sheet.source(Source.ANSWERS)
        blueprint = self._sheet.source(Source.BLUEPRINT)
        for read in (read for line in self._lines for read in line.reads if read.item.endswith("/entry")):
            self._sheet.withhold(read.content, blueprint)

    def add(self, place: int, line: LedgerLine) -> None:
        """Adds the next call."""
        stands = line.role not in _OF_A_ROUND or id(line) in self._standing
        if line.role is Role.PLANNER:
            self._begin(line, stands)
        origins: list[Origin] = [(self._read(line, read, stands), Way.READ) for read in line.reads]
        if line.role in USER_SIDE:
            origins.append((self._rerun, Way.RUN_AGAIN))
        node = CallNode(line.role, place, line.round, line.attempt, line.branch, stands)
        call = self._sheet.put(f"call:{place}", node, origins)
        made: list[Origin] = [(call, Way.WROTE)]
        if line.role is Role.ASSISTANT:
            made += self._divided(place, line, call)
        self._wrote(place, line, made, stands)

    def _begin(self, line: LedgerLine, stands: bool) -> None:
        """Begins an attempt at a round; what stood from there on stands no more."""
        for name in (name for names in self._since[line.round :] for name in names):
            means = self._sheet.at(name).means
            settled = means is not None and (means.name, means.round) == ("edit", line.round)
            if not settled and (means is None or means.round is not None):
                self._sheet.withdrawn.add(name)
        del self._since[line.round :], self._making.played[line.round :]
        self._since.append([])
        self._making.played.append(Played(line.round, line.attempt, stands))
        for name, label in _HISTORIES:
            self._item(Read(label=label, item=id_of(line.round, line.attempt, name), content=""), stands)

    def _read(self, line: LedgerLine, read: Read, stands: bool) -> str:
        """The item that a call read: what its id stands for, or another that says to be that."""
        name, is_new = self._found(line, read, stands)
        of_caller = line.role in USER_SIDE
        published = self._published.get(read.item) if id(line) in self._standing else None
        fits = read.content == (self._sheet.at(name).content if published is None else published)
        is_proved = fits and (published is not None or not (of_caller or is_new))
        origin = None if is_proved else self._alike(line.role, read)
        is_taken_back = of_caller and name in self._sheet.withdrawn
        # What is published otherwise than it was read is found elsewhere; here it is still that item.
        if origin is None and not is_taken_back and (fits or published is not None):
            return name
        return self._otherwise(read, name, origin, stands)

    def _found(self, line: LedgerLine, read: Read, stands: bool) -> tuple[str, bool]:
        """What an id stands for, and whether nobody had read or written it before."""
        name = self._sheet.now.get(read.item)
        if name is not None and name in self._sheet.withdrawn:
            means = self._sheet.at(name).means
            name = None if means is not None and self._making.at(means) is not None else name
        if name is None:
            return self._item(read, stands), True
        if not self._sheet.at(name).content:
            self._sheet.saw(name, read.label, read.content)
            return name, True
        return name, False

    def _item(self, read: Read, stands: bool) -> str:
        """An item that no call wrote, from what code made it."""
        means = parse(read.item)
        origins = None if means is None else self._making.origins(means)
        node = item_node(read.item, read.label, read.content, stands, origins is not None)
        return self._add(node, origins or ())

    def _add(self, node: ItemNode, origins: Sequence[Origin]) -> str:
        name = self._sheet.item(node, origins)
        if self._since:
            self._since[-1].append(name)
        played = None if node.means is None else self._making.at(node.means)
        if played is not None and node.means is not None:
            played.names[node.means.name] = name
        return name

    def _alike(self, role: Role, read: Read) -> str | None:
        """What a call must not get, and got under another id."""
        if role in WITHHELD[Source.ANSWERS]:
            return self._sheet.source(Source.ANSWERS) if read.content in self._outside.answers else None
        if role not in USER_SIDE:
            return None
        name = self._sheet.alike(read.content)
        if name is not None:
            return None if name == self._sheet.now.get(read.item) else name
        if read.content in self._outside.intents.digests and read.content != self._outside.own:
            return self._sheet.source(Source.OTHER_CALLERS)
        return None

    def _otherwise(self, read: Read, name: str, origin: str | None, stands: bool) -> str:
        """An item that has another content than its id says, or stands for nothing any more."""
        key = (name, read.content, origin is None)
        if key not in self._odd:
            node = item_node(read.item, read.label, read.content, stands, known=False)
            origins = [(name, Way.SAME), (origin, Way.SAME)]
            self._odd[key] = self._sheet.item(node, origins, current=False)
        return self._odd[key]

    def _divided(self, place: int, line: LedgerLine, call: str) -> Sequence[Origin]:
        """The parts of an utterance that is going to be cut, as its calls or the published rows show."""
        played = self._making.played[-1]
        played.continues = any(id_of(line.round, line.attempt, CONTINUES) == read.item for read in line.reads)
        following = self._lines[place + 1] if place + 1 < len(self._lines) else None
        expected = self._rounds.get(line.round) if played.stands else None
        published = expected is not None and expected.agent.cut_word is not None
        if published or (following is not None and following.role is Role.CUTTER):
            self._making.divide(played, call)
        if published and expected is not None:
            rest = expected.agent.undelivered
            for text in (rest, rest.strip()):
                self._sheet.withhold(sha256(canonical_json(text)), played.parts[Part.UNDELIVERED])
        return [(part, Way.PART) for part in played.parts.values()]

    def _wrote(self, place: int, line: LedgerLine, origins: Sequence[Origin], stands: bool) -> None:
        wrote = line.wrote
        name = self._add(item_node(wrote.item, wrote.label, wrote.content, stands, known=True), origins)
        if wrote.label is Label.RERUN:
            node = RuleNode(Channel.RERUN, line.round, line.attempt, stands)
            self._rerun = self._sheet.put(f"{Channel.RERUN.value}:{place}", node, [(name, Way.RULE)])
