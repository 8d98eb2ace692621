"""Narrower schemas for small models on servers that write by a grammar (llama.cpp, vLLM).

A schema here leaves no room for what the rules forbid: acts in their order, values literally in the words, a long
first sentence, the right final mark. What is said in between is the model's. Where a small model cannot be trusted
with the sense (what a caller wants to say, what a rubric asks, what a house's rules are), it chooses among wordings
that say the same, all of them authored or made by code.

Patterns keep to what all grammar engines know: groups, alternatives, classes, counts, both anchors.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, takewhile

from factory.models.brief import ActBrief, Brief, StageBrief
from factory.models.caller_rules import ANSWER, wants_answer
from factory.models.replies import (
    AssistantReply,
    ModifierReply,
    PlannerReply,
    ReactionReply,
    RubricReply,
    SystemMessageReply,
    UserReply,
    VerifierReply,
)
from factory.models.request import ReplySchema
from factory.models.rules import MOST_LEAD_WORDS, act_faults, tidy
from factory.records.base import Record
from factory.records.conversation import Segment
from factory.records.enums import InterruptionType
from factory.simulate.views import ReactionView, UserView
from factory.workflow.fill import fill, fill_known
from factory.workflow.sentences import MIN_CUT_WORDS

Schema = dict[str, object]

MOST_WAYS = 5
"""Ways to say one kind of line that a small model may choose among."""

_CAPITAL = "[A-Z][a-z]{1,9}"
_WORD = "(I|[a-z]{1,11}('[a-z]{1,2})?)"
_NEXT = f"(,? {_WORD})"
_LAST = " [a-z]{3,9}"
"""A sentence never ends in "I", which with a full stop behind it would be read as an initial."""
_SENTENCE = f"{_CAPITAL}{_NEXT}{{3,9}}{_LAST}[.]"
_SPECIAL = re.compile(r"([\\^$.\[\]()|{}*+?])")
_RAW = re.compile(r'["\\\x00-\x1f]')
"""Characters that a JSON text escapes; engines differ in whether a pattern sees them escaped."""
LONGEST_COURSE = 9_000
"""Characters of a system message behind which no more topics are listed: it may not become too long."""
BEGIN_WORDS = 3
"""Words of an authored way that a model's own way may begin with: too few to be a phrase that was heard before."""

_SMALL_STARTS = "(Uh|Um|Well|Oh|So)"
_SOUNDS = ("mm-hm", "right", "okay", "uh-huh")
_MENDED_STARTS = "(Well|Now|Okay|So)"
_SMALL_WORDS = frozenset(
    """
    a an and are before can could did do does for have here how if is it it's may my of on once our so that that's the
    then there there's they this to we we'll we're what what's when where which who will with would you you'll your
    """.split()  # noqa: SIM905  (a list of quoted words is no easier to read)
)
"""First words of a sentence that are no names, and become small behind another start."""


def narrow_plan() -> ReplySchema:
    """A planner's note of one or two sentences."""
    note: Schema = {"type": "string", "pattern": f"^{_SENTENCE}( {_SENTENCE})?$"}
    return _schema(PlannerReply, {"rationale": _thought(), "plan": note})


def narrow_turn(acts: Sequence[ActBrief], leads: Sequence[str], authored: bool = False) -> ReplySchema:
    """An agent's turn: one of the leads or none, then just these acts in this order.

    Args:
        acts: What the turn does.
        leads: Short reactions that may open it.
        authored: Whether the acts are said in one of the ways that were authored, where there are any. Behind a cut
            no phrase of it may return, and a small model returns to whatever it has read.
    """
    usable = [lead for lead in leads if len(lead.split()) <= MOST_LEAD_WORDS]
    segments = [_closed({"act": _one_of([act.ref]), "text": _act_text(act, authored)}) for act in acts]
    return _schema(AssistantReply, {"lead": _one_of(["", *usable]), "segments": _tuple(segments)})


