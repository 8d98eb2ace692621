"""What a report tells of an attack besides its name: where it is, how much it touches, and what still holds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from factory.audit.findings import Kind
from factory.audit.flow import FlowReport
from factory.dataset.parquet import Row
from factory.dataset.write import BASELINE
from factory.run.folder import RunFolder
from factory.simulate import loop
from factory.simulate.canary import canary_word
from factory.workflow.library import Library
from tests.audit.runs import (
    OTHER,
    Line,
    change_ledger,
    finished_run,
    first_of,
    interrupted,
    kinds,
    ledgers,
    read_ledger,
    read_of,
    reseal,
    rewrite,
    rewrite_conversations,
    rewrite_turn,
    write_ledger,
)
from tests.dataset.runs import SEED

from . import dataset, ledger, minds
from .attack import report_on


def forged(run: RunFolder, change: Callable[[list[Line]], None]) -> FlowReport:
    """The report on a run whose first ledger was changed, with chain, head and root made to fit."""
    change_ledger(run, change)
    return report_on(run)


class TestALedger:
    def test_an_edited_line_is_named_with_its_place(self, run: RunFolder) -> None:
        path = ledgers(run)[0]
        lines = read_ledger(path)
        lines[0]["engine"] = "code"  # which it may be, and was not
        write_ledger(path, lines)
        report = report_on(run)
        assert report.findings[0].message == "line 2 of the ledger does not hold the digest of line 1"
        assert report.findings[0].conversation_id == path.stem
        assert report.chain.unbroken == 3

    def test_forged_all_the_way_up_it_shows_another_root(self, run: RunFolder) -> None:
        """No finding: that is why the freeze's root is in the verdict, to be held against the published one."""
        old = run.manifest()
        report = forged(run, lambda lines: lines[0].update(engine="code"))
        assert report.clean and report.chain.unbroken == 4
        assert report.chain.root != old.ledger
        assert report.order.freeze is not None and report.order.freeze.root != old.root
        assert report.order.freeze.root[:16] in report.verdict

    def test_in_the_place_of_another_it_is_noticed(self, run: RunFolder) -> None:
        path, other = ledgers(run)[:2]
        reseal(run, path, read_ledger(other))
        assert kinds(report_on(run)) >= {Kind.LEDGER_FOREIGN, Kind.VIEW_DIFFERS}

    def test_a_violation_shows_in_the_matrix_and_is_told_in_words(self, run: RunFolder) -> None:
        def told(lines: list[Line]) -> None:
            read_of(first_of(lines, "reaction_planner"), "history_heard")["label"] = "history_as_meant"

        report = forged(run, told)
        violated = [cell for cell in report.matrix if cell.violated]
        assert [(c.role, c.label, c.violated) for c in violated] == [("reaction_planner", "history_as_meant", 1)]
        assert {finding.kind: finding.message for finding in report.findings} == {
            Kind.LABEL_NOT_ALLOWED: "the reaction_planner read history as meant (r0.0/heard)",
            Kind.CONTENT_DIFFERS: "the reaction_planner calls r0.0/heard history as meant, but it is history heard",
        }

    def test_a_differing_input_is_counted_as_such(self, run: RunFolder) -> None:
        inputs = forged(run, lambda lines: first_of(lines, "user").update(view=OTHER)).inputs
        assert (inputs.rebuilt, inputs.equal, inputs.differing) == (76, 75, 1)

    @pytest.mark.parametrize(
        ("change", "caught"),
        [
            (lambda reads: reads.pop(), Kind.READS_INCOMPLETE),
            (lambda reads: reads[-1].update(content=OTHER), Kind.CONTENT_DIFFERS),
        ],
    )
    def test_the_rest_of_a_cut_turn_is_a_read_of_the_assistants(
        self, run: RunFolder, change: Callable[[list[Line]], None], caught: Kind
    ) -> None:
        for path in ledgers(run):
            lines = read_ledger(path)
            for line in (line for line in lines if line["branch"] == "continuation"):
                assert line["reads"][-1]["label"] == "utterance_as_meant"  # type: ignore[index]
                change(line["reads"])  # type: ignore[arg-type]
            reseal(run, path, lines)
        assert kinds(report_on(run)) == {caught}

    def test_every_finding_is_in_the_conversation_that_was_changed(self, run: RunFolder) -> None:
        for attack in ledger.BY_CALLS[:3]:
            attack.cheat(lines := read_ledger(ledgers(run)[0]))
            reseal(run, ledgers(run)[0], lines)
        assert {finding.conversation_id for finding in report_on(run).findings} == {ledgers(run)[0].stem}


