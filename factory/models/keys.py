"""Keys: from the environment only, and never in anything that is shown or written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from factory.models.errors import ErrorKind, ModelError
from factory.records.models import ModelRole, Models, Provider

HIDDEN = "…"
"""Stands where something was cut out of a server's words."""

NO_KEY = "none"
"""Sent where a server wants no key: the SDKs send something in any case, and must not look for a key themselves."""

_PIECE_OF_KEY = 6
_PIECE_OF_PROMPT = 24


@dataclass(frozen=True)
class Key:
    """A provider's key. Its secret is neither in its `repr` nor in an error.

    Attributes:
        variable: Name of the environment variable that it came from; None for a server that wants no key.
        secret: The key; empty where there is none.
    """

    variable: str | None
    secret: str = field(default="", repr=False)

    @property
    def sent(self) -> str:
        """What an SDK is given as the key."""
        return self.secret or NO_KEY


def key_of(name: str, provider: Provider, environ: Mapping[str, str]) -> Key:
    """The key of a provider.

    Raises:
        ModelError: `AUTHENTICATION` if its variable is not set, or holds what cannot be a key; names the variable.
    """
    if provider.key is None:
        return Key(None)
    secret = environ.get(provider.key, "").strip()
    if not secret:
        raise ModelError(
            ErrorKind.AUTHENTICATION,
            f"{name}: no key: set the environment variable {provider.key} to this provider's key",
        )
    if not (secret.isascii() and secret.isprintable()) or " " in secret:
        raise ModelError(
            ErrorKind.AUTHENTICATION,
            f"{name}: the environment variable {provider.key} holds spaces or characters that no key has; set it anew",
        )
    return Key(provider.key, secret)


def require_keys(models: Models, roles: Iterable[ModelRole], environ: Mapping[str, str]) -> None:
    """Makes sure that the providers of some roles have their keys, before any work is done for them.

    Raises:
        ModelError: `AUTHENTICATION`, as `key_of`; names provider and variable.
    """
    for name in dict.fromkeys(models.roles[role].provider for role in roles if role in models.roles):
        key_of(name, models.providers[name], environ)


def without_secrets(words: str, key: Key, prompt: Iterable[str] = ()) -> str:
    """A server's words with every piece of the key and of the prompt cut out of them.

    Args:
        words: What the server says; any run of white space in it becomes one space.
        key: Pieces of its secret of six characters or more go: servers like to show a key's beginning and end.
        prompt: The messages that were sent; pieces of 24 characters or more go.
    """
    words = " ".join(words.split())
    if key.secret:
        words = _cut_out(words, key.secret, min(_PIECE_OF_KEY, len(key.secret)))
    return _cut_out(words, " ".join(" ".join(text.split()) for text in prompt), _PIECE_OF_PROMPT)


def _cut_out(words: str, secret: str, piece: int) -> str:
    """The words without any run of `piece` or more characters that stands in the secret."""
    hidden = [False] * len(words)
    for start in range(len(words) - piece + 1):
        if words[start : start + piece] in secret:
            hidden[start : start + piece] = [True] * piece
    shown: list[str] = []
    for letter, hide in zip(words, hidden, strict=True):
        if not hide:
            shown.append(letter)
        elif not shown or shown[-1] != HIDDEN:
            shown.append(HIDDEN)
    return "".join(shown)
