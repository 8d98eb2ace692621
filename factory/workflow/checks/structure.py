"""The state machine itself: ids, references, reachability, loops, ends."""

from collections import Counter
from collections.abc import Iterable, Iterator

from factory.records.acts import Act
from factory.records.workflow import Stage, Workflow
from factory.workflow.facts import is_fact
from factory.workflow.findings import Check, Finding, error, warning
from factory.workflow.flow import START, Flow, act_node, answered_node, enter_node, hard_stop_node
from factory.workflow.lines import act_place, grounding_of, move_place, moves_of
from factory.workflow.sentences import is_cuttable, sentences

MAX_TELLS_IN_A_ROW = 3
"""Tells between two questions that may not be left out."""


def check_ids(workflow: Workflow) -> Iterator[Finding]:
    """Every id names one thing; nothing else can be proved before that holds."""
    yield from _unique("stages", "stage", (stage.id for stage in workflow.stages))
    for stage in workflow.stages:
        yield from _unique(f"stages.{stage.id}.acts", "act", (act.id for act in stage.acts))
        moves = (f"{kind}.{move.id}" for kind, move in moves_of(stage))
        yield from _unique(f"stages.{stage.id}.caller_may", "move", moves)
    yield from _unique("intents", "intent", (intent.id for intent in workflow.intents))
    for intent in workflow.intents:
        hidden = (information.id for information in intent.hidden_information)
        yield from _unique(f"intents.{intent.id}.hidden_information", "hidden information", hidden)


def _unique(place: str, kind: str, ids: Iterable[str]) -> Iterator[Finding]:
    for name, count in Counter(ids).items():
        if count > 1:
            message = f"the {kind} id `{name.split('.')[-1]}` stands here {count} times; rename all but one"
            yield error(Check.UNIQUE_ID, f"{place}.{name}", message)


def check_references(workflow: Workflow) -> Iterator[Finding]:
    """`then`, `after`, `slot` and `sensitive` name something that exists; every hard stop is used."""
    used: set[str] = set()
    for stage in workflow.stages:
        for place, then in _targets(stage):
            used.add(then)
            if then not in workflow.hard_stops:
                message = f"there is no hard stop `{then}`; write it under `hard_stops` or name one of "
                yield error(Check.REFERENCE, place, message + _listed(workflow.hard_stops))
        acts = [act.id for act in stage.acts]
        for kind, move in moves_of(stage):
            if move.after is not None and move.after not in acts:
                message = f"this stage has no act `{move.after}`; name one of {_listed(acts)}"
                yield error(Check.REFERENCE, f"{move_place(stage, kind, move)}.after", message)
        for place, slot in _condition_slots(stage):
            if not is_fact(workflow, slot) and not isinstance(workflow.known_user_information.get(slot), str):
                message = (
                    f"`{slot}` is neither a fact of every caller nor a known text; add it to `caller_facts` "
                    "or correct the name"
                )
                yield error(Check.REFERENCE, place, message)
    for name in workflow.hard_stops:
        if name not in used:
            message = f"no rule leads to the hard stop `{name}`; name it in a `then` or take it out"
            yield error(Check.HARD_STOP_UNUSED, f"hard_stops.{name}", message)
    for index, name in enumerate(workflow.sensitive):
        if name not in workflow.known_user_information:
            message = f"`{name}` is not in `known_user_information`, so it protects nothing; correct the name"
            yield error(Check.REFERENCE, f"sensitive[{index}]", message)


def _targets(stage: Stage) -> Iterator[tuple[str, str]]:
    if stage.on_failure:
        yield f"stages.{stage.id}.on_failure.then", stage.on_failure.then
    for index, rule in enumerate(stage.terminate_when):
        yield f"stages.{stage.id}.terminate_when[{index}].then", rule.then


def _condition_slots(stage: Stage) -> Iterator[tuple[str, str]]:
    if stage.skip_when:
        yield f"stages.{stage.id}.skip_when.slot", stage.skip_when.slot
    for index, rule in enumerate(stage.terminate_when):
        yield f"stages.{stage.id}.terminate_when[{index}].slot", rule.slot
    for act in stage.acts:
        if act.when:
            yield f"{act_place(stage, act)}.if.slot", act.when.slot
        for index, reply in enumerate(act.replies or ()):
            if reply.when:
                yield f"{act_place(stage, act)}.replies[{index}].if.slot", reply.when.slot


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "(there is none)"


