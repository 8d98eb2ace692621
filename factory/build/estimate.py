"""What a build with models will cost: real prompts, rendered along a few calls that the composer plays.

The composer words every turn. Before it does, each role of the model engine renders its prompt from the same view, as
it would in the build; the prompt is measured, and nobody is asked. Nothing is written.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from statistics import fmean
from typing import TypeVar

from factory.build.conversations import compose
from factory.build.engine import Engine
from factory.build.players import Faulty, Modelled
from factory.compose.agent import ComposerAgent
from factory.compose.caller import ComposerCaller
from factory.corpus.plan import CorpusPlan
from factory.dataset.system_message import system_message_template
from factory.models.agent import ModelAgent
from factory.models.ask import Answered, Question
from factory.models.caller import ModelCaller
from factory.models.estimate import CallSize, Estimate, count_calls, estimate
from factory.models.prices import price_table
from factory.models.prompt import Prompts
from factory.models.replies import AssistantReply, ReactionReply, SpokenAct, UserReply
from factory.models.roles_file import BUILD_ROLES
from factory.models.verifier import VerifierCheck, VerifierFinding
from factory.records.base import Record
from factory.records.blueprint import Blueprint
from factory.records.conversation import ReactionPlan, Round, Segment, delivered_history
from factory.records.enums import Speaker
from factory.records.models import ModelChoice, ModelRole, Models
from factory.rubric.context import Interrupted
from factory.rubric.write import write_criteria
from factory.simulate.ledger import LedgerChain
from factory.simulate.loop import play_round
from factory.simulate.roles import Made
from factory.simulate.state import standing
from factory.simulate.turn import Cast
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView, ReactionView, UserView
from factory.verify.checks import Case
from factory.workflow.library import Library

R = TypeVar("R", bound=Record)

SAMPLED = 6
"""Conversations that prompts are rendered for, spread evenly over the plan."""
REASONS = 200
"""Characters of the reasons that a reply begins with; the composer has none to measure."""
PLAN = 300
"""Characters of a planner's plan."""
NOTHING_FOUND = 20
"""Characters of a verifier's reply that finds nothing."""


def estimate_build(plan: CorpusPlan, library: Library, models: Models, no_price: bool = False) -> Estimate:
    """Calls, tokens and cost of a build, as ranges.

    Args:
        plan: The conversations.
        library: Where their workflows are.
        models: The roles file.
        no_price: Whether models may be used whose price is not known.

    Raises:
        PriceError: if a price is not known and has to be.
    """
    prices = price_table(models, no_price, roles=BUILD_ROLES)
    blueprints = list(plan)
    sizes = asyncio.run(_measure(_spread(blueprints), library, models))
    return estimate(count_calls(blueprints), sizes, models, prices)


