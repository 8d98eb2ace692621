"""What the writer of a workflow is told: the whole form, every check, and an example that holds."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from pydantic import BaseModel

from factory.models.desk import UNFINISHED
from factory.models.draft import (
    EXAMPLE,
    LEAST_OUTPUT_TOKENS,
    MOST_DESCRIBED,
    MOST_ROUNDS,
    draft_prompt,
)
from factory.models.prompt import Prompts
from factory.models.review import MOST_TOLD, review
from factory.records.workflow import Workflow
from factory.workflow.findings import Check
from factory.workflow.library import standard_library

ROOT = Path(__file__).parents[2]
AUTHORED = standard_library().path(EXAMPLE).read_text(encoding="utf-8")


def records(record: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A record and all that its fields hold."""
    yield record
    for field in record.model_fields.values():
        for kind in held(field.annotation):
            yield from records(kind)


def held(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from held(part)


def sections(text: str) -> dict[str, str]:
    """What stands under each heading of the third level."""
    parts = re.split(r"(?m)^### (.+)$", text.split("\n# ", 2)[1])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_prompt_names_every_field_of_the_form_and_no_other() -> None:
    told = sections(draft_prompt(Prompts(), "A call.", "parcels/box_return", None).system)
    form = {record.__name__: record for record in records(Workflow)}
    assert set(told) == set(form)
    for name, record in form.items():
        lines = re.findall(r"(?m)^- (`[a-z_]+`(?:, `[a-z_]+`)*): ", told[name])
        fields = {field for line in lines for field in re.findall(r"`([a-z_]+)`", line)}
        assert fields == {field.alias or key for key, field in record.model_fields.items()}, name


def test_the_prompt_explains_every_check_of_the_linter_and_no_other() -> None:
    text = draft_prompt(Prompts(), "A call.", "parcels/box_return", None).system
    proofs = text.split("\n# What the linter proves\n")[1].split("\n# ")[0]
    named = {name for line in proofs.splitlines() if line.startswith("- ") for name in re.findall(r"`([a-z-]+)`", line)}
    assert {check.value for check in Check} <= named


def test_the_example_is_whole_and_without_a_fault() -> None:
    assert review(AUTHORED, EXAMPLE, standard_library().shared).faults == ()
    assert review(AUTHORED, EXAMPLE, standard_library().shared).text == AUTHORED


def test_the_page_tells_the_numbers_as_they_are() -> None:
    page = " ".join((ROOT / "docs" / "draft-a-workflow.md").read_text(encoding="utf-8").split())
    for told in (
        f"up to {MOST_DESCRIBED:,} characters",
        f"at most {MOST_TOLD} lines at once",
        f"up to {MOST_ROUNDS} drafts",
        f"may write {MOST_ROUNDS} more drafts",
        f"fewer than {LEAST_OUTPUT_TOKENS:,} the command refuses",
        f"own/{UNFINISHED}/libraries/overdue_books.yaml",
    ):
        assert told in page, told
    assert 90_000 < len(AUTHORED) < 110_000, "the page says how long a workflow is"
