"""The model engine's caller side: a reaction planner and a user, who know only what was heard.

Nothing in here, and nothing that it holds, knows a workflow.
"""

from factory.models.ask import Asks, Question
from factory.models.caller_rules import caller_faults, reaction_faults, tidy_sound, wants_answer
from factory.models.patterns import narrow_reaction, narrow_words
from factory.models.prompt import Prompts
from factory.models.replies import ReactionReply, UserReply
from factory.models.rules import tidy
from factory.records.conversation import ReactionPlan
from factory.records.enums import InterruptionType
from factory.records.models import ModelRole
from factory.simulate.roles import Made
from factory.simulate.views import ReactionView, UserView


class ModelCaller:
    """Plays the caller from what was heard and released, through models."""

    def __init__(self, asker: Asks, prompts: Prompts) -> None:
        """Takes who asks the models, and the templates."""
        self._asker = asker
        self._prompts = prompts

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        """What the caller will say, decided from what they heard and the lines that were released.

        Raises:
            UnusableReply: if the model's replies cannot be used.
            ModelError: if no reply is to be had.
        """
        branch = "normal" if view.type is None else f"interrupting_{view.type.value}"
        prompt = self._prompts.render(f"reaction_planner/{branch}.md.j2", view=view)

        def faults(reply: ReactionReply) -> list[str]:
            return reaction_faults(reply, view)

        schema = narrow_reaction(view) if self._asker.choice(ModelRole.REACTION_PLANNER).patterns else None
        role = ModelRole.REACTION_PLANNER
        answered = await self._asker.ask(Question(role, prompt, ReactionReply, view.seed, faults, schema))
        reply = answered.reply
        plan = ReactionPlan(
            gist=_worded(reply.gist, view.type),
            answer=tidy(reply.answer) if wants_answer(view) else None,
            manner=view.intent.profile,
        )
        return Made(plan, answered.call.model, answered.call)

    async def speak(self, view: UserView) -> Made[str]:
        """The planned message in the caller's words.

        Raises:
            UnusableReply: if the model's replies cannot be used.
            ModelError: if no reply is to be had.
        """
        branch = "normal" if view.type is None else "interrupting"
        prompt = self._prompts.render(f"user/{branch}.md.j2", view=view)

        def faults(reply: UserReply) -> list[str]:
            return caller_faults(reply, view)

        schema = narrow_words(view) if self._asker.choice(ModelRole.USER).patterns else None
        answered = await self._asker.ask(Question(ModelRole.USER, prompt, UserReply, view.seed, faults, schema))
        return Made(_worded(answered.reply.utterance, view.type), answered.call.model, answered.call)


def _worded(text: str, kind: InterruptionType | None) -> str:
    return tidy_sound(text) if kind is InterruptionType.FILLER else tidy(text)
