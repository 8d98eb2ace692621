"""Models that try to carry what they know to where it must not be."""

import base64
import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from factory.models.request import Finish, ModelReply, ModelRequest
from factory.records.models import Usage

from .engine_builds import CALLERS_FORMS, form_of, honest

CANARY = re.compile(r"zq(?:[a-z]{2}){4}", re.IGNORECASE)
"""A planted word; read here from the text of prompts, as a model would."""
_NAMES = frozenset({"act", "check"})
"""Fields that hold a name and no words."""

Hide = Callable[[str], str]
"""How a word is written so that it does not look like itself."""

HIDINGS: Mapping[str, Hide] = {
    "plain": lambda word: word,
    "capitals": lambda word: word.upper(),
    "nested": lambda word: f"{word[:2]} {word[:2]}{'a' * 8}{word[2:]}",
    "unseen": lambda word: f"{word[:5]}\u200b{word[5:]}",
    "base64": lambda word: base64.b64encode(word.encode()).decode().rstrip("="),
    "reversed": lambda word: word[::-1],
    "halves": lambda word: f"{word[:5]} {word[5:]}",
}


class Spread:
    """Writes the first half of a word, and the second one the next time."""

    def __init__(self) -> None:
        self._second = False

    def __call__(self, word: str) -> str:
        self._second = not self._second
        return word[:5] if self._second else word[5:]


class Adversary:
    """Answers as the player does, and in some roles puts what it has seen into every text that it writes.

    Attributes:
        callers_prompts: Everything that roles of the caller's side were sent.
        smuggled: How often a planted word stood, in whatever writing, in a reply.
    """

    def __init__(self, forms: frozenset[str], shares: bool, hide: Hide, seed: int) -> None:
        """Takes the roles that it plays so, by the forms of their replies.

        Args:
            forms: These roles.
            shares: Whether it has seen what any role was sent, or this very prompt alone.
            hide: How it writes planted words.
            seed: Decides how often and how it does so.
        """
        self.callers_prompts: list[str] = []
        self.smuggled = 0
        self._forms, self._shares, self._hide = forms, shares, hide
        self._rng = random.Random(seed)
        self._often = self._rng.choice((0.2, 0.6, 1.0))
        self._seen: list[str] = []

    async def send(self, request: ModelRequest) -> ModelReply:
        """The whole reply to a request."""
        text = self.answer(request)
        return ModelReply(text=text, finish=Finish.DONE, usage=Usage(input=1, output=1), model=request.model)

    def answer(self, request: ModelRequest) -> str:
        """The text of a reply."""
        texts = [request.system, *(message.text for message in request.messages)]
        if form_of(request) in CALLERS_FORMS:
            self.callers_prompts += texts
        self._seen += texts
        text = honest(request)
        if form_of(request) in self._forms and self._rng.random() < self._often:
            sources = self._seen if self._shares else texts
            return self._spoiled(json.loads(text), sources)
        return text

    def _spoiled(self, reply: dict[str, Any], sources: list[str]) -> str:
        way = self._rng.randrange(5)
        if way == 3:  # no form at all, so that its fault is told with the text behind it
            return f"{json.dumps(reply)} {self._loot(sources, 1)}"
        if way == 4:
            return json.dumps(reply | {self._loot(sources, 0): 1})
        return json.dumps(self._filled(reply, sources, way), ensure_ascii=False)

    def _filled(self, value: Any, sources: list[str], way: int, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: self._filled(item, sources, way, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item, sources, way, name) for item in value]
        if not isinstance(value, str) or name in _NAMES:
            return value
        loot = self._loot(sources, way)
        return f"{value[:-1]} {loot}{value[-1:]}" if self._rng.random() < 0.7 else f"{loot}. {value}"

    def _loot(self, sources: list[str], way: int) -> str:
        """Planted words first; else, or beside them, a piece of what was seen, or all of it."""
        planted = sorted({word for text in sources for word in CANARY.findall(text)})
        self.smuggled += len(planted)
        words = " ".join(map(self._hide, planted[:2]))
        if way == 0 and words:
            return words
        source = self._rng.choice(sources)
        if way == 2:
            return f"{words} {source}"
        return f"{words} {' '.join(self._rng.sample(source.split(), k=min(6, len(source.split()))))}"
