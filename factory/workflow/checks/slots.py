"""What the agent may read at each place of a call, and what the caller's facts must give for it."""

from collections.abc import Container, Iterator, Sequence

from factory.records.acts import Act
from factory.records.callers import FactValue
from factory.records.lines import PLACEHOLDER, placeholders
from factory.records.workflow import Stage, Workflow
from factory.workflow.facts import (
    acts_of,
    alternatives_of,
    facts_of,
    is_fact,
    look_up,
    revisable_slots,
    texts_in,
    values_of,
)
from factory.workflow.findings import Check, Finding, error, warning
from factory.workflow.flow import Flow, act_node, answered_node, enter_node, verified_node
from factory.workflow.lines import AgentLines, act_place

MIN_LITERAL_LENGTH = 4
"""Shorter sensitive texts are not looked for in lines unless they hold a digit: "yes" proves nothing."""


def check_reads(workflow: Workflow, flow: Flow, lines: tuple[AgentLines, ...]) -> Iterator[Finding]:
    """Everything the agent reads is known information, or filled on every way that leads there."""
    slots = {act.fills for _, act in acts_of(workflow) if act.fills}
    for variants in lines:
        if not flow.reached(variants.node):
            continue
        certain = flow.filled(variants.node)
        for index, line in enumerate(variants.lines):
            for name in dict.fromkeys(placeholders(line)):
                root = name.split(".")[0]
                if name in certain or look_up(workflow.known_user_information, name) is not None:
                    continue
                place = variants.at(index)
                if root in workflow.known_user_information:
                    message = f"`{{{name}}}` does not lead to a text in `known_user_information.{root}`"
                    yield error(Check.PLACEHOLDER, place, f"{message}; write the path to one")
                elif name in slots:
                    message = (
                        f"`{{{name}}}` is not filled on every way that leads here; ask for it before, make "
                        "the question that fills it neither optional nor conditional, or leave it out"
                    )
                    yield error(Check.UNFILLED, place, message)
                else:
                    message = (
                        f"the agent cannot know `{{{name}}}`: it is neither known information nor filled by "
                        "a question; correct the name or add it"
                    )
                    yield error(Check.UNFILLED, place, message)


def check_braces(place: str, text: str) -> Iterator[Finding]:
    """A brace that is not part of a placeholder would be spoken."""
    if "{" in (rest := PLACEHOLDER.sub("", text)) or "}" in rest:
        message = "a brace stands here that belongs to no placeholder; write `{name}` or `{name.field}`"
        yield error(Check.PLACEHOLDER, place, message)


def check_sensitive(workflow: Workflow, flow: Flow, lines: tuple[AgentLines, ...]) -> Iterator[Finding]:
    """Sensitive information is not spoken before every verification stage is over, on any way."""
    if not workflow.sensitive:
        return
    gates = {verified_node(stage.id) for stage in workflow.stages if stage.verification}
    if not gates:
        message = "there is sensitive information but no stage with `verification: true` to protect it"
        yield error(Check.SENSITIVE, "sensitive", message + "; mark the stage that verifies the caller")
        return
    literals = {
        text.casefold(): name
        for name in workflow.sensitive
        for text in texts_in(workflow.known_user_information.get(name, ""))
        if len(text) >= MIN_LITERAL_LENGTH or any(c.isdigit() for c in text)
    }
    for variants in lines:
        if not flow.reached(variants.node) or gates <= flow.passed(variants.node):
            continue
        for index, line in enumerate(variants.lines):
            folded = line.casefold()
            spoken = {name.split(".")[0] for name in placeholders(line)} & set(workflow.sensitive)
            spoken |= {name for text, name in literals.items() if text in folded}
            for name in sorted(spoken):
                message = f"`{name}` is sensitive and may be spoken here before the caller is verified"
                yield error(Check.SENSITIVE, variants.at(index), f"{message}; say it in a later stage")


