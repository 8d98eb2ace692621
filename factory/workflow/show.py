"""Workflows in the terminal: the list of them, and one whole."""

from collections.abc import Iterator

from factory.records.acts import Act
from factory.records.workflow import Stage, Workflow
from factory.workflow.carry import CarryRange, carry_range
from factory.workflow.library import Library


def list_workflows(library: Library) -> str:
    """One line a workflow: id, direction, stages, acts, intents, and the calls it can carry."""
    rows = []
    for workflow_id in library.ids:
        workflow = library.workflow(workflow_id)
        reach = carry_range(workflow)
        acts = [act for stage in workflow.stages for act in stage.acts]
        rows.append(
            f"{workflow_id:<44} {workflow.goal.direction.value:<9}{len(workflow.stages):>3} stages {len(acts):>3} acts "
            f"{len(workflow.intents):>3} intents  {_reach(reach)}"
        )
    return "\n".join(rows)


def show_workflow(library: Library, workflow_id: str) -> str:
    """A workflow's stages and acts with one wording each, what callers may cut in with, and who calls."""
    workflow = library.workflow(workflow_id)
    return "\n".join(_lines(workflow))


def _lines(workflow: Workflow) -> Iterator[str]:
    reach = carry_range(workflow)
    yield f"{workflow.id}: {workflow.title} ({workflow.goal.direction.value})"
    yield f"  goal: {workflow.goal.statement}"
    yield f"  success: {workflow.goal.success}"
    asked = f", {reach.min_questions} to {reach.max_questions} questions" if reach.max_messages else ""
    yield f"  carries {_reach(reach)}{asked}"
    for number, stage in enumerate(workflow.stages, 1):
        yield f"\n{number}. {stage.name} [{stage.id}]" + ("  verification" if stage.verification else "")
        yield from (f"   {rule}" for rule in _rules(stage))
        for act in stage.acts:
            yield f"   {'?' if act.is_question else '-'} {act.id}: {act.does}{_marks(act)}"
            yield f'       "{act.say[0]}"'
        for kind in ("pushback", "normal", "topic_switch"):
            for move in getattr(stage.caller_may, kind):
                yield f'   ! {kind}: "{move.says.default[0]}"'
    for name, stop in workflow.hard_stops.items():
        yield f"\nhard stop {name}: {stop.does}"
    yield "\nwho calls"
    for intent in workflow.intents:
        yield f"  {intent.id}: {intent.reaction}"


def _reach(reach: CarryRange) -> str:
    """Lengths and interruptions, in words; a workflow with errors may carry no call at all."""
    if not reach.max_messages:
        return "no call yet"
    return f"{reach.min_messages}-{reach.max_messages} messages, up to {reach.max_interruptions} interruptions"


def _rules(stage: Stage) -> Iterator[str]:
    if stage.skip_when:
        yield f"skipped when {stage.skip_when.says}"
    if stage.on_failure:
        yield f"on failure: {stage.on_failure.says} ({stage.on_failure.retries} retries, then {stage.on_failure.then})"
    for rule in stage.terminate_when:
        yield f"ends when {rule.says} (then {rule.then})"


def _marks(act: Act) -> str:
    marks = [
        name for name, true in (("required", act.required), ("optional", act.optional), ("fixed", act.fixed)) if true
    ]
    marks += [f"if {act.when.slot} is {act.when.equals}"] if act.when else []
    marks += [f"for {act.leads_to}"] if act.leads_to else []
    marks += [f"fills {act.fills}"] if act.fills else []
    marks += ["revisable"] if act.corrects else []
    return f" ({', '.join(marks)})" if marks else ""
