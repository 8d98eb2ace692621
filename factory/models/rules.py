"""What code decides on every reply, in words that its writer may be told: spoken text, and the agent's turn.

Each rule reads what the role itself is given and nothing else. The caller's are in `factory.models.caller_rules`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from factory.models.brief import ActBrief, Brief
from factory.models.replies import AssistantReply
from factory.records.enums import InterruptionType, Speaker
from factory.records.rubric import SHORT_WORDS
from factory.rubric.checker import DISMISSIVE
from factory.simulate.views import AssistantView
from factory.workflow.aloud import LONGEST_AGENT_TURN, MARKUP, is_unseen, unsaid_fault
from factory.workflow.phrases import holds_phrase, phrases
from factory.workflow.sentences import MIN_CUT_WORDS, is_cuttable, sentences

MOST_LEAD_WORDS = 12
"""Words of the short reaction that opens a turn."""
MOST_ACT_WORDS, MOST_ACT_SENTENCES = 50, 4
"""The longest wording of one act; writers are asked for less."""
LONGEST_WORD = 60
"""Letters of a word beyond which it is none; addresses of web pages and letters stay below."""
_MOST_TOLD = 3
"""Values that a fault names at the most."""

_CURLY = {"’": "'", "‘": "'", "‛": "'", "“": '"', "”": '"', "„": '"'}
_STRAIGHT = str.maketrans(_CURLY)
_ENDS = (".", "?", "!", "…")
_SPEAKER = re.compile(r"\s*(?:agent|assistant|caller|customer|user|system)\s*:", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def cleaned(text: str) -> str:
    """A text on one line: single spaces, straight quotes, no characters that are obeyed and not seen."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = " ".join("".join(c for c in line if not is_unseen(c)).split())
    return line.translate(_STRAIGHT) if any(quote in line for quote in _CURLY) else line


def tidy(text: str) -> str:
    """A spoken text with what code can mend mended: white space, quotes, its first capital, its final stop.

    Returns:
        The text, which ends as a sentence does; empty for a text with nothing in it.
    """
    line = cleaned(text)
    core = line.rstrip("\"'")
    if not core:
        return ""
    if not core.endswith(_ENDS):
        quotes = line[len(core) :]
        line = f"{core.rstrip(' ,:-')}{quotes}."
    # A name such as "iPhone" keeps its small letter.
    return line if any(c.isupper() for c in line[1:3]) else line[:1].upper() + line[1:]


def spoken_faults(text: str) -> list[str]:
    """What in a text cannot be said aloud; empty for plain speech."""
    fault = unsaid_fault(text)
    faults = [fault] if fault else []
    if MARKUP.search(text):
        faults.append(
            "holds marks that nobody can say: no dashes, semicolons, parentheses, brackets, asterisks or braces"
        )
    if _SPEAKER.match(text):
        faults.append("names its speaker in front; give the words alone")
    if any(len(word) > LONGEST_WORD for word in text.split()):
        faults.append(f"holds a word of more than {LONGEST_WORD} letters")
    return faults


def holds_exactly(text: str, value: str) -> bool:
    """Whether a value stands in a text letter by letter, but for a capital at its beginning."""
    return cleaned(value).lower() in cleaned(text).lower() and holds_phrase(text, value)


def numbers_unknown(text: str, sources: Iterable[str]) -> tuple[str, ...]:
    """Runs of digits in a text that stand in none of the sources, in order."""
    said = dict.fromkeys(_DIGITS.findall(text))
    known = {run for source in sources for run in _DIGITS.findall(source)} if said else ()
    return tuple(run for run in said if run not in known)


def number_faults(text: str, sources: Iterable[str]) -> Iterator[str]:
    """The fault of numbers out of nowhere, if there are any."""
    unknown = numbers_unknown(text, sources)
    if unknown:
        # Shortened: a fault is kept and told, and a reply may hold a number of any length.
        told = ", ".join(run[:20] for run in unknown[:_MOST_TOLD])
        yield f"says {told}, which stands nowhere in what you were given"


def act_faults(act: ActBrief, text: str) -> list[str]:
    """What is wrong with the words of one act, taken alone."""
    faults = spoken_faults(text)
    faults += [f"does not hold `{value}` exactly as written" for value in act.holds if not holds_exactly(text, value)]
    if act.mentions and not any(holds_phrase(text, phrase) for phrase in act.mentions):
        faults.append(f"holds none of these word for word: {', '.join(f'`{phrase}`' for phrase in act.mentions)}")
    if act.question and text.count("?") != 1:
        faults.append("has to ask exactly one question")
    if not act.question and "?" in text:
        faults.append("asks something, and this act asks nothing")
    if act.long and not act.question and not is_cuttable((text,)):
        faults.append(f"begins with a sentence of fewer than {MIN_CUT_WORDS + 2} words; make the first sentence longer")
    if len(text.split()) > MOST_ACT_WORDS or len(sentences(text)) > MOST_ACT_SENTENCES:
        faults.append(f"is too long; at most three sentences and {MOST_ACT_WORDS} words")
    return faults


