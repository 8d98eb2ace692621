"""The rules of a call's shape: its turns, its interruptions, its rubrics."""

from collections.abc import Iterator

from factory.audit.columns.call import Call, Turn
from factory.audit.columns.rules import ColumnRule, Outcome, broken, held
from factory.audit.findings import shown


def turn_outcomes(call: Call) -> Iterator[Outcome]:
    """Whether every turn of a call is there."""
    missing = [f"the agent's turn {turn.number}" for turn in call.turns if turn.delivered is None]
    missing += [f"the caller's turn {turn.number}" for turn in call.turns[:-1] if turn.caller is None]
    if call.turns and call.turns[-1].interrupted and call.turns[-1].caller is None:
        missing.append(f"the caller's turn {call.turns[-1].number}")
    if not call.turns:
        yield broken(ColumnRule.TURN_MISSING, "the call has no turn at all")
    elif missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        yield broken(ColumnRule.TURN_MISSING, f"nothing is said in {', '.join(missing[:3])}{more}")
    else:
        yield held(ColumnRule.TURN_MISSING)
    if call.said_turns is not None:
        if call.said_turns == len(call.turns):
            yield held(ColumnRule.TURN_COUNT_DIFFERS)
        else:
            yield broken(
                ColumnRule.TURN_COUNT_DIFFERS, f"num_turns is {call.said_turns}, but the columns hold {len(call.turns)}"
            )


def interruption_outcomes(call: Call) -> Iterator[Outcome]:
    """Whether interruptions and originals go together, and something comes behind each."""
    for turn, behind in call.followed():
        if turn.interrupted:
            yield from _interrupted(turn, behind)
        if turn.meant is not None and (turn.interrupted or turn.meant != turn.delivered):
            if turn.interrupted:
                yield held(ColumnRule.ORIGINAL_WITHOUT_INTERRUPTION, turn)
            else:
                yield broken(
                    ColumnRule.ORIGINAL_WITHOUT_INTERRUPTION,
                    "there is an original of which not all was delivered, but nobody cut in",
                    turn,
                )


def rubric_outcomes(call: Call) -> Iterator[Outcome]:
    """Whether every interruption has its rubric, and nothing else has one."""
    for turn in call.turns:
        if turn.interrupted:
            lacks = [name for name, there in (("task", turn.task), ("recovery", turn.recovery)) if not there]
            if lacks:
                yield broken(ColumnRule.RUBRIC_MISSING, f"it has no {' and no '.join(lacks)} criterion", turn)
            else:
                yield held(ColumnRule.RUBRIC_MISSING, turn)
        elif turn.task or turn.recovery:
            yield broken(ColumnRule.RUBRIC_WITHOUT_INTERRUPTION, "there is a rubric, but nobody cut in", turn)
        else:
            yield held(ColumnRule.RUBRIC_WITHOUT_INTERRUPTION, turn)


def _interrupted(turn: Turn, behind: Turn | None) -> Iterator[Outcome]:
    if turn.type is None:
        yield broken(ColumnRule.UNKNOWN_TYPE, f"“{shown(turn.kind or '')}” is none of the six types", turn)
    else:
        yield held(ColumnRule.UNKNOWN_TYPE, turn)
    if turn.meant is None:
        yield broken(ColumnRule.INTERRUPTION_WITHOUT_ORIGINAL, "the caller cut in, but there is no original", turn)
    else:
        yield held(ColumnRule.INTERRUPTION_WITHOUT_ORIGINAL, turn)
    if behind is None:
        yield broken(ColumnRule.ENDS_ON_INTERRUPTION, "no turn of the agent's comes behind it", turn)
    else:
        yield held(ColumnRule.ENDS_ON_INTERRUPTION, turn)
