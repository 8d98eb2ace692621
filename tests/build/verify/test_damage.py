"""A run with one thing changed: what `verify` says of it."""

import pytest

from factory.build.checksums import write_checksums
from factory.build.verify import verify_run
from tests.build.verify.damage_to_logs import LOGS
from tests.build.verify.damage_to_plan import PLAN
from tests.build.verify.damage_to_tables import TABLES
from tests.build.verify.runs import Run

DAMAGES = LOGS | TABLES | PLAN


@pytest.mark.parametrize("name", DAMAGES)
def test_a_change_is_named_even_if_checksums_were_taken_again(run: Run, name: str) -> None:
    change, said = DAMAGES[name]
    change(run)
    write_checksums(run.folder)
    faults = "\n".join(verify_run(run.path))
    for words in said:
        assert words in faults


@pytest.mark.parametrize("name", sorted(set(DAMAGES) - {"report gone", "page of a call gone"}))
def test_a_change_is_named_by_its_file(run: Run, name: str) -> None:
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    DAMAGES[name][0](run)
    after = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    faults = verify_run(run.path)
    for path in changed:
        file = path.relative_to(run.path).as_posix()
        assert any(fault.startswith(f"{file}: ") for fault in faults), faults
