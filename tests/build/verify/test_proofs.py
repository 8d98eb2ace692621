"""The proof of one item, which stands alone: it holds for that item under that root, and for nothing else."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from factory.records.freeze import ItemProof
from factory.run.finished import read_finished
from factory.run.freeze import leaf_of
from factory.run.prove import proof_faults, prove_item
from tests.build.builds import factory
from tests.build.verify.freezes import change_a_rubric, ids_of, root_of, second_version
from tests.build.verify.runs import Run


class TestTheProofOfAnItem:
    def proofs(self, run: Run) -> Iterator[ItemProof]:
        for item_id in ids_of(run):
            proof = prove_item(run.folder, item_id)
            assert proof is not None
            yield proof

    def test_holds_for_every_item_under_its_own_root_only(self, run: Run) -> None:
        for proof in self.proofs(run):
            assert proof_faults(proof, root_of(run)) == []
            assert proof_faults(proof, "0" * 64) != []
            assert "is the ledger's" in proof_faults(proof, proof.ledger)[0]

    def test_names_the_versions_before(self, run: Run) -> None:
        second_version(run)
        for proof in self.proofs(run):
            assert proof_faults(proof, root_of(run)) == []
            assert proof_faults(proof.model_copy(update={"earlier": ()}), root_of(run)) != []

    def test_does_not_hold_with_another_item_in_it(self, run: Run) -> None:
        one, two = list(self.proofs(run))[:2]
        assert proof_faults(one.model_copy(update={"item": two.item}), root_of(run)) == [
            f"{two.item.item_id}: is not the item that is frozen under this root"
        ]

    def test_does_not_hold_for_another_root_that_it_is_rewritten_for(self, run: Run) -> None:
        published, item_id = root_of(run), change_a_rubric(run)
        cheat = prove_item(run.folder, item_id)
        assert cheat is not None and proof_faults(cheat, root_of(run)) == []
        assert proof_faults(cheat, published) != []
        assert proof_faults(cheat.model_copy(update={"root": published}), published) != []

    def test_needs_every_field_as_it_is(self, run: Run) -> None:
        proof = list(self.proofs(run))[5]
        flipped = ("0" if proof.path[0][0] != "0" else "1") + proof.path[0][1:]
        for change in (
            {"place": proof.place + 1},
            {"items": proof.items + 1},
            {"items": 10**30},
            {"ledger": "0" * 64},
            {"path": proof.path[1:]},
            {"path": (flipped, *proof.path[1:])},
            {"item": proof.item.model_copy(update={"turn": proof.item.turn + 1})},
        ):
            assert proof_faults(proof.model_copy(update=change), root_of(run)) != []

    def test_is_not_made_of_a_log_that_was_changed(self, run: Run) -> None:
        run.edit_lines(run.log, lambda lines: lines[-1]["items"][0]["task_fulfilment"].update(text="Another?"))
        item_id = read_finished(run.folder, run.ids[1]).items[0].item_id
        ended = factory("verify", run.path, "--item", item_id, "--proof", run.path.parent / "proof.json")
        assert ended.code == 1 and "is not the item that is frozen under this root" in ended.out
        assert not (run.path.parent / "proof.json").exists()

    def test_goes_through_the_command_line(self, run: Run, tmp_path: Path) -> None:
        item_id, root, file = ids_of(run)[3], root_of(run), tmp_path / "proof.json"
        ended = factory("verify", run.path, "--item", item_id, "--proof", file, "--root", root)
        assert ended.code == 0, ended.err
        leaf = leaf_of(item_id, run.folder.manifest().items[item_id]).hex()
        assert f"leaf {leaf}" in ended.out and f"root {root}" in ended.out and ended.out.count("\npath ") >= 3
        shutil.rmtree(run.path)  # the proof stands alone
        ended = factory("verify", file, "--root", root)
        assert (ended.code, ended.out.splitlines()[-1]) == (0, f"{file}: the item is frozen under this root")
        assert factory("verify", file, "--root", "0" * 64).code == 1
        assert "name it with --root" in factory("verify", file).error

    def test_of_an_item_that_is_not_there_is_a_finding(self, run: Run) -> None:
        for item_id in ("nobody-0001#1", "../../etc#1", "\x1b[31m"):
            ended = factory("verify", run.path, "--item", item_id)
            assert ended.code == 1 and "\x1b" not in ended.out and "has no such frozen item" in ended.out

    @pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, '{"schema_version": 1}'])
    def test_from_a_file_that_is_none_is_one_error(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "proof.json").write_text(text)
        ended = factory("verify", tmp_path / "proof.json", "--root", "0" * 64)
        assert ended.code == 2 and "is no proof of an item" in ended.error
