"""What each side has of the same calls: one the words as meant, the others those that were heard or delivered."""

from factory.records.conversation import Round, delivered_history
from factory.records.enums import InterruptionType
from factory.simulate.views import heard_history, meant_history
from tests.calls.made import caller_turn, utterance

FIRST = utterance("Your booking is moved to another house.", onset_word=2, cut_word=4)
NOW = utterance("It is as near as the first one.", onset_word=1, cut_word=3)
ROUNDS = (Round(index=0, agent=FIRST, caller=caller_turn("Hold on.", InterruptionType.NORMAL)),)


def test_a_cut_utterance_is_delivered_up_to_its_cut_heard_up_to_its_onset_and_meant_whole() -> None:
    assert [m.text for m in delivered_history(ROUNDS)] == ["Your booking is moved to", "Hold on."]
    assert [m.text for m in heard_history(ROUNDS, NOW)] == ["Your booking is moved to", "Hold on.", "It is"]
    assert [m.text for m in meant_history(ROUNDS)] == ["Your booking is moved to another house.", "Hold on."]
