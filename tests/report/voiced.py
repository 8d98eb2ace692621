"""The page of a call that can be heard."""

from dataclasses import dataclass
from pathlib import Path

from factory.records.call import CallTimeline
from factory.records.enums import SoundFormat, Speaker
from factory.report.call import CallSound, call_page, write_call_page
from factory.report.history import read_history
from factory.speech.sound_file import encode_sound
from factory.workflow.library import Library
from tests.report.runs import Call, make_run
from tests.timelines import tones


@dataclass
class Heard:
    """A call's page with what it plays."""

    page: Path
    timeline: CallTimeline


def voiced(
    path: Path, library: Library, call: Call, sound_format: SoundFormat = SoundFormat.FLAC, **changed: object
) -> Heard:
    """A run with one call, its sound, and its page; `changed` are fields of the time-line that are to be others."""
    folder = make_run(path, [call], audio=True)
    timeline = folder.timeline(call.conversation_id).model_copy(update=changed)
    file = folder.call_file(call.conversation_id, sound_format)
    if not file.exists():
        file.write_bytes(encode_sound(tones(timeline), sound_format))
    blueprint, history = next(folder.built()), read_history(folder, call.conversation_id)
    sound = CallSound(timeline, file.name)
    page = call_page(folder, blueprint, history, library.workflow(blueprint.workflow), True, sound)
    address = folder.call_report(call.conversation_id)
    write_call_page(address, page)
    return Heard(address, timeline)


def spoken_at(timeline: CallTimeline, at_s: float) -> list[str]:
    """The words that are spoken at a time, the agent's first."""
    return [
        word.text
        for speaker in Speaker
        for turn in timeline.turns
        for word in turn.words
        if turn.speaker is speaker and word.start_s <= at_s < word.end_s
    ]
