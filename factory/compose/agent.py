"""The composer's agent side: authored acts, strung together as a good agent would say them."""

from collections.abc import Sequence
from math import gcd

from factory.records.base import sha256
from factory.records.blueprint import ActUse
from factory.records.conversation import Segment
from factory.records.enums import Form, InterruptionType, Speaker
from factory.records.shared import AgentPhrases
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView
from factory.workflow.fill import fill, flatten, sentence
from factory.workflow.lookup import RETRY, Script
from factory.workflow.phrases import shares_phrase

ENGINE = "composer"
LEAD = "lead"


class ComposerAgent:
    """Plays the agent from a workflow's agent side."""

    engine = ENGINE

    def __init__(self, script: Script, phrases: AgentPhrases) -> None:
        """Takes the workflow and the phrases that fit everywhere."""
        self._script = script
        self._phrases = phrases
        self._known = flatten(script.workflow.known_user_information)

    async def plan(self, view: PlannerView) -> AssistantPlan:
        """The acts that the blueprint lays down for this round."""
        return AssistantPlan(acts=view.entry.acts)

    async def speak(self, view: AssistantView) -> tuple[Segment, ...]:
        """A short reaction to what the caller did, then every planned act in its form."""
        return self.word(view)

    def word(self, view: AssistantView) -> tuple[Segment, ...]:
        """As `speak`, without waiting: used for reference recoveries too."""
        lead = self._lead(view)
        opening = (Segment(act=LEAD, text=lead),) if lead else ()
        return (*opening, *(Segment(act=use.ref, text=self.text(use, view)) for use in view.plan.acts))

    def text(self, use: ActUse, view: AssistantView) -> str:
        """One act's words: the variant is chosen in rotation, so that calls differ and none repeats itself."""
        return sentence(self._text(use, view))

    def _text(self, use: ActUse, view: AssistantView) -> str:
        scope = self._known | view.slots
        if use.ref.startswith("accept:"):
            slot = use.ref.removeprefix("accept:")
            called = self._script.workflow.question_of(slot)[1].called
            scope = scope | {"called": called or slot, "value": view.slots[slot]}
            return fill(self._pick(self._phrases.corrected, use.ref, view), scope)
        if use.ref == "steer":
            return fill(self._pick(self._phrases.steer, use.ref, view), {"subject": self._script.workflow.subject})
        return fill(self._pick(self._script.lines(use.ref, use.form), f"{use.ref}/{use.form.value}", view), scope)

    def _lead(self, view: AssistantView) -> str | None:
        after, first = view.after, view.plan.acts[0].ref
        asked = bool(view.history) and "?" in view.history[-1].text
        if after is InterruptionType.IMPATIENT:
            return self._pick(self._phrases.quick, LEAD, view)
        if after is InterruptionType.PUSHBACK:
            return self._pick(self._phrases.calm_question if asked else self._phrases.calm, LEAD, view)
        if after is InterruptionType.NORMAL:
            return self._pick(self._phrases.noted_question if asked else self._phrases.noted, LEAD, view)
        if after is InterruptionType.TOPIC_SWITCH:
            return self._pick(self._phrases.sidestep_question if asked else self._phrases.sidestep, LEAD, view)
        if after is not None or view.answered is None or first.endswith(RETRY):
            return None
        received = self._script.act(view.answered).received
        scope = self._known | view.slots
        return fill(self._pick(received or self._phrases.thanks, LEAD, view), scope)

    def _pick(self, variants: Sequence[str], key: str, view: AssistantView) -> str:
        """A variant in rotation; one that would repeat the agent's last words is passed over."""
        mixed = int(sha256(f"{self._script.workflow.id}/{key}")[:8], 16)
        size = len(variants)
        # Each key moves on by a step of its own that meets every variant, so that no two move in step.
        steps = [step for step in range(1, size + 1) if gcd(step, size) == 1]
        start = mixed + view.rotation * steps[mixed % len(steps)] + view.turn + view.attempt
        ordered = [variants[(start + i) % size] for i in range(size)]
        last = next((m.text for m in reversed(view.history) if m.speaker is Speaker.AGENT), "")
        return next((v for v in ordered if not shares_phrase(v, last)), ordered[0])


def plain(acts: Sequence[str], form: Form = Form.SAY) -> AssistantPlan:
    """A plan that does some acts in one form."""
    return AssistantPlan(acts=tuple(ActUse(ref=ref, form=form) for ref in acts))
