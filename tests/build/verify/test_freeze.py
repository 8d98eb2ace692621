"""Attacks on the freeze: what a published root or commitment catches, and what the command line says of it."""

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from factory.build.verify import verify_run
from factory.build.verify.freeze import Published
from factory.errors import RunError
from factory.run.commitment import write_commitment
from tests.build.builds import COMPARED, contents, difference, factory
from tests.build.verify.freezes import (
    DAY,
    INLINE,
    REASON,
    SALT,
    answer,
    change_a_rubric,
    faults,
    ids_of,
    rewrite,
    root_of,
    second_version,
)
from tests.build.verify.runs import Run


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

    def test_catches_a_ledger_that_was_made_anew_with_every_digest_recomputed(self, run: Run) -> None:
        published = Published(root_of(run))
        run.edit_json(run.folder.ledger_root_file, lambda root: root.update(root="0" * 64))
        rewrite(run, run.folder.manifest().model_copy(update={"ledger": "0" * 64}))
        assert faults(run, Published()) == [] != faults(run, published)

    def test_is_not_the_ledgers(self, run: Run) -> None:
        manifest = run.folder.manifest()
        assert faults(run, Published(manifest.ledger)) == [
            "manifest.json: the root that was named is the ledger's; the freeze's, over it, is " + manifest.root
        ]

    def test_is_told_of_another_ledger_than_the_folder_holds(self, run: Run) -> None:
        run.edit_json(run.folder.ledger_root_file, lambda root: root.update(root="0" * 64))
        fault = "manifest.json: is over another ledger than the one that ledger/root.json holds"
        assert faults(run, Published()) == [fault]
        assert fault in verify_run(run.path)


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
