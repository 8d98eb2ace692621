"""Rubrics that are changed when they should stand, and answers that should not count."""

import json
from collections.abc import Callable, Set
from dataclasses import dataclass
from datetime import date
from typing import Any

from factory.audit.findings import Kind
from factory.build.verify.freeze import Published, freeze_faults
from factory.records.base import canonical_json, sha256
from factory.records.run import EarlierFreeze, FrozenItem
from factory.run.answers import Refusal, Refused, accept_answers
from factory.run.commitment import read_commitment, write_commitment
from factory.run.finished import read_finished
from factory.run.folder import RunFolder
from factory.run.freeze import frozen_item
from tests.audit.runs import (
    OTHER,
    Line,
    first_of,
    ledgers,
    read_ledger,
    read_of,
    refreeze,
    reseal,
    rewrite_conversations,
)

from .attack import Attack, Caught, Seen, Stage, Way, Who, caught_in, report_on
from .behind import fit_view

SALT, DAY = "5a" * 32, date(2026, 3, 1)
NEW = "Is it the new one?"
Change = Callable[[RunFolder], None]
Answers = list[dict[str, Any]]


@dataclass(frozen=True)
class InFreeze(Way[Change]):
    """What is frozen is changed, as consistently as one can, and the run is audited by somebody.

    Attributes:
        knows: What they know of the freeze from before: its root, its commitment, or nothing.
    """

    knows: Seen | None = None

    def go(self, stage: Stage, cheat: Change | None) -> Set[Caught]:
        folder = stage.copy("plain")
        write_commitment(folder, SALT, DAY)
        known = Published(
            root=folder.manifest().root if self.knows is Seen.PUBLISHED_ROOT else None,
            commitment=read_commitment(folder.commitment_file) if self.knows is Seen.COMMITMENT else None,
            name="published.json",
        )
        if cheat is not None:
            cheat(folder)
        caught = caught_in(report_on(folder))
        if self.knows is not None:
            own, all_faults = (set(freeze_faults(folder, folder.manifest(), about)) for about in (Published(), known))
            caught |= {self.knows} if all_faults - own else set()
        return caught


@dataclass(frozen=True)
class InAnswers(Way[Callable[[Answers], None]]):
    """Answers to frozen items are handed in, which was committed to on a day."""

    def go(self, stage: Stage, cheat: Callable[[Answers], None] | None) -> Set[Caught]:
        folder = stage.copy("plain")
        commitment, manifest = write_commitment(folder, SALT, DAY), folder.manifest()
        answers: Answers = [
            {
                "item_id": name,
                "root": manifest.root,
                "model": "a",
                "response": "Of course.",
                "answered_at": f"{DAY}T09:00Z",
            }
            for name in manifest.items
        ]
        if cheat is not None:
            cheat(answers)
        lines = [json.dumps(answer).encode() for answer in answers]
        found = accept_answers(manifest, lines, commitment)
        refusals: set[Caught] = {answer.refusal for answer in found if isinstance(answer, Refused)}
        path = stage.path / "answers.jsonl"
        path.write_bytes(b"\n".join(lines))
        caught = caught_in(report_on(folder, answers=path))
        assert caught == refusals  # the audit refuses what `accept_answers` does, and says nothing else of the corpus
        return caught


@dataclass(frozen=True)
class InRubric(Way[Callable[[Line, str], None]]):
    """A line of a rubric writer's is changed after a target has answered its item."""

    def go(self, stage: Stage, cheat: Callable[[Line, str], None] | None) -> Set[Caught]:
        folder = stage.copy("plain")
        path, response = ledgers(folder)[0], "Sure, let me pick that up where we were."
        lines = read_ledger(path)
        writer = first_of(lines, "rubric_writer")
        if cheat is not None:
            cheat(writer, response)
        reseal(folder, path, lines)
        # Whoever forges the ledger has the freeze's root forged with it, and names that one.
        manifest = folder.manifest()
        item = f"{path.stem}#{int(str(writer['round'])) + 1}"
        answer = {
            "item_id": item, "root": manifest.root, "model": "a", "response": response, "answered_at": f"{DAY}T09:00Z",
        }  # fmt: skip
        answers = stage.path / "answers.jsonl"
        answers.write_text(json.dumps(answer))
        return caught_in(report_on(folder, answers=answers))


