"""The composer's agent side: authored acts, strung together as a good agent would say them."""

from collections.abc import Collection, Sequence

from factory.records.base import sha256
from factory.records.blueprint import ActUse
from factory.records.conversation import Segment
from factory.records.enums import Form, InterruptionType, Speaker
from factory.records.lines import placeholders
from factory.records.shared import AgentPhrases
from factory.simulate.roles import COMPOSER, Made
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView
from factory.workflow.fill import fill, flatten, sentence
from factory.workflow.lookup import HINT, STOP, Script
from factory.workflow.phrases import shares_phrase
from factory.workflow.sentences import sentences

LEAD = "lead"


class ComposerAgent:
    """Plays the agent from a workflow's agent side."""

    def __init__(self, script: Script, phrases: AgentPhrases) -> None:
        """Takes the workflow and the phrases that fit everywhere."""
        self._script = script
        self._phrases = phrases
        self._known = flatten(script.workflow.known_user_information)

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        """The acts that the blueprint lays down for this round."""
        return Made(AssistantPlan(acts=view.entry.acts), COMPOSER)

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        """A short reaction to what the caller did, then every planned act in its form."""
        return Made(self.word(view), COMPOSER)

    def word(self, view: AssistantView) -> tuple[Segment, ...]:
        """As `speak`, without waiting: used for reference recoveries too."""
        lead = self._lead(view)
        segments = [Segment(act=LEAD, text=lead)] if lead else []
        for use in view.plan.acts:
            behind = segments[-1].text if segments else ""
            segments.append(Segment(act=use.ref, text=self.text(use, view, behind)))
        return tuple(segments)

    def text(self, use: ActUse, view: AssistantView, behind: str = "") -> str:
        """One act's words: the variant is chosen in rotation, so that calls differ and none repeats itself.

        Args:
            use: The act and its form.
            view: What the agent sees.
            behind: What is said right before it; another first word is preferred.
        """
        return sentence(self._text(use, view, behind))

    def _text(self, use: ActUse, view: AssistantView, behind: str) -> str:
        scope = self._known | view.slots
        if use.ref.startswith("accept:"):
            slot = use.ref.removeprefix("accept:")
            called = self._script.workflow.question_of(slot)[1].called or slot
            scope = scope | {"called": fill(called, scope), "value": view.slots[slot]}
            return fill(self._pick(self._phrases.corrected, use.ref, view, view.turn), scope)
        if use.ref == "steer":
            subject = {"subject": self._script.workflow.subject}
            return fill(self._pick(self._phrases.steer, use.ref, view, view.turn, behind), subject)
        turn = 0 if use.form is Form.SAY and not use.ref.endswith(HINT) else view.turn
        lines = self._script.lines(use.ref, use.form)
        return fill(self._pick(lines, f"{use.ref}/{use.form.value}", view, turn, behind), scope)

    def _lead(self, view: AssistantView) -> str | None:
        """A short reaction to what the caller did: to an answer, or else to the way they cut in.

        A caller in a hurry hears back only what was booked; a call that is about to end needs no reaction.
        """
        if any(use.ref.startswith(STOP) for use in view.plan.acts):
            return None
        hurried = view.after is InterruptionType.IMPATIENT
        if view.answered is not None and (not hurried or self._tells_something(view)):
            received = self._received(view)
            if received:
                return received
        if hurried and not any(self._is_question(use.ref) for use in view.plan.acts):
            return None  # nobody promises to move on and says goodbye
        leads = leads_after(self._phrases, view)
        return self._pick_lead(leads, view) if leads else None

    def _received(self, view: AssistantView) -> str | None:
        assert view.answered is not None
        own = self._own_reaction(view)
        if not own and view.after is not None:
            return None  # the reaction to the interruption is enough
        chosen = self._pick(own, f"{view.answered}/received", view) if own else None
        return fill(chosen or self._pick_lead(self._phrases.thanks, view), self._known | view.slots)

    def _is_question(self, ref: str) -> bool:
        return ref in self._script.questions

    def _tells_something(self, view: AssistantView) -> bool:
        """Whether the reaction to the answer is more than thanks: it says the value, or depends on it."""
        assert view.answered is not None
        own = self._own_reaction(view)
        return len(self._script.act(view.answered).received) > 1 or any(map(placeholders, own))

    def _own_reaction(self, view: AssistantView) -> Sequence[str]:
        """What the question has for this answer."""
        assert view.answered is not None
        for reaction in self._script.act(view.answered).received:
            if reaction.when is None or view.slots.get(reaction.when.slot) == reaction.when.equals:
                return reaction.say
        return ()

    def _pick_lead(self, leads: Sequence[str], view: AssistantView) -> str:
        """A lead in rotation; one that opened a turn of this call before is passed over while there is another."""
        opened = tuple(m.text for m in view.history if m.speaker is Speaker.AGENT)
        unsaid = {lead for lead in leads if not any(text.startswith(lead) for text in opened)}
        return self._pick(leads, LEAD, view, view.turn, among=unsaid)

    def _pick(
        self,
        variants: Sequence[str],
        key: str,
        view: AssistantView,
        turn: int = 0,
        behind: str = "",
        among: Collection[str] = (),
    ) -> str:
        """A variant in rotation; one that would repeat the agent's last words is passed over.

        What may come up several times in a call moves on with `turn` too. One that begins like the words it stands
        behind is passed over where there is another; so is one that is not `among` those that are preferred.
        """
        size = len(variants)
        # Each key shuffles its variants anew whenever all have been used, so that no two acts move in step.
        block, start = divmod(view.rotation, size)
        shuffled = sorted(variants, key=lambda v: sha256(f"{self._script.workflow.id}/{key}/{block}/{v}"))
        ordered = [shuffled[(start + turn + i) % size] for i in range(size)]
        ordered = [v for v in ordered if v in among] or ordered
        last = next((m.text for m in reversed(view.history) if m.speaker is Speaker.AGENT), "")
        fresh = [v for v in ordered if not shares_phrase(v, last)] or ordered
        begun = {_first_word(said) for said in sentences(behind)[-1:]}
        unlike = [v for v in fresh if _first_word(v) not in begun] or fresh
        return unlike[view.attempt % len(unlike)]


def leads_after(phrases: AgentPhrases, view: AssistantView) -> Sequence[str]:
    """Authored reactions to the interruption that has just occurred; none after a filler or a correction."""
    asked = "?" in _last_words(view)
    if view.after is InterruptionType.IMPATIENT:
        return phrases.quick
    if view.after is InterruptionType.PUSHBACK:
        return phrases.calm_question if asked else phrases.calm
    if view.after is InterruptionType.NORMAL:
        return phrases.noted_question if asked else phrases.noted
    if view.after is InterruptionType.TOPIC_SWITCH:
        return phrases.sidestep_question if asked else phrases.sidestep
    return ()


def _last_words(view: AssistantView) -> str:
    """The last sentence that the caller cut in with: it decides whether they asked."""
    said = view.history[-1].text if view.history else ""
    return (sentences(said) or ("",))[-1]


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0].strip(",.").lower()
