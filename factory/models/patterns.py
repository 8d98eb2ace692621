"""Narrower schemas for small models on servers that write by a grammar (llama.cpp, vLLM).

A schema here leaves no room for what the rules forbid: acts in their order, values literally in the words, a long
first sentence, the right final mark. What is said in between is the model's. Where a small model cannot be trusted
with the sense (what a caller wants to say), it chooses among the ways that were released.

Patterns keep to what all grammar engines know: groups, alternatives, classes, counts, both anchors.
"""

import re
from collections.abc import Iterable, Sequence

from factory.models.brief import ActBrief
from factory.models.caller_rules import ANSWER, wants_answer
from factory.models.replies import AssistantReply, PlannerReply, ReactionReply, UserReply
from factory.models.request import ReplySchema
from factory.models.rules import MOST_LEAD_WORDS, tidy
from factory.records.base import Record, canonical_json
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
_SMALL_STARTS = "(Uh|Um|Well|Oh|So)"
_SOUNDS = ("mm-hm", "right", "okay", "uh-huh")


def narrow_plan() -> ReplySchema:
    """A planner's note of one or two sentences."""
    note: Schema = {"type": "string", "pattern": f"^{_SENTENCE}( {_SENTENCE})?$"}
    return _schema(PlannerReply, {"rationale": _thought(), "plan": note})


def narrow_turn(acts: Sequence[ActBrief], leads: Sequence[str]) -> ReplySchema:
    """An agent's turn: one of the leads or none, then just these acts in this order.

    Args:
        acts: What the turn does.
        leads: Short reactions that may open it.
    """
    usable = [lead for lead in leads if len(lead.split()) <= MOST_LEAD_WORDS]
    segments = [_closed({"act": _one_of([act.ref]), "text": _act_text(act)}) for act in acts]
    turn: Schema = {"type": "array", "prefixItems": segments, "minItems": len(acts), "maxItems": len(acts)}
    return _schema(AssistantReply, {"lead": _one_of(["", *usable]), "segments": turn})


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


def _act_text(act: ActBrief) -> Schema:
    """Words around the values and one of the mentions; any text where these cannot stand in a pattern."""
    parts = [_literal(value) for value in act.holds]
    if act.mentions:
        parts.append("(" + "|".join(map(_literal, act.mentions)) + ")")
    if any(_RAW.search(text) for text in (*act.holds, *act.mentions)):
        return {"type": "string"}
    least, most = (MIN_CUT_WORDS, MIN_CUT_WORDS + 3) if act.long else (2, 7)
    middle = "".join(f" {part}{_NEXT}{{0,3}}" for part in parts)
    first = f"{_CAPITAL}{_NEXT}{{{least},{most}}}{middle}{_LAST}"
    if act.question:
        return {"type": "string", "pattern": f"^{first}[?]$"}
    return {"type": "string", "pattern": f"^{first}[.] {_SENTENCE}$" if act.long else f"^{first}[.]$"}


def _literal(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _thought() -> Schema:
    return {"type": "string", "pattern": f"^{_CAPITAL}{_NEXT}{{2,8}}{_LAST}[.]$"}


def _one_of(texts: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(dict.fromkeys(texts))}


def _closed(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _schema(reply: type[Record], properties: dict[str, Schema]) -> ReplySchema:
    closed = {**_closed(properties), "title": reply.__name__}
    return ReplySchema(name=reply.__name__, json_schema=canonical_json(closed))