def check_slots(workflow: Workflow) -> Iterator[Finding]:
    """Every slot has the caller's fact of its name, and the facts fit what the question does with it."""
    filled: dict[tuple[str, str | None, str | None], str] = {}
    for stage, act in acts_of(workflow):
        if not act.fills:
            continue
        place = act_place(stage, act)
        if not is_fact(workflow, act.fills):
            message = f"no caller fact answers this question; add `{act.fills}` to `caller_facts`"
            yield error(Check.SLOT_WITHOUT_FACT, f"{place}.fills", message)
            continue
        key = (act.fills, act.when.slot if act.when else None, act.when.equals if act.when else None)
        if key in filled:
            message = f"`{act.fills}` is filled already by `{filled[key]}`; ask once, or name another slot"
            yield error(Check.FILLED_TWICE, f"{place}.fills", message)
        filled[key] = f"{stage.id}.{act.id}"
        if stage.verification:
            yield from _check_verification(workflow, act, place)
        if act.corrects:
            yield from _check_corrected(workflow, act, place)
        yield from _check_reply_value(workflow, act, place)
        if act.failure:
            yield from _check_wrong(workflow, act, place)


def _check_verification(workflow: Workflow, act: Act, place: str) -> Iterator[Finding]:
    assert act.fills
    if act.corrects:
        message = f"`{act.fills}` is filled in the verification stage and can never be revised; take this out"
        yield error(Check.VERIFICATION_REVISABLE, f"{place}.corrects", message)
    known = workflow.known_user_information.get(act.fills)
    if isinstance(known, str):
        for where, fact in alternatives_of(workflow, act.fills):
            if fact.value != known:
                message = f"the caller says `{fact.value}` but the agent's system shows `{known}`, so the check"
                yield error(Check.VERIFICATION_FACT, where, f"{message} would fail; write the same text")


def _check_corrected(workflow: Workflow, act: Act, place: str) -> Iterator[Finding]:
    assert act.fills and act.corrects
    for where, fact in alternatives_of(workflow, act.fills):
        if fact.corrected is None or fact.corrected == fact.value:
            message = f"`{place}` lets the caller revise this; give it a `corrected` that differs from `is`"
            yield error(Check.CORRECTED, where, message)
    for profile in type(act.corrects).model_fields:
        for index, line in enumerate(getattr(act.corrects, profile)):
            if f"{act.fills}.corrected" not in placeholders(line):
                message = f"a correction has to give the new value; use `{{{act.fills}.corrected}}` in it"
                yield error(Check.CORRECTED, f"{place}.corrects.{profile}[{index}]", message)


def _check_reply_value(workflow: Workflow, act: Act, place: str) -> Iterator[Finding]:
    """A value that is more than yes or no has to be said, or the agent knows what nobody told it."""
    assert act.fills and act.replies
    values = {fact.value for _, fact in alternatives_of(workflow, act.fills)}
    if values <= {"yes", "no"}:
        return
    for number, reply in enumerate(act.replies):
        if reply.when and reply.when.slot == act.fills:
            continue
        for profile in type(reply.says).model_fields:
            for index, line in enumerate(getattr(reply.says, profile)):
                if act.fills not in placeholders(line):
                    message = f"this answer does not give the value; use `{{{act.fills}}}` in it, or an `if`"
                    yield warning(Check.REPLY_VALUE, f"{place}.replies[{number}].says.{profile}[{index}]", message)


def _check_wrong(workflow: Workflow, act: Act, place: str) -> Iterator[Finding]:
    assert act.fills and act.failure
    for profile in type(act.failure.fails).model_fields:
        for index, line in enumerate(getattr(act.failure.fails, profile)):
            if act.fills in placeholders(line):
                message = f"a failed answer must not give the right value; use `{{{act.fills}.wrong}}`"
                yield error(Check.WRONG_ANSWER, f"{place}.failure.fails.{profile}[{index}]", message)
    for where, fact in alternatives_of(workflow, act.fills):
        if fact.wrong == fact.value:
            message = "`wrong` is the right value, so the question would not fail; write another"
            yield error(Check.WRONG_ANSWER, where, message)


def check_conditions(workflow: Workflow, flow: Flow) -> Iterator[Finding]:
    """Conditions compare with values that can occur, and the agent's rest on what was asked before."""
    for stage in workflow.stages:
        root = f"stages.{stage.id}"
        if stage.skip_when:
            skip = stage.skip_when
            yield from _check_value(workflow, f"{root}.skip_when", skip.slot, skip.equals)
            yield from _check_asked(workflow, flow, f"{root}.skip_when", skip.slot, stage, None)
            yield from _check_settled(workflow, f"{root}.skip_when", skip.slot)
        for index, rule in enumerate(stage.terminate_when):
            place = f"{root}.terminate_when[{index}]"
            yield from _check_value(workflow, place, rule.slot, rule.equals)
            yield from _check_settled(workflow, place, rule.slot)
        for act in stage.acts:
            place = act_place(stage, act)
            if act.when:
                yield from _check_value(workflow, f"{place}.if", act.when.slot, act.when.equals)
                yield from _check_asked(workflow, flow, f"{place}.if", act.when.slot, stage, act)
                yield from _check_settled(workflow, f"{place}.if", act.when.slot)
            for index, reply in enumerate(act.replies or ()):
                if reply.when:
                    where = f"{place}.replies[{index}].if"
                    yield from _check_value(workflow, where, reply.when.slot, reply.when.equals)
                    yield from _check_own_fact(workflow, where, reply.when.slot)
            yield from _check_coverage(workflow, act, place)


