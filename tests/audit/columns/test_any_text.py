"""Whatever stands in the columns: no text makes a check fail, and a cut that the cutter makes keeps every rule."""

import itertools
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from factory.audit.columns.base import Base, Intent
from factory.audit.columns.call import Call, Turn
from factory.audit.columns.cuts import cut_outcomes
from factory.audit.columns.following import following_outcomes
from factory.records.conversation import Segment, Utterance
from factory.records.enums import InterruptionType
from factory.simulate.cut import CutNotPossible, choose_cut

FEW = ("we", "will", "send", "the", "form", "to", "you", "by", "mail", "once", "it", "is", "done")
WORDS = st.lists(st.sampled_from(FEW), min_size=10, max_size=25)
MARKS = ("a", "Bc", ".", "?", "…", "—", "-", "'", "’", " ", "  ", "\n", "\u2028", "3", "$", "\x00")
PIECES = st.lists(st.sampled_from(MARKS))


def call_of(delivered: str, meant: str, kind: InterruptionType, following: str) -> Call:
    first = Turn(1, delivered or None, meant or None, "Well.", kind.value, "t", ("r",))
    second = Turn(2, following or None, None, None, None, None, ())
    return Call(1, "a", "", 2, Base(), Intent(), (first, second))


@given(st.one_of(st.text(), PIECES.map("".join)), st.data(), st.sampled_from(InterruptionType))
def test_no_text_makes_a_check_fail(meant: str, data: st.DataObject, kind: InterruptionType) -> None:
    delivered = data.draw(st.one_of(st.integers(0, len(meant)).map(lambda n: meant[:n]), st.text()))
    following = data.draw(st.one_of(st.just(meant[len(delivered) :]), st.text(), PIECES.map("".join)))
    call = call_of(delivered, meant, kind, following)
    for outcome in itertools.chain(cut_outcomes(call), following_outcomes(call)):
        assert (outcome.certainty is None) == (not outcome.message)
        assert outcome.message.isprintable()


@settings(max_examples=60)
@given(WORDS, WORDS, st.integers(), st.sampled_from(InterruptionType))
def test_a_cut_of_the_cutters_keeps_every_rule(
    first: list[str], last: list[str], seed: int, kind: InterruptionType
) -> None:
    segments = tuple(Segment(act="a.b", text=" ".join(words).capitalize() + ".") for words in (first, last))
    try:
        cut = choose_cut(segments, 0, kind, Random(seed))
    except CutNotPossible:
        return
    said = Utterance(segments=segments, cut=cut)
    call = call_of(said.delivered, said.text, InterruptionType.FILLER, said.undelivered.strip())
    outcomes = [*cut_outcomes(call), *following_outcomes(call)]
    assert len(outcomes) == 10
    assert [outcome.message for outcome in outcomes if outcome.certainty is not None] == []
