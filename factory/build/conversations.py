"""Builds one conversation to its end: rounds, checks, rewinds, and the rubric of every interruption."""

import asyncio
from dataclasses import dataclass, replace

from factory.build.engine import Engine
from factory.build.lines import add_edit, add_findings, add_rerun, add_system_message, checked, workflow_item
from factory.build.players import Faulty, Players
from factory.compose.agent import ComposerAgent
from factory.compose.controls import write_item
from factory.corpus.seeds import derive_seed
from factory.errors import RubricError, RunError
from factory.models.verifier import VerifierFinding
from factory.records.blueprint import Blueprint
from factory.records.conversation import Rerun, RerunReason, Round, Settled, delivered_history
from factory.records.enums import Speaker
from factory.records.ledger import Read, Role
from factory.records.rubric import Item
from factory.rubric.context import Interrupted
from factory.rubric.ledger import add_item
from factory.rubric.write import write_criteria
from factory.run.folder import RunFolder
from factory.run.log import ConversationLog, Kind, Line, Progress
from factory.simulate.canary import without_canary
from factory.simulate.cut import CutNotPossible
from factory.simulate.ledger import LedgerChain
from factory.simulate.loop import play_round
from factory.simulate.roles import NothingMade
from factory.simulate.state import standing
from factory.simulate.turn import CanarySpoken, Cast
from factory.verify.checks import Case, check_conversation

MOST_DRAWS = 4
"""Draws of one conversation before the build gives up on it."""


class HopelessError(RunError):
    """A conversation of which no draw comes out clean."""


@dataclass(frozen=True)
class Rewind:
    """What a fault of a conversation asks for: a round to go back to, and why.

    Attributes:
        settled: The agent's words that the round is run again with; None where they are chosen anew.
        told: What a model was asked in vain for, where it was one that failed.
    """

    rerun: Rerun
    settled: Settled | None = None
    told: str | None = None


_CALLERS_WORDS = frozenset({RerunReason.CALLER_WORDING, RerunReason.CALLER_KNOWS_TOO_MUCH})
"""Faults that only other words of the caller can mend; for every other the agent has to word its turn anew."""


async def build_conversation(folder: RunFolder, engine: Engine, blueprint: Blueprint) -> None:
    """Builds a conversation, or goes on with it from its last finished round.

    Raises:
        RubricError: if a rubric does not pass its reference or lets a wrong recovery pass, and no other words can
            mend it.
        RunError: if the conversation's files are damaged.
        HopelessError: if no draw of it comes out clean.
        ModelError: if a model is not to be had.
    """
    log = ConversationLog(
        folder.conversation_file(blueprint.conversation_id),
        folder.ledger_file(blueprint.conversation_id),
        blueprint.conversation_id,
        blueprint.digest(),
    )
    if log.progress.finished:
        return
    await _Building(log, engine, blueprint, engine.players(blueprint)).run()


async def compose(engine: Engine, blueprint: Blueprint) -> tuple[Round, ...]:
    """Plays one draw of a conversation in memory, without a folder and without checks.

    Raises:
        HopelessError: if again and again the agent's words leave no place for a cut.
    """
    cast, chain, progress = engine.players(blueprint).cast, LedgerChain(blueprint.conversation_id), Progress()
    while len(progress.rounds) < len(blueprint.rounds):
        done = await play_next(cast, blueprint, progress, chain)
        if isinstance(done, Round):
            progress.add(Line(kind=Kind.ROUND, round=done, ledger_head=chain.head))
        elif len(progress.reruns) < engine.most_reruns:
            progress.add(Line(kind=Kind.RERUN, rerun=done.rerun, settled=done.settled, ledger_head=chain.head))
        else:
            raise hopeless(engine, blueprint, done, "the draw")
    return tuple(progress.rounds)


def redrawn(blueprint: Blueprint, draw: int) -> Blueprint:
    """The same order with other draws, for a conversation that was dropped."""
    if draw == 0:
        return blueprint
    seed = derive_seed(blueprint.seed, "draw", draw)
    return blueprint.model_copy(update={"seed": seed, "rotation": blueprint.rotation + draw})


def composed_items(engine: Engine, blueprint: Blueprint, rounds: tuple[Round, ...]) -> tuple[Item, ...]:
    """The items of a finished conversation with the composer's rubrics, each proved by its controls."""
    script, shared = engine.library.script(blueprint.workflow), engine.library.shared
    agent = ComposerAgent(script, shared.agent)
    sources = (Interrupted(script, blueprint, rounds[: turn + 1]) for turn, _ in blueprint.interruptions)
    return tuple(write_item(source, agent, shared, write_criteria(source)) for source in sources)


