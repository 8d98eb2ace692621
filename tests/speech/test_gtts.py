"""gTTS: asked for by name, bounded in time, throttled, and never half a recording."""

import io
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import gtts.tts
import numpy as np
import pytest

from factory.speech import Clip, ClipCache, EngineFailure, SpeechEngine, SpeechError, Voicer
from factory.speech.checks import check_clip
from factory.speech.gtts_engine import GttsEngine
from factory.speech.network import Terms

from .measure import pitch_hz, voiced
from .services import Service, answer, break_off, google, google_texts, hang, mp3, refuse, serving, trickle

TEXT = "I never agreed to that, and nobody told me about any fee."


@pytest.fixture(scope="module")
def clip(hibari: SpeechEngine) -> Clip:
    return voiced(hibari, TEXT, hibari.voices()[0], 1)


class Time:
    """A clock that only sleep moves."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept_s: list[float] = []

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept_s.append(round(seconds, 6))
        self.now_s += seconds


def engine_at(service: Service, timed: Time | None = None, **terms: float) -> GttsEngine:
    timed = timed or Time()
    return GttsEngine(service.address, Terms(limit_s=5.0, **terms), timed.clock, timed.sleep)  # type: ignore[arg-type]


def spoken_by(service: Service, text: str = TEXT, voice: int = 0) -> Clip:
    engine = engine_at(service)
    return engine.speak(text, engine.voices()[voice], 1)


def test_the_loopback_service_speaks_the_format_that_gtts_itself_reads(
    clip: Clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(answer(google(mp3(clip)))) as service:
        monkeypatch.setattr(gtts.tts, "_translate_url", lambda tld, path: f"{service.address}/{path}")
        buffer = io.BytesIO()
        gtts.gTTS(TEXT, lang_check=False, timeout=5).write_to_fp(buffer)
        theirs = service.asked[0]
        monkeypatch.undo()
        spoken_by(service)
    assert buffer.getvalue() == mp3(clip)
    assert (service.asked[1].path, service.asked[1].body) == (theirs.path, theirs.body)


def test_an_mp3_becomes_a_checked_clip_at_24_khz(clip: Clip) -> None:
    with serving(answer(google(mp3(clip)))) as service:
        heard = spoken_by(service)
    check_clip(heard, TEXT)
    assert heard.duration_s == pytest.approx(clip.duration_s, abs=0.1)
    assert google_texts(service.asked) == [[TEXT, "en", None]]


def test_the_accent_is_the_address_and_the_voice_is_made_here(clip: Clip) -> None:
    with serving(answer(google(mp3(clip)))) as service:
        engine = GttsEngine(service.address + "/{accent}", Terms(limit_s=5.0))
        heard = {voice.id: engine.speak(TEXT, voice, 1) for voice in engine.voices()}
    assert [request.path.split("/")[1] for request in service.asked] == [v.id.split("/")[0] for v in engine.voices()]
    for voice in engine.voices():
        assert pitch_hz(heard[voice.id]) == pytest.approx(voice.pitch * pitch_hz(clip), rel=0.04), voice.id
        assert heard[voice.id].duration_s == pytest.approx(clip.duration_s / voice.pace, rel=0.06), voice.id
        check_clip(heard[voice.id], TEXT)


@pytest.mark.parametrize("pace", [0.75, 1.35])
def test_the_pace_is_heard_and_the_pitch_kept(clip: Clip, pace: float) -> None:
    with serving(answer(google(mp3(clip)))) as service:
        engine = engine_at(service)
        heard = engine.speak(TEXT, replace(engine.voices()[0], pace=pace), 1)
    assert clip.duration_s / heard.duration_s == pytest.approx(pace, rel=0.06)
    assert pitch_hz(heard) == pytest.approx(pitch_hz(clip), rel=0.03)


def test_a_pace_out_of_reach_is_refused(clip: Clip) -> None:
    with (
        serving(answer(google(mp3(clip)))) as service,
        pytest.raises(SpeechError, match=r"0\.7 to 1\.4 .* not at 3\.00"),
    ):
        engine = engine_at(service)
        engine.speak(TEXT, replace(engine.voices()[0], pace=3.0), 1)
    assert service.asked == []


def test_a_long_text_is_asked_for_in_pieces_and_heard_whole(clip: Clip) -> None:
    with serving(answer(google(mp3(clip)))) as service:
        heard = spoken_by(service, f"{TEXT} {TEXT} {TEXT}")
    pieces = [str(text) for text, _, _ in google_texts(service.asked)]
    assert [len(piece) <= 100 for piece in pieces] == [True] * len(pieces)
    assert heard.duration_s > (len(pieces) - 0.5) * clip.duration_s
    assert len(pieces) >= 2


def test_requests_are_an_interval_apart(clip: Clip) -> None:
    timed = Time()
    with serving(answer(google(mp3(clip)))) as service:
        engine = engine_at(service, timed, interval_s=0.5)
        for _ in range(3):
            engine.speak(TEXT, engine.voices()[0], 1)
    assert timed.slept_s == [0.5, 0.5]


def test_too_many_requests_are_waited_out_longer_each_time(clip: Clip) -> None:
    timed = Time()
    with serving(refuse(429), refuse(503), refuse(429), answer(google(mp3(clip)))) as service:
        engine = engine_at(service, timed)
        check_clip(engine.speak(TEXT, engine.voices()[0], 1), TEXT)
    assert timed.slept_s == [1.0, 2.0, 4.0]


def test_a_service_may_say_how_long_to_wait_but_not_for_ever(clip: Clip) -> None:
    timed = Time()
    with serving(refuse(429, {"retry-after": "7"}), refuse(429, {"retry-after": "7200"})) as service:
        engine = engine_at(service, timed)
        with pytest.raises(SpeechError, match=r"HTTP status 429 \(too many requests.*Tried 2 times"):
            engine.speak(TEXT, engine.voices()[0], 1)
    assert timed.slept_s == [7.0]


def test_patience_counts_from_the_beginning_of_a_text(clip: Clip) -> None:
    timed = Time()
    good, busy = answer(google(mp3(clip))), refuse(429, {"retry-after": "50"})
    with serving(busy, busy, good, busy) as service:
        engine = engine_at(service, timed, patience_s=120.0)
        with pytest.raises(SpeechError, match="429"):
            engine.speak(f"{TEXT} {TEXT} {TEXT}", engine.voices()[0], 1)
    assert timed.slept_s == [50.0, 50.0]


def test_a_service_that_was_asked_often_is_not_asked_as_often_again() -> None:
    with serving(refuse(500)) as service, pytest.raises(EngineFailure, match="HTTP status 500"):
        engine = engine_at(service)
        Voicer(engine).voice(TEXT, engine.voices()[0], 1)
    assert len(service.asked) == 4


def test_a_server_that_always_fails_is_given_up() -> None:
    with serving(refuse(500)) as service, pytest.raises(SpeechError, match=r"HTTP status 500.*Tried 4 times"):
        spoken_by(service)
    assert len(service.asked) == 4


def test_what_cannot_heal_is_asked_once() -> None:
    with serving(refuse(403, body=b"secret words")) as service, pytest.raises(SpeechError, match="403") as raised:
        spoken_by(service)
    assert len(service.asked) == 1
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("step", [hang, trickle])
def test_a_service_that_hangs_or_trickles_is_left_in_time(step: object) -> None:
    with serving(step) as service:  # type: ignore[arg-type]
        engine = GttsEngine(service.address, Terms(limit_s=0.3, tries=1))
        started_s = time.monotonic()
        with pytest.raises(SpeechError, match=r"did not answer within 0\.3 s"):
            engine.speak(TEXT, engine.voices()[0], 1)
        assert time.monotonic() - started_s < 1.0


def test_a_connection_that_breaks_off_is_no_speech(clip: Clip) -> None:
    with (
        serving(break_off(google(mp3(clip)))) as service,
        pytest.raises(SpeechError, match=r"cannot be reached \(Remote"),
    ):
        spoken_by(service)


def test_a_failure_leaves_no_file(clip: Clip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with serving(break_off(google(mp3(clip)))) as service, pytest.raises(EngineFailure):
        engine = engine_at(service)
        Voicer(engine, ClipCache(tmp_path / "cache")).voice(TEXT, engine.voices()[0], 1)
    assert list(tmp_path.iterdir()) == []


def test_nobody_at_the_address_is_one_clear_error() -> None:
    with serving(hang) as service:
        pass
    with pytest.raises(SpeechError, match="cannot be reached"):
        spoken_by(service)


@pytest.mark.parametrize(
    "reply", [b"", b"<!DOCTYPE html><html>Before you continue</html>", google(b""), google(b"\xff\xf3" * 90)[:140]]
)
def test_a_reply_without_whole_audio_is_no_speech(reply: bytes) -> None:
    with serving(answer(reply)) as service, pytest.raises(SpeechError, match="sent no speech, or a part of it"):
        spoken_by(service)


def test_audio_that_is_none_is_no_speech() -> None:
    with (
        serving(answer(google(b"no MP3 at all" * 20))) as service,
        pytest.raises(SpeechError, match="gave no recording"),
    ):
        spoken_by(service)


def test_a_silent_recording_and_half_a_one_do_not_get_through(clip: Clip) -> None:
    silent = mp3(Clip(np.zeros(48_000, np.int16)))
    half = mp3(Clip(clip.samples[: len(clip.samples) // 2].copy()))
    for audio, why in ((silent, "is silent"), (half, "too short|cut off")):
        with serving(answer(google(audio))) as service, pytest.raises(EngineFailure, match=why):
            engine = engine_at(service)
            Voicer(engine).voice(TEXT, engine.voices()[0], 1)
        assert len(service.asked) == 2
