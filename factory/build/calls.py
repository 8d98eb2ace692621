"""The calls of a run: each made whole, and written with its time-line last."""

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path

from factory.build.kept import call_fault
from factory.build.order import Order
from factory.calls.condition import condition_of
from factory.calls.files import label_files, original_files, sound_files
from factory.calls.labels import audacity_labels, praat_textgrid
from factory.calls.make import CallOrder, MadeCall, make_call
from factory.calls.timeline import timeline_of
from factory.errors import Unfinished
from factory.records.base import sha256
from factory.records.blueprint import Blueprint
from factory.records.enums import SoundFormat
from factory.run.files import replacing, write_error, write_text
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.simulate.canary import without_canary
from factory.speech import (
    ClipCache,
    EngineFailure,
    Made,
    SpeechError,
    Voicer,
    available_engines,
    cast_pair,
    encode_sound,
    make_with_fallback,
    open_engine,
)
from factory.speech.hearing import Listener, open_listener


def build_call(
    order: Order, folder: RunFolder, blueprint: Blueprint, checksums: Mapping[str, str], tell: Callable[[str], None]
) -> None:
    """Makes the call of a finished conversation, unless it is there, as it was made.

    Args:
        order: What is built.
        folder: Its run folder.
        blueprint: The conversation's.
        checksums: The digests that an earlier build took of the finished files; empty where none did.
        tell: Is told why a call that is there is made anew.

    Raises:
        Unfinished: if no engine that may speak it gives what is needed; names the call.
        SpeechError: if the recogniser fails, or something else is wrong with the sound; names the call.
        RunError: if a file cannot be written.
    """
    rounds = without_canary(tuple(read_finished(folder, blueprint.conversation_id).rounds))
    condition = condition_of(order.spec.sound.conditions, blueprint.ordinal, order.seed)
    if folder.timeline_file(blueprint.conversation_id).exists():
        formats, clean = order.formats, condition.is_clean
        fault = call_fault(folder, blueprint.conversation_id, rounds, formats, clean, checksums)
        if fault is None:
            return
        tell(f"{fault}; the call is made anew")
    intent = order.library.workflow(blueprint.workflow).intent(blueprint.intent)
    listener = None if order.recogniser is None else _listener(order.recogniser)

    def make(voicer: Voicer) -> tuple[CallOrder, MadeCall]:
        cast = cast_pair(voicer.engine, blueprint.ordinal, order.seed)
        wanted = CallOrder(rounds, intent.profile, cast, condition, blueprint.seed)
        return wanted, make_call(wanted, voicer, listener, order.spec.sound.most_misheard)

    try:
        made = make_with_fallback([_voicer(name, folder.clips) for name in order.speech_engines], make)
        _write(order, folder, blueprint.conversation_id, made)
    except EngineFailure as error:
        raise Unfinished(f"{blueprint.conversation_id}: {error}") from None
    except SpeechError as error:
        raise SpeechError(f"{blueprint.conversation_id}: {error}") from None


def _write(order: Order, folder: RunFolder, conversation_id: str, spoken: Made[tuple[CallOrder, MadeCall]]) -> None:
    wanted, made = spoken.result
    timeline_file = folder.timeline_file(conversation_id)
    _remove(timeline_file)  # where it is, the call is whole
    digests = {
        folder.name_of(path): _written(path, encoded())
        for path, encoded in _sounds(order, folder, conversation_id, made, wanted.condition.is_clean)
    }
    timeline = timeline_of(
        conversation_id,
        wanted,
        made,
        engines=(spoken.engine, order.speech_engine),
        stand_in_because=next(iter(spoken.failures), None),
        recogniser=order.recogniser_name,
        files=digests,
    )
    labels = (audacity_labels(timeline), praat_textgrid(timeline))
    for path, text in zip(label_files(folder, conversation_id), labels, strict=True):
        write_text(path, text)
    write_text(timeline_file, f"{timeline.model_dump_json(indent=1)}\n")


def _sounds(
    order: Order, folder: RunFolder, conversation_id: str, made: MadeCall, clean: bool
) -> Iterator[tuple[Path, Callable[[], bytes]]]:
    """Each sound file of a call, and what encodes it: all of them at once may take more memory than the call."""
    for message_index, clip in made.clips.items():
        yield folder.audio_file(conversation_id, message_index // 2 + 1), clip.to_wav_bytes
    versions = [(sound_files(folder, conversation_id, order.formats), made.recorded)]
    if not clean:
        versions.append((original_files(folder, conversation_id, order.formats), made.clean))
    for paths, sound in versions:
        for path in paths:
            yield path, partial(encode_sound, sound.samples, SoundFormat(path.suffix[1:]))


def _written(path: Path, content: bytes) -> str:
    """Writes a file; returns its digest."""
    with replacing(path) as file:
        file.write(content)
    return sha256(content)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as exc:
        raise write_error(path, exc) from None


_opening = threading.Lock()


def _voicer(name: str, clips: Path) -> Voicer:
    """Opened once in a process: a model takes half a second to load. What comes over a network is kept."""
    with _opening:
        return _opened_voicer(name, clips)


@lru_cache(maxsize=4)
def _opened_voicer(name: str, clips: Path) -> Voicer:
    over_network = any(engine.asks for engine in available_engines() if engine.name == name)
    return Voicer(open_engine(name), ClipCache(clips) if over_network else None)


def _listener(model: str) -> Listener:
    with _opening:
        return _opened_listener(model)


@lru_cache(maxsize=1)
def _opened_listener(model: str) -> Listener:
    return open_listener(model)
