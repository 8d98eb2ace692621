"""What goes wrong when text is voiced."""

from factory.errors import FactoryError


class SpeechError(FactoryError):
    """Text that could not be voiced; the message says what, why and what to do."""


def shown(text: str) -> str:
    """Return `text` as an error message shows it: quoted, at most 60 characters."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