class _Building:
    """One conversation on its way: played, checked, rewound where it must be, and finished."""

    def __init__(self, log: ConversationLog, engine: Engine, blueprint: Blueprint, players: Players) -> None:
        self._log = log
        self._engine = engine
        self._order = blueprint
        self._players = players
        self._chain = log.chain()
        self._script = engine.library.script(blueprint.workflow)
        self._workflow = workflow_item(engine.library.digest(blueprint.workflow))

    @property
    def _blueprint(self) -> Blueprint:
        """The order, with the draws of the attempt at it that is under way."""
        return redrawn(self._order, self._log.progress.draw)

    @property
    def _rounds(self) -> tuple[Round, ...]:
        return without_canary(tuple(self._log.progress.rounds))

    async def run(self) -> None:
        if self._log.progress.lines == 1:
            await self._introduce()
        while not self._log.progress.finished:
            rewind = await self._play() or self._check() or await self._read() or await self._finish()
            if rewind is not None:
                self._go_back(rewind)

    async def _introduce(self) -> None:
        """Lets a model write the agent's system message, where there is one to do it."""
        made = await self._players.behind.system_message(derive_seed(self._order.seed, Role.SYSTEM_WRITER.value))
        if made is None:
            return
        add_system_message(self._chain, self._workflow, made)
        if made.value is not None:
            self._write(Line(kind=Kind.SYSTEM, system_message=made.value, ledger_head=self._chain.head))

    def _write(self, line: Line) -> None:
        self._log.write(self._chain, line)

    async def _play(self) -> Rewind | None:
        """Plays the rounds that are missing, each written as soon as it is done."""
        blueprint = self._blueprint
        while len(self._log.progress.rounds) < len(blueprint.rounds):
            done = await play_next(self._players.cast, blueprint, self._log.progress, self._chain)
            if isinstance(done, Rewind):
                return done
            self._write(Line(kind=Kind.ROUND, round=done, ledger_head=self._chain.head))
        return None

    def _check(self) -> Rewind | None:
        """What the first fault asks for that rules find in a played conversation."""
        issues = check_conversation(self._case())
        if not issues:
            return None
        if issues[0].reason in _CALLERS_WORDS:
            return self._said_again(issues[0].round, issues[0].reason)
        return rewind_for(self._blueprint, issues[0].round, issues[0].reason)

    def _said_again(self, index: int, reason: RerunReason) -> Rewind:
        """The caller says it again, to just the same words of the agent's."""
        return Rewind(Rerun(round=index, reason=reason), self._log.progress.kept(index))

    def _case(self) -> Case:
        return Case(script=self._script, blueprint=self._blueprint, rounds=self._rounds)

    async def _read(self) -> Rewind | None:
        """What the first fault asks for that a reader finds in a conversation that keeps every rule."""
        number = len(self._log.progress.reruns)
        seed = derive_seed(self._blueprint.seed, Role.VERIFIER.value, number)
        made = await self._players.behind.faults(self._case(), seed)
        if made is None:
            return None
        found = add_findings(self._chain, self._workflow, self._checked(), made)
        if not made.value:
            return None
        return await self._mended(made.value[0], found)

    async def _mended(self, finding: VerifierFinding, found: Read) -> Rewind:
        """The rewind that a finding asks for, with the agent's words as they are to be said again."""
        rounds, blueprint = self._rounds, self._blueprint
        if not finding.fixable:
            return Rewind(Rerun(round=finding.round, reason=RerunReason.FOUND_BEYOND_REPAIR))
        if finding.speaker is Speaker.CALLER:
            return self._said_again(finding.round, RerunReason.FOUND_IN_CALLER_WORDS)
        rewind = rewind_for(blueprint, finding.round, RerunReason.FOUND_IN_AGENT_WORDS)
        done = rounds[rewind.rerun.round]
        before = rounds[: done.index]
        faulty = Faulty(blueprint, done, delivered_history(before), standing(blueprint, before), finding)
        made = await self._players.behind.edited(faulty, derive_seed(blueprint.seed, Role.MODIFIER.value, done.attempt))
        if made is None:
            return rewind
        add_edit(self._chain, faulty, found, made)
        return rewind if made.value is None else replace(rewind, settled=Settled(segments=made.value))

    async def _finish(self) -> Rewind | None:
        """Writes the items; a rubric that does not hold asks for other words, where a model chose them."""
        rounds, blueprint = self._rounds, self._blueprint
        sources = [Interrupted(self._script, blueprint, rounds[: turn + 1]) for turn, _ in blueprint.interruptions]
        seeds = [derive_seed(blueprint.seed, source.turn, Role.RUBRIC_WRITER.value) for source in sources]
        behind, shared = self._players.behind, self._engine.library.shared
        made = await asyncio.gather(*map(behind.criteria, sources, seeds))
        agent = ComposerAgent(self._script, shared.agent)
        items = []
        for source, criteria in zip(sources, made, strict=True):
            try:
                items.append(write_item(source, agent, shared, criteria.value))
            except RubricError:
                if self._engine.side is None:
                    raise
                return rewind_for(blueprint, source.turn - 1, RerunReason.AGENT_WORDING)
        for item, source, criteria in zip(items, sources, made, strict=True):
            add_item(self._chain, item, source, self._workflow, rounds[item.turn].attempt, criteria)
        self._write(Line(kind=Kind.FINISHED, items=tuple(items), ledger_head=self._chain.head))
        return None

    def _go_back(self, rewind: Rewind) -> None:
        """Goes back to the round of a fault, or drops a draw that was rewound too often; the ledger says why."""
        progress, rerun = self._log.progress, rewind.rerun
        dropped = (
            rerun.reason is RerunReason.FOUND_BEYOND_REPAIR or len(progress.standing_reruns) >= self._engine.most_reruns
        )
        if dropped and progress.draw + 1 >= MOST_DRAWS:
            raise hopeless(self._engine, self._order, rewind, f"{MOST_DRAWS} draws")
        attempt = progress.attempts.get(rerun.round, 0)
        add_rerun(self._chain, (self._workflow, *self._checked()), rerun, attempt, dropped)
        if dropped:
            self._write(Line(kind=Kind.DROPPED, rerun=rerun, ledger_head=self._chain.head))
        else:
            self._write(Line(kind=Kind.RERUN, rerun=rerun, settled=rewind.settled, ledger_head=self._chain.head))

    def _checked(self) -> tuple[Read, ...]:
        """What lies before whoever checks the conversation: every round that stands."""
        plans = self._blueprint.rounds
        return tuple(read for done in self._log.progress.rounds for read in checked(done, plans[done.index]))


