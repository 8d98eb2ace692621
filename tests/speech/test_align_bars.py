"""Words are found where hibari's own lengths put them, in each of its voices."""

import numpy as np
import pytest

from factory.workflow.library import standard_library

from .measure_align import Boundary, CutText, Measured, measure


@pytest.fixture(scope="module")
def measured() -> Measured:
    """Thirty sentences of agents, three by each voice; each of their words could be the last before a cut."""
    library = standard_library()
    workflows = map(library.workflow, library.ids)
    acts = [act for workflow in workflows for stage in workflow.stages for act in stage.acts]
    ways = [way for act in acts for way in act.say if "{" not in way and 60 < len(way) < 100]
    return measure([CutText(way, 5) for way in ways[:: len(ways) // 30][:30]])


def touching(measured: Measured) -> list[Boundary]:
    return [boundary for boundary in measured.boundaries if not boundary.pauses]


def test_all_sentences_are_aligned(measured: Measured) -> None:
    assert measured.failures == ()


def test_each_voice_keeps_within_25_ms_by_the_median_and_80_ms_in_95_of_100_words(measured: Measured) -> None:
    boundaries = touching(measured)
    for voice in sorted({boundary.voice for boundary in boundaries}):
        errors = np.abs([boundary.error_s for boundary in boundaries if boundary.voice == voice])
        assert len(errors) > 20
        assert np.median(errors) <= 0.025, voice
        assert np.quantile(errors, 0.95) <= 0.080, voice


def test_no_word_ends_inside_another_one(measured: Measured) -> None:
    assert [boundary for boundary in measured.boundaries if boundary.in_neighbour] == []


def test_no_boundary_is_early_or_late_by_rule(measured: Measured) -> None:
    assert abs(np.median([boundary.error_s for boundary in touching(measured)])) <= 0.010
