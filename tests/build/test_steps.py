"""The list of a build's steps, which both engines carry out."""

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factory.build.inline import run_inline
from factory.build.order import Order, opened_run
from factory.build.steps import shards, steps
from factory.corpus.specs import load_spec
from factory.run.display import Silent
from factory.workflow.library import standard_library
from tests.build.builds import STEPS


class Display(Silent):
    """Notes the steps, and how many of their parts were told of."""

    def __init__(self) -> None:
        self.told: list[list[object]] = []

    def start(self, step: str, total: int) -> None:
        self.told.append([step, total, 0])

    def advance(self) -> None:
        done = self.told[-1][2]
        assert isinstance(done, int)
        self.told[-1][2] = done + 1


@given(st.integers(1, 5_000), st.integers(1, 1_000))
def test_shards_hold_every_conversation_once_and_are_not_more_than_asked_for(conversations: int, most: int) -> None:
    found = shards(conversations, most)
    assert list(chain(*found)) == list(range(conversations))
    assert len(found) <= most and max(map(len, found)) == -(-conversations // most)


def test_every_step_that_is_shown_is_told_of_to_its_end(spec: Path, tmp_path: Path) -> None:
    display = Display()
    order = Order(load_spec(str(spec)), standard_library(), audio=False)
    run_inline(order, tmp_path / "run", False, display)
    assert [step for step, _, _ in display.told] == [step for step in STEPS if step != "calls"]
    assert all(total == done for _, total, done in display.told)


@pytest.mark.parametrize("audio", [True, False])
def test_callers_are_voiced_only_where_audio_is_ordered(spec: Path, tmp_path: Path, audio: bool) -> None:
    order = Order(load_spec(str(spec)), standard_library(), audio=audio)
    with opened_run(order, tmp_path / "run") as folder:
        titles = [step.title for step in steps(order, folder, most_shards=2)]
    assert ("calls" in titles) is audio


def test_each_part_of_a_step_has_a_label_of_its_own(spec: Path, tmp_path: Path) -> None:
    order = Order(load_spec(str(spec)), standard_library(), audio=False)
    with opened_run(order, tmp_path / "run") as folder:
        for step in steps(order, folder, most_shards=2):
            assert len({part.label for part in step.parts}) == len(step.parts)
