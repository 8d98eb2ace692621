"""The versions of a freeze: none can be left out, and a new one tells of those before."""

import shutil
from pathlib import Path

import pytest

from factory.build.verify import verify_run
from factory.build.verify.freeze import Published
from factory.errors import RunError
from factory.records.freeze import Commitment
from factory.records.run import EarlierFreeze
from factory.run.commitment import write_commitment
from factory.run.folder import RunFolder
from factory.run.versions import freeze_result, unfreeze
from tests.build.builds import contents, factory
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


class TestVersions:
    def test_that_are_all_there_hold(self, run: Run) -> None:
        manifest = second_version(run)
        assert verify_run(run.path) == []
        told = freeze_result(run.folder, run.folder.manifest())
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
        assert ended.code == 2 and "what is frozen never changes" in ended.error and "--unfreeze" in ended.error

    def test_is_the_way_that_another_order_is_told_and_it_works(self, run: Run, spec: Path) -> None:
        order = ("build", spec, "--out", run.path, *INLINE, "--seed", "1")
        unbound = factory(*order)
        assert unbound.code == 2 and "--fresh" in unbound.error and "--unfreeze" not in unbound.error
        write_commitment(run.folder, SALT, DAY)
        bound = factory(*order)
        assert bound.code == 2 and "--unfreeze REASON" in bound.error and "--fresh" not in bound.error
        assert factory(*order, "--unfreeze", REASON).code == 0

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
