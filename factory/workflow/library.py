"""All workflows at hand, read once and found by id."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Self

from factory.errors import WorkflowError
from factory.records.base import sha256
from factory.records.shared import Shared
from factory.records.workflow import Workflow
from factory.workflow.lookup import Script
from factory.workflow.reader import find_workflows, id_of, load_shared, load_workflow

BUILT_IN = Path(__file__).resolve().parents[2] / "workflows"
"""The workflows that come with the project, and the phrases that all workflows share."""

MOST_LISTED = 12
"""Ids that a message lists."""


class Library:
    """The workflows of some folders; each file is read when it is first asked for."""

    def __init__(self, folders: tuple[Path, ...], shared: Path | None = None) -> None:
        """Finds the workflow files; the shared phrases stand in the first folder, unless named."""
        self.shared_path = shared or folders[0] / "shared.yaml"
        self._paths = find_workflows(folders)
        self._scripts: dict[str, Script] = {}

    @classmethod
    def of_file(cls, path: Path, shared: Path) -> Self:
        """The library of one file alone."""
        library = cls((), shared)
        library._paths = {id_of(path): path}
        return library

    @property
    def ids(self) -> tuple[str, ...]:
        """All workflow ids, in order."""
        return tuple(self._paths)

    def path(self, workflow_id: str) -> Path:
        """The file of a workflow.

        Raises:
            WorkflowError: if there is no such workflow; names some that there are.
        """
        if workflow_id not in self._paths:
            raise WorkflowError(f"there is no workflow `{workflow_id}`; {self._known()}")
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

    def holds(self, workflow_id: str, digest: str) -> bool:
        """Whether a workflow is here, with just these bytes."""
        try:
            return self.digest(workflow_id) == digest
        except WorkflowError:
            return False

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
                raise WorkflowError(f"no workflow fits `{pattern}`; {self._known()}")
            chosen |= fitting
        return tuple(sorted(chosen))

    def files(self, name: str) -> tuple[Path, ...]:
        """The files behind a name as users type it: a file, an id, or a pattern of ids; raises `WorkflowError`."""
        if Path(name).exists() or name.endswith((".yaml", ".yml")):
            return (Path(name),)
        return tuple(map(self.path, self.select((name,)) if "*" in name else (name,)))

    def _known(self) -> str:
        """The ids there are, for a message, and how to have others."""
        listed = ", ".join(self.ids[:MOST_LISTED]) or "none"
        more = f" and {len(self.ids) - MOST_LISTED} more" if len(self.ids) > MOST_LISTED else ""
        return f"there are: {listed}{more}; name the folder of your own with --workflows DIR"


@lru_cache(maxsize=1)
def standard_library() -> Library:
    """The workflows that come with the project."""
    return Library((BUILT_IN,))


def library_with(folders: Sequence[Path]) -> Library:
    """The workflows that come with the project, and those of other folders beside them.

    Raises:
        WorkflowError: if a folder holds no workflows, or phrases of its own, or an id that another one has.
    """
    own = {folder.resolve(): folder for folder in folders}
    own.pop(BUILT_IN, None)
    for folder in own.values():
        phrases = folder / "shared.yaml"
        if not find_workflows((folder,)):
            raise WorkflowError(f"{folder}: holds no workflow; a file stands in its domain's folder: DOMAIN/GOAL.yaml")
        if phrases.exists():
            raise WorkflowError(
                f"{phrases}: is not read, since all workflows share the built-in shared.yaml; take it out of the folder"
            )
    return Library((BUILT_IN, *own.values())) if own else standard_library()
