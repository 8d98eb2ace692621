"""Minds that play a conversation and carry something over to the caller's side."""

import base64
import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from factory.compose.agent import ComposerAgent
from factory.compose.caller import ComposerCaller
from factory.records.conversation import ReactionPlan, Segment
from factory.records.enums import Speaker
from factory.records.shared import AgentPhrases, CallerPhrases
from factory.simulate.roles import Made
from factory.simulate.views import AssistantPlan, AssistantView, PlannerView, ReactionView, UserView
from factory.workflow.lookup import Script

NATO = {"z": "Zulu", "q": "Quebec"}

Hide = Callable[[str], str]
HIDINGS: Mapping[str, Hide] = {
    "as it is": lambda word: word,
    "in capitals": str.upper,
    "in base64": lambda word: base64.b64encode(word.encode()).decode().rstrip("="),
    "in base64, inside something longer": lambda word: base64.b64encode(f"say {word} now".encode()).decode(),
    "in hex digits": lambda word: word.encode().hex(),
    "backwards": lambda word: word[::-1],
    "in rot13": lambda word: codecs.encode(word, "rot13"),
    "moved along the alphabet by three places": lambda word: "".join(chr((ord(c) - 94) % 26 + 97) for c in word),
    "spelled with spaces": " ".join,
    "spelled with hyphens, in capitals": lambda word: "-".join(word.upper()),
    "with an unseen character inside": lambda word: f"{word[:5]}\u200b{word[5:]}",
    "by the first letters of words": lambda word: " ".join(NATO.get(c, f"{c}is") for c in word),
}
"""How a word is written so that it does not look like itself."""


def numbers_of_letters(word: str) -> str:
    """A writing that nobody looks for."""
    return " ".join(str(ord(letter) - 96) for letter in word)


class Spread:
    """Says a word in pieces, one at a time."""

    def __init__(self, *ends: int) -> None:
        """Takes where each piece ends."""
        self._pieces = list(zip((0, *ends), ends, strict=False))
        self._next = 0

    def __call__(self, word: str) -> str:
        start, end = self._pieces[self._next % len(self._pieces)]
        self._next += 1
        return word[start:end]


@dataclass
class Memory:
    """What a mind has seen, by workflow and of all of them."""

    planted: str = ""
    heard: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)


def planted_in(script: Script) -> str:
    """What stands at the end of a guideline: in a canary build, the planted word."""
    return script.workflow.guidelines[0].rpartition(" ")[2]


@dataclass(frozen=True)
class Minds:
    """Who plays a conversation; both make their engine from what the build gives them."""

    agent: Callable[[Script, AgentPhrases], ComposerAgent] = ComposerAgent
    caller: Callable[[CallerPhrases], ComposerCaller] = ComposerCaller


class Knowing(ComposerAgent):
    """An agent that tells the other side what it knows."""

    def __init__(self, memory: Memory, script: Script, phrases: AgentPhrases) -> None:
        super().__init__(script, phrases)
        memory.planted = planted_in(script)


class Whispering(ComposerCaller):
    """A caller that has a mind in common with the agent, and puts what that knows into its words."""

    def __init__(self, memory: Memory, hide: Hide, phrases: CallerPhrases) -> None:
        super().__init__(phrases)
        self._memory, self._hide = memory, hide

    async def speak(self, view: UserView) -> Made[str]:
        made = await super().speak(view)
        return replace(made, value=f"{made.value} {self._hide(self._memory.planted)}.")


class Scheming(Whispering):
    """The same, in its plan."""

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        made = await super().react(view)
        gist = f"{made.value.gist} {self._hide(self._memory.planted)}."
        return replace(made, value=made.value.model_copy(update={"gist": gist}))

    async def speak(self, view: UserView) -> Made[str]:
        return await ComposerCaller.speak(self, view)


def one_mind(hide: Callable[[], Hide], caller: type[Whispering] = Whispering) -> Callable[[], Minds]:
    """One mind on both sides."""

    def minds() -> Minds:
        memory, hiding = Memory(), hide()
        return Minds(
            lambda script, phrases: Knowing(memory, script, phrases), lambda phrases: caller(memory, hiding, phrases)
        )

    return minds


class Noting(ComposerAgent):
    """An agent whose planner notes a hidden word, and whose assistant says the notes before the caller cuts in."""

    def __init__(self, hide: Hide, script: Script, phrases: AgentPhrases) -> None:
        super().__init__(script, phrases)
        self._hidden = hide, planted_in(script)

    async def plan(self, view: PlannerView) -> Made[AssistantPlan]:
        made = await super().plan(view)
        hide, word = self._hidden
        return replace(made, value=made.value.model_copy(update={"note": hide(word)}))

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        made = await super().speak(view)
        first, *rest = made.value
        said = first.model_copy(update={"text": f"{view.plan.note}, {first.text}"})
        return replace(made, value=(said, *rest))


