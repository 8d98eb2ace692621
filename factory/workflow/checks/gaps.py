"""What is still to be written, and what can be said about the rest meanwhile."""

from collections.abc import Iterable, Iterator, Sequence

from factory.workflow.findings import Check, Finding, Phase, error
from factory.workflow.texts import GAP, is_gap
from factory.workflow.yaml_nodes import Location, parse_place


def check_gaps(texts: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """No text is left that only says what belongs in its place.

    Args:
        texts: Those of a workflow, each behind its place.
    """
    for place, text in texts:
        if is_gap(text):
            wanted = text.removeprefix(GAP).strip() or "the text that belongs here"
            yield error(Check.GAP, place, f"still to be written: {wanted}")


def clear_of(gaps: Sequence[Finding], findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that do not come from what is still to be written.

    An act, a move, a caller or a hard stop with a gap in it is left alone until it is filled; what is counted over the
    whole workflow waits for the last gap.
    """
    unfinished = {_part(gap.place) for gap in gaps}
    for finding in findings:
        counted = finding.check.phase is Phase.COUNTS
        if not gaps or (not counted and _part(finding.place) not in unfinished):
            yield finding


def _part(place: str) -> Location:
    """The part of a workflow that is written in one go: an act, a move, a caller, a value."""
    parts = parse_place(place)
    if parts[0] != "stages":
        return parts[:2]
    return parts[:5] if "caller_may" in parts[2:3] else parts[:4]