class TestADataset:
    def test_a_column_that_differs_is_named(self, run: RunFolder) -> None:
        def change(row: Row) -> None:
            for name in row:
                if name.endswith("_interruption_type") and row[name] == "pushback":
                    row[name] = "normal"

        rewrite_conversations(run, change)
        message = report_on(run).findings[0].message
        assert message == (
            "`user_turn_3_interruption_type` in conversations.parquet is “normal”, but `interruption_type` in "
            "turns.parquet is “pushback”"
        )

    def test_a_turn_whose_heard_text_does_not_fit_is_counted_out(self, run: RunFolder) -> None:
        agent, _ = interrupted(run)
        rewrite_turn(run, "agent", heard=agent["text"])
        report = report_on(run)
        assert report.heard.agreeing == report.heard.turns - 1

    @pytest.mark.parametrize(
        ("changed", "differing"),
        [
            ({"facts": [{"key": "code", "value": "12345"}]}, 2),
            ({"released": [{"kind": "move", "texts": ["I would rather not."]}]}, 1),  # the user never saw the lines
        ],
    )
    def test_only_inputs_that_held_what_was_changed_differ(
        self, run: RunFolder, changed: dict[str, object], differing: int
    ) -> None:
        rewrite_turn(run, "caller", **changed)
        assert report_on(run).inputs.differing == differing

    def test_an_intent_is_in_every_input_of_the_reaction_planners(self, run: RunFolder) -> None:
        def change(row: Row) -> None:
            row["user_intent"]["description"] = "Somebody else."  # type: ignore[index]

        rewrite_conversations(run, change)
        assert report_on(run).inputs.differing == 38

    def test_a_call_that_is_nowhere_is_missed_by_the_order(self, run: RunFolder) -> None:
        next(attack for attack in dataset.BY_CALLS if "dataset, ledger and root" in attack.name).cheat(run)
        report = report_on(run)
        assert report.conversations == 3
        assert "run.json orders 4 conversations, root.json names 3" in {finding.message for finding in report.findings}


class TestCanaries:
    def test_a_finding_names_the_writing(
        self, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        two = minds.one_mind(lambda: minds.HIDINGS["in base64"])()
        monkeypatch.setattr("factory.build.engine.ComposerAgent", two.agent)
        monkeypatch.setattr("factory.build.engine.ComposerCaller", two.caller)
        monkeypatch.setattr("factory.build.conversations.check_conversation", lambda _: ())
        monkeypatch.setattr("factory.simulate.turn.canary_in", lambda *_: None)
        report = report_on(finished_run(tmp_path / "run", library, canaries=True, limit=1))
        messages = {finding.message for finding in report.findings}
        assert "the caller says a canary, in base64" in messages
        assert "the user was given a canary, in base64" in messages

    def test_each_place_is_counted(self, canaried: RunFolder, copied: Callable[[RunFolder], RunFolder]) -> None:
        run = copied(canaried)

        def change(row: Row) -> None:
            row["knowledge_base"]["guidelines"].append(canary_word(SEED, str(row["conversation_id"])))  # type: ignore[index]

        rewrite_conversations(run, change)
        assert report_on(run).canary.found == 4
        rewrite(run.dataset / BASELINE, lambda row: row.update(response=f"One {canary_word(SEED, 'other')} please."))
        report = report_on(run)
        assert report.canary.found == 4 + report.heard.cut

    def test_a_build_that_planted_none_is_told_by_the_count(
        self, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(loop, "plant", lambda segments, canary: segments)
        folder = finished_run(tmp_path / "run", library, canaries=True, limit=2)
        assert report_on(folder).canary.utterances == 0


def test_inputs_that_hang_on_undelivered_words_are_counted(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were the inputs made from what was meant, an auditor would see them move with it."""
    folder = finished_run(tmp_path / "run", library, limit=2)
    monkeypatch.setattr("factory.dataset.rebuild.heard_of", lambda row: row.as_meant)
    report = report_on(folder)
    assert kinds(report) >= {Kind.UNDELIVERED_MATTERS, Kind.VIEW_DIFFERS}
    assert report.inputs.unmoved == report.inputs.rebuilt - 2 * report.heard.cut