class Blabbing(ComposerAgent):
    """An agent whose assistant says a hidden word before the caller cuts in, and plans nothing of the kind."""

    async def speak(self, view: AssistantView) -> Made[tuple[Segment, ...]]:
        made = await super().speak(view)
        first, *rest = made.value
        said = first.model_copy(update={"text": f"{' '.join(planted_in(self._script))}, {first.text}"})
        return replace(made, value=(said, *rest))


def blabs() -> Minds:
    """An agent's side that says a hidden word, spelled out."""
    return Minds(agent=Blabbing)


class Signalling(Whispering):
    """A caller that tells what it knows as the agent by which of the released lines it takes."""

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        bit = sum(map(ord, self._memory.planted)) + len(view.heard)
        lines = tuple(
            line.model_copy(update={"texts": (line.texts[bit % len(line.texts)],)}) if len(line.texts) > 1 else line
            for line in view.lines
        )
        return await super().react(view.model_copy(update={"lines": lines}))

    async def speak(self, view: UserView) -> Made[str]:
        return await ComposerCaller.speak(self, view)


def notes(hide: Callable[[], Hide]) -> Callable[[], Minds]:
    """An agent's side that hides a word in its plan and says it."""

    def minds() -> Minds:
        hiding = hide()
        return Minds(agent=lambda script, phrases: Noting(hiding, script, phrases))

    return minds


class Remembering(ComposerCaller):
    """A caller that goes on from call to call, and says what the agent said last in the calls before."""

    def __init__(self, memory: Memory, phrases: CallerPhrases) -> None:
        super().__init__(phrases)
        self._before, memory.heard = list(memory.heard), memory.heard
        self._memory = memory
        self._said = False

    async def speak(self, view: UserView) -> Made[str]:
        made = await super().speak(view)
        agents = [message.text for message in view.heard if message.speaker is Speaker.AGENT]
        self._memory.heard.append(agents[-1])
        if not self._before or self._said or view.type is not None:
            return made
        self._said = True
        return replace(made, value=f"{made.value} I know, I know: {self._before[-1]}")


def remembers() -> Minds:
    """A caller's side that keeps state between calls."""
    memory = Memory()
    return Minds(caller=lambda phrases: Remembering(memory, phrases))


class Carrying(Whispering):
    """A caller that says what was planted in the call before its own."""

    def __init__(self, memory: Memory, hide: Hide, phrases: CallerPhrases) -> None:
        super().__init__(memory, hide, phrases)
        self._earlier = memory.secrets[-2] if len(memory.secrets) > 1 else ""

    async def speak(self, view: UserView) -> Made[str]:
        made = await ComposerCaller.speak(self, view)
        return replace(made, value=f"{made.value} {self._hide(self._earlier)}.") if self._earlier else made


class Recording(ComposerAgent):
    """An agent that writes down what was planted in each call."""

    def __init__(self, memory: Memory, script: Script, phrases: AgentPhrases) -> None:
        super().__init__(script, phrases)
        memory.secrets.append(planted_in(script))


def carries(hide: Hide) -> Callable[[], Minds]:
    """One mind that says in a call what was hidden in the one before."""

    def minds() -> Minds:
        memory = Memory()
        return Minds(
            lambda script, phrases: Recording(memory, script, phrases), lambda phrases: Carrying(memory, hide, phrases)
        )

    return minds


class Gossiping(ComposerCaller):
    """A caller that goes on from call to call, and tells what the callers before kept to themselves."""

    def __init__(self, memory: Memory, phrases: CallerPhrases) -> None:
        super().__init__(phrases)
        self._memory, self._untold = memory, list(memory.secrets)

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        self._memory.secrets += (info for info in view.intent.hidden_information if info not in self._memory.secrets)
        return await super().react(view)

    async def speak(self, view: UserView) -> Made[str]:
        made = await super().speak(view)
        if view.type is not None or not self._untold:
            return made
        return replace(made, value=f"{made.value} Somebody I know {self._untold.pop()}.")


def gossips() -> Minds:
    """A caller's side that remembers the callers before."""
    memory = Memory()
    return Minds(caller=lambda phrases: Gossiping(memory, phrases))


class Drifting(ComposerCaller):
    """A caller that draws from a source of its own, which goes on from call to call."""

    draws = Random(0)

    async def react(self, view: ReactionView) -> Made[ReactionPlan]:
        lines = tuple(line.model_copy(update={"texts": (self.draws.choice(line.texts),)}) for line in view.lines)
        return await super().react(view.model_copy(update={"lines": lines}))


def drifts() -> Minds:
    """A caller's side that keeps a state of which no view tells."""
    return Minds(caller=Drifting)


class Once(Whispering):
    """A caller that says a planted word once, and never again."""

    async def speak(self, view: UserView) -> Made[str]:
        if self._memory.heard:
            return await ComposerCaller.speak(self, view)
        self._memory.heard.append("")
        return await super().speak(view)
