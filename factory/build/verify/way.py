"""A blueprint's way through its workflow, against the state machine that the run has of it."""

from collections.abc import Iterator
from itertools import pairwise

import networkx as nx  # type: ignore[import-untyped]

from factory.records.blueprint import SUCCESS, Blueprint
from factory.workflow.graph import hard_stop
from factory.workflow.lookup import STOP, stage_of


def way_faults(blueprint: Blueprint, machine: nx.DiGraph) -> Iterator[str]:
    """Where stages, acts and outcome are not one way from the entry to an end."""
    success = blueprint.outcome == SUCCESS
    if blueprint.stages[:1] != (machine.graph["entry"],):
        yield "the call does not begin in the stage at which calls come in"
    for source, target in pairwise((*blueprint.stages, SUCCESS if success else hard_stop(blueprint.outcome))):
        if not machine.has_edge(source, target):
            yield f"no way leads from `{source}` to `{target}`"
    said = {use.ref for plan in blueprint.rounds for use in plan.acts}
    for ref in sorted(said):
        stage = stage_of(ref)
        if stage is not None and stage not in blueprint.stages:
            yield f"`{ref}` is said, but the call never comes to that stage"
    if {ref for ref in said if ref.startswith(STOP)} != (set() if success else {STOP + blueprint.outcome}):
        yield f"the call is to end with `{blueprint.outcome}`, but other closing words are planned"
