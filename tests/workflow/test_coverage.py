"""A question's replies cover every caller: decided slot by slot, and the same as by trying every caller."""

import time
from collections.abc import Mapping
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from factory.records.shared import Shared
from factory.workflow.facts import facts_of
from factory.workflow.findings import Check
from factory.workflow.lint import lint
from tests.workflow.base import Edit

ACT = "stages.arrange.acts.ask_day"
SLOTS, VALUES = ("size", "color", "shape"), ("one", "two", "three")

_facts = st.dictionaries(st.sampled_from(SLOTS), st.lists(st.sampled_from(VALUES), min_size=1, max_size=3))
_condition = st.tuples(st.sampled_from(SLOTS), st.sampled_from(VALUES))
_replies = st.lists(st.none() | _condition, min_size=1, max_size=6)


def with_replies(
    facts: Mapping[str, list[str]], own: Mapping[str, list[str]], replies: list[tuple[str, str] | None]
) -> Edit:
    """The small workflow with these facts of every caller, others of one, and a question with these replies."""
    edit = Edit()
    edit.data["caller_facts"] |= facts
    edit.data["intents"][1]["facts"] |= own
    conditions = ({"if": {"slot": c[0], "is": c[1]}} if c else {} for c in replies)
    return edit.put(f"{ACT}.replies", [{**c, "says": ["Um, {visit_day} works."]} for c in conditions])


def told_of(edit: Edit, shared: Shared) -> list[str]:
    """What the linter says of the question's replies."""
    return [f.message for f in lint(edit.workflow(), shared) if f.check is Check.REPLY_COVERAGE]


def by_trying_every_caller(edit: Edit) -> list[str]:
    """The same, in the plain way: every combination of values that a caller can have is held against every reply."""
    workflow = edit.workflow()
    replies = workflow.stage("arrange").act("ask_day").replies or ()
    conditions = [reply.when for reply in replies if reply.when]
    if len(conditions) < len(replies):
        return []
    slots = sorted({condition.slot for condition in conditions})
    for intent in workflow.intents:
        facts = facts_of(workflow, intent)
        for values in product(*([fact.value for fact in facts.get(slot, ())] for slot in slots)):
            have = dict(zip(slots, values, strict=True))
            if not any(have[c.slot] == c.equals for c in conditions):
                told = " and ".join(f"`{slot}` is `{value}`" for slot, value in have.items())
                return [f"no reply fits a caller of intent `{intent.id}` for whom {told}; add one"]
    return []


@given(facts=_facts, own=_facts, replies=_replies)
def test_the_linter_finds_just_what_trying_every_caller_finds(
    facts: dict[str, list[str]], own: dict[str, list[str]], replies: list[tuple[str, str] | None], shared: Shared
) -> None:
    edit = with_replies(facts, own, replies)
    assert told_of(edit, shared) == by_trying_every_caller(edit)


def test_combinations_without_number_are_no_work(shared: Shared) -> None:
    facts = {f"fact_{number}": [f"value {value}" for value in range(50)] for number in range(8)}
    every = [(name, value) for name, values in facts.items() for value in values[:6]]
    begun = time.perf_counter()
    [told] = told_of(with_replies(facts, {}, every), shared)
    assert "`fact_0` is `value 6` and `fact_1` is `value 6`" in told
    assert time.perf_counter() - begun < 5
