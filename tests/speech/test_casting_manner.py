"""A caller's profile is heard: a little faster or slower, and to be mixed louder or softer."""

import pytest

from factory.records.enums import Profile
from factory.speech import SpeechEngine, SpeechError, manner_of, paced

from .measure import voiced

TEXT = "Right, but the storm took out half the roof, and my kids are at my mother's."
EDGES_S = 0.2  # of silence, which every clip has at any pace


def test_every_profile_has_a_manner_and_the_cooperative_one_is_plain() -> None:
    manners = {profile: manner_of(profile) for profile in Profile}
    plain = manners[Profile.COOPERATIVE]
    assert (plain.pace, plain.level_db) == (1, 0)
    assert max(manners, key=lambda profile: manners[profile].pace) is Profile.RUSHED
    assert all(0.9 <= manner.pace <= 1.15 and abs(manner.level_db) <= 3 for manner in manners.values())


def test_an_unknown_profile_is_an_error() -> None:
    with pytest.raises(SpeechError, match="profile 'sleepy'; one of: cooperative, rushed"):
        manner_of("sleepy")


@pytest.fixture(scope="module")
def plain_s(hibari: SpeechEngine) -> dict[str, float]:
    return {voice.id: voiced(hibari, TEXT, voice, 1).duration_s - EDGES_S for voice in hibari.voices()}


@pytest.mark.parametrize("profile", [profile for profile in Profile if profile is not Profile.COOPERATIVE])
def test_speech_is_measured_to_be_as_much_faster_as_the_profile_says(
    hibari: SpeechEngine, plain_s: dict[str, float], profile: Profile
) -> None:
    manner = manner_of(profile)
    for voice in hibari.voices():
        other_s = voiced(hibari, TEXT, paced(hibari, voice, manner.pace), 1).duration_s - EDGES_S
        assert plain_s[voice.id] / other_s == pytest.approx(manner.pace, abs=0.012), voice.id
