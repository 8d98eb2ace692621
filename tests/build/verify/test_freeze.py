"""Attacks on the freeze: what a published root or commitment catches, and what the chain of versions does."""

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from factory.build.steps import write_checksums
from factory.build.verify import verify_run
from factory.build.verify.freeze import Published, freeze_faults
from factory.errors import RunError
from factory.records.freeze import Commitment, ItemProof
from factory.records.run import EarlierFreeze, Manifest
from factory.run.commitment import write_commitment
from factory.run.files import write_text
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.run.freeze import frozen_item, leaf_of, manifest_root
from factory.run.prove import proof_faults, prove_item
from factory.run.versions import freeze_result, unfreeze
from tests.build.builds import COMPARED, contents, difference, factory
from tests.build.verify.runs import Run

SALT = "5a" * 32
DAY = date(2026, 3, 1)
REASON = "A rubric asked for the wrong date"
INLINE = ("--engine", "inline", "--no-audio")


def root_of(run: Run) -> str:
    return run.folder.manifest().root


def ids_of(run: Run) -> list[str]:
    return list(run.folder.manifest().items)


def rewrite(run: Run, manifest: Manifest) -> None:
    """Puts another manifest in place, with its root and all checksums taken anew: as consistent as a cheat can be."""
    consistent = manifest.model_copy(update={"root": manifest_root(manifest.items, manifest.earlier)})
    write_text(run.folder.manifest_file, consistent.model_dump_json(indent=1) + "\n")
    write_checksums(run.folder)


def change_a_rubric(run: Run) -> str:
    """Changes a rubric in the log, and every digest of the freeze with it; returns the item's id."""
    run.edit_lines(run.log, lambda lines: lines[-1]["items"][0]["task_fulfilment"].update(text="Is it the new one?"))
    item = read_finished(run.folder, run.ids[1]).items[0]
    manifest = run.folder.manifest()
    rewrite(run, manifest.model_copy(update={"items": manifest.items | {item.item_id: frozen_item(item)}}))
    return item.item_id


def faults(run: Run, published: Published) -> list[str]:
    return list(freeze_faults(run.folder, run.folder.manifest(), published))


def second_version(run: Run) -> Manifest:
    """Gives the freeze up and puts the same items under a second one, without building anything."""
    first = run.folder.manifest()
    unfrozen = EarlierFreeze(version=1, root=first.root, reason=REASON)
    run.folder.earlier.mkdir()
    for file in (run.folder.manifest_file, run.folder.commitment_file, run.folder.opening_file):
        if file.exists():
            shutil.copy(file, run.folder.earlier_file(file, 1))
    write_text(run.folder.unfrozen_file, unfrozen.model_dump_json())
    rewrite(run, first.model_copy(update={"earlier": (unfrozen,)}))
    return run.folder.manifest()


class TestARootThatWasPublished:
    def test_is_the_runs_own(self, run: Run) -> None:
        assert verify_run(run.path, published=Published(root_of(run))) == []

    def test_catches_a_rubric_that_was_changed_with_every_digest_recomputed(self, run: Run) -> None:
        published = Published(root_of(run))
        change_a_rubric(run)
        assert faults(run, Published()) == []
        (fault,) = faults(run, published)
        assert fault.startswith("manifest.json: is not the freeze with the published root")
        assert fault in verify_run(run.path, published=published)

    def test_catches_items_that_changed_places(self, run: Run) -> None:
        published, manifest = Published(root_of(run)), run.folder.manifest()
        one, two = list(manifest.items)[:2]
        swapped = manifest.items | {one: manifest.items[two], two: manifest.items[one]}
        rewrite(run, manifest.model_copy(update={"items": swapped}))
        assert faults(run, Published()) == [] != faults(run, published)

    def test_catches_an_item_that_was_taken_out(self, run: Run) -> None:
        published, manifest = Published(root_of(run)), run.folder.manifest()
        rewrite(run, manifest.model_copy(update={"items": dict(list(manifest.items.items())[1:])}))
        assert faults(run, Published()) == [] != faults(run, published)


