from pathlib import Path

import pytest

from factory.records.conversation import RerunReason
from factory.run.folder import RunFolder
from factory.workflow.library import Library
from tests.audit.runs import finished_run
from tests.faults import faulty

from .attack import Stage

FAULTS = [(2, RerunReason.CALLER_WORDING), (5, RerunReason.AGENT_WORDING)]


@pytest.fixture(scope="session")
def rewound(tmp_path_factory: pytest.TempPathFactory, library: Library) -> RunFolder:
    """A run in which each conversation was rewound twice; attacks copy it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("factory.build.conversations.check_conversation", faulty(FAULTS))
        return finished_run(tmp_path_factory.mktemp("rewound") / "run", library)


@pytest.fixture
def stage(
    tmp_path: Path,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
    plain: RunFolder,
    canaried: RunFolder,
    modelled: RunFolder,
    rewound: RunFolder,
) -> Stage:
    """What attacks are carried out on."""
    return Stage(tmp_path, library, monkeypatch, plain, canaried, modelled, rewound)
