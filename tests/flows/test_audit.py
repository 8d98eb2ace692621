"""The audit as a flow: what the inline audit says, with verdict, matrix and findings kept by Prefect."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from factory.audit.report import write_flow_report
from factory.dataset.write import TURNS
from factory.run.folder import RunFolder
from flows.audit import audit_with_prefect
from flows.server import flow_server
from tests.audit.runs import rewrite
from tests.flows.conftest import ask

ARTIFACTS = {"flow_runs": {"name": {"any_": ["small"]}}}


@pytest.fixture(scope="module")
def audited(silent: Path, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run in which a caller's words were changed after the fact, audited under Prefect."""
    folder = RunFolder(Path(shutil.copytree(silent, tmp_path_factory.mktemp("audit") / "run")))
    rewrite(folder.dataset / TURNS, lambda row: row.update(text=row["text"] + " [x](javascript:1)"))
    report = audit_with_prefect(folder, partial(write_flow_report, folder))
    assert not report.clean
    return folder


@pytest.fixture(scope="module")
def artifacts(audited: RunFolder) -> dict[str, dict[str, object]]:
    """What the audit's own server kept, by key."""
    with flow_server(audited.path / ".prefect") as server:
        assert server.own_api is not None
        (run,) = ask(server.own_api, "flow_runs/filter", ARTIFACTS)
        assert run["state_type"] == "COMPLETED"
        return {str(kept["key"]): kept for kept in ask(server.own_api, "artifacts/filter", ARTIFACTS)}


def test_it_writes_the_report_that_the_inline_audit_writes(audited: RunFolder) -> None:
    written = audited.flow_record.read_bytes()
    write_flow_report(audited)
    assert audited.flow_record.read_bytes() == written


def test_the_verdict_is_kept_with_what_it_rests_on(artifacts: dict[str, dict[str, object]]) -> None:
    assert str(artifacts["verdict"]["data"]).startswith("**not clean**\n\n- `")


def test_the_matrix_is_kept_as_a_table(audited: RunFolder, artifacts: dict[str, dict[str, object]]) -> None:
    report = json.loads(audited.flow_record.read_text())
    used = {(c["label"], c["role"]): c["used"] for c in report["matrix"] if c["used"]}
    table = {row["data"]: row for row in json.loads(str(artifacts["matrix"]["data"]))}
    assert {
        (label, role): n for label, row in table.items() for role, n in row.items() if isinstance(n, int) and n
    } == used


def test_the_findings_are_kept_with_their_place(artifacts: dict[str, dict[str, object]]) -> None:
    rows = json.loads(str(artifacts["findings"]["data"]))
    assert rows and all(row["kind"] and row["where"] and row["what"] for row in rows)