class TestACommitment:
    @pytest.fixture
    def committed(self, run: Run) -> Published:
        return Published(commitment=write_commitment(run.folder, SALT, DAY), name="published.json")

    def test_is_opened_by_the_run(self, run: Run, committed: Published) -> None:
        assert verify_run(run.path, published=committed) == []

    def test_tells_neither_root_nor_salt_nor_anything_that_a_guess_can_be_tried_on(
        self, run: Run, committed: Published
    ) -> None:
        text = run.folder.commitment_file.read_text()
        manifest = run.folder.manifest()
        assert SALT not in text and manifest.root not in text
        run.folder.commitment_file.unlink()
        run.folder.opening_file.unlink()
        other = write_commitment(run.folder, "00" * 32, DAY)
        assert committed.commitment is not None and other.seal != committed.commitment.seal

    def test_catches_a_rubric_that_was_changed_with_every_digest_recomputed(
        self, run: Run, committed: Published
    ) -> None:
        change_a_rubric(run)
        assert "published.json: commits to another freeze, with the root" in "\n".join(faults(run, committed))

    def test_cannot_be_opened_to_another_root(self, run: Run, committed: Published) -> None:
        change_a_rubric(run)
        run.edit_json(run.folder.opening_file, lambda data: data.update(root=root_of(run)))
        assert "published.json: opening.json is missing, or does not open it" in "\n".join(faults(run, committed))

    @pytest.mark.parametrize("change", [{"salt": "00" * 32}, {"items": 1}, {"committed_on": None}, {"spec": "other"}])
    def test_is_opened_by_nothing_else(self, run: Run, committed: Published, change: dict[str, object]) -> None:
        run.edit_json(run.folder.opening_file, lambda data: data.update(change))
        assert len(faults(run, committed)) == 2  # the published one, and the folder's own

    def test_without_its_opening_shows_nothing(self, run: Run, committed: Published) -> None:
        run.folder.opening_file.unlink()
        assert "published.json: opening.json is missing" in "\n".join(faults(run, committed))

    def test_that_tells_a_wrong_number_of_items_is_a_fault(self, run: Run) -> None:
        write_commitment(run.folder, SALT, DAY)
        run.edit_json(run.folder.opening_file, lambda data: data.update(items=3))
        run.folder.commitment_file.unlink()
        write_commitment(run.folder, SALT, None)
        (fault,) = faults(run, Published())
        assert fault == "commitment.json: number of items, spec or version are not those of the run"

    def test_is_written_once_and_a_kill_between_its_files_is_put_right(self, run: Run, committed: Published) -> None:
        before = run.folder.commitment_file.read_bytes()
        write_commitment(run.folder, "00" * 32, None)
        assert run.folder.commitment_file.read_bytes() == before
        run.folder.commitment_file.unlink()
        write_commitment(run.folder, "00" * 32, DAY)
        assert run.folder.commitment_file.read_bytes() == before
        with pytest.raises(RunError, match="a commitment never changes"):
            write_commitment(run.folder, SALT, date(2026, 2, 1))

    def test_is_never_replaced_when_its_opening_is_lost_or_another_ones(self, run: Run, committed: Published) -> None:
        change_a_rubric(run)
        with pytest.raises(RunError, match="opens a commitment to another freeze"):
            write_commitment(run.folder, SALT, DAY)
        run.folder.opening_file.unlink()
        with pytest.raises(RunError, match="nothing else opens"):
            write_commitment(run.folder, SALT, DAY)

    def test_to_a_version_that_was_given_up_says_so(self, run: Run, committed: Published) -> None:
        second_version(run)
        run.folder.commitment_file.unlink()
        run.folder.opening_file.unlink()
        assert faults(run, committed) == [f"published.json: commits to version 1, which was given up: {REASON}"]


class TestVersions:
    def test_that_are_all_there_hold(self, run: Run) -> None:
        manifest = second_version(run)
        assert verify_run(run.path) == []
        told = freeze_result(run.folder)
        assert (told.version, told.root, told.faults) == (2, manifest.root, ())
        assert [(given_up.version, given_up.reason) for given_up in told.earlier] == [(1, REASON)]

    def test_a_version_left_out_is_caught_by_the_published_root(self, run: Run) -> None:
        published = Published(second_version(run).root)
        rewrite(run, run.folder.manifest().model_copy(update={"earlier": ()}))
        shutil.rmtree(run.folder.earlier)
        assert faults(run, Published()) == [] != faults(run, published)

    def test_a_version_left_out_of_the_manifest_alone_is_caught_by_its_file(self, run: Run) -> None:
        second_version(run)
        rewrite(run, run.folder.manifest().model_copy(update={"earlier": ()}))
        assert "earlier/manifest.v1.json: is of no version that manifest.json lists" in verify_run(run.path)

    def test_another_reason_is_another_root(self, run: Run) -> None:
        second_version(run)
        run.edit_json(run.folder.manifest_file, lambda data: data["earlier"][0].update(reason="A typing error"))
        assert "manifest.json: the root is not the digest" in "\n".join(verify_run(run.path))

    def test_a_manifest_that_is_gone_or_changed_is_named(self, run: Run) -> None:
        second_version(run)
        kept = run.folder.earlier_file(run.folder.manifest_file, 1)
        run.edit_json(kept, lambda data: data["items"].popitem())
        text = "earlier/manifest.v1.json: is not the version that manifest.json lists under that number"
        assert text in verify_run(run.path)
        kept.write_text("{}")
        assert any("manifest.v1.json: damaged" in fault for fault in verify_run(run.path))
        kept.unlink()
        assert "earlier/manifest.v1.json: is missing" in verify_run(run.path)

    def test_an_answer_to_the_old_version_is_caught_by_its_root(self, run: Run, tmp_path: Path) -> None:
        old = root_of(run)
        second_version(run)
        answers = tmp_path / "answers.jsonl"
        answers.write_text(answer(ids_of(run)[0], old) + answer(ids_of(run)[0], root_of(run)))
        ended = factory("verify", run.path, "--answers", answers)
        assert ended.code == 1
        assert f"answers.jsonl:1: {ids_of(run)[0]} by target-a: answers version 1, which was given up: {REASON}" in (
            ended.out.splitlines()
        )


