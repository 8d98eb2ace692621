"""The clip cache: what was made once is not made again, and nothing damaged is ever used."""

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from factory.speech import Clip, ClipCache, SpeechEngine, SpeechError, Voice, Voicer
from factory.speech.cache import clip_key

TEXT = "Hold on, that is not what I said."


class Counted:
    """hibari, which counts how often it speaks."""

    name = "hibari"
    paces = (0.65, 1.5)

    def __init__(self, engine: SpeechEngine, version: str = "1") -> None:
        self._engine = engine
        self.version = version
        self.calls = 0

    def voices(self) -> tuple[Voice, ...]:
        return self._engine.voices()

    def speak(self, text: str, voice: Voice, seed: int) -> Clip:
        self.calls += 1
        return self._engine.speak(text, voice, seed)


@pytest.fixture
def engine(hibari: SpeechEngine) -> Counted:
    return Counted(hibari)


def noise(length: int, seed: int = 0) -> Clip:
    return Clip(np.random.default_rng(seed).integers(-9000, 9000, length).astype(np.int16))


def key_of(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_clip_is_made_once_and_comes_back_sample_by_sample(engine: Counted, tmp_path: Path) -> None:
    first = Voicer(engine, ClipCache(tmp_path)).voice(TEXT, engine.voices()[1], 4)
    again = Voicer(engine, ClipCache(tmp_path)).voice(TEXT, engine.voices()[1], 4)
    assert engine.calls == 1
    assert first.clip.to_wav_bytes() == again.clip.to_wav_bytes()
    assert again.faults == ()


def test_whatever_decides_the_samples_decides_the_key(engine: Counted, hibari: SpeechEngine) -> None:
    voice = engine.voices()[0]
    keys = {
        clip_key(engine, voice, "Hello.", 1),
        clip_key(Counted(hibari, version="2"), voice, "Hello.", 1),
        clip_key(engine, replace(voice, pace=1.01), "Hello.", 1),
        clip_key(engine, replace(voice, pitch=1.01), "Hello.", 1),
        clip_key(engine, engine.voices()[1], "Hello.", 1),
        clip_key(engine, voice, "Hello!", 1),
        clip_key(engine, voice, "Hello.", 2),
    }
    assert len(keys) == 7
    assert clip_key(engine, voice, "Hello.", 1) in keys
    assert clip_key(engine, replace(voice, description="somebody"), "Hello.", 1) in keys


def test_texts_that_are_said_alike_share_a_clip(engine: Counted, tmp_path: Path) -> None:
    voicer = Voicer(engine, ClipCache(tmp_path))
    for text in ("It's 5 dollars.", "It's five dollars.", "It's $5."):
        voicer.voice(text, engine.voices()[0], 1)
    assert engine.calls == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[: len(content) // 2],
        lambda content: content + b"\0\0",
        lambda content: content[:5000] + b"\0\1\2\3" + content[5004:],
        lambda content: b"\0" * len(content),
        lambda content: b"<html>",
    ],
)
def test_a_damaged_entry_is_made_anew_and_never_used(
    engine: Counted, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    voicer = Voicer(engine, ClipCache(tmp_path))
    good = voicer.voice(TEXT, engine.voices()[0], 4)
    (path,) = files_in(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    again = voicer.voice(TEXT, engine.voices()[0], 4)
    assert engine.calls == 2
    assert again.clip.to_wav_bytes() == good.clip.to_wav_bytes()
    assert path.read_bytes() == whole


def test_an_entry_moved_to_another_name_counts_as_not_there(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    cache.put(key_of(1), noise(2400))
    cache.put(key_of(2), noise(2400, seed=1))
    (path_1,) = tmp_path.rglob(f"{key_of(1)}.clip")
    (path_2,) = tmp_path.rglob(f"{key_of(2)}.clip")
    os.replace(path_1, path_2)
    assert cache.get(key_of(2)) is None


def test_a_whole_entry_that_is_no_speech_is_not_used(engine: Counted, tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    cache.put(clip_key(engine, engine.voices()[0], TEXT, 4), Clip(np.zeros(24_000, np.int16)))
    assert Voicer(engine, cache).voice(TEXT, engine.voices()[0], 4).clip.duration_s > 1
    assert engine.calls == 1


def test_many_may_write_and_read_one_entry_at_once(tmp_path: Path) -> None:
    cache, clip = ClipCache(tmp_path), noise(240_000)

    def use(_: int) -> bool:
        cache.put(key_of(1), clip)
        found = ClipCache(tmp_path).get(key_of(1))
        return found is not None and np.array_equal(found.samples, clip.samples)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(64)))
    assert len(files_in(tmp_path)) == 1


def test_a_cache_that_is_emptied_while_it_is_used_makes_its_clips_anew(engine: Counted, tmp_path: Path) -> None:
    voicer = Voicer(engine, ClipCache(tmp_path / "cache"))
    voicer.voice(TEXT, engine.voices()[0], 4)
    for path in files_in(tmp_path):
        path.unlink()
    voicer.voice(TEXT, engine.voices()[0], 4)
    assert engine.calls == 2


def test_a_folder_that_cannot_be_written_is_said_once_and_no_fault_of_the_engine(
    engine: Counted, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SpeechError, match=r"clip cache .*file cannot be written \(Not a directory\)"):
        Voicer(engine, ClipCache(tmp_path / "file")).voice(TEXT, engine.voices()[0], 4)
    assert engine.calls == 1


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(SpeechError, match=r"cannot be written \(File too large\)"):
            ClipCache(tmp_path).put(key_of(1), noise(24_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert files_in(tmp_path) == []
