"""Rounds and turns made by hand, for tests that need no engine."""

import numpy as np

from factory.calls.layout import Placed, VoicedRound
from factory.calls.overlap import CutTimes
from factory.calls.takes import Take, Tried
from factory.records.conversation import CallerTurn, Cut, ReactionPlan, Round, Segment, Utterance
from factory.records.enums import InterruptionType, Profile, Speaker
from factory.speech import SAMPLE_RATE, Clip


def utterance(text: str, onset_word: int | None = None, cut_word: int | None = None) -> Utterance:
    """An agent's utterance; cut where words are named."""
    cut = None if onset_word is None or cut_word is None else Cut(onset_word=onset_word, cut_word=cut_word)
    return Utterance(segments=(Segment(act="a", text=text),), cut=cut)


def caller_turn(text: str, kind: InterruptionType | None = None) -> CallerTurn:
    """A caller's turn, about which nothing matters but words and type."""
    return CallerTurn(
        text=text, type=kind, plan=ReactionPlan(gist=text, manner=Profile.COOPERATIVE), released=(), facts={},
        reaction_seed=1, user_seed=1, reaction_view="", user_view="",
    )  # fmt: skip


def clip(duration_s: float, level: float = 0.2) -> Clip:
    """A clip that sounds from its first sample to its last."""
    at = np.arange(round(duration_s * SAMPLE_RATE))
    return Clip(np.rint(level * 32_767 * np.cos(at)).astype(np.int16))


def take(duration_s: float, lead_s: float = 0.0, tail_s: float = 0.0, cut: CutTimes | None = None) -> Take:
    """A take whose clip has so much silence before and behind its sound."""
    sound = clip(duration_s).samples
    lead, tail = (np.zeros(round(length_s * SAMPLE_RATE), np.int16) for length_s in (lead_s, tail_s))
    whole = Clip(np.concatenate([lead, sound, tail]))
    starts_s, stops_s = len(lead) / SAMPLE_RATE, (len(lead) + len(sound)) / SAMPLE_RATE
    return Take(whole, ((starts_s, stops_s),), starts_s, stops_s, Tried(1.0, 1, 0), 1.0, cut)


def cut_take(duration_s: float, lead_s: float = 0.05) -> Take:
    """An agent's take that is cut off at its end; the caller may start 0.6 to 0.3 s before."""
    end_s = lead_s + duration_s
    return take(duration_s, lead_s, cut=CutTimes(end_s - 0.6, end_s - 0.3, end_s, end_s))


def voiced(index: int, agent: Take, caller: Take | None, kind: InterruptionType | None = None) -> VoicedRound:
    """A round that was voiced; the caller cuts in where a type is named."""
    said = utterance("One two three four", 1, 3) if agent.cut else utterance("One")
    done = Round(index=index, agent=said, caller=None if caller is None else caller_turn("Two", kind))
    return VoicedRound(done, agent, caller)


def placed(speaker: Speaker, first_sample: int, sound: Take) -> Placed:
    """A turn at a place."""
    return Placed(0, speaker, sound, first_sample, None)