def agent_faults(reply: AssistantReply, acts: Sequence[ActBrief], view: AssistantView, brief: Brief) -> list[str]:
    """What is wrong with an agent's turn.

    Args:
        reply: The turn as the model wrote it; what `tidy` mends is no fault.
        acts: What the turn has to do.
        view: The assistant's view.
        brief: The agent's side of the workflow.
    """
    wanted = [act.ref for act in acts]
    if [segment.act for segment in reply.segments] != wanted:
        return [f"the segments are to be exactly these acts, each once, in this order: {', '.join(wanted)}"]
    texts = [tidy(segment.text) for segment in reply.segments]
    lead = tidy(reply.lead)
    faults = [f"lead: {fault}" for fault in _lead_faults(lead, view)]
    for act, text in zip(acts, texts, strict=True):
        faults += [f"{act.ref}: {fault}" for fault in act_faults(act, text)]
    turn = " ".join([lead, *texts]).strip()
    faults += _second_sentence(acts[-1], texts[-1])
    faults += _length_faults(turn, view)
    faults += number_faults(turn, _sources(acts, view, brief))
    faults += _private_faults(turn, acts, view, brief)
    faults += _taken_back(list(zip(acts, texts, strict=True)), lead, view)
    faults += [f'says "{phrase}", which is dismissive' for phrase in DISMISSIVE if holds_phrase(turn, phrase)]
    if view.after is not None and view.after is not InterruptionType.FILLER:
        faults += _fresh_faults(reply.lead if lead else reply.segments[0].text, turn, view)
    return faults


def _lead_faults(lead: str, view: AssistantView) -> Iterator[str]:
    if not lead:
        return
    yield from spoken_faults(lead)
    if not any(m.speaker is Speaker.CALLER for m in view.history):
        yield "has to be empty: nobody has said anything yet"
    if len(lead.split()) > MOST_LEAD_WORDS or len(sentences(lead)) > 1:
        yield f"has to be one sentence of at most {MOST_LEAD_WORDS} words"
    if "?" in lead:
        yield "asks something; a lead never asks"


def _second_sentence(act: ActBrief, text: str) -> Iterator[str]:
    """A long act at the end is followed by a sentence of its own, where its authored wordings are."""
    wanted = act.long and not act.question and all(len(sentences(example)) > 1 for example in act.examples)
    if wanted and len(sentences(text)) < 2:
        yield f"{act.ref}: needs a second sentence behind the first"


def _length_faults(turn: str, view: AssistantView) -> Iterator[str]:
    most = SHORT_WORDS if view.after is InterruptionType.IMPATIENT else LONGEST_AGENT_TURN
    if len(turn.split()) > most:
        yield f"the whole turn has more than {most} words; make it shorter"


def _sources(acts: Sequence[ActBrief], view: AssistantView, brief: Brief) -> Iterator[str]:
    """Every text whose numbers the agent may say."""
    yield from brief.known.values()
    yield from brief.guidelines
    yield from view.slots.values()
    yield from (message.text for message in view.history)
    for act in acts:
        yield from (act.does, *act.holds, *act.mentions, *act.examples)


def _private_faults(turn: str, acts: Sequence[ActBrief], view: AssistantView, brief: Brief) -> Iterator[str]:
    """Private information is said only where an act has it, or once the agent has said it."""
    open_to_all = [text for act in acts for text in (*act.holds, *act.examples)]
    open_to_all += [m.text for m in view.history if m.speaker is Speaker.AGENT]
    for name, value in brief.known.items():
        said = name.split(".")[0] in brief.private and holds_phrase(turn, value)
        if said and not any(holds_phrase(text, value) for text in open_to_all):
            yield f"says `{value}`, which is private and stands in none of these acts"


def _taken_back(spoken: Sequence[tuple[ActBrief, str]], lead: str, view: AssistantView) -> Iterator[str]:
    """A value that the caller took back does not return, other than in lines that were authored with it."""
    for old in view.revised.values():
        if any(holds_phrase(value, old) for value in view.slots.values()):
            continue
        by_act = [text for act, text in spoken if not any(holds_phrase(e, old) for e in (*act.examples, *act.holds))]
        if any(holds_phrase(text, old) for text in (lead, *by_act)):
            yield f"says `{old}`, which the person has taken back"


def last_words(view: AssistantView) -> str:
    """What the agent said last, as it was delivered; empty before its first turn."""
    return next((m.text for m in reversed(view.history) if m.speaker is Speaker.AGENT), "")


def _fresh_faults(raw: str, turn: str, view: AssistantView) -> Iterator[str]:
    """After a cut the agent neither goes on with the sentence nor says its words again."""
    begin = cleaned(raw)
    if begin.startswith(("…", "...", ",")) or (begin[:1].islower() and not any(c.isupper() for c in begin[1:3])):
        yield "goes on in the middle of a sentence; begin a new one"
    again = sorted(phrases(turn) & phrases(last_words(view)))
    if again:
        yield f'says "{" ".join(again[0])}" again, which has just been heard; put it in other words'
