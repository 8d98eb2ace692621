"""Which interruption of a turn is tried first: what makes a call sound like one.

Every weight is in the same unit, of which chance adds up to one: a difference of more than one always decides,
a smaller one mostly. They order the tries of the search and forbid nothing.
"""

from collections.abc import Sequence

from factory.corpus.coverage import Kind, Seen, correction
from factory.corpus.state import State, Turn
from factory.corpus.turns import LONG_TURN, Turns
from factory.records.blueprint import Interruption
from factory.records.enums import InterruptionType
from factory.workflow.lookup import HINT, MOVE_TYPES, Move, question_of

USUAL_ACTS = 3
"""Acts of a usual turn: a reaction or a remark, another, and a question."""
PER_ACT = 0.3
"""For each act more or less than usual; four of them outweigh chance."""
PER_WORD = 0.12
"""For each word beyond a long turn; nine of them outweigh chance, for nobody listens that long."""
NOTHING_HEARD = 1.5
"""The first act is cut: the caller has heard nothing new, and has nothing to take up."""
PER_USE = 0.5
"""For each time that the corpus has used the move more than others of its type; less often is as much in its favour."""
MOST_USES_APART = 4
"""Beyond so many it counts no more: else whatever has moves would come last in a large corpus, and find no place."""
NEW_REACTION = -1.0
"""No call of the corpus had the move, or corrected the value: it comes before others that are as good."""
REPEATED = 0.5
"""Some call of the corpus had the move: rather another type here, and this one where something new of it fits."""
NEW_ACT = -1.0
"""For each act up to the cut that no call of the corpus has come to, this one included."""
GROUND_HEARD = -0.5
"""What the move takes up was heard in this very turn: people react to what was just said."""
GROUND_PASSED = 1.5
"""What the move takes up was not heard in this very turn: the objection comes late."""
ELSEWHERE = 1.0
"""A remark that stands by itself comes in another stage than the one it was written for."""
EARLY_SECRET = 1.2
"""What a caller holds back comes out in the first half of the way; most people warm up first."""
TOLD_AGAIN = 0.8
"""The act was cut before: who is interrupted at the same thing three times would leave it."""
SECOND_HINT = 1.0
"""The question had a hint begun before: the same help twice is heard as deafness."""
REVISED_SOON = 1.5
"""A value is revised as soon as it was given: most second thoughts take a while."""
SOON = 3
"""Turns within which a correction is soon."""
MANY_CONDITIONS = -0.8
"""Pushback and correction have the most conditions: they are placed where they can be."""
HURRY_BEFORE_QUESTION = -0.5
"""Hurry without an answer fits only before a question is asked, most others also behind it."""
GOODBYE = 2.5
"""A closing is cut: seldom, and then it has to be worth it."""
HURRY_AT_GOODBYE = 3.0
"""Besides: who is in a hurry does not hurry a goodbye along."""
HURRY_AGAIN = 1.5
"""Who has just been hurried along seldom hurries again at once."""
HURRY_BEFORE_CUT = 1.0
"""The turn behind it is cut, too: the answer to a hurried caller is short, and short acts cannot be cut."""
SHARE_LEFT = -1.2
"""Times the type's share of what is left to be placed: the type that is left most comes first."""


class Merit:
    """Prices the interruptions of one call."""

    def __init__(self, turns: Turns, moves: Sequence[Move], interrupted: frozenset[int], seen: Seen) -> None:
        """Takes the call's turns, the caller's moves, the turns to be cut, and what the corpus has visited so far."""
        self._turns = turns
        self._moves = {move.ref: move for move in moves}
        self._interrupted = interrupted
        self._reactions_seen = seen[Kind.REACTION]
        self._usual = {kind: self._mean_uses(kind) for kind in MOVE_TYPES}

    def of_turn(self, option: Turn, cut: int) -> float:
        """What speaks against cutting a turn at one of its acts, whatever the caller cuts in with."""
        cost = PER_ACT * abs(len(option.uses) - USUAL_ACTS) + (NOTHING_HEARD if cut == 0 else 0.0)
        cost += PER_WORD * max(0, self._turns.words(option) - LONG_TURN)
        cost += NEW_ACT * self._turns.new_acts(option, cut + 1)
        return cost + (GOODBYE if option.question is None else 0.0)

    def of_interruption(self, turn: int, state: State, option: Turn, interruption: Interruption) -> float:
        """What speaks against an interruption of a turn beyond that; the lowest sum is tried first."""
        cost = self._cost_of_type(turn, state, option, interruption)
        act = option.uses[interruption.cut].ref
        if act.endswith(HINT):
            cost += SECOND_HINT if question_of(act) in state.hinted else 0.0
        elif act in state.again:
            cost += TOLD_AGAIN
        if interruption.move is not None:
            cost += self._cost_of_move(self._moves[interruption.move], option, interruption.cut)
        if interruption.slot is not None:
            cost += self._cost_of_correction(turn, state, interruption.slot)
        left = dict(state.left)
        return cost + SHARE_LEFT * left[interruption.type] / sum(left.values())

    def _mean_uses(self, kind: InterruptionType) -> float:
        uses = [self._reactions_seen.get(move.ref, 0) for move in self._moves.values() if move.type is kind]
        return sum(uses) / (len(uses) or 1)

    def _cost_of_move(self, move: Move, option: Turn, cut: int) -> float:
        used = self._reactions_seen.get(move.ref, 0)
        apart = max(-MOST_USES_APART, min(MOST_USES_APART, used - self._usual[move.type]))
        cost = PER_USE * apart + (REPEATED if used else NEW_REACTION)
        if move.after is not None:
            cost += GROUND_HEARD if move.after in option.refs[:cut] else GROUND_PASSED
        if move.stage is None and self._turns.share_of_way(option, cut) < 0.5:
            cost += EARLY_SECRET
        if move.after is None and move.stage not in (None, self._turns.stage_at(option, cut)):
            cost += ELSEWHERE
        return cost

    def _cost_of_correction(self, turn: int, state: State, slot: str) -> float:
        cost = 0.0 if self._reactions_seen.get(correction(slot).name) else NEW_REACTION
        return cost + (REVISED_SOON if turn - dict(state.given)[slot] < SOON else 0.0)

    def _cost_of_type(self, turn: int, state: State, option: Turn, interruption: Interruption) -> float:
        if interruption.type in (InterruptionType.PUSHBACK, InterruptionType.CORRECTION):
            return MANY_CONDITIONS
        if interruption.type is not InterruptionType.IMPATIENT:
            return 0.0
        cost = HURRY_BEFORE_QUESTION if interruption.answers is None else 0.0
        cost += HURRY_AGAIN if state.hurried else 0.0
        cost += HURRY_AT_GOODBYE if option.question is None else 0.0
        return cost + (HURRY_BEFORE_CUT if turn + 1 in self._interrupted else 0.0)
