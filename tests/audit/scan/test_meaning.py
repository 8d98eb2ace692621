"""The sentence model, where it is installed; and a stand-in for it where the rules about it are looked at."""

import numpy as np
import pytest

from factory.audit.scan.background import Background
from factory.audit.scan.findings import LeakKind, Severity
from factory.audit.scan.meaning import Vector, installed_embedder
from factory.audit.scan.scan import scan_call
from tests.audit.scan.test_scan import call, turn


class Subjects:
    """Puts a text where the words of its subject say; two texts about one subject are the same to it."""

    SUBJECTS = (("ladder", "climb"), ("parrot", "bird"), ("invoice", "bill"))

    def vector(self, text: str) -> Vector:
        made = np.full(len(self.SUBJECTS) + 1, 0.01, dtype=np.float32)
        for index, words in enumerate(self.SUBJECTS):
            made[index] += any(word in text.lower() for word in words)
        made[-1] += not any(made > 0.5)
        return made / np.linalg.norm(made)


CUT = {"undelivered": "the technician brings his own ladder up there."}


def kinds(*turns: object) -> list[tuple[LeakKind, Severity]]:
    scanned = call(*turns)  # type: ignore[arg-type]
    return [(f.kind, f.severity) for f in scan_call(scanned, Background(), Subjects())]


def test_a_sentence_that_means_what_was_not_said_is_a_paraphrase() -> None:
    said = turn("As for the roof,", "Somebody would climb that wall by himself?", **CUT)
    assert kinds(said) == [(LeakKind.PARAPHRASE, Severity.LIKELY)]


def test_what_was_heard_in_other_words_is_none() -> None:
    said = turn("A ladder is no problem. As for the roof,", "Somebody would climb that wall by himself?", **CUT)
    # Here the cut rest and what was heard are equally near; what the caller knew explains it only beyond this turn.
    later = turn("Shall we go on?", "Somebody would climb that wall by himself?")
    assert kinds(turn("A ladder is no problem, he climbs it.", "Okay."), later) == []
    assert all(severity is not Severity.CERTAIN for _, severity in kinds(said))


def test_without_the_model_no_paraphrase_is_looked_for() -> None:
    said = turn("As for the roof,", "Somebody would climb that wall by himself?", **CUT)
    assert scan_call(call(said), Background()) == ()


def test_the_installed_model_puts_paraphrases_together_and_apart_from_the_rest() -> None:
    model = installed_embedder()
    if model is None:
        pytest.skip("the extra `scan` is not installed")
    one = model.vector("The mechanic and the parts are free of charge.")
    same = model.vector("You won't pay for the mechanic or for any parts.")
    other = model.vector("Please hold the door for the dog.")
    assert float(one @ same) > 0.5 > float(one @ other)
    assert abs(float(one @ one) - 1) < 1e-5
