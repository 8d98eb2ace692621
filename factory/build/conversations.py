"""Builds one conversation to its end: rounds, checks, rewinds, and the rubric of every interruption."""

from collections.abc import Iterator
from dataclasses import dataclass

from factory.compose.agent import ComposerAgent
from factory.compose.caller import ComposerCaller
from factory.compose.controls import write_item
from factory.corpus.seeds import derive_seed
from factory.errors import RunError
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.conversation import Rerun, RerunReason, Round
from factory.records.ledger import Label, Read, Role
from factory.records.rubric import Item
from factory.rubric.context import Interrupted
from factory.rubric.ledger import add_item
from factory.run.folder import RunFolder
from factory.run.log import ConversationLog, Kind, Line, Progress
from factory.simulate.canary import canary_word, plant_in_workflow, without_canary
from factory.simulate.cut import CutNotPossible
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.loop import Cast, play_round
from factory.verify.checks import Case, check_conversation
from factory.workflow.library import Library
from factory.workflow.lookup import Script

MOST_RERUNS = 6
"""Rewinds of one draw before it is dropped and the conversation drawn anew."""
MOST_DRAWS = 4
"""Draws of one conversation before the build gives up on it."""

_CALLERS_WORDS = frozenset({RerunReason.CALLER_WORDING, RerunReason.CALLER_KNOWS_TOO_MUCH})
"""Faults that only other words of the caller can mend; for every other the agent has to word its turn anew."""


@dataclass(frozen=True)
class Engine:
    """Who plays: today the composer, from a library of workflows.

    Attributes:
        canary_seed: Decides the canary words; None in an ordinary build.
    """

    library: Library
    canary_seed: int | None = None

    def cast(self, blueprint: Blueprint) -> Cast:
        """The cast of one conversation; the two sides share no object that knows the workflow."""
        script = self.library.script(blueprint.workflow)
        canary = None
        if self.canary_seed is not None:
            canary = canary_word(self.canary_seed, blueprint.conversation_id)
            script = Script(plant_in_workflow(script.workflow, blueprint.intent, canary))
        shared = self.library.shared
        return Cast(
            script=script,
            phrases=shared.caller,
            workflow_digest=self.library.digest(blueprint.workflow),
            agent=ComposerAgent(script, shared.agent),
            caller=ComposerCaller(shared.caller),
            canary=canary,
        )


async def build_conversation(folder: RunFolder, engine: Engine, blueprint: Blueprint) -> None:
    """Builds a conversation, or goes on with it from its last finished round.

    Raises:
        RubricError: if a rubric does not pass its reference or lets a wrong recovery pass.
        RunError: if the conversation's files are damaged, or no draw of it comes out clean.
    """
    log = ConversationLog(
        folder.conversation_file(blueprint.conversation_id),
        folder.ledger_file(blueprint.conversation_id),
        blueprint.conversation_id,
        blueprint.digest(),
    )
    cast = engine.cast(blueprint)
    while not log.progress.finished:
        drawn = redrawn(blueprint, log.progress.draw)
        chain = log.chain()
        fault = await _play(log, cast, drawn, chain) or _check(log, engine, drawn)
        if fault is None:
            _finish(log, engine, drawn, chain)
        else:
            _rewind(log, engine, drawn, fault, chain)


async def compose(engine: Engine, blueprint: Blueprint) -> tuple[Round, ...]:
    """Plays one draw of a conversation in memory, without a folder and without checks.

    Raises:
        RunError: if again and again the agent's words leave no place for a cut.
    """
    cast, chain, progress = engine.cast(blueprint), LedgerChain(blueprint.conversation_id), Progress()
    while len(progress.rounds) < len(blueprint.rounds):
        done = await _play_next(cast, blueprint, progress, chain)
        if isinstance(done, Round):
            progress.add(Line(kind=Kind.ROUND, round=done, ledger_head=chain.head))
        elif len(progress.reruns) < MOST_RERUNS:
            progress.add(Line(kind=Kind.RERUN, rerun=done, ledger_head=chain.head))
        else:
            raise _hopeless(blueprint, done, "the draw")
    return tuple(progress.rounds)


def redrawn(blueprint: Blueprint, draw: int) -> Blueprint:
    """The same order with other draws, for a conversation that was dropped."""
    if draw == 0:
        return blueprint
    seed = derive_seed(blueprint.seed, "draw", draw)
    return blueprint.model_copy(update={"seed": seed, "rotation": blueprint.rotation + draw})


def write_items(engine: Engine, blueprint: Blueprint, rounds: tuple[Round, ...]) -> tuple[Item, ...]:
    """The items of a finished conversation, each proved by its controls."""
    script = engine.library.script(blueprint.workflow)
    shared = engine.library.shared
    agent = ComposerAgent(script, shared.agent)
    return tuple(
        write_item(Interrupted(script, blueprint, rounds[: turn + 1]), agent, shared)
        for turn, _ in blueprint.interruptions
    )


