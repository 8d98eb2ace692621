"""What the caller's side was given, made small for a page: each text once, a prompt as what is new in it.

Behind each other the prompts of a call repeat themselves: the history only grows. So a prompt is stored as the number
of characters that it shares with the one before it, and the rest. Lengths count UTF-16 units, as scripts do.
"""

from dataclasses import dataclass, field

from factory.audit.findings import shown
from factory.audit.prompts import template_of
from factory.errors import FactoryError
from factory.models.prompt import Prompts
from factory.records.base import Record
from factory.records.ledger import LedgerLine
from factory.simulate.views import ReactionView, UserView

MOST_PROMPT = 200_000
"""Characters of a prompt that are put into a page; a longer one is told by its length alone."""


class Text(Record):
    """A text as a beginning of another one and what follows.

    Attributes:
        base: Place of the other one in its list; None for the one before it, or for none where `keep` is 0.
        keep: UTF-16 units of it that come first.
        tail: What follows.
    """

    base: int | None = None
    keep: int = 0
    tail: str = ""


class GivenPrompt(Record):
    """The very prompt of one call.

    Attributes:
        template: Its template, as a path under `prompts/`.
        ledger: Its digest, as the ledger has it.
        model: Who was asked.
        replies: Replies that came; behind the first one the model was told what was wrong with it.
        system: Place of the system message among the page's.
        user: The message behind it, begun as the one of the prompt before in this call.
        missing: Why it cannot be shown; then it holds neither message.
    """

    template: str
    ledger: str
    model: str
    replies: int
    system: int = 0
    user: Text = Text()
    missing: str | None = None


class Given(Record):
    """One input of the caller's side.

    Attributes:
        view: Digest of the view in the ledger; None where it has no such call.
        seed: The view's seed, as digits: scripts cannot hold such a number.
        prompt: Where a model was asked, the prompt that was made from the view.
    """

    view: str | None
    seed: str
    prompt: GivenPrompt | None = None


@dataclass
class PackedTexts:
    """Texts that have long beginnings in common, such as the system messages of one template."""

    texts: list[Text] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)
    _last: dict[str, tuple[int, str]] = field(default_factory=dict)

    def place(self, kind: str, text: str) -> int:
        """The place of a text, which is put in if it is new.

        Args:
            kind: Texts of one kind are likely to begin alike.
            text: The text.
        """
        if text not in self._places:
            base, before = self._last.get(kind, (None, ""))
            self._places[text] = len(self.texts)
            self.texts.append(behind(before, text).model_copy(update={"base": base}))
            self._last[kind] = self._places[text], text
        return self._places[text]


class PromptPacker:
    """Renders the prompts of one call again, in order, and packs them."""

    def __init__(self, prompts: Prompts, systems: PackedTexts) -> None:
        """Takes the templates, and the system messages of the whole page."""
        self._prompts = prompts
        self._systems = systems
        self._before = ""

    def pack(self, line: LedgerLine, view: ReactionView | UserView) -> GivenPrompt | None:
        """The prompt of one call; None where no model was asked."""
        if line.call is None:
            return None
        template = template_of(line.role, view)
        known = GivenPrompt(
            template=template,
            ledger=shown(line.call.prompt),
            model=shown(line.call.model),
            replies=len(line.call.replies),
        )
        try:
            prompt = self._prompts.render(template, view=view)
        except FactoryError:
            return known.model_copy(update={"missing": "its template cannot be filled here"})
        if max(len(prompt.system), len(prompt.user)) > MOST_PROMPT:
            return known.model_copy(update={"missing": f"it has more than {MOST_PROMPT:,} characters"})
        user, self._before = behind(self._before, prompt.user), prompt.user
        return known.model_copy(update={"system": self._systems.place(template, prompt.system), "user": user})


def behind(before: str, text: str) -> Text:
    """A text as what it shares with the beginning of another one, and the rest."""
    keep = _shared(before, text)
    return Text(keep=units(text[:keep]), tail=text[keep:])


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common; by halves, for a comparison of slices is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
