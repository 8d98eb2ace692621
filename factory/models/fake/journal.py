"""What the fake server was asked, call by call: enough to prove that nothing was paid for twice.

Lines lie in a file and prompts are kept as digests, so that memory stays flat however long a run is.
"""

import json
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from factory.errors import FactoryError
from factory.models.fake.scenarios import Outcome


@dataclass(frozen=True)
class Line:
    """One call.

    Attributes:
        number: Its place in the order of arrival, from 1.
        digest: SHA-256 of its body, as it came.
        model: The model's name; empty where the request had none.
        form: Name of the reply's form.
        outcome: How it ended, by the scenario.
        answered: Whether a whole reply was handed to a client that was still there; one that is killed in that
            very moment may have lost it.
        arrived_s: When its last byte came, on the machine's monotonic clock.
        ended_s: When the last byte was handed over, or the call given up.
        input_tokens: Tokens of the prompt, of calls that were answered.
        cached_tokens: Of these, tokens from the cache.
        output_tokens: Tokens of the reply.
    """

    number: int
    digest: str
    model: str
    form: str
    outcome: Outcome
    answered: bool
    arrived_s: float
    ended_s: float
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class Journal:
    """The calls of one server."""

    def __init__(self, log: Path | None = None, bodies: Path | None = None) -> None:
        """Opens its files: one for the lines, and one for whole prompts where they are wanted.

        Raises:
            FactoryError: if one cannot be written.
        """
        self._lines: BinaryIO = _opened(log) if log else tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        self._start = self._lines.seek(0, 2)
        self._bodies = _opened(bodies) if bodies else None
        self._number = self._under_way = self._most_at_once = self._answered = self._again = 0
        self._outcomes: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._seen: set[bytes] = set()

    def begin(self) -> int:
        """A call has come; gives its number."""
        self._number += 1
        self._under_way += 1
        self._most_at_once = max(self._most_at_once, self._under_way)
        return self._number

    def keep_body(self, number: int, digest: str, model: str, form: str, prompt: tuple[str, ...]) -> None:
        """Writes a prompt down, where they are wanted: the system message, then what follows it."""
        if self._bodies is not None:
            line = {"number": number, "digest": digest, "model": model, "form": form}
            _append(self._bodies, line | {"system": prompt[0], "messages": prompt[1:]})

    def end(self, line: Line) -> None:
        """A call has ended."""
        self._under_way -= 1
        self._outcomes[line.outcome.value] += 1
        digest = bytes.fromhex(line.digest)[:16]
        self._again += digest in self._seen
        if line.answered and line.outcome is Outcome.PLAYED:
            self._seen.add(digest)
        if line.answered:
            self._answered += 1
            self._tokens.update(input=line.input_tokens, cached=line.cached_tokens, output=line.output_tokens)
        _append(self._lines, asdict(line))

    def log(self) -> bytes:
        """All calls that have ended, as a JSON list in the order of their arrival."""
        self._lines.seek(self._start)
        lines = self._lines.read().splitlines()
        return json.dumps(sorted(map(json.loads, lines), key=lambda line: int(line["number"]))).encode()

    def stats(self) -> bytes:
        """Their sums, as a JSON object.

        `sent_again_after_answer` counts calls whose equal was played and answered before. A build that never rewinds
        has none; where a round is run again, or a reply did not hold, the same prompt may be meant.
        """
        return json.dumps(
            {
                "requests": self._number,
                "under_way": self._under_way,
                "most_at_once": self._most_at_once,
                "answered": self._answered,
                "sent_again_after_answer": self._again,
                "outcomes": dict(sorted(self._outcomes.items())),
                "tokens": {kind: self._tokens[kind] for kind in ("input", "cached", "output")},
            }
        ).encode()


def _opened(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab+", buffering=0)
    except OSError as exc:
        raise FactoryError(f"{path}: cannot be written: {exc.strerror}; name another file") from None


def _append(file: BinaryIO, line: dict[str, object]) -> None:
    file.seek(0, 2)
    file.write(f"{json.dumps(line, ensure_ascii=False)}\n".encode(errors="backslashreplace"))
