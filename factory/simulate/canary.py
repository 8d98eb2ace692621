"""Canaries: nonsense words planted where the caller's side must not look, to see whether they turn up there."""

import re

from factory.corpus.seeds import rng_for
from factory.records.conversation import Round, Segment, Utterance
from factory.records.workflow import Workflow

MARK = "zq"
"""How every canary begins; no English word holds it."""
CONSONANTS, VOWELS, PAIRS = "bdfgklmnprtvz", "aeiou", 4
"""What stands behind the mark: so many pairs of a consonant and a vowel."""
_CANARY = re.compile(rf"{MARK}(?:[a-z]{{2}}){{{PAIRS}}}", re.IGNORECASE)
_PLANTED = re.compile(rf" ?{_CANARY.pattern}", re.IGNORECASE)


def canary_word(seed: int, conversation_id: str) -> str:
    """A word of its own for one conversation."""
    rng = rng_for(seed, "canary", conversation_id)
    return MARK + "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(PAIRS))


def says_canary(text: str) -> bool:
    """Whether a text holds a word of the shape of a canary, this conversation's or any other's, as it is.

    `factory.simulate.disguise` knows it in other writings.
    """
    return _CANARY.search(text) is not None


def plant(segments: tuple[Segment, ...], canary: str) -> tuple[Segment, ...]:
    """Puts the canary before the last full stop of an utterance, which is never delivered when it is cut."""
    *head, last = segments
    return (*head, Segment(act=last.act, text=f"{last.text[:-1]} {canary}{last.text[-1]}"))


def unplant(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Takes canaries out again, whoever put them there and wherever; a text without one comes back as it is."""
    kept = (Segment(act=s.act, text=_without(s.text)) for s in segments)
    return tuple(segment for segment in kept if segment.text)


def without_canary(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """The rounds as an ordinary build has them."""
    return tuple(
        r.model_copy(update={"agent": Utterance(segments=unplant(r.agent.segments), cut=r.agent.cut)}) for r in rounds
    )


def plant_in_workflow(workflow: Workflow, intent: str, canary: str) -> Workflow:
    """A workflow whose agent-only prose, and whose other callers' secrets, hold the canary."""
    stages = tuple(
        s.model_copy(
            update={
                "description": f"{s.description} {canary}",
                "name": f"{s.name} {canary}",
                "acts": tuple(a.model_copy(update={"does": f"{a.does} {canary}"}) for a in s.acts),
            }
        )
        for s in workflow.stages
    )
    intents = tuple(
        i
        if i.id == intent
        else i.model_copy(
            update={
                "description": f"{i.description} {canary}",
                "hidden_information": tuple(
                    h.model_copy(update={"info": f"{h.info} {canary}"}) for h in i.hidden_information
                ),
            }
        )
        for i in workflow.intents
    )
    guidelines = tuple(f"{g} {canary}" for g in workflow.guidelines)
    return workflow.model_copy(update={"stages": stages, "intents": intents, "guidelines": guidelines})


def _without(text: str) -> str:
    while says_canary(text):  # what stands around one may make another
        text = _PLANTED.sub("", text).strip()
    return text