def narrow_reaction(view: ReactionView) -> ReplySchema:
    """What a caller will say: one of the ways that were released, with the facts in their places."""
    ways = {line.kind: [tidy(fill(text, view.facts)) for text in line.texts[:MOST_WAYS]] for line in view.lines}
    answers = ways.get(ANSWER, []) if wants_answer(view) else []
    if answers:
        behind = ways.get("move") or ways.get("hurry_after_answer") or []
        gists = [" ".join((answer, more)) for answer in answers for more in behind] or answers
    else:
        gists = [way for kind in ways.values() for way in kind]
    return _schema(ReactionReply, {"rationale": _thought(), "gist": _one_of(gists), "answer": _one_of(answers or [""])})


def narrow_words(view: UserView) -> ReplySchema:
    """A caller's words: what was planned, with or without a small start."""
    gist = fill_known(view.plan.gist, view.facts)
    if view.type is InterruptionType.FILLER:
        return _schema(UserReply, {"rationale": _thought(), "utterance": _one_of([gist, *_SOUNDS])})
    begin = gist if gist.startswith(("I ", "I'")) else gist[:1].lower() + gist[1:]
    pattern = f"^({_literal(gist)}|{_SMALL_STARTS}, {_literal(begin)})$"
    words: Schema = {"type": "string", "pattern": pattern} if not _RAW.search(gist) else _one_of([gist])
    return _schema(UserReply, {"rationale": _thought(), "utterance": words})


def narrow_rubric(task_fulfilment: str, recovery: Sequence[str]) -> ReplySchema:
    """The criteria of a rubric, each as code has it or in a slightly other wording of the same; none is added.

    Args:
        task_fulfilment: What code has for it.
        recovery: The same, in order.
    """
    texts = [_one_of(_ways_to_judge(text)) for text in recovery]
    return _schema(
        RubricReply, {"task_fulfilment": _one_of(_ways_to_judge(task_fulfilment)), "recovery": _tuple(texts)}
    )


def narrow_findings(checks: Mapping[int, Sequence[str]]) -> ReplySchema:
    """No fault, or one that other words mend.

    Args:
        checks: By message that faults may be found in, the letters that can be about it.
    """
    notes = {"problem": _thought(), "fix": _thought()}
    forms = [
        _closed(
            {
                "message": {"type": "integer", "enum": [message]},
                "check": _one_of(letters),
                "fixable": {"type": "boolean", "enum": [True]},
                **notes,
            }
        )
        for message, letters in checks.items()
        if letters
    ]
    if not forms:
        return _schema(VerifierReply, {"findings": _tuple([])})
    return _schema(VerifierReply, {"findings": {"type": "array", "items": {"anyOf": forms}, "maxItems": 1}})


def narrow_edit(segments: Sequence[Segment]) -> ReplySchema:
    """The turn with another start of one segment, or a short sentence behind it; all else stands.

    Args:
        segments: The turn as it is.
    """
    turns = []
    for changed in range(len(segments)):
        texts = [_mended(s.text) if i == changed else _one_of([s.text]) for i, s in enumerate(segments)]
        turns.append(
            _tuple([_closed({"act": _one_of([s.act]), "text": text}) for s, text in zip(segments, texts, strict=True)])
        )
    return _schema(ModifierReply, {"segments": {"anyOf": turns} if len(turns) > 1 else turns[0]})


def narrow_system_message(brief: Brief, slot: str) -> ReplySchema:
    """A system message of fixed parts (who, rules, steps, what the system shows) with one of some openings.

    Args:
        brief: The agent's side of the workflow.
        slot: The placeholder of what the system shows about the person.
    """
    act = "place this call" if brief.outbound else "pick up this call"
    openings = (
        f"You are {brief.agent}, the voice agent of {brief.organization}, and you {act}.",
        f"You speak for {brief.organization}. Your name is {brief.agent}, and you {act}.",
    )
    said = (
        "Speak aloud, in short and plain turns, and ask one question at a time.",
        "Talk as a person does, in short turns with one question at the most.",
    )
    rest = [f"What the call is for: {brief.goal}", *_listed("Rules", brief.guidelines), "Steps"]
    for number, stage in enumerate(brief.stages, 1):
        rest.append(f"{number}. {stage.name}: {' '.join(_conditions(stage))}")
        rest += [f"- {act.does}" for act in stage.acts]
    rest += _listed("Ends", [brief.success, *brief.stops])
    topics = [f"{topic.about}: {topic.does}" for topic in brief.topics]
    lengths = accumulate((len(topic) for topic in topics), initial=sum(map(len, rest)))
    fitting = [topic for topic, before in zip(topics, lengths, strict=False) if before < LONGEST_COURSE]
    rest += _listed("When people bring something up", fitting)
    body = _without_braces("\n".join(rest)) + f"\nWhat the system shows about the person:\n{slot}"
    texts = [f"{_without_braces(f'{one} {two}')}\n{body}" for one in openings for two in said]
    return _schema(SystemMessageReply, {"system_message": _one_of(texts)})


