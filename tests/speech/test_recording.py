"""An engine's audio file is read whole, whatever its rate, or not at all."""

import io

import numpy as np
import pytest
import soundfile
import soxr  # type: ignore[import-untyped]
from numpy.typing import NDArray

from factory.speech import SpeechEngine, SpeechError
from factory.speech.recording import read_recording

TONE_HZ = 440.0


def tone(rate_hz: int, seconds: float = 1.0) -> NDArray[np.float64]:
    return 0.4 * np.sin(2 * np.pi * TONE_HZ * np.arange(round(rate_hz * seconds)) / rate_hz)


def file_of(samples: NDArray[np.float64], rate_hz: int, form: str = "WAV") -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate_hz, format=form)
    return buffer.getvalue()


@pytest.mark.parametrize(("rate_hz", "form"), [(8_000, "WAV"), (22_050, "WAV"), (24_000, "MP3"), (48_000, "FLAC")])
def test_any_rate_and_format_keeps_length_pitch_and_level(rate_hz: int, form: str) -> None:
    read = read_recording(file_of(tone(rate_hz), rate_hz, form), "It")
    assert read.dtype == np.float32
    assert len(read) == pytest.approx(24_000, abs=2)
    assert np.argmax(np.abs(np.fft.rfft(read))) == pytest.approx(TONE_HZ, abs=1)
    assert np.abs(read[2000:-2000]).max() == pytest.approx(0.4, abs=0.03)


def test_two_channels_become_one() -> None:
    both = np.stack([tone(24_000), 0 * tone(24_000)], axis=1)
    assert np.abs(read_recording(file_of(both, 24_000), "It")).max() == pytest.approx(0.2, abs=0.01)


def test_a_wav_file_that_holds_less_than_it_says_is_an_error() -> None:
    whole = file_of(tone(24_000), 24_000)
    with pytest.raises(SpeechError, match="It gave a part of a recording: 44 bytes of it are missing"):
        read_recording(whole[:-44], "It")


@pytest.mark.parametrize("content", [b"", b"RIFF", b"<html>", b"RIFF\0\0\0\0WAVEdata", bytes(1000)])
def test_what_is_no_audio_is_an_error(content: bytes) -> None:
    with pytest.raises(SpeechError, match="It gave no recording"):
        read_recording(content, "It")


def test_samples_that_are_no_numbers_are_an_error() -> None:
    buffer = io.BytesIO()
    soundfile.write(buffer, np.full(24_000, np.nan), 24_000, format="WAV", subtype="FLOAT")
    with pytest.raises(SpeechError, match="holds no numbers"):
        read_recording(buffer.getvalue(), "It")


def test_a_recording_that_never_ends_is_an_error() -> None:
    endless = file_of(np.zeros(8_000 * 602), 8_000, "FLAC")
    with pytest.raises(SpeechError, match="more than 10 minutes"):
        read_recording(endless, "It")


@pytest.mark.parametrize("rate_hz", [22_050, 24_000, 48_000])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_clipped_recording_is_an_error_at_any_rate_and_level(
    hibari: SpeechEngine, rate_hz: int, channels: int
) -> None:
    clip = hibari.speak("That is not what I said.", hibari.voices()[0], 1)
    speech = soxr.resample(clip.samples / 32768, 24_000, rate_hz)
    most = np.abs(speech).max()
    flat = 0.3 * np.clip(speech * 2.5 / most, -1, 1)
    both = [flat] if channels == 1 else [speech, flat]
    assert len(read_recording(file_of(speech, rate_hz), "It")) > 0
    with pytest.raises(SpeechError, match="It gave a recording that is clipped"):
        read_recording(file_of(np.stack(both, axis=1), rate_hz), "It")
