"""The calls of a run: each made whole, and written with its time-line last."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from factory.build.order import Order
from factory.calls.condition import condition_of
from factory.calls.files import call_files, label_files, original_files, sound_files
from factory.calls.labels import audacity_labels, praat_textgrid
from factory.calls.make import CallOrder, MadeCall, make_call
from factory.calls.timeline import timeline_of
from factory.errors import Unfinished
from factory.records.base import sha256
from factory.records.blueprint import Blueprint
from factory.records.conversation import Round
from factory.records.enums import SoundFormat
from factory.run.files import replacing
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.simulate.canary import without_canary
from factory.speech import (
    ClipCache,
    EngineFailure,
    Levelled,
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


def build_call(order: Order, folder: RunFolder, blueprint: Blueprint) -> None:
    """Makes the call of a finished conversation, unless it is there.

    Raises:
        Unfinished: if no engine that may speak it gives what is needed; names the call.
        SpeechError: if the recogniser fails, or something else is wrong with the sound; names the call.
        RunError: if a file cannot be written.
    """
    rounds = without_canary(tuple(read_finished(folder, blueprint.conversation_id).rounds))
    condition = condition_of(order.spec.sound.conditions, blueprint.ordinal, order.seed)
    if _is_whole(order, folder, blueprint.conversation_id, rounds, condition.is_clean):
        return
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


def _is_whole(order: Order, folder: RunFolder, conversation_id: str, rounds: tuple[Round, ...], clean: bool) -> bool:
    clips = (folder.audio_file(conversation_id, done.index + 1) for done in rounds if done.caller is not None)
    return all(path.exists() for path in (*call_files(folder, conversation_id, order.formats, clean), *clips))


def _write(order: Order, folder: RunFolder, conversation_id: str, spoken: Made[tuple[CallOrder, MadeCall]]) -> None:
    wanted, made = spoken.result
    contents = {
        folder.audio_file(conversation_id, message_index // 2 + 1): clip.to_wav_bytes()
        for message_index, clip in made.clips.items()
    }
    contents |= _encoded(sound_files(folder, conversation_id, order.formats), made.recorded)
    if not wanted.condition.is_clean:
        contents |= _encoded(original_files(folder, conversation_id, order.formats), made.clean)
    digests = {path.relative_to(folder.path).as_posix(): sha256(content) for path, content in contents.items()}
    timeline = timeline_of(
        conversation_id,
        wanted,
        made,
        engines=(spoken.engine, order.speech_engine),
        stand_in_because=next(iter(spoken.failures), None),
        recogniser=order.recogniser_name,
        files=digests,
    )
    labels = zip(
        label_files(folder, conversation_id), (audacity_labels(timeline), praat_textgrid(timeline)), strict=True
    )
    contents |= {path: text.encode() for path, text in labels}
    contents[folder.timeline_file(conversation_id)] = f"{timeline.model_dump_json(indent=1)}\n".encode()
    folder.timeline_file(conversation_id).unlink(missing_ok=True)  # where it is, the call is whole
    for path, content in contents.items():
        with replacing(path) as file:
            file.write(content)


def _encoded(paths: Sequence[Path], sound: Levelled) -> dict[Path, bytes]:
    return {path: encode_sound(sound.samples, SoundFormat(path.suffix[1:])) for path in paths}


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
