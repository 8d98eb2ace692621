"""What code decides on every reply of the caller's side, from the view of the role alone.

Nothing here knows a workflow, so a fault may be told to the model: it says no more than the view did.
"""

from collections.abc import Iterator

from factory.models.replies import ReactionReply, UserReply
from factory.models.rules import cleaned, holds_exactly, number_faults, spoken_faults, tidy
from factory.records.conversation import ReleasedLine
from factory.records.enums import InterruptionType
from factory.records.lines import placeholders
from factory.simulate.views import ReactionView, UserView
from factory.workflow.fill import fill_known
from factory.workflow.phrases import bare_words, holds_phrase

MOST_WORDS = 45
"""Words of a caller's message."""
MOST_HURRY_WORDS = 25
"""Words of a message that only hurries the agent along."""
MOST_FILLER_WORDS = 4
"""Words of a backchannel."""
ANSWER = "answer"
"""Kind of the lines that answer the agent's question."""

BACKCHANNELS = frozenset(
    """
    ah alright all cool exactly fine good gotcha got great hm hmm huh i it mhm mm mm-hm mm-hmm oh ok okay right see
    sure true uh uh-huh um yeah yep yes yup
    """.split()  # noqa: SIM905  (a list of quoted words is no easier to read)
)
"""Words of which a backchannel is made, besides those of the lines that were released."""


def tidy_sound(text: str) -> str:
    """A backchannel as it is written: small, without a final stop."""
    line = cleaned(text).rstrip(" .,!…")
    return line if line.split(" ")[0] in ("I", "I'm", "I'll") else line[:1].lower() + line[1:]


def wants_answer(view: ReactionView) -> bool:
    """Whether the caller answers a question while they cut in."""
    return view.type is not None and any(line.kind == ANSWER for line in view.lines)


def needed_values(line: ReleasedLine, facts: dict[str, str]) -> tuple[str, ...]:
    """Values that stand in all ways to say a line, so that any other way has to hold them too."""
    common = set.intersection(*(set(placeholders(text)) for text in line.texts)) if line.texts else set()
    return tuple(facts[name] for name in sorted(common) if name in facts)


def reaction_faults(reply: ReactionReply, view: ReactionView) -> list[str]:
    """What is wrong with a reaction plan. An answer that nobody wants is no fault: it is left out."""
    parts = {"gist": reply.gist, **({ANSWER: reply.answer} if wants_answer(view) else {})}
    faults = []
    for name, text in parts.items():
        faults += [f"{name}: {fault}" for fault in _part_faults(name, text, view)]
    return faults


def _part_faults(name: str, text: str, view: ReactionView) -> Iterator[str]:
    if not text.strip():
        yield "is empty"
        return
    if view.type is InterruptionType.FILLER:
        yield from _filler_faults(text, (t for line in view.lines for t in line.texts))
        return
    yield from spoken_faults(text)
    for line in view.lines:
        if name == "gist" or line.kind == ANSWER:
            for value in needed_values(line, view.facts):
                if not holds_exactly(text, value):
                    yield f"does not hold `{value}` exactly as written"
    yield from number_faults(text, _reaction_sources(view))
    if len(text.split()) > MOST_WORDS:
        yield f"has more than {MOST_WORDS} words"


def _reaction_sources(view: ReactionView) -> Iterator[str]:
    yield from view.facts.values()
    yield from (text for line in view.lines for text in line.texts)
    yield from (message.text for message in view.heard)
    yield from (view.intent.reaction, view.intent.description, *view.intent.hidden_information)


def planned_values(view: UserView) -> tuple[str, ...]:
    """The caller's values that the plan has, and that their words have to hold."""
    gist = fill_known(view.plan.gist, view.facts)
    return tuple(dict.fromkeys(value for value in view.facts.values() if holds_phrase(gist, value)))


def caller_faults(reply: UserReply, view: UserView) -> list[str]:
    """What is wrong with a caller's words."""
    return list(_caller_faults(reply.utterance, view))


def _caller_faults(utterance: str, view: UserView) -> Iterator[str]:
    text = tidy(utterance)
    if not text:
        yield "the utterance is empty"
        return
    gist = fill_known(view.plan.gist, view.facts)
    if view.type is InterruptionType.FILLER:
        yield from _filler_faults(text, (gist,))
        return
    yield from spoken_faults(text)
    for value in planned_values(view):
        if not holds_exactly(text, value):
            yield f"does not hold `{value}` exactly as written"
    heard = (message.text for message in view.heard)
    yield from number_faults(text, (*view.facts.values(), gist, view.plan.answer or "", *heard))
    hurries = view.type is InterruptionType.IMPATIENT and not view.plan.answer
    most = MOST_HURRY_WORDS if hurries else MOST_WORDS
    if len(text.split()) > most:
        yield f"has more than {most} words"


def _filler_faults(text: str, released: Iterator[str] | tuple[str, ...]) -> Iterator[str]:
    """A backchannel says nothing: a few of the words that people say while they listen."""
    words = bare_words(text)
    known = BACKCHANNELS | {word for line in released for word in bare_words(line)}
    if not words or len(words) > MOST_FILLER_WORDS or "?" in text or not known.issuperset(words):
        yield 'has to be a small sound of listening and nothing else, one to three words such as "mm-hm" or "right"'
