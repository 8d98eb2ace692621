"""The player: answers our own prompts as a model would, from nothing but the request.

The title of the reply's schema says what is asked for. Agent's acts and caller's lines are taken as the prompt's data
has them, so that whole corpora can be built against it; nothing is remembered between calls, and equal requests get
equal replies.
"""

import json
from collections.abc import Callable, Mapping

from factory.models.fake.forms import WORDS, smallest
from factory.models.fake.material import Material, Row, fill, rows, string, strings
from factory.models.fake.prose import MENDED, broken_up, mended, system_message
from factory.models.fake.scenarios import Scenario
from factory.models.fake.wire import Asked
from factory.models.rules import MOST_LEAD_WORDS
from factory.workflow.phrases import holds_phrase, shares_phrase

Reply = Mapping[str, object]


def play(asked: Asked, scenario: Scenario) -> str:
    """The reply to a request: JSON of its schema, or plain words where it has none."""
    if asked.schema is None:
        return WORDS
    player = _PLAYERS.get(asked.name)
    reply = smallest(asked.schema) if player is None else player(Material(asked), scenario)
    return json.dumps(reply, ensure_ascii=False)


def _system_message(material: Material, _: Scenario) -> Reply:
    return {"system_message": system_message(material.row("workflow"))}


def _plan(material: Material, _: Scenario) -> Reply:
    begins = "Take up what the person has just said" if material.rows("history") else "Open the call warmly"
    does = [string(act, "does") for act in material.rows("acts")]
    return {"rationale": "It follows from where the call stands.", "plan": f"{', then '.join([begins, *does])}."}


def _speak(material: Material, _: Scenario) -> Reply:
    last = _last(material.rows("history"), "agent")
    segments = [
        {"act": string(act, "ref"), "text": _words(material, act, last, str(place))}
        for place, act in enumerate(material.rows("acts"))
    ]
    behind = segments[0]["text"] if segments else ""
    leads = [
        text
        for text in material.texts("lead_examples")
        if len(text.split()) <= MOST_LEAD_WORDS and "?" not in text and not shares_phrase(f"{text} {behind}", last)
    ]
    return {"lead": material.pick(leads, "lead") if leads else "", "segments": segments}


def _words(material: Material, act: Row, last: str, key: str) -> str:
    """One of the act's examples that repeats nothing of what the agent said last, or one that is broken up for it."""
    holds, mentions = strings(act.get("holds")), strings(act.get("mentions"))
    examples = strings(act.get("examples")) or [WORDS]

    def keeps(text: str) -> bool:
        mentioned = not mentions or any(holds_phrase(text, mention) for mention in mentions)
        return mentioned and all(holds_phrase(text, value) for value in holds)

    kept = [text for text in examples if keeps(text)] or examples
    fresh = [text for text in kept if not shares_phrase(text, last)]
    return material.pick(fresh, key) if fresh else broken_up(material.pick(kept, key), last, keeps)


def _react(material: Material, _: Scenario) -> Reply:
    """The released line; an answer that is released with another is said first, and as a statement."""
    lines = {string(line, "kind"): strings(line.get("texts")) for line in material.rows("lines")}
    others = [kind for kind in lines if kind not in ("answer", "hurry_before_answer")][:1]
    answer = ""
    if "answer" in lines and others:
        stated = [text for text in lines["answer"] if "?" not in text]
        answer = _line(material, "answer", stated or lines["answer"])
    kinds = others or list(lines)[:1]
    spoken = [answer] * bool(answer) + [_line(material, kind, lines[kind]) for kind in kinds]
    return {"rationale": "It follows from what was heard.", "gist": " ".join(spoken) or WORDS, "answer": answer}


def _line(material: Material, kind: str, texts: list[str]) -> str:
    """One way to say a line, with its values; if there is one, a way that the caller has not used yet."""
    said = [string(row, "text") for row in material.rows("heard") if row.get("speaker") == "caller"]
    filled = [fill(text, material.row("facts")) for text in texts] or [WORDS]
    unsaid = [text for text in filled if not any(holds_phrase(earlier, text) for earlier in said)]
    return material.pick(unsaid or filled, kind)


def _say(material: Material, _: Scenario) -> Reply:
    gist = fill(string(material.row("plan"), "gist"), material.row("facts"))
    return {"rationale": "The plan has all of it.", "utterance": gist or WORDS}


def _rubric(material: Material, _: Scenario) -> Reply:
    criteria = material.row("criteria")
    task = criteria.get("task_fulfilment")
    recovery = [string(row, "text") for row in rows(criteria.get("recovery"))]
    return {"task_fulfilment": string(task, "text") if isinstance(task, dict) else WORDS, "recovery": recovery}


def _verify(material: Material, scenario: Scenario) -> Reply:
    """No faults, unless the scenario has some: then in agent's messages, until one of them was mended."""
    messages = material.rows("messages")
    if material.draw("unfixable") % 1000 < 1000 * scenario.unfixable:
        return {"findings": [_finding(0, fixable=False)]}
    own = [
        place
        for place, message in enumerate(messages)
        if message.get("speaker") == "agent" and (place == 0 or messages[place - 1].get("type") != "filler")
    ]
    if any(string(messages[place], "text").startswith(MENDED) for place in own):
        return {"findings": []}
    start = material.draw("message") % max(1, len(own))
    chosen = (own[start:] + own[:start])[: scenario.findings]
    return {"findings": [_finding(place, fixable=True) for place in sorted(chosen)]}


def _finding(message: int, fixable: bool) -> Reply:
    problem, fix = "The message sounds stiff.", "Begin it with a small word."
    return {"message": message, "check": "I", "fixable": fixable, "problem": problem, "fix": fix}


def _modify(material: Material, _: Scenario) -> Reply:
    texts = [(string(row, "act"), string(row, "text")) for row in material.rows("segments")]
    return {
        "segments": [{"act": act, "text": text if place else mended(text)} for place, (act, text) in enumerate(texts)]
    }


def _workflow(material: Material, _: Scenario) -> Reply:
    return {"yaml": material.text("example") or "schema_version: 1\n"}


def _last(history: list[Row], speaker: str) -> str:
    return next((string(row, "text") for row in reversed(history) if row.get("speaker") == speaker), "")


_PLAYERS: Mapping[str, Callable[[Material, Scenario], Reply]] = {
    "SystemMessageReply": _system_message,
    "PlannerReply": _plan,
    "AssistantReply": _speak,
    "ReactionReply": _react,
    "UserReply": _say,
    "RubricReply": _rubric,
    "VerifierReply": _verify,
    "ModifierReply": _modify,
    "WorkflowReply": _workflow,
}
"""By the title of the reply's schema: a reply of `factory.models.replies`."""
