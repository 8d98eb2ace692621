"""What a workflow says of itself in the published rows: domain, goal, knowledge base, the caller's intent."""

from collections.abc import Iterable

from factory.dataset.rows import Domain, KeyValue, KnowledgeBase, StageRow, TypeWeight, UserIntent
from factory.records.callers import Intent
from factory.records.enums import InterruptionType
from factory.records.workflow import Stage, Workflow
from factory.simulate.views import IntentView
from factory.workflow.fill import flatten


def domain_of(workflow: Workflow, all_workflows: Iterable[Workflow]) -> Domain:
    """The domain of a workflow, described by the goals that the run has in it.

    Args:
        workflow: The workflow.
        all_workflows: All workflows of the run; those of other domains are passed over.
    """
    name = workflow.domain.replace("_", " ")
    titles = sorted(w.title for w in all_workflows if w.domain == workflow.domain)
    return Domain(
        id=workflow.domain,
        name=name.title(),
        description=f"Phone calls in {name} in which a voice agent takes a caller through a process step by step: "
        f"{'; '.join(titles)}.",
    )


def goal_of(workflow: Workflow) -> str:
    """The goal as the reference writes it: `[INBOUND] …` or `[OUTBOUND] …`."""
    return f"[{workflow.goal.direction.value.upper()}] {workflow.goal.statement}"


def knowledge_base_of(workflow: Workflow) -> KnowledgeBase:
    """Stages, guidelines and known user information."""
    known = flatten(workflow.known_user_information)
    return KnowledgeBase(
        stages=tuple(_stage(stage) for stage in workflow.stages),
        guidelines=workflow.guidelines,
        known_user_information=tuple(KeyValue(key=key, value=value) for key, value in known.items()),
    )


def user_intent_of(intent: Intent) -> UserIntent:
    """The caller's side of a call, from which both of its views begin."""
    return UserIntent(
        id=intent.id,
        profile=intent.profile,
        speaks=intent.speaks,
        reaction_profile=intent.reaction,
        description=intent.description,
        interruption_profile=tuple(
            TypeWeight(type=kind, weight=intent.interruption_profile[kind])
            for kind in InterruptionType
            if kind in intent.interruption_profile
        ),
        hidden_information=tuple(hidden.info for hidden in intent.hidden_information),
    )


def intent_view_of(published: UserIntent) -> IntentView:
    """The part of a published intent that the caller's side reads."""
    return IntentView(
        reaction=published.reaction_profile,
        profile=published.profile,
        speaks=published.speaks,
        description=published.description,
        hidden_information=published.hidden_information,
    )


def _stage(stage: Stage) -> StageRow:
    return StageRow(
        name=stage.name,
        description=stage.description,
        skip_conditions=stage.skip_when.says if stage.skip_when else None,
        failure_handling=stage.on_failure.says if stage.on_failure else None,
        terminate_conditions=" ".join(rule.says for rule in stage.terminate_when) or None,
    )
