"""Sound files hold what was given, the same bytes each time, or are not there."""

import io
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import soundfile

from factory.records.enums import SoundFormat
from factory.speech import SAMPLE_RATE, SpeechError
from factory.speech.sound_file import encode_sound

LOSSLESS = [SoundFormat.WAV, SoundFormat.FLAC]


def sound(seconds: float, channels: int = 2, seed: int = 1) -> np.ndarray:
    """Something with the spectrum of speech, roughly, swelling and ebbing."""
    count = round(seconds * SAMPLE_RATE)
    white = np.random.default_rng(seed).standard_normal((count + 50, channels))
    smooth = np.cumsum(white, axis=0)[50:] - np.cumsum(white, axis=0)[:-50]
    swell = 0.5 + 0.5 * np.sin(np.arange(count) / SAMPLE_RATE * 20)[:, None]
    samples: np.ndarray = (0.02 * smooth * swell).clip(-0.9, 0.9).astype(np.float32)
    return samples[:, 0] if channels == 1 else samples


def read(content: bytes) -> np.ndarray:
    samples, rate_hz = soundfile.read(io.BytesIO(content), dtype="float32")
    assert rate_hz == SAMPLE_RATE
    return np.asarray(samples)


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("sound_format", LOSSLESS)
def test_wav_and_flac_hold_every_sample_to_16_bits(sound_format: SoundFormat, channels: int) -> None:
    samples = sound(1.3, channels)
    content = encode_sound(samples, sound_format)
    assert soundfile.info(io.BytesIO(content)).subtype == "PCM_16"
    assert np.array_equal(np.rint(read(content) * 32_768), np.rint(samples * np.float32(32_767)))


@pytest.mark.parametrize("seconds", [0.001, 0.5, 3.337])
def test_opus_holds_the_length_to_the_sample_and_the_sound_in_its_place(seconds: float) -> None:
    samples = sound(seconds)
    content = encode_sound(samples, SoundFormat.OPUS)
    heard = read(content)
    assert heard.shape == samples.shape
    assert len(content) < 0.3 * samples.nbytes / 2 + 2_000
    if seconds > 0.1:
        for one, other in zip(samples.T, heard.T, strict=True):
            likeness = np.fft.irfft(np.conj(np.fft.rfft(one)) * np.fft.rfft(other), len(one))
            assert int(np.argmax(likeness)) == 0
            assert np.corrcoef(one, other)[0, 1] > 0.95


@pytest.mark.parametrize("sound_format", SoundFormat)
def test_the_same_sound_is_the_same_bytes_at_another_second_and_in_another_process(sound_format: SoundFormat) -> None:
    content = encode_sound(sound(0.5), sound_format)
    time.sleep(1.05 - time.time() % 1)  # the clock of libsndfile's random numbers
    assert encode_sound(sound(0.5), sound_format) == content
    script = (
        "import io, sys, numpy as np; from factory.records.enums import SoundFormat; "
        "from factory.speech.sound_file import encode_sound; "
        "samples = np.load(io.BytesIO(sys.stdin.buffer.read())); "
        f"sys.stdout.buffer.write(encode_sound(samples, SoundFormat('{sound_format}')))"
    )
    samples = io.BytesIO()
    np.save(samples, sound(0.5))
    other = subprocess.run([sys.executable, "-c", script], input=samples.getvalue(), capture_output=True, check=True)
    assert other.stdout == content


def test_a_long_opus_file_of_many_pages_reads_to_its_end() -> None:
    samples = sound(12)
    content = encode_sound(samples, SoundFormat.OPUS)
    assert content.count(b"OggS") > 10
    assert len(read(content)) == len(samples)


@pytest.mark.parametrize("sound_format", SoundFormat)
def test_a_long_call_is_encoded_in_less_memory_than_twice_its_own(sound_format: SoundFormat) -> None:
    samples = sound(30)
    encode_sound(samples[:4800], sound_format)  # what is loaded once does not count
    tracemalloc.start()
    encode_sound(samples, sound_format)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * samples.nbytes


def test_an_opus_page_with_a_wrong_checksum_would_not_be_read() -> None:
    """So that the tests above show that the checksums are right."""
    content = bytearray(encode_sound(sound(3), SoundFormat.OPUS))
    last = content.rindex(b"OggS")
    content[last + 22] ^= 1
    assert len(read(bytes(content))) < 3 * SAMPLE_RATE


@pytest.mark.parametrize("wrong", [1.001, -1.2, np.nan, np.inf])
def test_a_sample_that_would_be_clipped_is_refused(wrong: float) -> None:
    samples = sound(0.1)
    samples[5, 1] = wrong
    with pytest.raises(SpeechError, match="between -1 and 1"):
        encode_sound(samples, SoundFormat.FLAC)


@pytest.mark.parametrize(
    ("spoil", "told"), [(lambda pcm: pcm[:-1], "it has the shape"), (lambda pcm: pcm // 2, "its samples are others")]
)
def test_what_the_library_wrote_wrongly_is_found(
    spoil: Callable[[np.ndarray], np.ndarray], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = soundfile.write
    monkeypatch.setattr(soundfile, "write", lambda file, pcm, *rest, **more: write(file, spoil(pcm), *rest, **more))
    with pytest.raises(SpeechError, match=told):
        encode_sound(sound(0.1), SoundFormat.FLAC)


def test_nothing_and_a_rate_that_opus_does_not_know_are_refused() -> None:
    with pytest.raises(SpeechError, match="0 samples"):
        encode_sound(np.zeros((0, 2), np.float32), SoundFormat.WAV)
    with pytest.raises(SpeechError, match=r"only one of: 8000, 12000, 16000, 24000, 48000"):
        encode_sound(sound(0.1), SoundFormat.OPUS, 22_050)


def test_a_format_is_known_by_its_suffix() -> None:
    assert [sound_format.value for sound_format in SoundFormat] == ["wav", "flac", "opus"]


def test_datasets_loads_a_table_of_them(tmp_path: Path) -> None:
    import datasets

    rows = [{"bytes": encode_sound(sound(0.5), kind), "path": None} for kind in SoundFormat]
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    table = datasets.Dataset(pa.table({"call": pa.array(rows, kind)})).cast_column(
        "call", datasets.Audio(sampling_rate=SAMPLE_RATE)
    )
    table.to_parquet(tmp_path / "calls.parquet")
    assert pq.read_schema(tmp_path / "calls.parquet").field("call").type == kind
    files = {"test": str(tmp_path / "calls.parquet")}
    loaded = datasets.load_dataset("parquet", data_files=files, split="test", cache_dir=str(tmp_path / "cache"))
    assert isinstance(loaded.features["call"], datasets.Audio)
    # Decoding by `datasets` itself needs torchcodec; it gives Opus at 48 kHz unless the column states a rate.
    undecoded = loaded.cast_column("call", datasets.Audio(decode=False))
    for row in undecoded:
        assert read(row["call"]["bytes"]).shape == (SAMPLE_RATE // 2, 2)
