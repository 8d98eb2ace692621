"""A condition does to a call what it says, to the channel it says, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from factory.speech import SAMPLE_RATE, SpeechEngine, SpeechError
from factory.speech.conditions import CONDITIONS, Condition, Loss, apply_condition, find_condition
from factory.speech.conditions.backgrounds import Background
from factory.speech.conditions.condition import Band

from .measure import voiced

AGENT_SAYS = "May I have the account number that is on your bill?"
CALLER_SAYS = "Hold on, nobody was at home in March, so how did you read it?"


@pytest.fixture(scope="module")
def call(hibari: SpeechEngine) -> np.ndarray:
    """Agent and caller one after the other, with a second of silence around each."""
    agent, caller = (
        voiced(hibari, text, voice, 1).samples / np.float32(32768)
        for text, voice in zip((AGENT_SAYS, CALLER_SAYS), hibari.voices()[:2], strict=True)
    )
    call = np.zeros((3 * SAMPLE_RATE + len(agent) + len(caller), 2), np.float32)
    call[SAMPLE_RATE : SAMPLE_RATE + len(agent), 0] = agent
    call[2 * SAMPLE_RATE + len(agent) : -SAMPLE_RATE, 1] = caller
    call.setflags(write=False)
    return call


def rms_db(samples: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(np.square(samples, dtype=np.float64))))


def speech_db(samples: np.ndarray, rate_hz: int = SAMPLE_RATE) -> float:
    """Level over the frames of 20 ms that are within 40 dB of the loudest."""
    frame = rate_hz // 50
    frames = samples[: len(samples) // frame * frame].reshape(-1, frame)
    levels = np.array([rms_db(part) if part.any() else -200.0 for part in frames])
    return float(10 * np.log10(np.mean(10 ** (levels[levels > levels.max() - 40] / 10))))


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.name)
def test_a_call_keeps_its_length_and_its_shape_and_the_same_seed_gives_the_same_bytes(
    condition: Condition, call: np.ndarray
) -> None:
    for length in (len(call), len(call) - 1, len(call) - 2):
        recorded = apply_condition(condition, call[:length], 7)
        assert recorded.shape == (length, 2)
        assert recorded.dtype == np.float32
        assert np.isfinite(recorded).all()
    assert recorded.tobytes() == apply_condition(condition, call[:length], 7).tobytes()


def test_clean_is_the_call_itself_and_not_the_same_array(call: np.ndarray) -> None:
    recorded = apply_condition(find_condition("clean"), call, 1)
    assert np.array_equal(recorded, call)
    assert not np.shares_memory(recorded, call)


@pytest.mark.parametrize("name", ["office", "street", "car", "lossy"])
def test_another_seed_gives_another_recording(name: str, call: np.ndarray) -> None:
    condition = find_condition(name)
    assert not np.array_equal(apply_condition(condition, call, 1), apply_condition(condition, call, 2))


@pytest.mark.parametrize("background", Background)
@pytest.mark.parametrize("snr_db", [0.0, 12.0, 25.0])
def test_the_background_lies_as_far_below_the_speech_as_it_says(
    background: Background, snr_db: float, call: np.ndarray
) -> None:
    condition = Condition("x", background=background, snr_db=snr_db)
    noise = apply_condition(condition, call, 3)[:, 1] - call[:, 1]
    assert speech_db(call[:, 1]) - rms_db(noise) == pytest.approx(snr_db, abs=0.3)


@pytest.mark.parametrize("background", Background)
def test_over_the_telephone_the_distance_is_that_of_what_the_telephone_lets_through(
    background: Background, call: np.ndarray
) -> None:
    telephone = Condition("t", band=Band.TELEPHONE)
    heard = apply_condition(telephone, call, 3)[:, 1]
    noise = apply_condition(replace(telephone, background=background, snr_db=10.0), call, 3)[:, 1] - heard
    assert speech_db(heard) - rms_db(noise) == pytest.approx(10.0, abs=0.3)
    assert share_outside(noise, 250, 3_500) < 0.01


@pytest.mark.parametrize("name", ["office", "street", "car"])
def test_the_agent_is_in_a_quiet_place(name: str, call: np.ndarray) -> None:
    assert np.array_equal(apply_condition(find_condition(name), call, 1)[:, 0], call[:, 0])


def test_the_background_is_there_before_the_first_word_and_after_the_last(call: np.ndarray) -> None:
    caller = apply_condition(find_condition("office"), call, 1)[:, 1]
    assert rms_db(caller[:SAMPLE_RATE]) == pytest.approx(rms_db(caller[-SAMPLE_RATE:]), abs=6)


def share_outside(samples: np.ndarray, low_hz: float, high_hz: float) -> float:
    power = np.square(np.abs(np.fft.rfft(samples)))
    hz = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    return float(power[(hz < low_hz) | (hz > high_hz)].sum() / power.sum())


def test_the_telephone_is_for_both_channels(call: np.ndarray) -> None:
    assert share_outside(call[:, 0], 250, 3_500) > 0.01
    recorded = apply_condition(Condition("t", band=Band.TELEPHONE), call, 1)
    for channel in recorded.T:
        assert share_outside(channel, 250, 3_500) < 0.001
        assert share_outside(channel, 0, 4_200) < 1e-7


def test_over_the_telephone_no_word_moves(call: np.ndarray) -> None:
    recorded = apply_condition(Condition("t", band=Band.TELEPHONE), call, 1)
    for clean, heard in zip(call.T, recorded.T, strict=True):
        likeness = np.fft.irfft(np.conj(np.fft.rfft(clean)) * np.fft.rfft(heard), len(clean))
        assert min(int(np.argmax(likeness)), len(clean) - int(np.argmax(likeness))) <= 1


def test_the_callers_level_is_the_channels_and_the_agents_stays(call: np.ndarray) -> None:
    quieter = apply_condition(Condition("q", caller_level_db=-9.0), call, 1)
    assert np.array_equal(quieter[:, 0], call[:, 0])
    assert speech_db(quieter[:, 1]) - speech_db(call[:, 1]) == pytest.approx(-9.0, abs=0.01)
    in_noise = Condition("n", background=Background.CAR, snr_db=5.0)
    loud, quiet = (apply_condition(replace(in_noise, caller_level_db=level), call, 1)[:, 1] for level in (0.0, -9.0))
    assert rms_db(quiet) - rms_db(loud) == pytest.approx(-9.0, abs=0.01)


def test_what_would_be_too_loud_for_the_telephone_is_not_cut_off_and_the_channels_keep_their_distance(
    call: np.ndarray,
) -> None:
    condition = Condition("t", band=Band.TELEPHONE)
    soft, loud = apply_condition(condition, call, 1), apply_condition(condition, 8 * call, 1)
    assert np.abs(loud).max() <= 1.05
    for channel in (0, 1):
        gain_db = speech_db(loud[:, channel]) - speech_db(soft[:, channel])
        assert gain_db == pytest.approx(speech_db(loud[:, 0]) - speech_db(soft[:, 0]), abs=0.1)
        likeness = np.corrcoef(soft[:, channel], loud[:, channel])[0, 1]
        assert likeness > 0.999


def test_packets_are_lost_on_the_callers_side_alone(call: np.ndarray) -> None:
    whole = apply_condition(Condition("t", band=Band.TELEPHONE), call, 1)
    lossy = apply_condition(Condition("l", band=Band.TELEPHONE, loss=Loss(0.2, 3.0)), call, 1)
    assert np.array_equal(lossy[:, 0], whole[:, 0])
    assert not np.array_equal(lossy[:, 1], whole[:, 1])


def test_the_background_is_the_same_with_and_without_loss(call: np.ndarray) -> None:
    street = Condition("s", background=Background.STREET, snr_db=10.0)
    whole = apply_condition(street, call, 1)[:, 1]
    lossy = apply_condition(replace(street, loss=Loss(0.05, 2.0)), call, 1)[:, 1]
    assert 0.85 < np.mean(lossy == whole) < 0.99


def test_the_names_that_can_be_asked_for() -> None:
    assert [condition.name for condition in CONDITIONS] == ["clean", "telephone", "office", "street", "car", "lossy"]
    with pytest.raises(SpeechError, match=r"no condition 'moon'; use one of: clean, telephone,"):
        find_condition("moon")


def test_figures_that_cannot_be_are_refused() -> None:
    with pytest.raises(SpeechError, match="a background needs an SNR"):
        Condition("x", background=Background.CAR)
    with pytest.raises(SpeechError, match="an SNR a background"):
        Condition("x", snr_db=10.0)
    with pytest.raises(SpeechError, match=r"the SNR is 99 dB; it can be -5 to 60 dB"):
        Condition("x", background=Background.CAR, snr_db=99.0)
    with pytest.raises(SpeechError, match="the caller's level is nan dB"):
        Condition("x", caller_level_db=float("nan"))
    for rate, burst in ((0.0, 2.0), (0.6, 2.0), (0.1, 0.5), (float("nan"), 2.0)):
        with pytest.raises(SpeechError, match="a burst has 1 to 50 packets"):
            Loss(rate, burst)


def test_what_is_no_call_is_refused(call: np.ndarray) -> None:
    clean = find_condition("clean")
    for wrong in (call[:, 0], call[:0], np.hstack([call, call])):
        with pytest.raises(SpeechError, match="two channels, agent and caller"):
            apply_condition(clean, wrong, 1)
    broken = call.copy()
    broken[100, 0] = np.nan
    with pytest.raises(SpeechError, match="no number"):
        apply_condition(clean, broken, 1)
    silent = call * np.array([1, 0], np.float32)
    with pytest.raises(SpeechError, match="caller's channel is silent"):
        apply_condition(find_condition("street"), silent, 1)