async def _play(log: ConversationLog, cast: Cast, blueprint: Blueprint, chain: LedgerChain) -> Rerun | None:
    """Plays the rounds that are missing, each written as soon as it is done."""
    while len(log.progress.rounds) < len(blueprint.rounds):
        done = await _play_next(cast, blueprint, log.progress, chain)
        if isinstance(done, Rerun):
            return done
        log.write(chain, Line(kind=Kind.ROUND, round=done, ledger_head=chain.head))
    return None


async def _play_next(cast: Cast, blueprint: Blueprint, progress: Progress, chain: LedgerChain) -> Round | Rerun:
    """Plays the first round that is missing, or says where to go back to if its words leave no place for the cut."""
    index = len(progress.rounds)
    try:
        return await play_round(cast, blueprint, tuple(progress.rounds), progress.attempts.get(index, 0), chain)
    except CutNotPossible:
        return _rerun(blueprint, index, RerunReason.CUT_NOT_POSSIBLE)


def _rerun(blueprint: Blueprint, faulty: int, reason: RerunReason) -> Rerun:
    """The rewind that a fault asks for: to the round in which its words were chosen.

    The rest of a turn that a filler cut is said as it is; the round to word anew is the one before.
    """
    while reason not in _CALLERS_WORDS and blueprint.rounds[faulty].continues:
        faulty -= 1
    return Rerun(round=faulty, reason=reason)


def _check(log: ConversationLog, engine: Engine, blueprint: Blueprint) -> Rerun | None:
    """The first fault of a played conversation, as the rewind that it asks for."""
    case = Case(
        script=engine.library.script(blueprint.workflow),
        blueprint=blueprint,
        rounds=without_canary(tuple(log.progress.rounds)),
    )
    issues = check_conversation(case)
    return _rerun(blueprint, issues[0].round, issues[0].reason) if issues else None


def _finish(log: ConversationLog, engine: Engine, blueprint: Blueprint, chain: LedgerChain) -> None:
    rounds = without_canary(tuple(log.progress.rounds))
    items = write_items(engine, blueprint, rounds)
    script, workflow = engine.library.script(blueprint.workflow), engine.library.digest(blueprint.workflow)
    for item in items:
        source = Interrupted(script, blueprint, rounds[: item.turn])
        add_item(chain, item, source, workflow, following=rounds[item.turn].attempt)
    log.write(chain, Line(kind=Kind.FINISHED, items=items, ledger_head=chain.head))


def _rewind(log: ConversationLog, engine: Engine, blueprint: Blueprint, fault: Rerun, chain: LedgerChain) -> None:
    """Goes back to the round of a fault, or drops a draw that was rewound too often; the ledger says why."""
    dropped = len(log.progress.standing_reruns) >= MOST_RERUNS
    if dropped and log.progress.draw + 1 >= MOST_DRAWS:
        raise _hopeless(blueprint, fault, f"{MOST_DRAWS} draws")
    reads = (
        data_item(Label.WORKFLOW_AGENT_SIDE, "workflow", engine.library.digest(blueprint.workflow)),
        *(r for done in log.progress.rounds for r in _checked(done, blueprint.rounds[done.index])),
    )
    attempt = log.progress.attempts.get(fault.round, 0)
    chain.add(
        turn=(fault.round, attempt),
        role=Role.VERIFIER,
        branch=fault.reason.value,
        engine="code",
        view=data_item(Label.RERUN, "view", [read.content for read in reads]).content,
        reads=reads,
        wrote=data_item(
            Label.RERUN, f"r{fault.round}.{attempt}/rerun", {**fault.model_dump(mode="json"), "dropped": dropped}
        ),
    )
    log.write(chain, Line(kind=Kind.DROPPED if dropped else Kind.RERUN, rerun=fault, ledger_head=chain.head))


def _checked(done: Round, entry: RoundPlan) -> Iterator[Read]:
    """What lies before the verifier of one round, under the names that the calls which made it gave."""
    name = f"r{done.index}.{done.attempt}"
    yield data_item(Label.BLUEPRINT_ROUND, f"{name}/entry", entry.model_dump(mode="json"))
    yield data_item(Label.UTTERANCE_AS_MEANT, f"{name}/utterance", done.agent.text)
    if done.agent.cut is not None:
        yield data_item(Label.CUT, f"{name}/cut", done.agent.cut.model_dump(mode="json"))
    if done.caller is not None:
        yield data_item(Label.CALLER_WORDS, f"{name}/caller", done.caller.text)


def _hopeless(blueprint: Blueprint, fault: Rerun, tried: str) -> RunError:
    return RunError(
        f"{blueprint.conversation_id}: {tried} failed, the last time in round {fault.round} by {fault.reason}; "
        f"the workflow {blueprint.workflow} needs mending there"
    )
