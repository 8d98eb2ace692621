"""OpenAI's voices: key and address from the environment, bounded in time, and never half a recording."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from factory.speech import Clip, EngineFailure, SpeechEngine, SpeechError, Voicer
from factory.speech.checks import check_clip
from factory.speech.network import Terms
from factory.speech.openai_engine import OpenAIEngine

from .measure import pitch_hz, voiced
from .services import Service, Step, answer, break_off, hang, refuse, serving, streamed_wav, trickle

TEXT = "I never agreed to that, and nobody told me about any fee."
SECRET = "sk-proj-Zq81mVb7Lr"


@pytest.fixture(scope="module")
def clip(hibari: SpeechEngine) -> Clip:
    return voiced(hibari, TEXT, hibari.voices()[0], 1)


def engine_at(service: Service, slept_s: list[float] | None = None, terms: Terms | None = None) -> OpenAIEngine:
    sleep = ([] if slept_s is None else slept_s).append
    environ = {"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": f"{service.address}/v1/"}
    return OpenAIEngine(environ, terms=terms or Terms(limit_s=5.0), sleep=sleep)


def spoken_by(service: Service) -> Clip:
    engine = engine_at(service)
    return engine.speak(TEXT, engine.voices()[0], 1)


def refused(status: int, message: str, code: str) -> Step:
    error = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
    return refuse(status, {"content-type": "application/json"}, json.dumps(error).encode())


def test_speech_is_asked_for_as_the_maker_wants_it(clip: Clip) -> None:
    with serving(answer(streamed_wav(clip), "audio/wav")) as service:
        engine = engine_at(service)
        heard = engine.speak(TEXT, engine.voices()[4], 1)
    check_clip(heard, TEXT)
    (asked,) = service.asked
    assert asked.path == "/v1/audio/speech"
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert json.loads(asked.body) == {
        "input": TEXT,
        "model": "gpt-4o-mini-tts",
        "voice": "echo",
        "response_format": "wav",
    }


@pytest.mark.parametrize("pace", [0.7, 1.12, 1.4])
def test_the_pace_is_heard_whatever_the_server_does(clip: Clip, pace: float) -> None:
    with serving(answer(streamed_wav(clip))) as service:
        engine = engine_at(service)
        heard = engine.speak(TEXT, replace(engine.voices()[0], pace=pace), 1)
    assert clip.duration_s / heard.duration_s == pytest.approx(pace, rel=0.06)
    assert pitch_hz(heard) == pytest.approx(pitch_hz(clip), rel=0.03)


def test_a_streamed_file_and_a_finished_one_are_heard_alike(clip: Clip) -> None:
    with serving(answer(streamed_wav(clip)), answer(clip.to_wav_bytes())) as service:
        assert np.array_equal(spoken_by(service).samples, spoken_by(service).samples)


def test_another_rate_is_brought_to_24_khz(clip: Clip) -> None:
    slow = Clip(np.repeat(clip.samples, 2), 48_000)
    with serving(answer(slow.to_wav_bytes())) as service:
        heard = spoken_by(service)
    assert heard.sample_rate == 24_000
    assert heard.duration_s == pytest.approx(clip.duration_s, abs=0.05)


@pytest.mark.parametrize(("wrong_hz", "why"), [(96_000, "too short"), (8_000, "too long"), (1, "1 samples a second")])
def test_a_rate_that_is_not_the_recordings_own_does_not_get_through(clip: Clip, wrong_hz: int, why: str) -> None:
    with serving(answer(streamed_wav(clip, wrong_hz))) as service, pytest.raises(EngineFailure, match=why):
        engine = engine_at(service)
        Voicer(engine).voice("It's me." if wrong_hz == 8_000 else TEXT, engine.voices()[0], 1)


def test_half_a_file_does_not_get_through(clip: Clip) -> None:
    whole, streamed = clip.to_wav_bytes(), streamed_wav(clip)
    steps = (
        (answer(whole[: len(whole) // 2]), "bytes of it are missing"),
        (answer(streamed[: len(streamed) // 2]), "too short|cut off"),
        (break_off(whole), "cannot be reached"),
    )
    for step, why in steps:
        with serving(step) as service, pytest.raises(EngineFailure, match=why):
            engine = engine_at(service)
            Voicer(engine).voice(TEXT, engine.voices()[0], 1)


def test_silence_an_empty_answer_and_no_audio_do_not_get_through() -> None:
    silence = Clip(np.zeros(48_000, np.int16)).to_wav_bytes()
    for body, why in (
        (silence, "is silent"),
        (b"", "empty answer"),
        (b"<html>", "no recording"),
        (silence[:44], "part"),
    ):
        with serving(answer(body)) as service, pytest.raises(EngineFailure, match=why):
            engine = engine_at(service)
            Voicer(engine).voice(TEXT, engine.voices()[0], 1)


@pytest.mark.parametrize("step", [hang, trickle])
def test_a_service_that_hangs_or_trickles_is_left_in_time(step: object) -> None:
    with serving(step) as service:  # type: ignore[arg-type]
        engine = engine_at(service, terms=Terms(limit_s=0.3, tries=1))
        engine._sdk  # noqa: B018 (its import takes longer than the limit)
        started_s = time.monotonic()
        with pytest.raises(SpeechError, match=r"did not answer within 0\.3 s"):
            engine.speak(TEXT, engine.voices()[0], 1)
        assert time.monotonic() - started_s < 1.5


def test_a_key_that_is_not_taken_is_asked_with_once_and_never_shown() -> None:
    step = refused(401, f"Incorrect API key provided: {SECRET}", "invalid_api_key")
    expected = pytest.raises(SpeechError, match=r"401 \(it does not take the key\).*Tried once")
    with serving(step) as service, expected as raised:
        spoken_by(service)
    assert len(service.asked) == 1
    assert SECRET[3:9] not in str(raised.value)
    assert raised.value.__cause__ is None


def test_too_many_requests_are_waited_out(clip: Clip) -> None:
    slept_s: list[float] = []
    with serving(refuse(429), refuse(500), answer(streamed_wav(clip))) as service:
        engine = engine_at(service, slept_s)
        check_clip(engine.speak(TEXT, engine.voices()[0], 1), TEXT)
    assert slept_s == [1.0, 2.0]


def test_an_account_without_credit_is_asked_once() -> None:
    step = refused(429, "You exceeded your current quota", "insufficient_quota")
    with serving(step) as service, pytest.raises(SpeechError, match="no credit left"):
        spoken_by(service)
    assert len(service.asked) == 1


def test_what_the_environment_has_for_the_maker_goes_to_nobody_else(
    clip: Clip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1234")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: private\nAuthorization: Bearer other")
    with serving(answer(streamed_wav(clip))) as service:
        spoken_by(service)
    (asked,) = service.asked
    assert "openai-organization" not in asked.headers
    assert "x-mine" not in asked.headers
    assert asked.headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    ("environ", "why"),
    [
        ({}, "set the environment variable OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "two words"}, "OPENAI_API_KEY holds spaces"),
        ({"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": "localhost"}, "OPENAI_BASE_URL is no address"),
        ({"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": "https://me:pass@host/v1"}, "holds a user name"),
    ],
)
def test_an_environment_that_will_not_do_says_which_variable(environ: Mapping[str, str], why: str) -> None:
    with pytest.raises(SpeechError, match=why):
        OpenAIEngine(environ)


def test_the_version_names_model_and_server_and_no_secret() -> None:
    own = OpenAIEngine({"OPENAI_API_KEY": SECRET})
    other = OpenAIEngine({"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert own.version == "gpt-4o-mini-tts, revision 1"
    assert other.version == "gpt-4o-mini-tts at another address (cd4a9f29), revision 1"
