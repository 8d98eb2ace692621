"""Engines that fail while calls are made: found, tried again, replaced where the spec says so, and never published."""

import json
import shutil
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from factory.build import calls
from factory.build.order import Order
from factory.build.steps import speak
from factory.corpus.specs import load_spec
from factory.errors import Unfinished
from factory.records.call import CallTimeline
from factory.run.display import Silent
from factory.run.folder import RunFolder
from factory.speech import Clip, SpeechEngine, SpeechError, Voice, Voicer, open_engine
from factory.workflow.library import standard_library
from tests.build.builds import Ended, contents, factory
from tests.build.spoken import brief_spec, copied, without_call
from tests.speech.services import Handler, Service, Step, answer, refuse, serving, streamed_wav

MADE = ("audio", "calls", "dataset")


@pytest.fixture(scope="module")
def hibari() -> SpeechEngine:
    return open_engine("hibari")


def first_call(run: Path) -> CallTimeline:
    folder = RunFolder(run)
    return folder.timeline(next(folder.built()).conversation_id)


def speaking(hibari: SpeechEngine, spoil: Callable[[Clip], bytes] = streamed_wav) -> Step:
    """A service that speaks what it is asked to, by an engine of ours, and spoils what it says."""
    voicer = Voicer(hibari)
    voices: dict[str, Voice] = {}

    def step(handler: Handler) -> None:
        asked = json.loads(handler.service.asked[-1].body)
        voice = voices.setdefault(asked["voice"], hibari.voices()[len(voices)])
        answer(spoil(voicer.voice(asked["input"], voice, 1).clip), "audio/wav")(handler)

    return step


def silence(clip: Clip) -> bytes:
    return streamed_wav(Clip(np.zeros_like(clip.samples)))


