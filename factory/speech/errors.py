"""What goes wrong when text is voiced."""

from factory.errors import FactoryError


class SpeechError(FactoryError):
    """Text that could not be voiced; the message says what, why and what to do."""