def _ways_to_judge(text: str) -> list[str]:
    """A criterion as code has it, and in one other wording that asks for the same."""
    for begin, other in (
        ("In this one response the agent", "In this response the agent"),
        ("The resp", "The agent's resp"),
    ):
        if text.startswith(begin):
            return [text, other + text.removeprefix(begin)]
    return [text]


def _mended(text: str) -> Schema:
    """A spoken text with another start, or with a short sentence more where it asks nothing."""
    first, _, rest = text.partition(" ")
    begin = f"{first.lower() if first.lower() in _SMALL_WORDS else first} {rest}".strip()
    if _RAW.search(text):
        return _one_of([f"Well, {begin}", f"Now, {begin}"])
    more = "" if text.endswith("?") else f"|{_literal(text)} {_SENTENCE}"
    return {"type": "string", "pattern": f"^({_MENDED_STARTS}, {_literal(begin)}{more})$"}


def _listed(title: str, entries: Sequence[str]) -> list[str]:
    return [title, *(f"- {entry}" for entry in entries)] if entries else []


def _conditions(stage: StageBrief) -> list[str]:
    return [text for text in (stage.description, stage.skip, stage.failure, *stage.early_ends) if text]


def _without_braces(text: str) -> str:
    """A text in which values that only a call brings are named in words."""
    return re.sub(r"[{}]", "", re.sub(r"\{([^{}]*)\}", lambda m: f"the {re.sub(r'[._]', ' ', m[1])}", text))


def _act_text(act: ActBrief, authored: bool) -> Schema:
    """An authored way, or a beginning of one, and then words around the values and one of the mentions.

    Any text where these cannot stand in a pattern.
    """
    ways = [way for way in act.examples if not act_faults(act, way)]
    parts = [_literal(value) for value in act.holds]
    if act.mentions:
        parts.append("(" + "|".join(map(_literal, act.mentions)) + ")")
    if authored and ways:
        return _one_of(ways)
    if any(_RAW.search(text) for text in (*act.holds, *act.mentions, *ways)):
        return _one_of(ways) if ways else {"type": "string"}
    least, most = (MIN_CUT_WORDS, MIN_CUT_WORDS + 3) if act.long else (1, 6)
    begins = [begin for begin in map(_begin, ways) if begin]
    first = f"({'|'.join(map(_literal, begins))})" if begins else _CAPITAL
    first += f"{_NEXT}{{{least},{most}}}{''.join(f' {part}{_NEXT}{{0,3}}' for part in parts)}{_LAST}"
    if act.question:
        return {"type": "string", "pattern": f"^{first}[?]$"}
    return {"type": "string", "pattern": f"^{first}[.] {_SENTENCE}$" if act.long else f"^{first}[.]$"}


def _begin(text: str) -> str:
    """How a text begins: words without a value, a mark or a name behind the first one."""
    words = text.split()[:BEGIN_WORDS]
    fit = takewhile(lambda word: word == "I" or re.fullmatch(r"[a-z']+", word), words[1:])
    return " ".join([words[0], *fit]) if re.fullmatch(r"[A-Z][a-z']*", words[0]) else ""


def _literal(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _thought() -> Schema:
    return {"type": "string", "pattern": f"^{_CAPITAL}{_NEXT}{{2,8}}{_LAST}[.]$"}


def _one_of(texts: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(dict.fromkeys(texts))}


def _tuple(items: list[Schema]) -> Schema:
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _closed(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _schema(reply: type[Record], properties: dict[str, Schema]) -> ReplySchema:
    closed = {**_closed(properties), "title": reply.__name__}
    return ReplySchema(name=reply.__name__, json_schema=json.dumps(closed, separators=(",", ":")))