def half(clip: Clip) -> bytes:
    return streamed_wav(Clip(clip.samples[: len(clip.samples) // 2].copy()))


def wrong_rate(clip: Clip) -> bytes:
    return streamed_wav(clip, rate_hz=48_000)


def build_with(service: Service, spec: Path, out: Path, **environ: str) -> Ended:
    """Builds the first call by the service of OpenAI's kind that is up there."""
    order = ("build", spec, "--out", out, "--engine", "inline", "--limit", "1")
    return factory(*order, OPENAI_API_KEY="not-a-key", OPENAI_BASE_URL=f"{service.address}/v1", **environ)


@pytest.mark.parametrize("spoil", [silence, half, wrong_rate])
def test_without_a_stand_in_a_failing_engine_ends_the_step_and_nothing_of_it_is_kept(
    spoil: Callable[[Clip], bytes], hibari: SpeechEngine, brief: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unspoken(brief, tmp_path)
    first = next(folder.built()).conversation_id
    with serving(speaking(hibari, spoil)) as service:
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{service.address}/v1")
        with pytest.raises(Unfinished, match=rf"^{first}: The audio for .* is not usable"):
            speak(order_of(brief_spec(tmp_path, tts="openai")), folder, range(3), Silent())
    assert len(service.asked) == 2, "it was not asked once more"
    kept = [path for name in ("audio", "calls", "clips") for path in (folder.path / name).rglob("*") if path.is_file()]
    assert kept == []


def test_with_a_stand_in_the_whole_call_is_spoken_by_it_and_the_card_says_so(
    hibari: SpeechEngine, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with serving(speaking(hibari), speaking(hibari), speaking(hibari), speaking(hibari, silence)) as service:
        ended = build_with(service, brief_spec(tmp_path, "stand_in: hibari", tts="openai"), out)
    assert ended.code == 0, ended.err
    assert len(service.asked) == 5, "the engine was given up too soon, or too late"
    timeline = first_call(out)
    assert (timeline.engine, timeline.asked_engine) == ("hibari", "openai")
    names = {voice.id for voice in hibari.voices()}
    assert {timeline.agent_voice, timeline.caller_voice} <= names
    (row,) = pq.read_table(out / "dataset" / "calls.parquet", columns=["engine"]).to_pylist()
    assert row == {"engine": "hibari"}
    card = (out / "dataset" / "README.md").read_text()
    assert "speech engine `openai`" in card
    assert (
        "Where that engine failed, another spoke the whole call in its place, as the spec allows: `hibari` in 1 of 1."
        in card
    )
    assert factory("verify", out).code == 0


def test_a_service_that_comes_back_is_gone_on_with_and_what_it_spoke_is_kept(
    hibari: SpeechEngine, tmp_path: Path
) -> None:
    out, spec = tmp_path / "run", brief_spec(tmp_path, tts="openai")
    with serving(refuse(401)) as service:
        ended = build_with(service, spec, out)
        assert ended.code == 3
        assert "not finished: " in ended.err
        assert "-0001: " in ended.err
        assert "HTTP status 401" in ended.err
        assert len(service.asked) == 1
        assert not (out / "dataset").exists()

        service.asked.clear()
        service.script = [speaking(hibari)]
        ended = build_with(service, spec, out)
        assert ended.code == 0, ended.err
        timeline = first_call(out)
        assert (timeline.engine, timeline.asked_engine) == ("openai", "openai")
        assert "in its place" not in (out / "dataset" / "README.md").read_text()

        before = contents(out, MADE)
        shutil.rmtree(out / "calls")
        service.asked.clear()
        service.script = [refuse(500)]
        ended = build_with(service, spec, out)
        assert ended.code == 0, ended.err
        assert contents(out, MADE) == before
        assert service.asked == [], "what was spoken once was asked for again"


class Hanging:
    """An engine that does not come back, on a thread of this process."""

    name, version, paces = "pyttsx3", "0", (0.5, 2.0)

    def __init__(self, engine: SpeechEngine) -> None:
        self.asked = 0
        self.over = threading.Event()
        self._engine = engine

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.asked += 1
        self.over.wait(30)
        raise SpeechError("too late")


class Stumbling:
    """A real engine whose first clip is silence."""

    def __init__(self, engine: SpeechEngine) -> None:
        self.name, self.version, self.paces = engine.name, engine.version, engine.paces
        self._asked = 0
        self._engine = engine

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self._asked += 1
        clip = self._engine.speak(text, voice, seed)
        return clip if self._asked > 1 else Clip(np.zeros_like(clip.samples))


@pytest.fixture
def hanging(hibari: SpeechEngine, monkeypatch: pytest.MonkeyPatch) -> Hanging:
    """Takes the place of pyttsx3 in builds of this process, where half a second is the limit; hibari stumbles once."""
    engine = Hanging(hibari)
    voicers = {"pyttsx3": Voicer(engine, limit_s=0.5), "hibari": Voicer(Stumbling(hibari))}
    monkeypatch.setattr(calls, "_voicer", lambda name, clips: voicers[name])
    return engine


def order_of(spec: Path) -> Order:
    return Order(spec=load_spec(spec), library=standard_library())


def unspoken(brief: Path, folder: Path) -> RunFolder:
    """The run before its calls were made."""
    run = copied(brief, folder)
    for name in MADE:
        shutil.rmtree(run.path / name)
    return run.folder


def test_an_engine_that_hangs_is_given_up_once_and_the_stand_in_speaks_every_call_and_may_stumble(
    brief: Path, hanging: Hanging, tmp_path: Path
) -> None:
    folder = unspoken(brief, tmp_path)
    order = order_of(brief_spec(tmp_path, "stand_in: hibari", tts="pyttsx3"))
    speak(order, folder, range(2), Silent())
    hanging.over.set()
    assert hanging.asked == 1, "an engine that hangs is asked again for every call"
    made = [folder.timeline(blueprint.conversation_id) for blueprint in islice(folder.built(), 2)]
    assert [(one.engine, one.asked_engine) for one in made] == [("hibari", "pyttsx3")] * 2
    assert [sum(turn.failed_attempts for turn in one.turns) for one in made] == [1, 0]


def test_an_engine_that_hangs_without_a_stand_in_ends_the_step_with_the_calls_name(
    brief: Path, hanging: Hanging, tmp_path: Path
) -> None:
    folder = unspoken(brief, tmp_path)
    first = next(folder.built()).conversation_id
    begun_s = time.monotonic()
    with pytest.raises(Unfinished, match=rf"^{first}: .*did not finish .* within 0.5 s"):
        speak(order_of(brief_spec(tmp_path, tts="pyttsx3")), folder, range(3), Silent())
    hanging.over.set()
    assert time.monotonic() - begun_s < 10.0
    assert not (folder.path / "calls").exists()
    assert not (folder.path / "audio").exists()


def test_a_full_disk_ends_the_step_in_one_line_and_more_space_continues_it(
    brief: Path, brief_order: Path, tmp_path: Path
) -> None:
    """The limit on the size of files lets clips through, and fails a whole call after a part of it was written."""
    run = copied(brief, tmp_path)
    first = run.ids[0]
    without_call(run, first)
    order = ("build", brief_order, "--out", run.path, "--engine", "inline")
    ended = factory(*order, prefix=("prlimit", "--fsize=1000000"), PYTHONDONTWRITEBYTECODE="1")
    assert ended.code == 2, ended.err
    assert f"{first}.flac: cannot be written" in ended.error
    assert not list(run.path.rglob("*.partial"))
    assert not list(run.path.glob(f"calls/{first}.*"))
    assert not run.folder.dataset.exists()
    assert factory(*order).code == 0
    assert contents(run.path, MADE) == contents(brief, MADE)
