"""A finished conversation → its call: voiced, laid out, mixed, recorded under a condition, and listened to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from factory.calls.layout import Layout, VoicedRound, lay_out
from factory.calls.listen import Heard, listen
from factory.calls.mix import mix
from factory.calls.takes import Take, Takes
from factory.calls.tempo import evened
from factory.corpus.seeds import derive_seed
from factory.records.conversation import Round
from factory.records.enums import Profile
from factory.speech import Cast, Clip, Levelled, Voicer, manner_of, set_loudness
from factory.speech.conditions import Condition, apply_condition
from factory.speech.hearing import Listener

MOST_LISTENINGS = 3
"""How often a call is listened to: after each but the last, turns that were not understood are spoken anew."""


@dataclass(frozen=True, slots=True)
class CallOrder:
    """What a call is made of.

    Attributes:
        rounds: The conversation's, without canaries.
        profile: How the caller reacts, and so speaks.
        cast: Its voices.
        condition: What it is recorded under.
        seed: The conversation's.
    """

    rounds: tuple[Round, ...]
    profile: Profile
    cast: Cast
    condition: Condition
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class MadeCall:
    """A call that was made.

    Attributes:
        layout: Its turns in their places.
        clean: The call as it was mixed, at the common loudness.
        recorded: The same under its condition; the very same where that is clean.
        heard: What was understood of the caller, by the index of the message; empty where nobody listened.
    """

    layout: Layout
    clean: Levelled
    recorded: Levelled
    heard: Mapping[int, Heard] = field(default_factory=dict)

    @property
    def clips(self) -> dict[int, Clip]:
        """The caller's clips, clean, by the index of the message."""
        return {turn.message_index: turn.take.clip for turn in self.layout.turns if turn.message_index % 2}


def make_call(order: CallOrder, voicer: Voicer, listener: Listener | None = None, most_errors: float = 0.0) -> MadeCall:
    """Makes a call.

    A caller's turn in which more than `most_errors` of the words are misheard is spoken anew, slower and with another
    seed, and the call made anew with it; the take that was understood best stays, and what was misheard in it is told.

    Args:
        order: What to make.
        voicer: Speaks.
        listener: Listens; None where nobody does.
        most_errors: Errors a word, from 0, that a turn may have.

    Raises:
        EngineFailure: The engine does not give what is needed.
        SpeechError: Something else went wrong with the sound.
    """
    takes = Takes(voicer, order.cast, manner_of(order.profile.value), order.seed)
    voiced = [_voiced(takes, done) for done in order.rounds]
    voiced = evened(takes, voiced, {done.index for done in order.rounds})
    made = _record(order, voiced)
    if listener is None:
        return made
    best: dict[int, tuple[float, VoicedRound]] = {}
    for listening in range(1, MOST_LISTENINGS + 1):
        heard = listen(listener, made.recorded.samples, made.layout, order.rounds)
        rates = {index // 2: what.errors.rate for index, what in heard.items()}
        for turn, rate in rates.items():
            best[turn] = min((rate, voiced[turn]), best.get(turn, (math.inf, voiced[turn])), key=itemgetter(0))
        misheard = {turn for turn, rate in rates.items() if rate > most_errors}
        if not misheard or listening == MOST_LISTENINGS:
            break
        voiced = [_again(takes, one) if one.round.index in misheard else one for one in voiced]
        voiced = evened(takes, voiced, misheard)
        made = _record(order, voiced)
    kept = [best[one.round.index][1] if one.round.index in best else one for one in voiced]
    if kept != voiced:  # an earlier take was understood better
        made = _record(order, kept)
        heard = listen(listener, made.recorded.samples, made.layout, order.rounds)
    return MadeCall(made.layout, made.clean, made.recorded, heard)


def _voiced(takes: Takes, done: Round) -> VoicedRound:
    kind = done.caller.type if done.caller is not None else None
    agent = takes.agent(done.index, done.agent, kind)
    return VoicedRound(done, agent, None if done.caller is None else takes.caller(done.index, done.caller.text))


def _again(takes: Takes, voiced: VoicedRound) -> VoicedRound:
    assert voiced.caller is not None and voiced.round.caller is not None
    next_take: Take = takes.caller(voiced.round.index, voiced.round.caller.text, voiced.caller.tried.number + 1)
    return VoicedRound(voiced.round, voiced.agent, next_take)


def _record(order: CallOrder, voiced: Sequence[VoicedRound]) -> MadeCall:
    layout = lay_out(voiced, order.seed)
    mixed = mix(layout, manner_of(order.profile.value).level_db)
    clean = set_loudness(mixed)
    if order.condition.is_clean:
        return MadeCall(layout, clean, clean)
    recorded = apply_condition(order.condition, mixed, derive_seed(order.seed, "condition"))
    return MadeCall(layout, clean, set_loudness(recorded))
