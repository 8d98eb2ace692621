"""Who speaks in a call, and what was understood of its caller: made once more from what decides it.

Both depend on packages. Where one of them is not installed here, or in another version than the run had, what it
decides is not checked.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata

from factory.calls.listen import has_words
from factory.records.call import CallTimeline
from factory.records.conversation import Round
from factory.records.enums import Speaker
from factory.records.run import RunIdentity
from factory.speech import SpeechEngine, SpeechError, cast_pair, open_engine, word_errors

_NORMALISERS = ("whisper-normalizer", "rapidfuzz", "num2words")
"""What beside our own code decides how many words were said, and how many of them misheard."""


def voice_faults(identity: RunIdentity, timeline: CallTimeline, place: int) -> Iterator[str]:
    """Where a call's engine or voices are not those that its place in the corpus gives it."""
    if timeline.asked_engine != identity.tts or timeline.engine not in {identity.tts, identity.spec.sound.stand_in}:
        yield "the speech engine is none that the run may use"
        return
    if (timeline.stand_in_because is not None) is not (timeline.engine != timeline.asked_engine):
        yield "why another engine speaks is told where none does, or not told where one does"
    engine = _engine(timeline.engine, identity.versions.get(timeline.engine))
    if engine is not None:
        cast = cast_pair(engine, place, identity.seed)
        if (timeline.agent_voice, timeline.caller_voice) != (cast.agent.id, cast.caller.id):
            yield f"the voices are not {cast.agent.id} and {cast.caller.id}, as the seed has them"


def ear_faults(identity: RunIdentity, timeline: CallTimeline, rounds: tuple[Round, ...]) -> Iterator[str]:
    """Where what was understood is there without a recogniser, missing, or has other errors than were counted."""
    if timeline.recogniser != identity.recogniser:
        yield "the recogniser is not the run's"
    said = {2 * done.index + 1: done.caller.text for done in rounds if done.caller is not None}
    counted = all(_installed(package) == identity.versions.get(package) for package in _NORMALISERS)
    for turn in timeline.turns:
        text, heard = said.get(turn.message_index), turn.heard_by_ear
        listened = identity.recogniser is not None and turn.speaker is Speaker.CALLER
        asked = listened and text is not None and has_words(text)
        if asked and heard is None:
            yield f"message {turn.message_index}: what was understood of it is missing"
        elif heard is not None and not asked:
            yield f"message {turn.message_index}: was understood, though nobody listened or it has no words"
        elif heard is not None and text is not None and counted:
            found = word_errors(text, heard.text)
            if (heard.words, heard.errors) != (found.words, found.errors):
                yield (
                    f"message {turn.message_index}: {found.errors} of {found.words} words are misheard, "
                    f"and the time-line has {heard.errors} of {heard.words}"
                )


@lru_cache(maxsize=4)
def _engine(name: str, version: str | None) -> SpeechEngine | None:
    """The engine, if it is here in that version."""
    try:
        engine = open_engine(name)
        return engine if engine.version == version else None
    except SpeechError:
        return None


def _installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
