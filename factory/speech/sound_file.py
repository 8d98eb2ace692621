"""Sound files: WAV, FLAC or Opus, the same bytes for the same sound."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from factory.records.enums import SoundFormat
from factory.speech.clip import SAMPLE_RATE
from factory.speech.errors import SpeechError

_LIBSNDFILE = {
    SoundFormat.WAV: ("WAV", "PCM_16"),
    SoundFormat.FLAC: ("FLAC", "PCM_16"),
    SoundFormat.OPUS: ("OGG", "OPUS"),
}
_OPUS_RATES_HZ = (8_000, 12_000, 16_000, 24_000, 48_000)
_AT_ONCE = 2**18
"""Samples that are scaled, or read back, at once: a long call as floating point takes more memory than its file."""

_PAGE_HEADER = 27
_SERIAL = slice(14, 18)
_CHECKSUM = slice(22, 26)
_FIXED_SERIAL = b"call"
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def encode_sound(samples: NDArray[np.float32], sound_format: SoundFormat, rate_hz: int = SAMPLE_RATE) -> bytes:
    """Return a sound file; it has been read back whole and compared.

    Args:
        samples: Shape (n,) or (n, channels), between -1 and 1.
        sound_format: The format.
        rate_hz: Samples a second.

    Raises:
        SpeechError: There are no samples, one exceeds full scale or is no number, Opus does not know the rate, or
            what is read back is not what was written.
    """
    import soundfile  # type: ignore[import-untyped]

    peak = float(max(samples.max(initial=0.0), -samples.min(initial=0.0)))
    if len(samples) == 0 or not peak <= 1.0:
        raise SpeechError(
            f"{len(samples)} samples with a peak of {peak:.3f} cannot be kept; a sound has some, between -1 and 1."
        )
    if sound_format is SoundFormat.OPUS and rate_hz not in _OPUS_RATES_HZ:
        known = ", ".join(str(rate) for rate in _OPUS_RATES_HZ)
        raise SpeechError(f"Opus cannot keep {rate_hz} samples a second, only one of: {known}.")
    pcm = np.empty(samples.shape, np.int16)
    for start in range(0, len(samples), _AT_ONCE):
        pcm[start : start + _AT_ONCE] = np.rint(samples[start : start + _AT_ONCE] * np.float32(32_767.0))
    file_format, subtype = _LIBSNDFILE[sound_format]
    file = io.BytesIO()
    soundfile.write(file, pcm, rate_hz, format=file_format, subtype=subtype)
    content = file.getvalue()
    if sound_format is SoundFormat.OPUS:
        content = _with_fixed_serial(content)
    fault = _fault(content, pcm, sound_format, rate_hz)
    if fault:
        raise SpeechError(f"A {sound_format} file of {len(pcm)} samples is not what was written: {fault}.")
    return content


def _fault(content: bytes, pcm: NDArray[np.int16], sound_format: SoundFormat, rate_hz: int) -> str | None:
    """What is wrong with a file that should hold `pcm`."""
    import soundfile

    lossless, wanted, read = sound_format is not SoundFormat.OPUS, pcm.reshape(len(pcm), -1), 0
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            for piece in file.blocks(_AT_ONCE, dtype="int16" if lossless else "float32", always_2d=True):
                if not np.isfinite(piece).all():
                    return "it holds what is no number"
                if lossless and not np.array_equal(piece, wanted[read : read + len(piece)]):
                    return "its samples are others"
                read += len(piece)
            if (read, file.channels) != wanted.shape or file.samplerate != rate_hz:
                return f"it has the shape {(read, file.channels)} at {file.samplerate} Hz"
    except soundfile.SoundFileError as error:
        return f"it cannot be read ({error})"
    return None


def _with_fixed_serial(content: bytes) -> bytes:
    """Return an Ogg file under a serial number of ours: libsndfile draws one by the clock (RFC 3533, section 6)."""
    pages = []
    for page in _pages(content):
        page[_SERIAL] = _FIXED_SERIAL
        page[_CHECKSUM] = bytes(4)
        page[_CHECKSUM] = _ogg_checksum(page).to_bytes(4, "little")
        pages.append(bytes(page))
    return b"".join(pages)


def _pages(content: bytes) -> Iterator[bytearray]:
    start = 0
    while start < len(content):
        segments = content[start + _PAGE_HEADER - 1]
        body = start + _PAGE_HEADER + segments
        stop = body + sum(content[start + _PAGE_HEADER : body])
        yield bytearray(content[start:stop])
        start = stop


def _ogg_checksum(page: bytearray) -> int:
    """The CRC of a page: that of zlib, but from the highest bit down, from 0, and not inverted at the end."""
    mirrored = zlib.crc32(page.translate(_MIRRORED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)
