import pytest

from factory.dataset.calls import FinishedCall
from factory.quality.knowledge import faults
from factory.quality.turns import turns_of
from factory.records.quality import FigureId
from factory.workflow.lookup import Script
from tests.quality.hand import Said, call

STAGE, UNHEARD, RETURNED = FigureId.STAGES_NAMED, FigureId.UNHEARD_VALUES, FigureId.RETURNED_VALUES

TUESDAY = Said("Which day?", "Tuesday works.", gives={"visit_day": "Tuesday"})
CORRECTION = Said("Fine.", "Sorry, I said Tuesday, but it's Wednesday.", gives={"visit_day": "Wednesday"})


def found(said: FinishedCall) -> list[tuple[FigureId, int]]:
    """The figure and message of every fault."""
    return [(figure, place.message) for figure, place in faults(said, Script(said.workflow), turns_of(said))]


class TestStages:
    def test_a_caller_who_says_a_stages_name_is_found_in_that_message(self) -> None:
        assert found(call("one", Said("Hi.", "Sure."), Said("So?", "Do we take the mobile number now?"))) == [
            (STAGE, 3)
        ]

    def test_a_part_of_the_name_is_no_name(self) -> None:
        assert found(call("one", Said("Hi.", "Take the number of my mobile."))) == []

    def test_the_agent_may_say_it(self) -> None:
        assert found(call("one", Said("Let me take the mobile number.", "Sure."))) == []


class TestUnheardValues:
    def test_a_value_that_was_never_told(self) -> None:
        assert found(call("one", Said("Hello.", "Is it LP-204417?"))) == [(UNHEARD, 1)]

    def test_a_value_that_was_told_whole(self) -> None:
        assert found(call("one", Said("It's LP-204417.", "LP-204417, got it."))) == []

    def test_a_value_that_was_told_in_an_earlier_turn(self) -> None:
        assert found(call("one", Said("It's LP-204417.", "Okay."), Said("So?", "LP-204417, you said."))) == []

    def test_a_value_that_the_caller_talked_over(self) -> None:
        talked_over = Said("Your visit takes some forty minutes in all", "Forty minutes is long.", onset=3)
        assert found(call("one", talked_over)) == [(UNHEARD, 1)]

    def test_a_value_that_was_cut_in_the_middle(self) -> None:
        half = Said("It takes about some forty minutes in all", "Forty minutes is long.", onset=4)
        assert found(call("one", half)) == [(UNHEARD, 1)]

    def test_what_was_talked_over_counts_as_told_in_later_rounds(self) -> None:
        first = Said("It takes forty minutes in all of it", "Wait.", onset=2)
        assert found(call("one", first, Said("Yes?", "Forty minutes is long."))) == []

    def test_what_the_caller_knows_of_themselves(self) -> None:
        assert found(call("one", Said("Hello.", "It's LP-204417."), facts={"account_number": "LP-204417"})) == []


class TestReturnedValues:
    def test_the_correction_itself_may_say_the_old_value(self) -> None:
        assert found(call("one", TUESDAY, CORRECTION, Said("Wednesday, then.", "Yes."))) == []

    def test_an_agent_who_comes_back_to_it(self) -> None:
        assert found(call("one", TUESDAY, CORRECTION, Said("So, Tuesday.", "Yes."))) == [(RETURNED, 4)]

    def test_an_agent_who_comes_back_to_it_much_later(self) -> None:
        later = (Said("Right.", "Yes."), Said("Tuesday it is. Goodbye.", "Bye."))
        assert found(call("one", TUESDAY, CORRECTION, *later)) == [(RETURNED, 6)]

    def test_a_caller_who_comes_back_to_it(self) -> None:
        assert found(call("one", TUESDAY, CORRECTION, Said("So?", "Tuesday suits me."))) == [(RETURNED, 5)]

    def test_a_value_that_was_given_back(self) -> None:
        back = Said("Fine.", "No, Tuesday after all.", gives={"visit_day": "Tuesday"})
        assert found(call("one", TUESDAY, CORRECTION, back, Said("Tuesday, then.", "Yes, Tuesday."))) == []

    def test_a_value_that_is_now_that_of_another_slot(self) -> None:
        other = Said("And the letter?", "On Tuesday.", gives={"letter_day": "Tuesday"})
        assert found(call("one", TUESDAY, CORRECTION, other, Said("Tuesday for the letter.", "Yes."))) == []

    def test_a_value_that_is_part_of_the_new_one(self) -> None:
        longer = Said("Fine.", "I mean Tuesday night.", gives={"visit_day": "Tuesday night"})
        assert found(call("one", TUESDAY, longer, Said("Tuesday night, then.", "Yes."))) == []

    def test_lines_that_were_authored_with_the_value(self) -> None:
        caller = Said("So?", "I saw your car on Tuesday.", authored="I saw your car on Tuesday.")
        assert found(call("one", TUESDAY, CORRECTION, caller)) == []
        minutes = Said("How long?", "a second call", gives={"visit_day": "a second call"})
        other = Said("Right.", "Wednesday.", gives={"visit_day": "Wednesday"})
        move = "open_call.normal.dog"
        agent = Said({f"answer:{move}": "We keep it because it saves everyone a second call."}, "Okay.")
        assert found(call("one", minutes, other, agent)) == []

    @pytest.mark.parametrize("line", ["That's Tuesdays only.", "All of it."])
    def test_another_word_is_no_return(self, line: str) -> None:
        assert found(call("one", TUESDAY, CORRECTION, Said(line, "Okay."))) == []
