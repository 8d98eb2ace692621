"""Single calls for the flow report's page: of each turn what was meant, heard, given and said, as compact data.

The page can show a hundred calls and stay a page. Those with findings are taken first, then the first of the corpus;
nothing is kept of the others, so memory does not grow with the corpus.
"""

from collections.abc import Iterator, Sequence

import networkx as nx  # type: ignore[import-untyped]
from markupsafe import Markup

from factory.audit.course.attempt import Attempt
from factory.audit.course.course import Course
from factory.audit.expected import ExpectedRound
from factory.audit.findings import shown
from factory.audit.page.marks import NO_MARKS, Mark, cell_marks, node_marks
from factory.audit.page.packed import Given, PackedTexts, PromptPacker, units
from factory.audit.page.picture import Picture, draw
from factory.audit.page.shown_call import Call, Calls, Listed, Said, Turn
from factory.dataset.rows import CallerRow, ConversationRow, KeyValue, mapping
from factory.models.prompt import Prompts
from factory.records.base import Record, canonical_json
from factory.records.ledger import LedgerLine, Role
from factory.simulate.views import ReactionView, UserView

MOST_CALLS = 100
"""Calls that a page shows one by one."""
MOST_TEXT = 20_000
"""Characters of one text that are put into a page."""
MOST_CALL = 500_000
"""Characters of one call's data that are put into a page; an honest call has a tenth of it."""


class Explorer:
    """Takes the calls of a run one by one and keeps what a page shows of them."""

    def __init__(self, prompts: Prompts | None) -> None:
        """Takes the templates, where models write."""
        self._prompts = prompts
        self._systems = PackedTexts()
        self._seen = 0
        self._flagged: list[Listed] = []
        self._others: list[Listed] = []

    def add(
        self,
        conversation: ConversationRow,
        rounds: Sequence[ExpectedRound],
        course: Course | None,
        graph: nx.DiGraph | None,
        leaks: Sequence[Sequence[str]],
        flagged: bool,
    ) -> None:
        """Takes the next call.

        Args:
            conversation: Its row.
            rounds: Its rounds as published, with the rebuilt inputs; none where they cannot be rebuilt.
            course: What of its ledger stands; None where it cannot be followed.
            graph: Its flow graph; None where it has none.
            leaks: The first paths in it that are not allowed, each by its nodes.
            flagged: Whether something was found in it.
        """
        self._seen += 1
        if len(self._flagged if flagged else (*self._flagged, *self._others)) >= MOST_CALLS:
            return
        calls = course.standing if course is not None else ()
        marks = node_marks(rounds, course) if flagged and course is not None else NO_MARKS
        picture = None if graph is None else draw(graph, leaks, marks)
        listed = self._listed(conversation, rounds, calls, picture, flagged)
        (self._flagged if flagged else self._others).append(listed)
        del self._others[max(0, MOST_CALLS - len(self._flagged)) :]

    def calls(self) -> Calls:
        """What the page shows."""
        listed = sorted((*self._flagged, *self._others), key=lambda entry: entry.place)
        return Calls(self._seen, tuple(listed), in_page(canonical_json([_compact(t) for t in self._systems.texts])))

    def _listed(
        self,
        conversation: ConversationRow,
        rounds: Sequence[ExpectedRound],
        standing: Sequence[Attempt],
        picture: Picture | None,
        flagged: bool,
    ) -> Listed:
        key = shown(conversation.conversation_id)
        packer = None if self._prompts is None else PromptPacker(self._prompts, self._systems)
        attempts = dict(enumerate(standing))
        marks = cell_marks(conversation, rounds, standing) if flagged else {}
        turns = tuple(
            _turn(expected, attempts.get(expected.agent.round), packer, marks.get(expected.agent.round, ()))
            for expected in rounds
        )
        first = next((expected.views[0] for expected in rounds if expected.views is not None), None)
        data = _compact(
            Call(
                key=key,
                intent=first.intent if first is not None and packer is None else None,
                turns=turns,
                picture=picture,
                shortened=any(len(text) > MOST_TEXT for text in _given_texts(rounds)),
                missing=None if turns else "its published rows do not fit together",
            )
        )
        text = canonical_json(data)
        if len(text) > MOST_CALL:
            text = canonical_json(_compact(Call(key=key, missing="it is too long for a page")))
        return Listed(
            place=self._seen,
            key=key,
            about=f"{shown(conversation.domain.name)}: {shown(conversation.goal, 200)}",
            rounds=len(rounds),
            cuts=sum(expected.agent.cut_word is not None for expected in rounds),
            data=in_page(text),
        )


def in_page(json: str) -> Markup:
    """JSON as it can stand in a `script` element: nothing in it can end the element or begin a comment."""
    return Markup(json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _compact(record: Record) -> dict[str, object]:
    """A record without what is as it is unless said otherwise."""
    return record.model_dump(mode="json", exclude_defaults=True)


def _given_texts(rounds: Sequence[ExpectedRound]) -> Iterator[str]:
    """Texts of the caller side's inputs that are cut where they are too long."""
    for expected in rounds:
        yield expected.agent.text
        if expected.caller is not None:
            plan = expected.caller.reaction_plan
            yield from (expected.caller.text, plan.gist, plan.answer or "")


def _turn(
    expected: ExpectedRound, attempt: Attempt | None, packer: PromptPacker | None, marks: tuple[Mark, ...]
) -> Turn:
    agent, meant = expected.agent, clipped(expected.agent.as_meant)
    said = None
    if expected.caller is not None and expected.views is not None:
        calls = attempt.calls if attempt is not None else {}
        reaction, user = expected.views
        given = (
            _given(calls.get(Role.REACTION_PLANNER), reaction, packer),
            _given(calls.get(Role.USER), user, packer),
        )
        said = _said(expected.caller, given)
    return Turn(
        round=agent.round,
        attempt=agent.attempt,
        meant=meant,
        heard=_beginning(agent.heard, meant),
        delivered=_beginning(agent.text, meant),
        cut=agent.cut_word is not None,
        caller=said,
        marks=marks,
    )


def _said(caller: CallerRow, given: tuple[Given, Given]) -> Said:
    plan = caller.reaction_plan
    return Said(
        text=clipped(caller.text),
        type=caller.interruption_type,
        plan=(clipped(plan.gist), None if plan.answer is None else clipped(plan.answer), plan.manner.value),
        lines=tuple((line.kind, line.texts) for line in caller.released),
        facts=_entries(caller.facts),
        gives=_entries(caller.gives),
        given=given,
    )


def _given(line: LedgerLine | None, view: ReactionView | UserView, packer: PromptPacker | None) -> Given:
    prompt = packer.pack(line, view) if packer is not None and line is not None else None
    return Given(view=None if line is None else shown(line.view), seed=str(view.seed), prompt=prompt)


def _entries(entries: Sequence[KeyValue]) -> tuple[tuple[str, str], ...]:
    """A mapping as the view's digest has it: by key, each once."""
    return tuple(sorted(mapping(tuple(entries)).items()))


def _beginning(part: str, whole: str) -> int | str:
    """A part as how much of the whole it is, or as itself where the whole does not begin with it."""
    return units(part) if whole.startswith(part) else clipped(part)


def clipped(text: str) -> str:
    """A text that is not too long for a page."""
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}… ({len(text):,} characters)"
