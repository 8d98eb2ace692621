"""One round: the agent plans and speaks, code cuts, the caller reacts to what was heard."""

from collections.abc import Iterator
from dataclasses import dataclass

from factory.corpus.seeds import derive_seed, rng_for
from factory.records.blueprint import Blueprint, RoundPlan
from factory.records.conversation import CallerTurn, Round, Segment, Utterance, delivered_history
from factory.records.ledger import Label, Read, Role
from factory.records.shared import CallerPhrases
from factory.simulate.canary import plant, unplant
from factory.simulate.cut import choose_cut
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.release import Heard, Released, release
from factory.simulate.roles import AgentSide, CallerSide
from factory.simulate.state import Standing, agent_scope, standing
from factory.simulate.views import (
    AssistantView,
    CutterView,
    PlannerView,
    ReactionView,
    UserView,
    heard_history,
    intent_view,
    joined,
    meant_history,
)
from factory.workflow.lookup import Script


@dataclass(frozen=True)
class Cast:
    """Who plays a conversation, and from what.

    Attributes:
        script: The workflow; only the agent's side and code read it.
        phrases: The caller's shared phrases; code releases them.
        workflow_digest: Digest of the workflow file, which stands for it in views.
        canary: A word that is planted at the end of what will be cut off; None in an ordinary build.
    """

    script: Script
    phrases: CallerPhrases
    workflow_digest: str
    agent: AgentSide
    caller: CallerSide
    canary: str | None = None


async def play_round(
    cast: Cast, blueprint: Blueprint, rounds: tuple[Round, ...], attempt: int, chain: LedgerChain
) -> Round:
    """Plays the round behind `rounds`.

    Args:
        cast: The engines and their material.
        blueprint: The conversation to be made.
        rounds: The rounds before; the new one depends on nothing else.
        attempt: How often this round was run before; changes every role's seed.
        chain: Gets one line for each role call.

    Raises:
        CutNotPossible: if the agent's words leave no place for the planned cut.
        BlindingError: if something unheard was about to be released to the caller's side.
    """
    index = len(rounds)
    entry = blueprint.rounds[index]
    before = standing(blueprint, rounds)
    turn = _Turn(cast, blueprint, rounds, entry, before, (index, attempt), chain)
    utterance = await _speak(turn)
    caller = None
    if entry.interruption is not None or entry.reply is not None:
        utterance = _cut(turn, utterance)
        caller = await _react(turn, utterance)
    return Round(index=index, attempt=attempt, agent=utterance, caller=caller)


@dataclass(frozen=True)
class _Turn:
    cast: Cast
    blueprint: Blueprint
    rounds: tuple[Round, ...]
    entry: RoundPlan
    before: Standing
    number: tuple[int, int]
    chain: LedgerChain

    def seed(self, role: Role) -> int:
        return derive_seed(self.blueprint.seed, *self.number, role.value)

    def item(self, name: str) -> str:
        return f"r{self.number[0]}.{self.number[1]}/{name}"


async def _speak(turn: _Turn) -> Utterance:
    """The agent's turn as meant: planned and worded, or the rest of a turn that a filler cut."""
    cast, before = turn.cast, turn.before
    planner_view = PlannerView(workflow=cast.workflow_digest, history=meant_history(turn.rounds), entry=turn.entry)
    plan = await cast.agent.plan(planner_view)
    plan_item = data_item(Label.AGENT_PLAN, turn.item("plan"), plan.model_dump(mode="json"))
    workflow_item = data_item(Label.WORKFLOW_AGENT_SIDE, "workflow", cast.workflow_digest)
    turn.chain.add(
        turn=turn.number,
        role=Role.PLANNER,
        branch="interrupted" if turn.entry.interruption else "normal",
        engine=cast.agent.engine,
        view=planner_view.digest(),
        reads=(
            workflow_item,
            data_item(Label.HISTORY_AS_MEANT, turn.item("meant"), [m.text for m in planner_view.history]),
            data_item(Label.BLUEPRINT_ROUND, turn.item("entry"), turn.entry.model_dump(mode="json")),
        ),
        wrote=plan_item,
    )
    view = AssistantView(
        workflow=cast.workflow_digest,
        history=delivered_history(turn.rounds),
        plan=plan,
        after=before.after,
        answered=before.answered,
        slots=before.slots,
        revised=before.revised,
        turn=turn.number[0],
        attempt=turn.number[1],
        rotation=turn.blueprint.rotation,
        seed=turn.seed(Role.ASSISTANT),
        remainder=before.remainder if turn.entry.continues else (),
    )
    segments = view.remainder if turn.entry.continues else await cast.agent.speak(view)
    utterance = Utterance(segments=_with_canary(turn, segments))
    turn.chain.add(
        turn=turn.number,
        role=Role.ASSISTANT,
        branch=_branch(turn),
        engine="code" if turn.entry.continues else cast.agent.engine,
        view=view.digest(),
        reads=(workflow_item, plan_item, *_assistant_reads(turn, view)),
        wrote=data_item(Label.UTTERANCE_AS_MEANT, turn.item("utterance"), utterance.text),
    )
    return utterance


