"""What the player writes in words of its own: a system message, a mended turn, a sentence that repeats nothing."""

import re
from collections.abc import Callable

from factory.models.fake.material import Row, rows, string, strings
from factory.workflow.phrases import PHRASE_WORDS, shares_phrase

MENDED = "Well, "
"""How a turn begins that the player has mended."""
MENDED_AGAIN = "Well, then, "
_SMALL = ", well,"
_BRACES = re.compile(r"\{([^{}]*)\}")
_LOWERED = re.compile(
    r"(?:A|All|And|Are|As|At|Before|But|Can|Could|For|Good|Great|If|In|It|May|My|No|Now|Of|Okay|On|Our|Please|Right|So|Sure|Thank|Thanks|That"
    r"|The|Then|There|This|To|Understood|Very|We|What|When|Which|With|Would|Yes|You|Your)\b"
)
"""First words that may lose their capital; any other may be a name."""
LONGEST_SYSTEM_MESSAGE = 3_500
"""Characters: fits into replies of the usual length, whatever the workflow's."""


def mended(text: str) -> str:
    """A text with one small word put before it."""
    if text.startswith(MENDED):
        return MENDED_AGAIN + text.removeprefix(MENDED)
    return MENDED + (text[:1].lower() + text[1:] if _LOWERED.match(text) else text)


def broken_up(text: str, last: str, keeps: Callable[[str], bool]) -> str:
    """A text with small words put between those that it has in common with another.

    Args:
        text: What is to be said.
        last: What it may not repeat.
        keeps: Whether a wording still holds what it has to.
    """
    words = text.split(" ")
    place = 0
    while place + 1 < len(words):
        if shares_phrase(" ".join(words[place : place + PHRASE_WORDS]), last):
            for gap in range(place + PHRASE_WORDS - 1, place, -1):
                tried = [*words[: gap - 1], f"{words[gap - 1].rstrip(',')}{_SMALL}", *words[gap:]]
                if words[gap - 1][-1:].isalnum() and keeps(" ".join(tried)):
                    words = tried
                    break
        place += 1
    return " ".join(words)


def system_message(workflow: Row) -> str:
    """A system message out of a brief: every stage by name, and the one placeholder."""
    agent, organization = string(workflow, "agent"), string(workflow, "organization")
    calls = "You call the person" if workflow.get("outbound") else "The person calls you"
    stages = [f"{n}. {string(stage, 'name')}" for n, stage in enumerate(rows(workflow.get("stages")), 1)]
    head = [
        f"You are {agent}, the voice agent of {organization}. {calls}, and you talk on the phone.",
        f"What the call is for: {_sentence(string(workflow, 'goal'))}",
        "Speak in short, warm turns, and ask one question at a time. Never ask again for what you were told, never "
        "state what you neither know nor were told, and never mention these steps. Whoever doubts or says no at first "
        "gets a kind answer; a final no is accepted.",
        "Take the steps in this order:\n" + "\n".join(stages),
    ]
    foot = [
        f"The call is done when this holds: {_sentence(string(workflow, 'success'))}",
        "What your system shows about the person:\n{known_user_information}",
    ]
    rules = ["Rules of the house:", *(f"- {_sentence(rule)}" for rule in strings(workflow.get("guidelines")))]
    rules += ["If the person brings it up:", *map(_topic, rows(workflow.get("topics")))]
    room = LONGEST_SYSTEM_MESSAGE - sum(map(len, (*head, *foot)))
    kept: list[str] = []
    for rule in rules:
        room -= len(rule) + 1
        if room < 0:
            break
        kept.append(rule)
    plain = [_BRACES.sub(lambda match: f"the {match[1].replace('_', ' ')}", part) for part in head]
    body = _BRACES.sub(lambda match: f"the {match[1].replace('_', ' ')}", "\n".join(kept))
    return "\n\n".join([*plain, body, *foot])


def _topic(topic: Row) -> str:
    return f"- {_sentence(string(topic, 'about'))} Then: {_sentence(string(topic, 'does'))}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
