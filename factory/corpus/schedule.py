"""One conversation's rounds: a path's acts laid out over turns, with every interruption in its place.

A call's agent turns are the questions it asks, one closing, and one more for each interruption that does
not carry an answer; the search keeps that sum right at every turn and so ends exactly where it should.
"""

from collections.abc import Iterator, Sequence
from random import Random

from factory.corpus.coverage import Seen
from factory.corpus.cut_ins import CutIns
from factory.corpus.merit import Merit
from factory.corpus.state import MAY_ANSWER, Order, State, stages_of
from factory.corpus.turns import Turns
from factory.records.blueprint import CalmReply, ReplyKind, RoundPlan
from factory.records.enums import InterruptionType
from factory.workflow.lookup import Move
from factory.workflow.walk import Path, PathAct

MAX_NODES = 200
"""Turns tried before one search gives up; almost all searches end within fifty."""


class Scheduler:
    """Searches the layout of one conversation; deterministic for its random generator."""

    def __init__(
        self,
        path: Path,
        moves: Sequence[Move],
        order: Order,
        rng: Random,
        seen: Seen,
    ) -> None:
        """Prepares a search.

        Args:
            path: The path to lay out.
            moves: The moves open to this caller.
            order: What has to come out.
            rng: Decides between layouts of equal merit.
            seen: What the corpus has visited of the workflow so far; what it has not is preferred.
        """
        self._path = path.acts
        self._order = order
        self._rng = rng
        self._turns = Turns(path, rng, seen)
        self._cut_ins = CutIns(path, moves, self._turns, order.caller_opens)
        self._merit = Merit(self._turns, moves, order.interrupted, seen)
        self._questions_from = _count_questions(path.acts)
        self._nodes = 0

    def search(self, carries: int) -> tuple[RoundPlan, ...] | None:
        """A layout in which that many interruptions carry an answer; None if none was found."""
        self._nodes = 0
        left = tuple((kind, n) for kind, n in sorted(self._order.types.items()) if n)
        rounds = self._from(0, State(place=0, left=left, carries=carries))
        return tuple(reversed(rounds)) if rounds is not None else None

    @property
    def nodes(self) -> int:
        """Turns tried in the last search."""
        return self._nodes

    def _from(self, turn: int, state: State) -> list[RoundPlan] | None:
        """The rounds from `turn` on, last first; None if there is no way."""
        if turn == self._order.agent_turns:
            return [] if not state.left and state.place == len(self._path) else None
        self._nodes += 1
        if self._nodes > MAX_NODES or not self._possible(turn, state):
            return None
        options = self._interrupted if turn in self._order.interrupted else self._calm
        for plan, following in options(turn, state):
            if turn + 1 in self._order.interrupted and next(self._turns.cuttable(following), None) is None:
                continue  # the next turn has to be cut, and nothing in it could be
            rounds = self._from(turn + 1, following)
            if rounds is not None:
                rounds.append(plan)
                return rounds
        return None

    def _possible(self, turn: int, state: State) -> bool:
        """Whether the questions ahead can still add up to the turns ahead, and what is left can be placed."""
        cuts = sum(1 for t in self._order.interrupted if t >= turn) - state.carries
        needed = self._order.agent_turns - turn - 1 - cuts
        least, most = self._questions_from[state.place]
        left = dict(state.left)
        may_answer = sum(left.get(kind, 0) for kind in MAY_ANSWER)
        corrections = left.get(InterruptionType.CORRECTION, 0)
        return (
            least <= needed <= most
            and state.carries <= may_answer
            and (not corrections or corrections <= self._cut_ins.open_corrections(state))
        )

    def _calm(self, turn: int, state: State) -> Iterator[tuple[RoundPlan, State]]:
        """What can come of a turn that the caller lets the agent finish."""
        last = turn == self._order.agent_turns - 1
        for option in self._turns.calm(state):
            if last != (option.question is None):
                continue
            if option.question is None:
                closing = CalmReply(kind=ReplyKind.CLOSING) if self._order.caller_closes else None
                done = state._replace(place=len(self._path), opening=(), rest=(), heard=option.refs)
                yield RoundPlan(acts=option.uses, continues=bool(state.rest), reply=closing), done
                continue
            act = self._path[option.question]
            reply = CalmReply(kind=ReplyKind.FAIL if act.fails else ReplyKind.ANSWER, question=act.ref)
            following = state.answered(option.question, act, turn)._replace(
                opening=(),
                rest=(),
                hurried=False,
                heard=tuple(ref for ref in option.refs if ref != act.ref),
                met=state.met | stages_of(option.refs),
                after_filler=False,
            )
            yield RoundPlan(acts=option.uses, continues=bool(state.rest), reply=reply), following

    def _interrupted(self, turn: int, state: State) -> Iterator[tuple[RoundPlan, State]]:
        """What can come of a turn that the caller cuts, the best first."""
        options = []
        for option, cut in self._turns.cuttable(state):
            of_turn = self._merit.of_turn(option, cut)
            for kind, _ in state.left:
                for interruption, following in self._cut_ins.at(turn, state, option, cut, kind):
                    cost = of_turn + self._merit.of_interruption(turn, state, option, interruption)
                    options.append((cost + self._rng.random(), option.uses, interruption, following))
        options.sort(key=lambda priced: priced[0])
        for _, uses, interruption, following in options:
            yield RoundPlan(acts=uses, continues=bool(state.rest), interruption=interruption), following


def _count_questions(path: Sequence[PathAct]) -> list[tuple[int, int]]:
    """Fewest and most questions from each place of a path on."""
    counts = [(0, 0)]
    for act in reversed(path):
        least, most = counts[-1]
        counts.append((least + (act.question and not act.optional), most + act.question))
    return counts[::-1]
