"""What the scan can find, and how sure it is."""

from enum import StrEnum

from factory.audit.findings import round_words
from factory.records.base import Record


class LeakKind(StrEnum):
    """In what form unheard words came back.

    `words`: a run of them, as they stand. `half_phrase`: a part of a phrase, among other words. `value`: a number,
    amount, name, code or address, in whatever spelling. `date`: a day or a time, in whatever phrasing. `stage_name`:
    what a step is called. `unasked_answer`: the answer to a question that was not asked yet. `future_step`: what the
    agent will say or ask later only. `paraphrase`: the meaning in other words.
    """

    WORDS = "words"
    HALF_PHRASE = "half_phrase"
    VALUE = "value"
    DATE = "date"
    STAGE_NAME = "stage_name"
    UNASKED_ANSWER = "unasked_answer"
    FUTURE_STEP = "future_step"
    PARAPHRASE = "paraphrase"


class Severity(StrEnum):
    """How sure a finding is.

    `certain`: nothing but a leak explains it. `likely`: a person should look. `hint`: it happens in honest calls too,
    and is counted apart.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    HINT = "hint"


class Where(StrEnum):
    """Where the unheard words stand."""

    TALKED_OVER = "the words between onset and cut"
    UNDELIVERED = "the undelivered rest of this turn"
    EARLIER = "the undelivered rest of an earlier turn"
    LATER = "a later turn of the agent's"
    STAGE = "a stage of the knowledge base"
    GUIDELINE = "a guideline of the knowledge base"
    KNOWN_USER = "known user information"
    OTHER_CALLER = "another caller's hidden information"
    LATER_ANSWER = "the caller's own answer, which a later question asks for"


class LeakFinding(Record):
    """One place in which a caller says what they had not heard.

    Attributes:
        conversation_id: The call.
        round: The round, from 0.
        message: Index over all messages of the call, from 0.
        said: The caller's words that give it away.
        unheard: The words that they had not heard.
        where: Where those stand.
        place: The very place: a round, a stage's name, a field.
        why: Why the caller could not know it, in a sentence.
        weight: How much speaks for it, in bits, and one for each word of a run; for a paraphrase, how near the meanings
            are (0 to 1).
    """

    kind: LeakKind
    severity: Severity
    conversation_id: str
    round: int
    message: int
    said: str
    unheard: str
    where: Where
    place: str
    why: str
    weight: float

    def __str__(self) -> str:
        """One line for a terminal."""
        spot = f"{self.conversation_id}, {round_words(self.round)}"
        return f"{self.kind}, {self.severity}: {spot}: says “{self.said}”; {self.where}: “{self.unheard}”"
