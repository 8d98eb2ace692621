"""All workflows at hand, read once and found by id."""

from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path

from factory.errors import WorkflowError
from factory.records.base import sha256
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.lookup import Script
from factory.workflow.reader import find_workflows, load_shared, load_workflow


class Library:
    """The workflows of some folders; each file is read when it is first asked for."""

    def __init__(self, folders: tuple[Path, ...], shared: Path | None = None) -> None:
        """Finds the workflow files; the shared phrases stand in the first folder, unless named."""
        self.shared_path = shared or folders[0] / "shared.yaml"
        self._paths = find_workflows(folders)
        self._scripts: dict[str, Script] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """All workflow ids, in order."""
        return tuple(self._paths)

    def path(self, workflow_id: str) -> Path:
        """The file of a workflow.

        Raises:
            WorkflowError: if there is no such workflow; names the ones there are.
        """
        if workflow_id not in self._paths:
            known = ", ".join(self._paths) or "none found"
            raise WorkflowError(f"there is no workflow `{workflow_id}`; there are: {known}")
        return self._paths[workflow_id]

    def script(self, workflow_id: str) -> Script:
        """A workflow with its texts by reference; raises `WorkflowError` if it cannot be read."""
        if workflow_id not in self._scripts:
            self._scripts[workflow_id] = Script(load_workflow(self.path(workflow_id)))
        return self._scripts[workflow_id]

    def workflow(self, workflow_id: str) -> Workflow:
        """A workflow; raises `WorkflowError` if it cannot be read."""
        return self.script(workflow_id).workflow

    @cached_property
    def shared(self) -> Shared:
        """The phrases that fit everywhere."""
        return load_shared(self.shared_path)

    def digest(self, workflow_id: str) -> str:
        """Digest of a workflow file's bytes."""
        return sha256(self.path(workflow_id).read_bytes())

    def shared_digest(self) -> str:
        """Digest of the shared phrases' bytes."""
        return sha256(self.shared_path.read_bytes())

    def select(self, patterns: tuple[str, ...]) -> tuple[str, ...]:
        """The ids that fit any of some patterns, in order.

        Raises:
            WorkflowError: for a pattern that fits none.
        """
        chosen: set[str] = set()
        for pattern in patterns:
            fitting = {i for i in self._paths if fnmatchcase(i, pattern)}
            if not fitting:
                known = ", ".join(self._paths) or "none found"
                raise WorkflowError(f"no workflow fits `{pattern}`; there are: {known}")
            chosen |= fitting
        return tuple(sorted(chosen))


@lru_cache(maxsize=1)
def standard_library() -> Library:
    """The workflows that come with the project."""
    return Library((Path(__file__).resolve().parents[2] / "workflows",))
