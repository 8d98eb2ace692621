"""What the flow report says of an honest run, and what it is computed from."""

import shutil
from collections.abc import Callable
from pathlib import Path

from factory.audit.flow import FlowReport
from factory.audit.policy import Channel, may_read
from factory.audit.report import write_flow_report
from factory.records.ledger import USER_SIDE, Label, Role
from factory.run.folder import RunFolder

from .runs import kinds, ledgers, read_ledger

Copied = Callable[[RunFolder], RunFolder]


def test_an_honest_run_is_clean_and_everything_in_it_is_counted(run: RunFolder) -> None:
    report = write_flow_report(run)
    lines = [line for path in ledgers(run) for line in read_ledger(path)]
    caller_side = [line for line in lines if line["role"] in {role.value for role in USER_SIDE}]

    assert report.clean and kinds(report) == set()
    assert report.conversations == report.chain.conversations == report.chain.unbroken == 4
    assert report.chain.lines == len(lines)
    assert report.inputs.calls == len(caller_side) == 76
    assert report.inputs.rebuilt == report.inputs.equal == report.inputs.unmoved == 76
    assert report.inputs.differing == report.inputs.rewound == 0
    assert (report.heard.turns, report.heard.cut, report.heard.agreeing) == (38, 14, 38)


def test_the_verdict_says_what_it_rests_on(run: RunFolder) -> None:
    report = write_flow_report(run)
    assert report.verdict == (
        "clean: 76 of 76 caller-side inputs rebuilt from the published files with the ledger's digest, "
        f"76 unmoved by other undelivered words; no path from 78 withheld sources to any of 76 role calls; "
        f"14 of 14 rubrics in the chain and frozen under root {run.manifest().root[:16]}; "
        f"4 chains unbroken up to root {report.chain.root[:16]}; "
        "canaries: not planted in this run"
    )


def test_the_matrix_holds_every_role_and_label_with_the_reads_of_the_ledger(run: RunFolder) -> None:
    report = write_flow_report(run)
    cells = {(cell.role, cell.label): cell for cell in report.matrix}
    reads = [
        (line["role"], read["label"])
        for path in ledgers(run)
        for line in read_ledger(path)
        for read in line["reads"]  # type: ignore[attr-defined]
    ]

    assert len(cells) == len(Role) * len(Label)
    for (role, label), cell in cells.items():
        assert cell.allowed == may_read(role, label)
        assert cell.used == reads.count((role.value, label.value))
        assert cell.violated == 0
    assert sum(cell.used for cell in report.matrix) == len(reads)


def test_declared_channels_are_counted(run: RunFolder) -> None:
    uses = {channel.name: channel.count for channel in write_flow_report(run).channels}
    assert uses == {
        Channel.CUT: 14,
        Channel.SPOKEN: 50,  # with the next: 38 turns, of which 14 count up to the onset and again up to the cut
        Channel.FILLER: 2,
        Channel.RELEASE: 38,
        Channel.ORDER: 38,
        Channel.RERUN: 0,
    }


def test_uses_of_a_channel_and_what_it_lowered_are_two_numbers_with_a_name_each(run: RunFolder) -> None:
    report = write_flow_report(run)
    cut = next(channel for channel in report.channels if channel.name is Channel.CUT)
    assert (cut.count, cut.unit) == (report.heard.cut, "utterances that were cut")
    assert len({channel.unit for channel in report.channels}) == len(Channel)
    # Each cut takes off what was said over and what was never said.
    assert report.graph.sources_lowered[Channel.CUT] == 2 * cut.count


def test_canaries_are_proved_planted_and_found_nowhere(canaried: RunFolder, copied: Copied) -> None:
    report = write_flow_report(copied(canaried))
    assert report.clean
    assert report.canary.planted
    assert report.canary.utterances == report.heard.cut == 14
    # Both inputs and the words of 38 caller turns, 76 messages, 4 calls, 14 recoveries.
    assert report.canary.searched == 3 * 38 + 76 + 4 + 14
    assert report.canary.found == 0
    assert "canaries: 0 found in 208 texts, planted in 14 cut utterances" in report.verdict


def test_the_record_can_be_read_back_and_equal_runs_give_equal_bytes(plain: RunFolder, tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        folder = RunFolder(Path(shutil.copytree(plain.path, tmp_path / name)))
        report = write_flow_report(folder)
        files = [(folder.reports / f"flow-report.{ending}").read_bytes() for ending in ("json", "html")]
        assert FlowReport.from_json(files[0]) == report
        written.append(files)
    assert written[0] == written[1]


def test_nothing_but_published_files_and_ledger_is_read(run: RunFolder) -> None:
    before = write_flow_report(run)
    shutil.rmtree(run.path / "conversations")
    run.blueprints_file.unlink()
    assert write_flow_report(run) == before