def _check_value(workflow: Workflow, place: str, slot: str, value: str) -> Iterator[Finding]:
    values = values_of(workflow, slot)
    if values and value not in values:
        listed = ", ".join(f"`{v}`" for v in sorted(values))
        message = f"`{slot}` is never `{value}`; it can be {listed}"
        yield error(Check.CONDITION_VALUE, f"{place}.is", f"{message}: correct the value or add it to the facts")


def _check_own_fact(workflow: Workflow, place: str, slot: str) -> Iterator[Finding]:
    """A caller answers by what they know, not by what the agent's system shows."""
    if not is_fact(workflow, slot) and isinstance(workflow.known_user_information.get(slot), str):
        message = f"`{slot}` is known to the agent's system only, so no answer of the caller's can depend on it"
        yield error(Check.REPLY_CONDITION, f"{place}.slot", f"{message}; name a fact of `caller_facts`")


def _check_asked(
    workflow: Workflow, flow: Flow, place: str, slot: str, stage: Stage, act: Act | None
) -> Iterator[Finding]:
    """Where a question fills the slot, it must have been asked before the agent acts on the value."""
    node = act_node(stage.id, act.id) if act else enter_node(stage.id)
    if isinstance(workflow.known_user_information.get(slot), str) or not flow.reached(node):
        return
    askers = [answered_node(s.id, a.id) for s, a in acts_of(workflow) if a.fills == slot]
    if not askers or slot in flow.filled(node):
        return
    order = {(s.id, a.id): i for i, (s, a) in enumerate(acts_of(workflow))}
    here = order[(stage.id, act.id if act else stage.acts[0].id)]
    if all(order[(asker[1], asker[2])] >= here for asker in askers):
        message = f"`{slot}` is asked for only later, so the agent cannot act on it here; ask before"
        yield error(Check.CONDITION_EARLY, f"{place}.slot", message)
    else:
        message = (
            f"the question that fills `{slot}` may be left out, and then the agent acts on what nobody said; "
            "make that question neither optional nor conditional"
        )
        yield warning(Check.CONDITION_EARLY, f"{place}.slot", message)


def _check_settled(workflow: Workflow, place: str, slot: str) -> Iterator[Finding]:
    """A call's way is settled by first values, so it should not rest on one that is taken back."""
    if slot in revisable_slots(workflow):
        message = (
            f"the caller may revise `{slot}`, but the way does not change with it; take out the question's "
            "`corrects` or let another slot decide"
        )
        yield warning(Check.CONDITION_REVISED, f"{place}.slot", message)


def _check_coverage(workflow: Workflow, act: Act, place: str) -> Iterator[Finding]:
    """Whatever the caller's facts, one of a question's replies fits.

    Every condition is about one slot alone, so no reply fits a caller exactly where each of the slots has a value that
    none of its replies names: the slots need not be looked at together, whose combinations may be without number.
    """
    replies = act.replies or ()
    named: dict[str, set[str]] = {}
    for reply in replies:
        if reply.when is None:
            return
        named.setdefault(reply.when.slot, set()).add(reply.when.equals)
    for intent in workflow.intents if replies else ():
        facts = facts_of(workflow, intent)
        left = {slot: _first_other(facts.get(slot, ()), named[slot]) for slot in sorted(named)}
        if None not in left.values():
            told = " and ".join(f"`{slot}` is `{value}`" for slot, value in left.items())
            message = f"no reply fits a caller of intent `{intent.id}` for whom {told}; add one"
            yield error(Check.REPLY_COVERAGE, f"{place}.replies", message)
            return


def _first_other(facts: Sequence[FactValue], named: Container[str]) -> str | None:
    """The first value that is none of those; None where there is no such value."""
    return next((fact.value for fact in facts if fact.value not in named), None)