def _spread(blueprints: Sequence[Blueprint]) -> list[Blueprint]:
    count = min(SAMPLED, len(blueprints))
    return [blueprints[i * len(blueprints) // count] for i in range(count)]


async def _measure(blueprints: Sequence[Blueprint], library: Library, models: Models) -> dict[ModelRole, CallSize]:
    """The mean call of each role that is called."""
    scales = _Scales(models)
    for blueprint in blueprints:
        await _play(blueprint, library, scales)
    return scales.sizes()


class _Measured(Exception):
    """Takes the place of a reply."""


class _Scales:
    """Measures what would be asked, and asks nobody; stands where an `Asker` does (`Asks`)."""

    def __init__(self, models: Models) -> None:
        self._roles = models.roles
        self._prompts: dict[ModelRole, list[tuple[int, int]]] = {}
        self._replies: dict[ModelRole, list[int]] = {}

    def choice(self, role: ModelRole) -> ModelChoice:
        return self._roles[role]

    async def ask(self, question: Question[R]) -> Answered[R]:
        prompt = question.prompt
        measured = (len(prompt.system) + len(question.form.json_schema), len(prompt.user))
        self._prompts.setdefault(question.role, []).append(measured)
        raise _Measured

    async def weigh(self, asking: Awaitable[object], role: ModelRole, reply: int) -> None:
        """Renders a role's prompt, and takes down how long its reply would be, in characters."""
        with suppress(_Measured):
            await asking
            return  # code had the answer: no prompt was rendered
        self._replies.setdefault(role, []).append(reply)

    def sizes(self) -> dict[ModelRole, CallSize]:
        """The mean call of each role."""
        return {
            role: CallSize(
                stable=fmean(stable for stable, _ in prompts),
                varying=fmean(varying for _, varying in prompts),
                reply=fmean(self._replies[role]),
            )
            for role, prompts in self._prompts.items()
        }


async def _play(blueprint: Blueprint, library: Library, scales: _Scales) -> None:
    """Plays a conversation as the composer does, and measures what every role of the model engine would be asked."""
    script, shared, prompts = library.script(blueprint.workflow), library.shared, Prompts()
    rounds = await compose(Engine(library), blueprint)
    cast = Cast(
        script=script,
        phrases=shared.caller,
        workflow_digest=library.digest(blueprint.workflow),
        agent=_Agent(scales, ModelAgent(scales, script, shared.agent, prompts), ComposerAgent(script, shared.agent)),
        caller=_Caller(scales, ModelCaller(scales, prompts), ComposerCaller(shared.caller)),
    )
    for done in rounds:
        await play_round(cast, blueprint, rounds[: done.index], done.attempt, LedgerChain(blueprint.conversation_id))
    behind = Modelled(scales, prompts, script, shared.agent)
    message = len(system_message_template(script.workflow))
    await scales.weigh(behind.system_message(0), ModelRole.SYSTEM_WRITER, message)
    for turn, _ in blueprint.interruptions:
        item = Interrupted(script, blueprint, rounds[: turn + 1])
        texts = [criterion.text for criterion in write_criteria(item)]
        await scales.weigh(behind.criteria(item, 0), ModelRole.RUBRIC_WRITER, sum(map(len, texts)))
    case = Case(script=script, blueprint=blueprint, rounds=rounds)
    await scales.weigh(behind.faults(case, 0), ModelRole.VERIFIER, NOTHING_FOUND)
    faulty = _faulty(blueprint, rounds)
    reply = _length_of_turn(faulty.done.agent.segments)
    await scales.weigh(behind.edited(faulty, 0), ModelRole.MODIFIER, reply)


def _faulty(blueprint: Blueprint, rounds: tuple[Round, ...]) -> Faulty:
    """A fault in the middle of a conversation, as a verifier would tell of it."""
    index = next(i for i in range(len(rounds) // 2, -1, -1) if not blueprint.rounds[i].continues)
    before = rounds[:index]
    finding = VerifierFinding(
        round=index,
        speaker=Speaker.AGENT,
        check=VerifierCheck.FRESH_START,
        fixable=True,
        problem="-" * REASONS,
        fix="-" * REASONS,
    )
    return Faulty(blueprint, rounds[index], delivered_history(before), standing(blueprint, before), finding)


class _Agent:
    """The composer's agent, before whose every turn the models' prompts are rendered."""

    def __init__(self, scales: _Scales, measured: ModelAgent, composer: ComposerAgent) -> None:
        self._scales = scales
        self._measured = measured
        self._composer = composer

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        await self._scales.weigh(self._measured.plan(view), ModelRole.PLANNER, REASONS + PLAN)
        return await self._composer.plan(view)

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        made = await self._composer.speak(view)
        noted = view.model_copy(update={"plan": view.plan.model_copy(update={"note": "-" * PLAN})})
        await self._scales.weigh(self._measured.speak(noted), ModelRole.ASSISTANT, _length_of_turn(made.value))
        return made


class _Caller:
    """The composer's caller, before whose every turn the models' prompts are rendered."""

    def __init__(self, scales: _Scales, measured: ModelCaller, composer: ComposerCaller) -> None:
        self._scales = scales
        self._measured = measured
        self._composer = composer

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        made = await self._composer.react(view)
        reply = ReactionReply(rationale="-" * REASONS, gist=made.value.gist, answer=made.value.answer or "")
        await self._scales.weigh(self._measured.react(view), ModelRole.REACTION_PLANNER, _length(reply))
        return made

    async def speak(self, view: UserView) -> Made[str]:
        made = await self._composer.speak(view)
        reply = UserReply(rationale="-" * REASONS, utterance=made.value)
        await self._scales.weigh(self._measured.speak(view), ModelRole.USER, _length(reply))
        return made


def _length(reply: Record) -> int:
    return len(reply.model_dump_json())


def _length_of_turn(segments: Sequence[Segment]) -> int:
    return _length(AssistantReply(lead="", segments=tuple(SpokenAct(act=s.act, text=s.text) for s in segments)))