def _refrozen(
    folder: RunFolder, change: Callable[[dict[str, FrozenItem]], None], earlier: tuple[EarlierFreeze, ...] = ()
) -> None:
    """Writes the manifest anew, with its root and the run's own commitment made to fit."""
    items = dict(folder.manifest().items)
    change(items)
    refreeze(folder, items=items, earlier=earlier)
    folder.commitment_file.unlink()
    folder.opening_file.unlink()
    write_commitment(folder, SALT, DAY)


def _first(folder: RunFolder) -> str:
    return next(iter(folder.manifest().items))


def _change_log(folder: RunFolder, part: str, text: str) -> FrozenItem:
    """Changes the first item where it stands in full; returns its digests as they are then."""
    item_id = _first(folder)
    conversation_id = item_id.rpartition("#")[0]
    path = folder.conversation_file(conversation_id)
    *lines, last = [json.loads(line) for line in path.read_text().splitlines()]
    turn = int(item_id.rpartition("#")[2])
    found = next(item for item in last["items"] if item["turn"] == turn)
    (found[part] if part == "task_fulfilment" else found[part][0])["text"] = text
    path.write_text("".join(f"{canonical_json(line)}\n" for line in (*lines, last)))
    return frozen_item(next(i for i in read_finished(folder, conversation_id).items if i.item_id == item_id))


def _changed(part: str) -> Change:
    """Changes an item in the log and every digest of the freeze with it; the ledger stays as it is."""

    def change(folder: RunFolder) -> None:
        frozen = _change_log(folder, part, NEW)
        _refrozen(folder, lambda items: items.update({_first(folder): frozen}))

    return change


def _changed_in_the_chain_too(folder: RunFolder) -> None:
    """The same, published, with the ledger forged as well: both writers' lines, chain, head and root."""
    item_id, old = _first(folder), folder.manifest().items[_first(folder)]
    frozen = _change_log(folder, "task_fulfilment", NEW)
    conversation_id, _, turn = item_id.rpartition("#")
    rewrite_conversations(
        folder,
        lambda row: row.update({f"turn_{turn}_tf_rubric": NEW} if row["conversation_id"] == conversation_id else {}),
    )
    path = folder.ledger_file(conversation_id)
    lines = read_ledger(path)
    for line in lines:
        for read in (*line["reads"], line["wrote"]):  # type: ignore[misc]
            if read["content"] == old.rubric:
                read["content"] = frozen.rubric
        if line["role"] == "control_writer":
            fit_view(line)
    reseal(folder, path, lines)
    _refrozen(folder, lambda items: items.update({item_id: frozen}))


def _taken_out(folder: RunFolder) -> None:
    first = _first(folder)
    _refrozen(folder, lambda items: items.__delitem__(first))


def _put_in(folder: RunFolder) -> None:
    frozen = FrozenItem(rubric=OTHER, wording=OTHER, controls=OTHER, item=OTHER)
    _refrozen(folder, lambda items: items.update({"nobody#1": frozen}))


def _without_root(folder: RunFolder) -> None:
    """Changes an item and leaves the root that was published."""
    old = folder.manifest()
    frozen = old.items[_first(folder)].model_copy(update={"rubric": OTHER})
    new = old.model_copy(update={"items": old.items | {_first(folder): frozen}})
    folder.manifest_file.write_text(new.model_dump_json())


def _invented_version(folder: RunFolder) -> None:
    """Says that there was a version before, of which there is nothing."""
    _refrozen(folder, lambda items: None, (EarlierFreeze(version=1, root=OTHER, reason="It was wrong."),))


def _none(folder: RunFolder) -> None:
    folder.manifest_file.unlink()


def _without_an_answer_root(answers: Answers) -> None:
    del answers[0]["root"]


def _of_another_freeze(answers: Answers) -> None:
    answers[0]["root"] = OTHER