async def play_next(cast: Cast, blueprint: Blueprint, progress: Progress, chain: LedgerChain) -> Round | Rewind:
    """Plays the first round that is missing, or says where to go back to if nothing usable comes of it."""
    index = len(progress.rounds)
    attempt, settled = progress.attempts.get(index, 0), progress.settled.get(index)
    try:
        return await play_round(cast, blueprint, tuple(progress.rounds), attempt, chain, settled)
    except CutNotPossible:
        return rewind_for(blueprint, index, RerunReason.CUT_NOT_POSSIBLE)
    except CanarySpoken as exc:
        return Rewind(Rerun(round=index, reason=RerunReason.CALLER_KNOWS_TOO_MUCH), exc.settled, str(exc))
    except NothingMade as exc:
        return Rewind(Rerun(round=index, reason=RerunReason.UNUSABLE_REPLY), exc.settled, str(exc))


def rewind_for(blueprint: Blueprint, faulty: int, reason: RerunReason) -> Rewind:
    """The rewind that a fault asks for: to the round in which its words were chosen.

    The rest of a turn that a filler cut is said as it is; the round to word anew is the one before.
    """
    while blueprint.rounds[faulty].continues:
        faulty -= 1
    return Rewind(Rerun(round=faulty, reason=reason))


def hopeless(engine: Engine, blueprint: Blueprint, rewind: Rewind, tried: str) -> HopelessError:
    """What to say of a conversation that does not come out."""
    if rewind.told is not None:
        what_to_do = f"{rewind.told}; give that role another model or other settings, and build with --fresh"
    elif engine.side is None:
        what_to_do = f"the workflow {blueprint.workflow} needs mending there"
    else:  # a workflow that lints clean can be played, so that it is the words
        what_to_do = (
            f"the models do not get past that with the workflow {blueprint.workflow}; give their roles other models or "
            "other settings, and build with --fresh"
        )
    rerun = rewind.rerun
    return HopelessError(
        f"{blueprint.conversation_id}: {tried} failed, the last time in round {rerun.round} by {rerun.reason}; "
        f"{what_to_do}"
    )
