"""The model engine's agent side: a planner and an assistant, who know the workflow and what was meant."""

from collections.abc import Sequence

from factory.compose.agent import LEAD, leads_after
from factory.models.ask import Asks, Question
from factory.models.brief import ActBrief, act_brief, brief_of
from factory.models.patterns import narrow_plan, narrow_turn
from factory.models.prompt import Prompts
from factory.models.replies import AssistantReply, PlannerReply, reply_schema
from factory.models.request import ReplySchema
from factory.models.rules import MOST_LEAD_WORDS, agent_faults, cleaned, last_words, tidy
from factory.records.conversation import Segment
from factory.records.enums import InterruptionType
from factory.records.models import ModelRole
from factory.records.shared import AgentPhrases
from factory.simulate.roles import BY_CODE, Made
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView
from factory.workflow.lookup import STOP, Script
from factory.workflow.phrases import shares_phrase
from factory.workflow.sentences import sentences

LONGEST_NOTE = 600
"""Characters of a planner's note that the assistant gets."""
MOST_LEADS = 3
"""Authored leads that the assistant is shown."""
PLANNER = "planner/normal.md.j2"
ASSISTANT = "assistant/normal.md.j2"


class ModelAgent:
    """Plays the agent from a workflow's agent side, through models."""

    def __init__(self, asker: Asks, script: Script, phrases: AgentPhrases, prompts: Prompts) -> None:
        """Takes who asks the models, the workflow, the phrases that fit everywhere, and the templates."""
        self._asker = asker
        self._script = script
        self._phrases = phrases
        self._prompts = prompts
        self._brief = brief_of(script)

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        """The blueprint's acts with a note on how to do them; a turn that only goes on needs none.

        Raises:
            UnusableReply: if the model's replies cannot be used.
            ModelError: if no reply is to be had.
        """
        entry = view.entry
        if entry.continues:
            return Made(AssistantPlan(acts=entry.acts), BY_CODE)
        acts = tuple(act_brief(self._script, self._phrases, use, view.slots) for use in entry.acts)
        # Not the view: the blueprint's entry says how the caller will cut in, and this is planned as if nobody did.
        prompt = self._prompts.render(PLANNER, history=view.history, brief=self._brief, acts=acts)
        schema = narrow_plan() if self._asker.choice(ModelRole.PLANNER).patterns else None
        answered = await self._asker.ask(Question(ModelRole.PLANNER, prompt, PlannerReply, view.seed, schema=schema))
        plan = AssistantPlan(acts=entry.acts, note=_shortened(cleaned(answered.reply.plan)))
        return Made(plan, answered.call.model, answered.call)

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        """A short reaction to what the caller did, if there is one, then every planned act in the model's words.

        Raises:
            UnusableReply: if the model's replies cannot be used.
            ModelError: if no reply is to be had.
        """
        if view.remainder:
            return Made(view.remainder, BY_CODE)
        acts = self._acts(view)
        leads = self._leads(view)
        prompt = self._prompts.render(_template(view), view=view, brief=self._brief, acts=acts, leads=leads)

        def faults(reply: AssistantReply) -> list[str]:
            return agent_faults(reply, acts, view, self._brief)

        schema = self._schema(acts, leads, after_cut=view.after is not None)
        answered = await self._asker.ask(
            Question(ModelRole.ASSISTANT, prompt, AssistantReply, view.seed, faults, schema)
        )
        reply = answered.reply
        lead = tidy(reply.lead)
        segments = [Segment(act=LEAD, text=lead)] if lead else []
        segments += [Segment(act=segment.act, text=tidy(segment.text)) for segment in reply.segments]
        return Made(tuple(segments), answered.call.model, answered.call)

    def _acts(self, view: AssistantView) -> tuple[ActBrief, ...]:
        """What the turn does; no example repeats what has just been heard."""
        last, start = last_words(view), view.rotation
        return tuple(
            act_brief(self._script, self._phrases, use, view.slots, avoid=last, start=start) for use in view.plan.acts
        )

    def _leads(self, view: AssistantView) -> tuple[str, ...]:
        """Authored reactions for the tone of the lead; none where the turn is better off without one."""
        if any(use.ref.startswith(STOP) for use in view.plan.acts):
            return ()
        last = last_words(view)
        known = [lead for lead in self._leads_for(view) if _is_lead(lead) and not shares_phrase(lead, last)]
        return tuple(known[(view.rotation + i) % len(known)] for i in range(min(MOST_LEADS, len(known))))

    def _leads_for(self, view: AssistantView) -> Sequence[str]:
        if view.after is None and view.answered is not None:
            return self._phrases.thanks
        return leads_after(self._phrases, view)

    def _schema(self, acts: tuple[ActBrief, ...], leads: tuple[str, ...], after_cut: bool) -> ReplySchema:
        if self._asker.choice(ModelRole.ASSISTANT).patterns:
            return narrow_turn(acts, leads, authored=after_cut)
        return reply_schema(AssistantReply, {"act": tuple(dict.fromkeys(act.ref for act in acts))})


def _template(view: AssistantView) -> str:
    """One template per type of interruption, so that no rule of another type is ever read."""
    if view.after is None or view.after is InterruptionType.FILLER:
        return ASSISTANT
    return f"assistant/after_{view.after.value}.md.j2"


def _is_lead(text: str) -> bool:
    return len(text.split()) <= MOST_LEAD_WORDS and len(sentences(text)) == 1 and "?" not in text


def _shortened(text: str) -> str:
    """A note that is too long, up to its last whole word."""
    return text if len(text) <= LONGEST_NOTE else text[: LONGEST_NOTE + 1].rsplit(" ", 1)[0][:LONGEST_NOTE]
