"""hibari: ten distinct callers, nothing fetched, the same samples every time, fast."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from factory.speech import Clip, SpeechEngine, SpeechError, Voice
from factory.speech.checks import check_clip
from factory.workflow.library import standard_library

from .measure import pitch_hz, timbre_distance_db, voiced

TEXT = "I already gave my case number to the other person, so why do you need it again?"


@pytest.fixture(scope="module")
def clips(hibari: SpeechEngine) -> dict[str, Clip]:
    return {voice.id: voiced(hibari, TEXT, voice, 11) for voice in hibari.voices()}


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_there_are_at_least_eight_voices_from_deep_to_high(clips: dict[str, Clip]) -> None:
    pitches = [pitch_hz(clip) for clip in clips.values()]
    assert len(pitches) >= 8
    assert min(pitches) < 115
    assert max(pitches) > 230


def test_any_two_voices_differ_in_pitch_pace_or_timbre(clips: dict[str, Clip]) -> None:
    pitches = {name: 12 * np.log2(pitch_hz(clip)) for name, clip in clips.items()}
    for (one, first), (other, second) in combinations(clips.items(), 2):
        semitones = abs(pitches[one] - pitches[other])
        pace = abs(np.log2(first.duration_s / second.duration_s))
        assert semitones > 1.5 or pace > 0.2, f"{one} and {other} sound alike"
        assert timbre_distance_db(first, second) > 1.2, f"{one} and {other} have one timbre"


def test_one_voice_keeps_its_pitch_pace_and_timbre(hibari: SpeechEngine, clips: dict[str, Clip]) -> None:
    for voice in hibari.voices():
        again = voiced(hibari, TEXT, voice, 12)
        assert pitch_hz(again) == pytest.approx(pitch_hz(clips[voice.id]), rel=0.02)
        assert again.duration_s == pytest.approx(clips[voice.id].duration_s, abs=0.05)
        assert timbre_distance_db(again, clips[voice.id]) < 0.5


def test_every_voice_can_say_every_backchannel(hibari: SpeechEngine) -> None:
    ways = standard_library().shared.caller.speech.values()
    for filler in sorted({filler for way in ways for filler in way.fillers}):
        for voice in hibari.voices():
            voiced(hibari, filler, voice, 3)


def test_pace_pitch_and_formants_do_what_they_say(hibari: SpeechEngine) -> None:
    plain = hibari.voices()[0]
    assert (plain.pitch, plain.formants, plain.pace) == (1, 1, 1)

    def spoken(voice: Voice) -> Clip:
        return hibari.speak(TEXT, voice, 1)

    base = spoken(plain)
    for pace in (0.65, 0.75, 0.85, 0.94, 1.06, 1.12, 1.2, 1.3, 1.4, 1.5):
        paced = spoken(replace(plain, pace=pace))
        assert paced.duration_s == pytest.approx(base.duration_s / pace, rel=0.06)
        assert pitch_hz(paced) == pytest.approx(pitch_hz(base), rel=0.03)
        check_clip(paced, TEXT, pace)
    assert pitch_hz(spoken(replace(plain, pitch=1.2))) == pytest.approx(1.2 * pitch_hz(base), rel=0.06)
    longer = spoken(replace(plain, formants=0.85))
    assert pitch_hz(longer) == pytest.approx(pitch_hz(base), rel=0.06)
    assert centre_hz(longer) < 0.93 * centre_hz(base)


def centre_hz(clip: Clip) -> float:
    power = np.abs(np.fft.rfft(clip.samples / 32768)) ** 2
    frequencies = np.fft.rfftfreq(len(clip.samples), 1 / clip.sample_rate)
    band = (frequencies > 400) & (frequencies < 6000)
    return float((power[band] * frequencies[band]).sum() / power[band].sum())


def test_all_voices_are_equally_loud(clips: dict[str, Clip]) -> None:
    levels_db = [10 * np.log10(np.mean((clip.samples / 32768) ** 2)) for clip in clips.values()]
    assert max(levels_db) - min(levels_db) < 1.5


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(hibari: SpeechEngine) -> None:
    voice = hibari.voices()[2]
    first, again, other = (voiced(hibari, TEXT, voice, seed).to_wav_bytes() for seed in (5, 5, 6))
    assert first == again != other


def test_threads_and_other_processes_give_the_same_bytes(hibari: SpeechEngine) -> None:
    jobs = [(voice, seed) for voice in hibari.voices() for seed in (1, 2)]
    alone = [voiced(hibari, TEXT, voice, seed).to_wav_bytes() for voice, seed in jobs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda job: voiced(hibari, TEXT, *job).to_wav_bytes(), jobs)) == alone
    elsewhere = run_python(
        "from factory.speech import Voicer, open_engine\n"
        f"engine = open_engine('hibari'); done = Voicer(engine).voice({TEXT!r}, engine.voices()[0], 1)\n"
        "print(done.clip.to_wav_bytes().hex())"
    )
    assert bytes.fromhex(elsewhere) == alone[0]


WATCHED = """
import sys
seen = []
def watch(event, args):
    if event.startswith(("socket.", "urllib.")):
        seen.append(event)
        raise OSError("no network in this test")
