"""The project's exceptions: every message says what is wrong, where, and what to do."""


class FactoryError(Exception):
    """Base of every error that a user may meet; shown as one line, exit code 2."""


class WorkflowError(FactoryError):
    """A workflow file that cannot be read: names file, line, field and what was expected."""


class SpecError(FactoryError):
    """A spec that cannot be read or met: names the constraint that fails and by how much."""


class RunError(FactoryError):
    """A run folder that cannot be used: another spec's, changed inputs, damaged, not writable."""


class RubricError(FactoryError):
    """A rubric that does not pass its reference recovery or does not fail a wrong one."""


class BlindingError(FactoryError):
    """Something that was not heard was about to reach the caller's side."""


class Unfinished(FactoryError):
    """A build that ended before it was done: what was built is kept, and the same command goes on. Exit code 3."""
