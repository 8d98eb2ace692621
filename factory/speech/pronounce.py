"""How a word sounds, in the 39 phones of the CMU dictionary (ARPAbet without stress)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hibari.g2p.oov import OOV  # type: ignore[import-untyped]

PHONES = {
    "ɜɹ": "ER",
    "əɹ": "ER",
    "A": "EY",
    "I": "AY",
    "O": "OW",
    "Q": "OW",
    "W": "AW",
    "Y": "OY",
    "i": "IY",
    "u": "UW",
    "æ": "AE",
    "a": "AE",
    "ɑ": "AA",
    "ɒ": "AA",
    "ɐ": "AH",
    "ə": "AH",
    "ᵊ": "AH",
    "ʌ": "AH",
    "ɔ": "AO",
    "ɛ": "EH",
    "ɜ": "ER",
    "ɪ": "IH",
    "ᵻ": "IH",
    "ʊ": "UH",
    "y": "UW",
    "b": "B",
    "d": "D",
    "f": "F",
    "h": "HH",
    "j": "Y",
    "k": "K",
    "l": "L",
    "m": "M",
    "n": "N",
    "p": "P",
    "s": "S",
    "t": "T",
    "T": "T",
    "ɾ": "T",
    "v": "V",
    "w": "W",
    "z": "Z",
    "ð": "DH",
    "ŋ": "NG",
    "ɡ": "G",
    "ɹ": "R",
    "ʀ": "R",
    "ʃ": "SH",
    "ʒ": "ZH",
    "ʤ": "JH",
    "ʧ": "CH",
    "θ": "TH",
}
"""The phone for each sound that hibari writes, which does it as misaki does, one character a sound: capitals are
diphthongs, "T" is the quick t of "water", "ᵊ" the vowel of "-le", "ᵻ" that of "-es" and "-ed"."""

_SOUND = re.compile("|".join(sorted(PHONES, key=len, reverse=True)))


def pronounce(word: str) -> tuple[str, ...]:
    """Return the phones of a word that stands in no dictionary; none if it has no letter that can be read.

    They are those of hibari's network for such words. Its lexicon is not asked: it would take 100 MB for one word in
    three hundred.
    """
    return tuple(PHONES[sound] for sound in _SOUND.findall(_network()(word) or ""))


@cache
def _network() -> OOV:
    from hibari.g2p.oov import OOV

    return OOV()
