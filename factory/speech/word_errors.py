"""What was heard against what was said: word errors, on texts in which the way of writing makes no difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from factory.speech.errors import SpeechError
from factory.speech.spoken import spoken_form

if TYPE_CHECKING:
    from whisper_normalizer.english import EnglishTextNormalizer  # type: ignore[import-untyped]

HESITATION = "uhm"
"""What stands for "uh", "um", "hmm" and the like among `plain_words`."""


@dataclass(frozen=True, slots=True)
class WordErrors:
    """The word errors of a text.

    Attributes:
        words: Words that were said, hesitations ("uh") apart; a number counts as many as it has digits.
        substitutions: Words that were heard as others.
        deletions: Words that were not heard.
        insertions: Words that were heard, and nobody said them.
    """

    words: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        """All of them."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Errors for each word said, from 0; above 1 where more was heard than said."""
        return self.errors / max(self.words, 1)


def word_errors(said: str, heard: str) -> WordErrors:
    """Return what is wrong in `heard`, by the fewest changes that make it of `said`.

    Both sides are compared as `plain_words`. Where they differ in nothing but spaces ("callback", "call back"), they
    do not differ. A hesitation that was said may be heard, missed, or taken for any one word, as recognisers do ("a",
    "oh"); one that was not said may be heard.

    Args:
        said: What should be heard, as written or as spoken.
        heard: What a recogniser wrote.

    Raises:
        SpeechError: The package that normalises is missing.
    """
    from rapidfuzz.distance import Levenshtein

    reference = plain_words(said)
    hypothesis = [word for word in plain_words(heard) if word != HESITATION]
    substitutions = deletions = insertions = 0
    start = heard_start = 0
    for same in Levenshtein.editops(reference, hypothesis).as_matching_blocks():
        missed = [word for word in reference[start : same.a] if word != HESITATION]
        hesitations = same.a - start - len(missed)
        got = hypothesis[heard_start : same.b]
        if "".join(missed) != "".join(got):
            substitutions += min(len(missed), len(got))
            deletions += max(len(missed) - len(got), 0)
            insertions += max(len(got) - len(missed) - hesitations, 0)
        start, heard_start = same.a + same.size, same.b + same.size
    return WordErrors(len(reference) - reference.count(HESITATION), substitutions, deletions, insertions)


def plain_words(text: str) -> list[str]:
    """Return the words by which a text is compared.

    The text is put into its spoken form, and that through the normaliser with which Whisper's own error rates are
    counted (Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision", 2022, appendix C):
    contractions in full, American spelling, numbers in digits. Beyond that, digits stand one by one, and there is one
    word for every okay, for every hummed yes, and for every hesitation (`HESITATION`).

    Raises:
        SpeechError: The package that normalises is missing.
    """
    words = spoken_form(_CLOCK.sub(r"\1:\2 ", text)).lower()
    for pattern, word in _ALIKE:
        words = pattern.sub(word, words)
    return _WORD.findall(_normalizer()(words))


@cache
def _normalizer() -> EnglishTextNormalizer:
    try:
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError:
        raise SpeechError(
            "The package whisper-normalizer is missing: install it with `pip install 'blueprint-factory[asr]'`."
        ) from None
    return EnglishTextNormalizer()


_CLOCK = re.compile(r"\b(\d\d?)\.(\d\d)\s?(?=[ap]\.?m\b)", re.IGNORECASE)  # "9.40am", as Whisper writes
_ALIKE = (
    (re.compile(r"(?<=\w)\.(?=[a-z])"), " dot "),  # half an address: "jo.lane at mail dot com"
    *(
        (re.compile(rf"(?<![\w'])(?:{pattern})\b"), word)
        for pattern, word in (
            ("o k|ok|okey", "okay"),
            ("alright", "all right"),
            ("alrighty", "all righty"),
            ("m+[ -]?h+u?m+|mm+[ -]mm+|u+h+[ -]?hu+h+|a-?ha", "uhhuh"),
            ("u+h+m*|u+m+|e+r+m*|a+h+|h+m+|mm+", HESITATION),
            ("a (?=hundred|thousand|million|billion)", "one "),
        )
    ),
)
_WORD = re.compile(r"\d|[^\W\d_]+|[$£€¢%]")
