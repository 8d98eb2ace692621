"""Measures conversations between people as the factory measures its own, for the comparison in `docs/quality.md`.

    pip download --no-deps chitchat-dataset==0.9.0 && unzip chitchat_dataset-*.whl
    python -m tests.quality.people chitchat_dataset/dataset.json

Nothing of the data set is kept here. Its two sides are alike, so all turns are measured as a caller's.
"""

import json
import sys
from pathlib import Path

from factory.quality.likeness import CORPUS_GROUP
from factory.quality.measure import FAULTS, Subject
from factory.quality.phrases import CORPUS_SHARE
from factory.quality.sample import MOST_CALLS, Sample
from factory.quality.turns import Turn
from factory.records.enums import Speaker
from factory.workflow.phrases import bare_words

FEWEST_TURNS = 19
"""Turns of a conversation that counts: the fewest that a call of the reference corpus has."""


def people(path: Path) -> Subject:
    """The conversations of a `dataset.json` that are long enough."""
    subject = Subject(Sample(MOST_CALLS), CORPUS_GROUP, CORPUS_SHARE)
    for name, conversation in json.loads(path.read_bytes()).items():
        said = [" ".join(message["text"] for message in turn) for turn in conversation["messages"]]
        turns = tuple(_turn(name, i, " ".join(text.split())) for i, text in enumerate(said) if bare_words(text))
        if len(turns) >= FEWEST_TURNS:
            subject.add(name, turns, ())
    return subject


def _turn(name: str, index: int, text: str) -> Turn:
    words = bare_words(text)
    return Turn(name, index, Speaker.CALLER, text, words, own=(words,))


def main(path: Path) -> None:
    """Prints every figure that there is."""
    for figure, measured in people(path).figures().items():
        if measured is not None and figure not in FAULTS:
            print(f"{figure.value:28} {measured.value:8.3f}  {measured.place.about if measured.place else ''}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