def check_ways(workflow: Workflow, flow: Flow) -> Iterator[Finding]:
    """One entry; every stage and act can be reached; success can be reached from every stage."""
    if workflow.stages[0].skip_when:
        message = "the first stage may be skipped, so a call has two entries; move the condition to a later stage"
        yield error(Check.ENTRY, f"stages.{workflow.stages[0].id}.skip_when", message)
    if not flow.succeeds(START):
        message = "no call can come to success: a `terminate_when` ends every call; give its slot another value"
        yield error(Check.SUCCESS, "stages", message)
        return
    for stage in workflow.stages:
        node = enter_node(stage.id)
        place = f"stages.{stage.id}"
        if not flow.reached(node):
            message = "no call comes to this stage, whatever the caller's facts; mend the conditions before it"
            yield error(Check.UNREACHABLE, place, message)
            continue
        if not flow.succeeds(node):
            message = "no call that comes to this stage can end well; give the slot of its end another value"
            yield error(Check.SUCCESS, place, message)
        for act in stage.acts:
            if not flow.reached(act_node(stage.id, act.id)):
                message = "this act is never said, whatever the caller's facts; mend the condition or take it out"
                yield error(Check.UNREACHABLE, act_place(stage, act), message)
    for name in workflow.hard_stops:
        if any(name == then for stage in workflow.stages for _, then in _targets(stage)) and not flow.reached(
            hard_stop_node(name)
        ):
            message = "no call can end here: no question of the rule's stage fails, or its condition never holds"
            yield error(Check.UNREACHABLE, f"hard_stops.{name}", message)


def check_ends(workflow: Workflow) -> Iterator[Finding]:
    """Every failure has a bound, and the call ends with the agent's closing words."""
    for stage in workflow.stages:
        failing = [act for act in stage.acts if act.failure and not act.optional]
        if not stage.on_failure:
            for act in failing:
                message = "nothing bounds how often this question may fail; give the stage an `on_failure` rule"
                yield error(Check.FAILURE_LOOP, f"{act_place(stage, act)}.failure", message)
        elif not failing:
            message = "no question of this stage can fail; give one a `failure` or take this rule out"
            yield error(Check.FAILURE_LOOP, f"stages.{stage.id}.on_failure", message)
    last = workflow.stages[-1]
    closing = last.acts[-1]
    if closing.is_question or closing.optional or closing.when:
        message = "the last act must be a tell that is always said: thanks and goodbye; put one behind it"
        yield error(Check.CLOSING, act_place(last, closing), message)
    if last.skip_when:
        message = "the last stage holds the closing and cannot be skipped; move the closing to a stage of its own"
        yield error(Check.CLOSING, f"stages.{last.id}.skip_when", message)
    if not closing.is_question and _cuttable_last(closing) and not (closing.required and closing.brief):
        message = (
            "a hurried caller may cut in during the first sentence, and the call must not end there; mark it "
            "`required` and write its `brief`, or begin it with a short sentence"
        )
        yield error(Check.CLOSING, act_place(last, closing), message)


def check_terminations(workflow: Workflow) -> Iterator[Finding]:
    """An answer that ends the call ends it at once: nothing else of its stage would still be said first.

    An act whose own `if` names that answer is meant for it, such as asking for the right person's name.
    """
    for stage in workflow.stages:
        ids = [act.fills for act in stage.acts]
        for rule in stage.terminate_when:
            behind = stage.acts[ids.index(rule.slot) + 1 :] if rule.slot in ids else ()
            for act in behind:
                if act.when is None or act.when.slot != rule.slot:
                    message = (
                        f"it would still be said when the answer before it (`{rule.slot}`: {rule.equals}) has ended "
                        "the call; move it before that question or to the next stage, or give it an `if` with the "
                        "answer it is for"
                    )
                    yield error(Check.TERMINATE_LAST, act_place(stage, act), message)


def check_leads_to(workflow: Workflow) -> Iterator[Finding]:
    """A tell that is left out together with a question comes right before it, and that question is optional."""
    for stage in workflow.stages:
        for act in stage.acts:
            problem = _leads_astray(stage, act, act.leads_to) if act.leads_to else None
            if problem:
                yield error(Check.LEADS_TO, f"{act_place(stage, act)}.for", problem)


