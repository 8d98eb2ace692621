"""One round: the agent plans and speaks, code cuts, the caller reacts to what was heard."""

from collections.abc import Awaitable, Iterator
from dataclasses import replace
from typing import TypeVar

from factory.corpus.seeds import rng_for
from factory.records.blueprint import Blueprint
from factory.records.conversation import CallerTurn, ReactionPlan, Round, Segment, Settled, Utterance, delivered_history
from factory.records.ledger import Label, Read, Role
from factory.simulate.canary import plant, unplant
from factory.simulate.cut import choose_cut
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.release import Heard, Released, release
from factory.simulate.roles import BY_CODE, Made, NothingMade
from factory.simulate.state import agent_scope, standing
from factory.simulate.turn import Call, Cast, Turn
from factory.simulate.views import (
    AssistantPlan,
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

T = TypeVar("T")


async def play_round(
    cast: Cast,
    blueprint: Blueprint,
    rounds: tuple[Round, ...],
    attempt: int,
    chain: LedgerChain,
    settled: Settled | None = None,
) -> Round:
    """Plays the round behind `rounds`.

    Args:
        cast: The engines and their material.
        blueprint: The conversation to be made.
        rounds: The rounds before; the new one depends on nothing else.
        attempt: How often this round was run before; changes every role's seed.
        chain: Gets one line for each role call.
        settled: The agent's words, where they are: edited, or kept while the caller speaks again.

    Raises:
        CutNotPossible: if the agent's words leave no place for the planned cut.
        NothingMade: if a role made nothing that can be used.
        BlindingError: if something unheard was about to be released to the caller's side.
    """
    index = len(rounds)
    entry = blueprint.rounds[index]
    before = standing(blueprint, rounds)
    turn = Turn(cast, blueprint, rounds, entry, before, (index, attempt), chain, settled)
    utterance = await _speak(turn, await _plan(turn))
    caller = None
    if entry.interruption is not None or entry.reply is not None:
        utterance = _cut(turn, utterance)
        try:
            caller = await _react(turn, utterance)
        except NothingMade as exc:
            exc.settled = Settled(segments=unplant(utterance.segments), cut_as_in=turn.cut_as_in)
            raise
    return Round(index=index, attempt=attempt, agent=utterance, caller=caller)


async def _plan(turn: Turn) -> AssistantPlan:
    """What the agent will do in its turn; the blueprint's acts alone where nobody has to word them."""
    view = PlannerView(
        workflow=turn.cast.workflow_digest,
        history=meant_history(turn.rounds),
        entry=turn.entry,
        slots=turn.before.slots,
        seed=turn.seed(Role.PLANNER),
    )
    call = Call(
        role=Role.PLANNER,
        branch="interrupted" if turn.entry.interruption else "normal",
        view=view.digest(),
        reads=(
            _workflow_item(turn.cast),
            data_item(Label.HISTORY_AS_MEANT, turn.item("meant"), [m.text for m in view.history]),
            data_item(Label.BLUEPRINT_ROUND, turn.item("entry"), turn.entry.model_dump(mode="json")),
            data_item(Label.CALLER_VALUES, turn.item("slots"), turn.before.slots),
            data_item(Label.SEED, turn.item("planner_seed"), view.seed),
        ),
        makes=(Label.AGENT_PLAN, "plan"),
    )
    planning = turn.cast.agent.plan(view) if turn.engine_is_needed else _by_code(AssistantPlan(acts=turn.entry.acts))
    return await turn.ask(call, planning, lambda plan: plan.model_dump(mode="json"))


async def _speak(turn: Turn, plan: AssistantPlan) -> Utterance:
    """The agent's turn as meant: worded, edited, or the rest of a turn that a filler cut."""
    cast, before = turn.cast, turn.before
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
    plan_item = data_item(Label.AGENT_PLAN, turn.item("plan"), plan.model_dump(mode="json"))
    call = Call(
        role=Role.ASSISTANT,
        branch=_branch(turn),
        view=view.digest(),
        reads=(_workflow_item(cast), plan_item, *_assistant_reads(turn, view)),
        makes=(Label.UTTERANCE_AS_MEANT, "utterance"),
    )
    known = view.remainder if turn.settled is None or turn.entry.continues else turn.settled.segments
    speaking = cast.agent.speak(view) if turn.engine_is_needed else _by_code(known)
    segments = await turn.ask(call, _planted(turn, speaking), joined)
    return Utterance(segments=segments)


def _workflow_item(cast: Cast) -> Read:
    return data_item(Label.WORKFLOW_AGENT_SIDE, "workflow", cast.workflow_digest)


async def _by_code(value: T) -> Made[T]:
    return Made(value, BY_CODE)


async def _planted(turn: Turn, speaking: Awaitable[Made[tuple[Segment, ...]]]) -> Made[tuple[Segment, ...]]:
    """In a canary build: planted where the turn will be cut, taken out of all that is going to be heard."""
    made = await speaking
    if turn.cast.canary is None:
        return made
    kept = unplant(made.value)
    return replace(made, value=plant(kept, turn.cast.canary) if turn.entry.interruption is not None else kept)


def _assistant_reads(turn: Turn, view: AssistantView) -> Iterator[Read]:
    """What the assistant's view holds besides workflow and plan; turn and attempt are the line's own."""
    yield data_item(Label.HISTORY_DELIVERED, turn.item("delivered"), [m.text for m in view.history])
    yield data_item(Label.INTERRUPTION_TYPE, turn.item("after"), view.after)
    yield data_item(Label.CALLER_VALUES, turn.item("values"), {"slots": view.slots, "revised": view.revised})
    yield data_item(Label.CALLER_VALUES, turn.item("answered"), view.answered)
    yield data_item(Label.SEED, turn.item("assistant_seed"), {"rotation": view.rotation, "seed": view.seed})
    if turn.entry.continues:
        yield data_item(Label.UTTERANCE_AS_MEANT, turn.item("rest"), joined(view.remainder))
    elif turn.settled is not None:
        yield edit_item(*turn.number, turn.settled.segments)


def edit_item(round: int, attempt: int, segments: tuple[Segment, ...]) -> Read:
    """An agent's settled words for an attempt at a round, as the ledger has them."""
    return data_item(Label.EDIT, f"r{round}.{attempt}/edit", [s.model_dump(mode="json") for s in segments])


def _branch(turn: Turn) -> str:
    if turn.entry.continues:
        return "continuation"
    if turn.settled is not None:
        return "edited"
    return f"after_{turn.before.after.value}" if turn.before.after else "normal"


def _cut(turn: Turn, utterance: Utterance) -> Utterance:
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
        engine=BY_CODE,
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


async def _react(turn: Turn, utterance: Utterance) -> CallerTurn:
    """The caller's turn, from what was heard of the agent's and what code released."""
    released = _release(turn, utterance)
    reaction_view = ReactionView(
        heard=heard_history(turn.rounds, utterance),
        intent=intent_view(turn.cast.script.workflow.intent(turn.blueprint.intent)),
        type=turn.entry.interruption.type if turn.entry.interruption else None,
        lines=released.lines,
        facts=released.facts,
        seed=turn.seed(Role.REACTION_PLANNER),
    )
    plan = await _plan_reaction(turn, reaction_view)
    user_view = UserView(
        heard=reaction_view.heard,
        plan=plan,
        type=reaction_view.type,
        facts=released.facts,
        seed=turn.seed(Role.USER),
    )
    return CallerTurn(
        text=await _reply(turn, user_view),
        type=reaction_view.type,
        plan=plan,
        released=released.lines,
        facts=released.facts,
        gives=released.gives,
        reaction_seed=reaction_view.seed,
        user_seed=user_view.seed,
        reaction_view=reaction_view.digest(),
        user_view=user_view.digest(),
    )


async def _plan_reaction(turn: Turn, view: ReactionView) -> ReactionPlan:
    call = Call(
        role=Role.REACTION_PLANNER,
        branch=view.type.value if view.type else "normal",
        view=view.digest(),
        reads=(
            _heard_item(turn, view),
            data_item(Label.INTENT, "intent", view.intent.model_dump(mode="json")),
            data_item(Label.INTERRUPTION_TYPE, turn.item("type"), view.type),
            data_item(Label.RELEASED_LINES, turn.item("lines"), [x.model_dump(mode="json") for x in view.lines]),
            data_item(Label.RELEASED_FACTS, turn.item("facts"), view.facts),
            data_item(Label.SEED, turn.item("reaction_seed"), view.seed),
        ),
        makes=(Label.REACTION_PLAN, "reaction"),
    )
    return await turn.ask(call, turn.cast.caller.react(view), lambda plan: plan.model_dump(mode="json"))


async def _reply(turn: Turn, view: UserView) -> str:
    call = Call(
        role=Role.USER,
        branch="interrupting" if view.type else "normal",
        view=view.digest(),
        reads=(
            _heard_item(turn, view),
            data_item(Label.REACTION_PLAN, turn.item("reaction"), view.plan.model_dump(mode="json")),
            data_item(Label.INTERRUPTION_TYPE, turn.item("type"), view.type),
            data_item(Label.RELEASED_FACTS, turn.item("facts"), view.facts),
            data_item(Label.SEED, turn.item("user_seed"), view.seed),
        ),
        makes=(Label.CALLER_WORDS, "caller"),
    )
    return await turn.ask(call, turn.cast.caller.speak(view), str)


def _heard_item(turn: Turn, view: ReactionView | UserView) -> Read:
    return data_item(Label.HISTORY_HEARD, turn.item("heard"), [m.text for m in view.heard])


def _release(turn: Turn, utterance: Utterance) -> Released:
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