def _assistant_reads(turn: _Turn, view: AssistantView) -> Iterator[Read]:
    """What the assistant's view holds besides workflow and plan; turn and attempt are the line's own."""
    yield data_item(Label.HISTORY_DELIVERED, turn.item("delivered"), [m.text for m in view.history])
    yield data_item(Label.INTERRUPTION_TYPE, turn.item("after"), view.after)
    yield data_item(Label.CALLER_VALUES, turn.item("values"), {"slots": view.slots, "revised": view.revised})
    yield data_item(Label.CALLER_VALUES, turn.item("answered"), view.answered)
    yield data_item(Label.SEED, turn.item("assistant_seed"), {"rotation": view.rotation, "seed": view.seed})
    if turn.entry.continues:
        yield data_item(Label.UTTERANCE_AS_MEANT, turn.item("rest"), joined(view.remainder))


def _branch(turn: _Turn) -> str:
    if turn.entry.continues:
        return "continuation"
    return f"after_{turn.before.after.value}" if turn.before.after else "normal"


def _with_canary(turn: _Turn, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """In a canary build: planted where the turn will be cut, taken out of what a filler's rest delivers."""
    if turn.cast.canary is None:
        return segments
    kept = unplant(segments)
    return plant(kept, turn.cast.canary) if turn.entry.interruption is not None else kept


def _cut(turn: _Turn, utterance: Utterance) -> Utterance:
    interruption = turn.entry.interruption
    if interruption is None:
        return utterance
    act = turn.entry.acts[interruption.cut].ref
    place = next(i for i, s in enumerate(utterance.segments) if s.act == act)
    view = CutterView(segments=utterance.segments, act=place, type=interruption.type, seed=turn.seed(Role.CUTTER))
    cut = choose_cut(view.segments, view.act, view.type, rng_for(view.seed))
    turn.chain.add(
        turn=turn.number,
        role=Role.CUTTER,
        branch=interruption.type.value,
        engine="code",
        view=view.digest(),
        reads=(
            data_item(Label.UTTERANCE_AS_MEANT, turn.item("utterance"), utterance.text),
            data_item(Label.BLUEPRINT_ROUND, turn.item("entry"), turn.entry.model_dump(mode="json")),
            data_item(Label.INTERRUPTION_TYPE, turn.item("type"), view.type),
            data_item(Label.SEED, turn.item("cutter_seed"), view.seed),
        ),
        wrote=data_item(Label.CUT, turn.item("cut"), cut.model_dump(mode="json")),
    )
    return utterance.model_copy(update={"cut": cut})


async def _react(turn: _Turn, utterance: Utterance) -> CallerTurn:
    cast, blueprint = turn.cast, turn.blueprint
    kind = turn.entry.interruption.type if turn.entry.interruption else None
    history = heard_history(turn.rounds, utterance)
    released = _release(turn, utterance)
    reaction_view = ReactionView(
        heard=history,
        intent=intent_view(cast.script.workflow.intent(blueprint.intent)),
        type=kind,
        lines=released.lines,
        facts=released.facts,
        seed=turn.seed(Role.REACTION_PLANNER),
    )
    plan = await cast.caller.react(reaction_view)
    heard_item = data_item(Label.HISTORY_HEARD, turn.item("heard"), [m.text for m in history])
    type_item = data_item(Label.INTERRUPTION_TYPE, turn.item("type"), kind)
    facts_item = data_item(Label.RELEASED_FACTS, turn.item("facts"), released.facts)
    plan_item = data_item(Label.REACTION_PLAN, turn.item("reaction"), plan.model_dump(mode="json"))
    branch = kind.value if kind else "normal"
    turn.chain.add(
        turn=turn.number,
        role=Role.REACTION_PLANNER,
        branch=branch,
        engine=cast.caller.engine,
        view=reaction_view.digest(),
        reads=(
            heard_item,
            data_item(Label.INTENT, "intent", reaction_view.intent.model_dump(mode="json")),
            type_item,
            data_item(Label.RELEASED_LINES, turn.item("lines"), [x.model_dump(mode="json") for x in released.lines]),
            facts_item,
            data_item(Label.SEED, turn.item("reaction_seed"), reaction_view.seed),
        ),
        wrote=plan_item,
    )
    user_view = UserView(heard=history, plan=plan, type=kind, facts=released.facts, seed=turn.seed(Role.USER))
    words = await cast.caller.speak(user_view)
    turn.chain.add(
        turn=turn.number,
        role=Role.USER,
        branch="interrupting" if kind else "normal",
        engine=cast.caller.engine,
        view=user_view.digest(),
        reads=(
            heard_item,
            plan_item,
            type_item,
            facts_item,
            data_item(Label.SEED, turn.item("user_seed"), user_view.seed),
        ),
        wrote=data_item(Label.CALLER_WORDS, turn.item("caller"), words),
    )
    return CallerTurn(
        text=words,
        type=kind,
        plan=plan,
        released=released.lines,
        facts=released.facts,
        gives=released.gives,
        reaction_seed=reaction_view.seed,
        user_seed=user_view.seed,
        reaction_view=reaction_view.digest(),
        user_view=user_view.digest(),
    )


def _release(turn: _Turn, utterance: Utterance) -> Released:
    heard_text = " ".join([*(r.agent.delivered for r in turn.rounds), utterance.heard])
    heard = Heard(
        acts=turn.before.heard_acts | set(utterance.acts_within(utterance.heard)),
        text=heard_text,
        spoken=agent_scope(turn.cast.script, turn.before.slots),
    )
    return release(
        turn.cast.script,
        turn.cast.phrases,
        turn.blueprint,
        turn.entry,
        heard,
        frozenset(turn.before.revised),
    )