class TestUnfreezing:
    def test_a_changed_freeze_is_refused_without_it(self, run: Run, spec: Path) -> None:
        change_a_rubric(run)
        manifest = run.folder.manifest()
        shrunk = manifest.model_copy(update={"items": dict(list(manifest.items.items())[1:])})
        rewrite(run, shrunk)
        ended = factory("build", spec, "--out", run.path, *INLINE)
        assert ended.code == 2 and "frozen items never change" in ended.error and "--unfreeze" in ended.error

    def test_makes_a_version_that_tells_of_the_one_before(self, run: Run, spec: Path) -> None:
        old = run.folder.manifest_file.read_bytes()
        root, log = root_of(run), run.log.read_bytes()
        again = ("build", spec, "--out", run.path, *INLINE, "--seed", "1", "--unfreeze", REASON)
        ended = factory(*again)
        assert ended.code == 0 and "version 2" in ended.out, ended.err
        manifest = run.folder.manifest()
        assert manifest.earlier == (EarlierFreeze(version=1, root=root, reason=REASON),)
        assert run.folder.earlier_file(run.folder.manifest_file, 1).read_bytes() == old
        assert manifest.root != root and run.log.read_bytes() != log
        assert verify_run(run.path) == []
        before = contents(run.path)
        assert factory(*again).code == 0 and contents(run.path) == before  # the same command again makes no third one
        assert factory(*again[:-2]).code == 0 and contents(run.path) == before

    def test_the_same_items_under_another_version_have_another_root(self, run: Run, spec: Path) -> None:
        first = run.folder.manifest()
        for reason in (REASON, "And another one"):
            ended = factory("build", spec, "--out", run.path, *INLINE, "--unfreeze", reason)
            assert ended.code == 0, ended.err
        third = run.folder.manifest()
        assert third.items == first.items and third.version == 3
        assert [given_up.reason for given_up in third.earlier] == [REASON, "And another one"]
        assert verify_run(run.path) == []

    def test_goes_on_after_a_kill_at_either_side_of_the_clearing(self, run: Run, spec: Path) -> None:
        manifest, identity = run.folder.manifest_file.read_bytes(), run.folder.identity()
        assert unfreeze(run.folder, identity, REASON)
        assert not run.folder.manifest_file.exists() and not run.folder.blueprints_file.exists()
        run.folder.manifest_file.write_bytes(manifest)  # as a kill before the clearing leaves it
        assert unfreeze(run.folder, identity, REASON)
        assert not unfreeze(run.folder, identity, REASON)
        with pytest.raises(RunError, match="give that reason to go on"):
            unfreeze(run.folder, identity, "Another")
        run.folder.identity_file.unlink()  # as a kill within the clearing leaves it
        assert factory("build", spec, "--out", run.path, *INLINE).code == 0
        assert run.folder.manifest().version == 2 and verify_run(run.path) == []

    def test_nothing_frozen_and_no_reason_are_errors(self, run: Run, tmp_path: Path) -> None:
        with pytest.raises(RunError, match="nothing is frozen here"):
            unfreeze(RunFolder(tmp_path / "none"), run.folder.identity(), REASON)
        for reason in ("", " ", "two\nlines", "\x1b[31m", "x" * 401):
            with pytest.raises(RunError, match="needs a reason"):
                unfreeze(run.folder, run.folder.identity(), reason)

    def test_a_damaged_freeze_is_not_given_up(self, run: Run) -> None:
        run.edit_json(run.folder.manifest_file, lambda data: data.update(root="0" * 64))
        with pytest.raises(RunError, match="the root is not the digest"):
            unfreeze(run.folder, run.folder.identity(), REASON)
        assert run.log.exists()

    def test_the_commitment_goes_with_the_version_and_fresh_forgets_neither(self, run: Run, spec: Path) -> None:
        commitment = write_commitment(run.folder, SALT, DAY)
        ended = factory("build", spec, "--out", run.path, *INLINE, "--fresh")
        assert ended.code == 2 and "--fresh would forget it" in ended.error
        assert unfreeze(run.folder, run.folder.identity(), REASON)
        assert not run.folder.commitment_file.exists() and not run.folder.opening_file.exists()
        kept = run.folder.earlier_file(run.folder.commitment_file, 1).read_bytes()
        assert Commitment.from_json(kept) == commitment
        ended = factory("build", spec, "--out", run.path, *INLINE, "--fresh")
        assert ended.code == 2 and "--fresh would forget it" in ended.error


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