def _back_dated(answers: Answers) -> None:
    answers[0]["answered_at"] = "2026-02-28T23:59Z"


def _dated_later(answers: Answers) -> None:
    """Whoever made it before had no root to name, and gives it the root now."""
    answers[0]["answered_at"] = "2027-01-01T09:00Z"


def _without_a_zone(answers: Answers) -> None:
    answers[0]["answered_at"] = "2026-03-01T09:00"


def _to_nothing_frozen(answers: Answers) -> None:
    answers[0]["item_id"] = "nobody#1"


def _again(answers: Answers) -> None:
    answers.append(answers[0] | {"response": "Or better so."})


def _with_a_rubric(answers: Answers) -> None:
    answers[0]["rubric"] = "Anything will do."


def _rubric_after_the_answer(writer: Line, response: str) -> None:
    """The rubric is written from what the target said, and calls it the order of the round."""
    read_of(writer, "blueprint_round")["content"] = sha256(canonical_json(response))
    fit_view(writer)


def _frozen(change: Change, name: str, *by: Caught, knows: Seen | None = None) -> Attack[Change]:
    return Attack(name, Who.BUILDER, frozenset(by), InFreeze(knows), change)


def _answered(change: Callable[[Answers], None], name: str, by: Refusal) -> Attack[Callable[[Answers], None]]:
    return Attack(name, Who.EVALUATOR, frozenset({by}), InAnswers(), change)


ATTACKS = (
    _frozen(
        _changed("task_fulfilment"),
        "changes a rubric after the freeze, with digest and root computed anew",
        Kind.FREEZE_DIFFERS,
    ),
    _frozen(
        _changed("controls"),
        "changes controls after the freeze, with digest and root computed anew",
        Kind.FREEZE_DIFFERS,
    ),
    _frozen(
        _changed_in_the_chain_too,
        "changes a rubric after its root was published, with freeze and ledger made to fit",
        Seen.PUBLISHED_ROOT,
        knows=Seen.PUBLISHED_ROOT,
    ),
    _frozen(
        _changed_in_the_chain_too,
        "changes a rubric after it was committed to, with freeze and ledger made to fit",
        Seen.COMMITMENT,
        knows=Seen.COMMITMENT,
    ),
    _frozen(_without_root, "changes a rubric, and leaves the root", Kind.FREEZE_DIFFERS),
    _frozen(_taken_out, "takes an item out of the freeze", Kind.FREEZE_DIFFERS),
    _frozen(_put_in, "freezes an item that nobody wrote", Kind.FREEZE_DIFFERS),
    _frozen(_invented_version, "tells of an earlier version that never was", Kind.FREEZE_DIFFERS),
    _frozen(_none, "freezes nothing", Kind.FREEZE_MISSING),
    _answered(_without_an_answer_root, "hands in an answer that names no root", Refusal.WITHOUT_ROOT),
    _answered(_of_another_freeze, "hands in an answer to another freeze", Refusal.ANOTHER_ROOT),
    _answered(_back_dated, "hands in an answer of before the commitment's day", Refusal.OLDER_THAN_FREEZE),
    _answered(_without_a_zone, "hands in an answer of nobody knows which hour", Refusal.DAMAGED),
    _answered(_to_nothing_frozen, "hands in an answer to an item that is not frozen", Refusal.NOT_FROZEN),
    _answered(_again, "hands in a second, better answer", Refusal.ANSWERED_TWICE),
    _answered(_with_a_rubric, "hands in a rubric of its own with an answer", Refusal.DAMAGED),
    Attack(
        "has a rubric written from a target's answer",
        Who.BUILDER,
        frozenset({Kind.CONTENT_DIFFERS, Kind.PATH_LEAKS}),
        InRubric(),
        _rubric_after_the_answer,
    ),
)

PASSES = (
    _frozen(_changed_in_the_chain_too, "changes a rubric, freeze and ledger, and no root was published before"),
    Attack("hands in an answer from before, dated later", Who.EVALUATOR, frozenset(), InAnswers(), _dated_later),
)
"""What nothing catches."""