def _leads_astray(stage: Stage, tell: Act, name: str) -> str | None:
    """Why a tell cannot belong to the act of that name; None where it can."""
    later = stage.acts[stage.acts.index(tell) + 1 :]
    question = next((act for act in later if act.id == name), None)
    if question is None:
        asked = [act.id for act in later if act.is_question and act.optional]
        return f"no act `{name}` comes later in this stage; name one of its optional questions: {_listed(asked)}"
    if not (question.is_question and question.optional):
        return f"`{name}` is no optional question, so nothing is left out with it; mark it `optional` or take this out"
    between = next((act for act in later[: later.index(question)] if act.leads_to != name), None)
    if between is not None:
        return f"`{between.id}` comes between this and `{name}`, to which it does not belong; move it before this tell"
    return None


def check_tells_in_a_row(workflow: Workflow, flow: Flow) -> Iterator[Finding]:
    """At most three tells that may not be left out stand between two questions, on any way."""
    for stage in workflow.stages:
        for act in stage.acts:
            run = flow.tells_before(act_node(stage.id, act.id))
            if run > MAX_TELLS_IN_A_ROW and not act.is_question:
                message = (
                    f"on some way this is tell number {run} since the last question; "
                    "make one of them `optional` or ask something in between"
                )
                yield error(Check.TELLS_IN_A_ROW, act_place(stage, act), message)


def check_grounded(workflow: Workflow, flow: Flow) -> Iterator[Finding]:
    """The act that a move takes up is heard whole before the cut, so something to cut stands behind it."""
    closing = workflow.stages[-1].acts[-1]
    for stage in workflow.stages:
        for kind, move in moves_of(stage):
            act = grounding_of(stage, move)
            if act is None or not flow.reached(act_node(stage.id, act.id)):
                continue
            place = f"{move_place(stage, kind, move)}.after"
            problem = _ends_its_turn(flow, stage, act, closing) if kind == "pushback" else None
            if problem:
                yield error(Check.PUSHBACK_PLACE, place, problem)
            elif not _cuttable_behind(stage, act, closing):
                message = (
                    f"nobody can cut in behind `{act.id}` in this stage, so this is never said; "
                    "give the question behind it a `hint`, or name an earlier act"
                )
                yield warning(Check.MOVE_UNUSED, place, message)


def check_about(workflow: Workflow) -> Iterator[Finding]:
    """What a pushback is about completes "the caller's objection about …"."""
    for stage in workflow.stages:
        for move in stage.caller_may.pushback:
            if move.about.casefold().startswith("that "):
                message = (
                    'rubrics would read "the caller\'s objection about that …"; write what they object to: '
                    '"the length of …", "why …", "having to …"'
                )
                yield error(Check.PUSHBACK_ABOUT, f"{move_place(stage, 'pushback', move)}.about", message)


def _ends_its_turn(flow: Flow, stage: Stage, act: Act, closing: Act) -> str | None:
    """Why a pushback cannot dispute an act in the turn in which it is said; None where it can."""
    if act.is_question:
        return None if act.hint else f"`{act.id}` is a question that ends its turn; give it a `hint` or name a tell"
    behind = flow.behind(act_node(stage.id, act.id))
    if any(flow.reached(answered_node(*node[1:])) for node in behind) or _cuttable_behind(stage, act, closing):
        return None
    return f"`{act.id}` is said in the closing turn with nothing behind it to cut in on; name an earlier act"


def _cuttable_behind(stage: Stage, act: Act, closing: Act) -> bool:
    """Whether a caller can cut in later in the stage: in a hint, or in a tell that something follows."""
    index = stage.acts.index(act)
    tells = [later for later in stage.acts[index + 1 :] if not later.is_question]
    return any(later.hint for later in stage.acts[index:]) or any(
        _cuttable_last(tell) if tell is closing else is_cuttable(tell.say + tell.resume) for tell in tells
    )


def _cuttable_last(tell: Act) -> bool:
    """Whether a caller can cut in on a tell though nothing stands behind it: it has a second sentence itself."""
    lines = tell.say + tell.resume
    return is_cuttable(lines) and all(len(sentences(line)) > 1 for line in lines)
