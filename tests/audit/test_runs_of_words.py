"""By which words a text is known again, and by which it is not."""

from factory.audit.runs_of_words import line_of, runs_of

REST = "comes in here is finished in one day. If you do end up on a trial, it's three days on average."


def test_a_rest_is_known_again_by_eight_of_its_words() -> None:
    told = line_of("I was told that if you do end up on a trial it takes long.")
    assert any(run in told for run in runs_of(REST))


def test_some_words_that_a_caller_also_has_are_not_the_rest() -> None:
    own = line_of("If I end up on a trial, can somebody find out my number?")
    assert not any(run in own for run in runs_of(REST))


def test_case_points_and_blanks_do_not_matter() -> None:
    assert line_of("If  you DO end-up, on a trial") == line_of("if you do end up on a trial")


def test_too_few_words_are_anybodys() -> None:
    assert not list(runs_of("on a trial today"))