def answer(item_id: str, root: str, model: str = "target-a", at: str = "2026-03-02T10:00:00Z") -> str:
    told = {"item_id": item_id, "root": root, "model": model, "response": "Yes.", "answered_at": at}
    return json.dumps(told) + "\n"


class TestTheCommandLine:
    def test_a_commitment_leaves_every_other_byte_as_it_is(self, spec: Path, silent: Path, tmp_path: Path) -> None:
        out = tmp_path / "run"
        ended = factory("build", spec, "--out", out, *INLINE, "--commit", "--date", "2026-03-01")
        assert ended.code == 0, ended.err
        assert difference(silent, out) == []
        opening = json.loads((out / "opening.json").read_text())
        assert opening["committed_on"] == "2026-03-01"
        assert not any(opening["salt"].encode() in data for data in contents(out, COMPARED).values())
        before = contents(out, ("commitment.json", "opening.json"))
        assert factory("build", spec, "--out", out, *INLINE, "--commit").code == 0
        assert contents(out, ("commitment.json", "opening.json")) == before != {}
        published = Path(shutil.copy(out / "commitment.json", tmp_path / "published.json"))
        root = json.loads((out / "manifest.json").read_text())["root"]
        assert f"frozen under {root}" in ended.out
        assert factory("verify", out, "--commitment", published, "--root", root).code == 0

    def test_two_commitments_to_the_same_corpus_have_different_seals(self, silent: Path, tmp_path: Path) -> None:
        from factory.build.commit import commit_to

        seals = set()
        for name in ("a", "b"):
            out = Path(shutil.copytree(silent, tmp_path / name))
            commit_to(out, None)
            seals.add(json.loads((out / "commitment.json").read_text())["seal"])
        assert len(seals) == 2

    def test_answers_are_counted_and_each_refused_one_is_named(self, run: Run, tmp_path: Path) -> None:
        write_commitment(run.folder, SALT, DAY)
        one, two = ids_of(run)[:2]
        path = tmp_path / "answers.jsonl"
        path.write_text(
            answer(one, root_of(run))
            + answer(one, root_of(run), at="2026-02-28T10:00:00Z", model="back-dated")
            + answer(two, "b" * 64)
            + answer(one, root_of(run))
        )
        ended = factory("verify", run.path, "--answers", path)
        assert ended.code == 1
        assert ended.out.splitlines() == [
            f"{path}: answers accepted: 1, refused: 3",
            f"answers.jsonl:2: {one} by back-dated: is of 2026-02-28, and the freeze was committed to on 2026-03-01",
            f"answers.jsonl:3: {two} by target-a: names another root, {'b' * 64}",
            f"answers.jsonl:4: {one} by target-a: was answered before",
            f"{run.path}: faults found: 3",
        ]
        path.write_text(answer(one, root_of(run)) + answer(two, root_of(run)))
        ended = factory("verify", run.path, "--answers", path)
        assert (ended.code, ended.out.splitlines()) == (
            0,
            [f"{path}: answers accepted: 2, refused: 0", f"{run.path}: everything holds"],
        )

    @pytest.mark.parametrize(
        "options",
        [
            ("--proof", "p.json"),
            ("--root", "abc"),
            ("--commitment", "none.json"),
            ("--answers", "none.jsonl"),
            ("--item", "x#1", "--answers", "a"),
        ],
    )
    def test_options_that_cannot_be_are_one_error(self, run: Run, options: tuple[str, ...]) -> None:
        ended = factory("verify", run.path, *options, cwd=run.path.parent, PYTHONPATH=str(Path(__file__).parents[3]))
        assert ended.code == 2 and ended.error

    @pytest.mark.parametrize(
        "options",
        [
            ("--date", "2026-03-01"),
            ("--commit", "--date", "yesterday"),
            ("--fresh", "--unfreeze", "x"),
            ("--unfreeze", ""),
        ],
    )
    def test_orders_that_cannot_be_change_nothing(self, run: Run, spec: Path, options: tuple[str, ...]) -> None:
        before = contents(run.path)
        ended = factory("build", spec, "--out", run.path, *INLINE, *options)
        assert ended.code == 2 and ended.error
        assert contents(run.path) == before
