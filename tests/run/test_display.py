"""How far long work is stands in a log too, where no bar can be shown."""

from concurrent.futures import ThreadPoolExecutor

from factory.run.display import EVERY_S, LATE_S, Lines


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def logged(total: int, each_s: float) -> list[str]:
    """The log of a step whose parts take so long each."""
    log: list[str] = []
    clock = Clock()
    lines = Lines(log.append, clock)
    clock.now_s += 60.0  # what went before does not count
    lines.start("calls", total)
    for _ in range(total):
        clock.now_s += each_s
        lines.advance()
    return log


def test_a_step_is_told_when_it_begins_and_then_every_so_many_seconds() -> None:
    assert logged(45, 4.4)[:3] == ["calls (45) …", "calls 3 of 45, 13 s", "calls 6 of 45, 26 s"]
    assert logged(45, 4.4)[-1] == "calls 45 of 45, 198 s"


def test_a_log_grows_with_time_and_not_with_the_number_of_parts() -> None:
    assert len(logged(100_000, 0.001)) == 1 + 100 / EVERY_S


def test_every_part_is_told_where_each_takes_long() -> None:
    assert logged(3, 31.0) == ["calls (3) …", "calls 1 of 3, 31 s", "calls 2 of 3, 62 s", "calls 3 of 3, 93 s"]


def test_a_step_that_is_over_at_once_is_one_line() -> None:
    assert logged(4, LATE_S / 4) == ["calls (4) …"]
    assert logged(1, LATE_S) == ["calls …"]


def test_the_end_of_a_step_that_took_long_is_told() -> None:
    assert logged(1, 5.0) == ["calls …", "calls 1 of 1, 5 s"]


def test_a_step_begins_to_count_anew() -> None:
    log: list[str] = []
    clock = Clock()
    lines = Lines(log.append, clock)
    for step in ("conversations", "calls"):
        lines.start(step, 2)
        clock.now_s += 12.0
        lines.advance()
    assert log[1::2] == ["conversations 1 of 2, 12 s", "calls 1 of 2, 12 s"]


def test_parts_that_are_done_side_by_side_are_all_counted() -> None:
    log: list[str] = []
    clock = Clock()
    lines = Lines(log.append, clock)
    lines.start("calls", 4000)
    clock.now_s += LATE_S + 1.0
    with ThreadPoolExecutor(8) as pool:
        for _ in range(4000):
            pool.submit(lines.advance)
    assert log == ["calls (4000) …", "calls 4000 of 4000, 3 s"]


def test_what_has_to_be_said_at_once_is_said_at_once() -> None:
    log: list[str] = []
    Lines(log.append, Clock()).note("the provider does not answer")
    assert log == ["the provider does not answer"]
