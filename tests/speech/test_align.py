"""Word times: every word in its place, whatever the voice; and clips that end with a word."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import hibari as hibari_package  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factory.speech import SAMPLE_RATE, Clip, SpeechEngine, available_engines, open_engine
from factory.speech.align import AlignmentError, align, cut_clip, word_times
from factory.speech.errors import SpeechError
from factory.speech.pronounce import PHONES, pronounce
from factory.speech.spoken import say, spoken_words_in

AGENT_TURNS = {
    1: "If the box and the foam are still around, please hold on to them for a few more days.",
    4: "From the front door on, the inspector goes into every room and looks at the floors, the walls and the"
    " ceilings.",
    5: "Thank you. I hope it opens the door it's meant for. Goodbye, Jamie.",
    8: "You choose when they start, and not a cent is charged for the days before that.",
}
"""By the number of the voice. With what the decoder keeps of a loud clip, some of these words are found elsewhere."""
TEXT = "Thanks for waiting, Sasha. Could you see the order number on the second page?"


@pytest.fixture(scope="module")
def clip(hibari: SpeechEngine) -> Clip:
    return hibari.speak(TEXT, hibari.voices()[0], 5)


def speak(engine: SpeechEngine, text: str, voice: int = 0) -> Clip:
    return engine.speak(say(text).text, engine.voices()[voice], 5)


def level_db(clip: Clip, from_s: float, to_s: float) -> float:
    """Level of a stretch against that of the whole clip."""
    samples = clip.samples.astype(np.float64)
    part = samples[round(from_s * SAMPLE_RATE) : round(to_s * SAMPLE_RATE)]
    return float(10 * np.log10((np.mean(np.square(part)) + 1e-9) / np.mean(np.square(samples))))


def hiss_db(clip: Clip, from_s: float, to_s: float) -> float:
    """Level above 4 kHz."""
    part = clip.samples[round(from_s * SAMPLE_RATE) : round(to_s * SAMPLE_RATE)].astype(np.float64)
    power = np.square(np.abs(np.fft.rfft(part * np.hanning(len(part)))))
    return float(10 * np.log10(power[np.fft.rfftfreq(len(part), 1 / SAMPLE_RATE) > 4000].sum() / len(part) + 1e-9))


def test_every_spoken_word_has_a_time_after_the_word_before_and_inside_the_clip(clip: Clip) -> None:
    times = align(clip, TEXT)
    assert [time.word for time in times] == spoken_words_in(TEXT)
    edges = [edge for time in times for edge in (time.start_s, time.end_s)]
    assert edges == sorted(edges)
    assert edges[0] >= 0.0
    assert edges[-1] <= clip.duration_s
    assert all(time.end_s - time.start_s >= 0.03 for time in times)


def test_a_word_before_a_pause_ends_with_its_own_sound(clip: Clip) -> None:
    times = align(clip, TEXT)
    last, after = times[3], times[4]
    assert (last.word, after.word) == ("Sasha", "Could")
    assert after.start_s - last.end_s > 0.2
    assert level_db(clip, last.end_s, after.start_s) < -30
    assert level_db(clip, last.start_s, last.end_s) > -10


def test_the_same_clip_has_the_same_times_whatever_came_before_and_from_every_thread(
    hibari: SpeechEngine, clip: Clip
) -> None:
    times = align(clip, TEXT)
    for number, text in enumerate(("Nice to meet you, Quillmoor.", "No.")):
        align(speak(hibari, text, number), text)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(align, [clip] * 4, [TEXT] * 4)) == [times] * 4


def test_times_depend_on_no_clip_that_was_aligned_before(hibari: SpeechEngine) -> None:
    clips = [(speak(hibari, text, voice), text) for voice, text in AGENT_TURNS.items()]
    noise = Clip(np.random.default_rng(1).normal(0, 8000, 2 * SAMPLE_RATE).clip(-32768, 32767).astype(np.int16))
    times = [align(clip, text) for clip, text in clips]
    for (clip, text), before in zip(clips, times, strict=True):
        with suppress(AlignmentError):
            align(noise, "No.")
        assert align(clip, text) == before, text


def test_words_of_no_dictionary_are_found(hibari: SpeechEngine) -> None:
    text = "Ms. Zelkova of Tensovar lives in Quillmoor, near the waitlist's barcode."
    times = align(speak(hibari, text), say(text).text)
    lengths_s = {time.word: time.end_s - time.start_s for time in times}
    assert all(0.2 < lengths_s[word] < 0.9 for word in ("Zelkova", "Tensovar", "Quillmoor", "waitlist's", "barcode"))


def test_spelled_letters_and_digits_are_words(hibari: SpeechEngine) -> None:
    said = say("Your reference is DR-4827A, and your SSN ends in 19.")
    times = align(hibari.speak(said.text, hibari.voices()[4], 5), said.text)
    spelled = [time for time in times if len(time.word) == 1]
    assert {"D", "R", "A", "S", "N"} <= {time.word for time in spelled}
    assert all(0.05 < time.end_s - time.start_s < 0.6 for time in spelled)


def test_every_sound_of_hibaris_network_has_a_phone() -> None:
    assets = Path(hibari_package.__file__).parent / "assets"
    sounds = set(json.loads((assets / "oov.json").read_text(encoding="utf-8"))["out"]) - set("ˈˌ")
    assert sounds & set(PHONES) == {sound for sound in sounds if sound.isalpha()}
    assert pronounce("tensovar") == ("T", "EH", "N", "S", "AH", "V", "AA", "R")
    assert pronounce("—") == ()


@pytest.mark.parametrize("text", ["", "—", "..."])
def test_a_text_without_words_cannot_be_aligned(clip: Clip, text: str) -> None:
    with pytest.raises(SpeechError, match="no words") as raised:
        align(clip, text)
    assert not isinstance(raised.value, AlignmentError), "another clip would not help"


def test_a_word_that_cannot_be_read_is_no_fault_of_the_clip(clip: Clip) -> None:
    with pytest.raises(SpeechError, match="no pronunciation for '你好'; write it in English letters") as raised:
        align(clip, "Thanks, 你好.")
    assert not isinstance(raised.value, AlignmentError)
    assert align(clip, TEXT)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), max_size=12))
def test_every_word_of_a_spoken_form_can_be_read(text: str) -> None:
    for word in spoken_words_in(say(text).text):
        assert pronounce(word.lower()), word


def test_words_that_are_not_in_a_clip_are_not_found(clip: Clip) -> None:
    for wrong in (Clip(clip.samples[:2400]), Clip(clip.samples[:0])):
        with pytest.raises(AlignmentError, match=r"not found in its clip of 0\.\d0 s"):
            align(wrong, TEXT)
    assert align(clip, TEXT)


def test_espeak_is_aligned_too() -> None:
    if not next(status.usable for status in available_engines() if status.name == "pyttsx3"):
        pytest.skip("pyttsx3 or espeak-ng is not installed")
    espeak = open_engine("pyttsx3")
    for voice in espeak.voices()[:2]:
        spoken = espeak.speak(TEXT, voice, 1)
        times = align(spoken, TEXT)
        assert times[4].start_s - times[3].end_s > 0.2
        assert level_db(spoken, times[3].end_s + 0.01, times[4].start_s) < -25
        assert times[-1].end_s > spoken.duration_s - 0.3


def test_a_written_word_has_the_time_of_all_that_is_said_for_it(hibari: SpeechEngine) -> None:
    said = say("That makes $35 — for 19 days")
    spoken = hibari.speak(said.text, hibari.voices()[1], 5)
    words = align(spoken, said.text)
    times = word_times(spoken, said)
    assert [word.word for word in words][2:4] == ["thirty", "five"]
    assert times[2] == (words[2].start_s, words[4].end_s)
    assert times[3] == (times[2][1], times[2][1]), "a dash takes no time"
    assert times[0] == (words[0].start_s, words[0].end_s)
    assert times[-1] == (words[-1].start_s, words[-1].end_s)


def test_written_words_that_are_said_as_one_share_its_time(hibari: SpeechEngine) -> None:
    said = say("About $35 million, so far")
    spoken = hibari.speak(said.text, hibari.voices()[1], 5)
    words = align(spoken, said.text)
    times = word_times(spoken, said)
    assert said.spans[1] == said.spans[2]
    assert times[1][0] == words[1].start_s
    assert times[2][1] == words[4].end_s
    assert times[1][1] == times[2][0]
    assert times[1][1] - times[1][0] == pytest.approx(times[2][1] - times[2][0])


def test_a_text_that_begins_with_a_dash_has_an_empty_time_at_its_beginning(hibari: SpeechEngine) -> None:
    said = say("— so far")
    assert word_times(hibari.speak(said.text, hibari.voices()[1], 5), said)[0] == (0.0, 0.0)


def test_a_clip_can_be_cut_at_the_end_of_each_of_its_words(clip: Clip) -> None:
    for time in align(clip, TEXT):
        cut = cut_clip(clip, time.end_s)
        assert cut.duration_s == pytest.approx(time.end_s, abs=1 / SAMPLE_RATE)
        assert cut.duration_s <= time.end_s + 1e-9
        kept = len(cut.samples) - round(0.004 * SAMPLE_RATE)
        assert np.array_equal(cut.samples[:kept], clip.samples[:kept])


def test_a_cut_clip_ends_without_a_click(clip: Clip) -> None:
    loudest = int(np.argmax(np.abs(clip.samples[:-200])))
    cut = cut_clip(clip, (loudest + 1) / SAMPLE_RATE).samples.astype(int)
    steps = np.abs(np.diff(clip.samples.astype(int)))
    assert cut[-1] == 0
    assert np.abs(np.diff(cut[-200:])).max() <= 1.1 * steps.max()


def test_nothing_of_the_next_word_is_in_a_cut_clip(hibari: SpeechEngine) -> None:
    for voice in hibari.voices()[::3]:
        spoken = hibari.speak(TEXT, voice, 5)
        times = align(spoken, TEXT)
        you, see = times[5], times[6]
        assert (you.word, see.word) == ("you", "see")
        cut = cut_clip(spoken, you.end_s)
        hiss = max(hiss_db(spoken, at, at + 0.02) for at in np.arange(see.start_s, see.end_s - 0.02, 0.01))
        assert hiss_db(cut, cut.duration_s - 0.02, cut.duration_s) < hiss - 15, voice.id


@pytest.mark.parametrize("end_s", [0.0, -0.1, 60.0])
def test_a_clip_is_not_cut_where_it_is_not(clip: Clip, end_s: float) -> None:
    with pytest.raises(AlignmentError, match="cannot be cut"):
        cut_clip(clip, end_s)


def test_cutting_at_the_end_keeps_the_whole_clip(clip: Clip) -> None:
    assert len(cut_clip(clip, clip.duration_s).samples) == len(clip.samples)
