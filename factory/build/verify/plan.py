"""The blueprints: in number what was ordered, and each the one that order, seed and workflows lead to."""

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase

import networkx as nx  # type: ignore[import-untyped]

from factory.build.verify.damage import guarded, read
from factory.build.verify.files import files_of
from factory.build.verify.quotas import Planned
from factory.build.verify.way import way_faults
from factory.corpus.seeds import conversation_seed, first_rotation
from factory.records.blueprint import Blueprint, name_conversation
from factory.records.run import RunIdentity
from factory.run.folder import RunFolder
from factory.workflow.graph import from_node_link


class Plan:
    """What was ordered and planned.

    Attributes:
        order: Place of each conversation that the run builds, by id.
        files: Names of all files that checksums are taken of.
    """

    def __init__(self, folder: RunFolder, identity: RunIdentity) -> None:
        """Reads the blueprints once; raises `RunError` or `ValueError` where they are damaged."""
        self.order: dict[str, int] = {}
        self._folder = folder
        self._identity = identity
        self._planned = Planned()
        self._calls_of: Counter[str] = Counter()
        self._machines: dict[str, nx.DiGraph | None] = {}
        self._faults: list[str] = []
        for number, blueprint in enumerate(folder.blueprints()):
            self._planned.add(blueprint)
            found = [*self._derived(blueprint, number), *self._way(blueprint)]
            self._faults += (f"blueprints.jsonl:{number + 1}: {fault}" for fault in found)
            if number < identity.conversations:
                self.order.setdefault(blueprint.conversation_id, number)
        self.files = files_of(folder, identity, self.order)

    def faults(self) -> Iterator[str]:
        """Where the plan is not the order."""
        yield from self._selected()
        yield from self._faults
        yield from self._planned.faults(self._identity.spec)

    def _selected(self) -> Iterator[str]:
        """The run's workflows against the patterns of the spec."""
        workflows, patterns = self._identity.workflows, self._identity.spec.workflows
        for workflow in workflows:
            if not any(fnmatchcase(workflow, pattern) for pattern in patterns):
                yield f"run.json: the spec does not order the workflow {workflow}"
        for pattern in patterns:
            if not any(fnmatchcase(workflow, pattern) for workflow in workflows):
                yield f"run.json: names no workflow that fits the ordered {pattern}"

    def _derived(self, blueprint: Blueprint, number: int) -> Iterator[str]:
        """What follows from the run's seed, the place and the workflow."""
        workflow, seed = blueprint.workflow, self._identity.seed
        if workflow not in self._identity.workflows:
            yield f"the workflow {workflow} is none of those that run.json names"
        if blueprint.conversation_id in self.order or blueprint.conversation_id != name_conversation(workflow, number):
            yield f"the id {blueprint.conversation_id} is not the one that belongs here"
        if blueprint.seed != conversation_seed(seed, number):
            yield "the seed is not the one that follows from the run's"
        if blueprint.rotation != first_rotation(seed, workflow) + self._calls_of[workflow]:
            yield "the rotation is not the one that follows from the run's seed"
        self._calls_of[workflow] += 1

    def _way(self, blueprint: Blueprint) -> Iterator[str]:
        machine = self._machine(blueprint.workflow)
        if machine is not None:
            yield from guarded("its state machine", way_faults(blueprint, machine))

    def _machine(self, workflow: str) -> nx.DiGraph | None:
        """The state machine that the run has of a workflow; None where there is none, or it cannot be read."""
        if workflow not in self._machines:
            path = self._folder.machine_file(workflow)
            known = workflow in self._identity.workflows and path.is_file()
            name = self._folder.name_of(path)
            self._machines[workflow] = (
                read(name, lambda: from_node_link(path.read_text(encoding="utf-8")), self._faults) if known else None
            )
        return self._machines[workflow]