sys.addaudithook(watch)
"""


def test_no_voice_touches_the_network_even_with_an_empty_cache() -> None:
    told = run_python(
        f"import os, tempfile; os.environ['HIBARI_HOME'] = tempfile.mkdtemp()\n{WATCHED}"
        "from factory.speech import Voicer, open_engine\n"
        "engine = open_engine('hibari')\n"
        "for voice in engine.voices(): Voicer(engine).voice('Hello, my name is Zyxquo.', voice, 1)\n"
        "print(len(engine.voices()), seen, os.listdir(os.environ['HIBARI_HOME']))"
    )
    assert told == "10 [] []"


def test_the_watch_would_have_seen_hibari_fetch_a_voice() -> None:
    fetched = run_python(
        f"import os, tempfile; os.environ['HIBARI_HOME'] = tempfile.mkdtemp()\n{WATCHED}"
        "from hibari import Hibari\n"
        "try: Hibari(voice='emma')\n"
        "except RuntimeError: pass\n"
        "print('urllib.Request' in seen)"
    )
    assert fetched == "True"


def test_the_answer_no_is_not_read_as_number(hibari: SpeechEngine) -> None:
    voice = hibari.voices()[0]
    no, number = (hibari.speak(text, voice, 1).duration_s for text in ("I mean, no.", "I mean, number."))
    assert no < 0.95 * number


def test_the_letter_a_is_not_read_as_the_article(hibari: SpeechEngine) -> None:
    voice = hibari.voices()[0]
    letter, article = (hibari.speak(text, voice, 1).samples for text in ("It's A four.", "It's a four."))
    assert not np.array_equal(letter, article)


def test_voicing_costs_at_most_a_twentieth_of_the_audio(hibari: SpeechEngine, clips: dict[str, Clip]) -> None:
    started_s = time.process_time()
    made = [voiced(hibari, TEXT, voice, 21) for voice in hibari.voices()]
    spent_s = time.process_time() - started_s
    assert spent_s <= 0.05 * sum(clip.duration_s for clip in made)


@pytest.mark.parametrize("pace", [0.6, 1.6, float("nan")])
def test_a_pace_out_of_reach_is_refused(hibari: SpeechEngine, pace: float) -> None:
    with pytest.raises(SpeechError, match=r"'hibari' speaks at 0\.65 to 1\.5 times its own pace"):
        hibari.speak(TEXT, replace(hibari.voices()[0], pace=pace), 1)


def test_a_voice_of_another_engine_is_an_error(hibari: SpeechEngine) -> None:
    with pytest.raises(SpeechError, match="no voice 'en-us"):
        hibari.speak("Hello.", Voice("en-us+m1", 1, 1, 1, ""), 1)
