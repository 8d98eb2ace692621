"""What a call visits is counted exactly, and shown."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from factory.corpus.coverage import Coverage, Ground, Kind
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.corpus.table import show_plan
from factory.records.blueprint import ActUse, Blueprint, CalmReply, Interruption, ReplyKind, RoundPlan
from factory.records.callers import FactValue
from factory.records.enums import InterruptionType
from factory.records.spec import Spec
from factory.workflow.library import Library, standard_library
from factory.workflow.walk import walk

SEAT = "travel/seat_change"
FIND, CHOOSE, TEXT, CLOSE = "find", "choose", "text", "close"
ANSWER, FAIL = ReplyKind.ANSWER, ReplyKind.FAIL
STRAIGHT = (FIND, CHOOSE, TEXT, CLOSE)
FACTS = {
    "booking": FactValue(value="LK4417", wrong="LK4471"),
    "seat": FactValue(value="14C", corrected="14A"),
    "wants_text": FactValue(value="yes"),
    "still_flying": FactValue(value="yes"),
}


@pytest.fixture(scope="module")
def library() -> Library:
    return Library((Path(__file__).parent / "workflows",))


def calm(*refs: str, reply: ReplyKind | None = None, to: str | None = None) -> RoundPlan:
    """A turn that the caller lets the agent finish."""
    done = None if reply is None else CalmReply(kind=reply, question=to)
    return RoundPlan(acts=tuple(ActUse(ref=ref) for ref in refs), reply=done)


def cut(*refs: str, at: int, **how: str | InterruptionType) -> RoundPlan:
    """A turn that is cut in one of its acts."""
    how.setdefault("type", InterruptionType.FILLER)
    return RoundPlan(
        acts=tuple(ActUse(ref=ref) for ref in refs), interruption=Interruption.model_validate({"cut": at, **how})
    )


def blueprint(
    *rounds: RoundPlan, stages: Sequence[str] = STRAIGHT, outcome: str = "success", **facts: str
) -> Blueprint:
    changed = {name: FactValue(value=value) for name, value in facts.items()}
    return Blueprint(
        conversation_id="a",
        ordinal=0,
        rotation=0,
        workflow=SEAT,
        intent="nervous",
        seed=1,
        facts=FACTS | changed,
        outcome=outcome,
        stages=tuple(stages),
        rounds=rounds,
    )


def visited(library: Library, call: Blueprint, kind: Kind) -> set[str]:
    return {name for found, name in Ground(library.script(SEAT)).visited(call) if found is kind}


def test_everything_that_is_authored_can_be_visited(library: Library) -> None:
    parts = Ground(library.script(SEAT)).parts
    by_kind = {kind: [name for found, name in parts if found is kind] for kind in Kind}

    assert by_kind[Kind.STAGE] == list(STRAIGHT)
    assert by_kind[Kind.TRANSITION] == [
        "find → find (asks again, 1x at most)",
        "find → choose",
        "find → hard_stop.unverified (fails once more)",
        "choose → text",
        "choose → close (skip if wants text: no)",
        "choose → hard_stop.withdrawn (ends if still flying: no)",
        "text → close",
        "close → success",
    ]
    assert by_kind[Kind.ACT] == [
        *("find.why", "find.ask_code", "find.ask_code#hint", "find.ask_code#retry"),
        *("choose.offer", "choose.ask_seat", "text.send", "close.bye"),
    ]
    assert by_kind[Kind.REACTION] == [
        *("find.pushback.why_code", "choose.normal.dog", "nervous.first", "correction.seat"),
        "find.ask_code.reply.wary",  # no caller here is chatty
    ]


def test_a_straight_call_visits_its_stages_and_the_ways_between_them(library: Library) -> None:
    call = blueprint(calm("find.why", "find.ask_code", reply=ANSWER, to="find.ask_code"), calm("close.bye"))

    assert visited(library, call, Kind.STAGE) == set(STRAIGHT)
    assert visited(library, call, Kind.TRANSITION) == {
        *("find → choose", "choose → text", "text → close", "close → success")
    }
    assert visited(library, call, Kind.ACT) == {"find.why", "find.ask_code", "close.bye"}
    assert visited(library, call, Kind.REACTION) == {"find.ask_code.reply.wary"}


def test_a_skipped_stage_is_not_visited_and_the_way_past_it_is(library: Library) -> None:
    call = blueprint(calm("close.bye"), stages=(FIND, CHOOSE, CLOSE), wants_text="no")

    assert visited(library, call, Kind.STAGE) == {FIND, CHOOSE, CLOSE}
    assert visited(library, call, Kind.TRANSITION) == {
        *("find → choose", "choose → close (skip if wants text: no)", "close → success")
    }


def test_a_question_asked_again_and_failed_for_good_are_two_ways(library: Library) -> None:
    asked = calm("find.ask_code", reply=FAIL, to="find.ask_code")
    again = calm("find.ask_code#retry", reply=ANSWER, to="find.ask_code#retry")
    failed = calm("find.ask_code#retry", reply=FAIL, to="find.ask_code#retry")
    retried, lost = "find → find (asks again, 1x at most)", "find → hard_stop.unverified (fails once more)"

    saved = visited(library, blueprint(asked, again, calm("close.bye")), Kind.TRANSITION)
    ended = blueprint(asked, failed, calm("stop:unverified"), stages=(FIND,), outcome="unverified")

    assert retried in saved and lost not in saved
    assert visited(library, ended, Kind.TRANSITION) == {retried, lost}
    assert visited(library, ended, Kind.REACTION) == set()  # a wrong answer is no reply in its own words


def test_a_call_that_is_called_off_goes_the_way_whose_condition_holds(library: Library) -> None:
    asked = calm("choose.ask_seat", reply=ANSWER, to="choose.ask_seat")
    call = blueprint(asked, calm("stop:withdrawn"), stages=(FIND, CHOOSE), outcome="withdrawn", still_flying="no")

    assert visited(library, call, Kind.TRANSITION) == {
        *("find → choose", "choose → hard_stop.withdrawn (ends if still flying: no)")
    }


def test_an_act_behind_the_cut_is_not_visited_until_it_is_begun(library: Library) -> None:
    first = cut("find.why", "find.ask_code", "find.ask_code#hint", at=0)
    rest = calm("find.why", "find.ask_code", reply=ANSWER, to="find.ask_code")

    assert visited(library, blueprint(first), Kind.ACT) == {"find.why"}
    assert visited(library, blueprint(first, rest), Kind.ACT) == {"find.why", "find.ask_code"}


def test_moves_hidden_information_corrections_and_answers_while_cutting_in_are_reactions(library: Library) -> None:
    call = blueprint(
        cut("find.why", "find.ask_code", at=1, type=InterruptionType.PUSHBACK, move="find.pushback.why_code"),
        cut("find.ask_code#hint", at=0, type=InterruptionType.IMPATIENT, answers="find.ask_code"),
        cut("choose.offer", at=0, type=InterruptionType.NORMAL, move="nervous.first"),
        cut("text.send", at=0, type=InterruptionType.CORRECTION, slot="seat"),
    )

    assert visited(library, call, Kind.REACTION) == {
        *("find.pushback.why_code", "find.ask_code.reply.wary", "nervous.first", "correction.seat")
    }


def test_what_is_in_no_workflow_is_not_counted(library: Library) -> None:
    call = blueprint(
        calm("answer:find.pushback.why_code", "steer", "<b>.x", reply=ANSWER, to="nowhere.at_all"),
        stages=(FIND, "nowhere", CLOSE),
    )

    assert visited(library, call, Kind.STAGE) == {FIND, CLOSE}
    assert visited(library, call, Kind.TRANSITION) == {"close → success"}
    assert visited(library, call, Kind.ACT) == visited(library, call, Kind.REACTION) == set()


def test_calls_are_counted_and_can_be_taken_back(library: Library) -> None:
    coverage = Coverage(library, [SEAT])
    long, short = blueprint(calm("find.why"), calm("find.why")), blueprint(calm("close.bye"), stages=(CLOSE,))
    for call in (long, short, short):
        coverage.add(call)
    coverage.remove(short)
    (found,) = coverage.workflows()

    assert found.calls == 2
    assert found.counts[Kind.ACT] == {**dict.fromkeys(found.counts[Kind.ACT], 0), "find.why": 1, "close.bye": 1}
    assert (found.visited(Kind.STAGE), len(found.counts[Kind.STAGE])) == (4, 4)
    assert found.unvisited(Kind.ACT)[:2] == ("find.ask_code", "find.ask_code#hint")
    assert found.visits.nodes == {
        **{FIND: 1, CHOOSE: 1, TEXT: 1, CLOSE: 2, "success": 2},
        **{"hard_stop.unverified": 0, "hard_stop.withdrawn": 0},
    }


def test_a_workflow_without_a_call_is_shown_with_nothing_visited(library: Library) -> None:
    (found,) = Coverage(library, [SEAT]).workflows()

    assert found.calls == 0
    assert all(found.visited(kind) == 0 and found.unvisited(kind) for kind in Kind)


def test_what_lies_ahead_on_a_path_is_what_a_call_along_it_visits(library: Library) -> None:
    ground = Ground(library.script(SEAT))
    path = walk(library.workflow(SEAT), FACTS, failing="find.ask_code", failures=2)
    ahead = ground.along(path, FACTS)

    assert {name for kind, name in ahead if kind is Kind.TRANSITION} == {
        *("find → find (asks again, 1x at most)", "find → hard_stop.unverified (fails once more)")
    }
    assert {name for kind, name in ahead if kind is Kind.STAGE} == {FIND}


def test_the_plan_in_the_terminal_shows_visited_of_all_and_names_what_is_not() -> None:
    spec, library = load_spec("demo"), standard_library()
    plan = plan_corpus(spec, library, 0)
    text = show_plan(spec, plan)
    one = plan.coverage[0]
    missing = one.unvisited(Kind.ACT)

    shares = [f"{one.visited(kind)}/{len(one.counts[kind])}" for kind in Kind]
    assert f"{one.workflow} {one.calls} {' '.join(shares)}" in [" ".join(line.split()) for line in text.splitlines()]
    assert f"acts         {', '.join(missing[:4])} and {len(missing) - 4} more" in text


def test_a_workflow_that_no_call_is_drawn_from_is_shown_as_such() -> None:
    data = load_spec("demo").model_dump(mode="json")
    total = {"by_type": {"impatient": 9, "filler": 3, "normal": 3}, "by_depth": {"0-4": 6, "5-9": 6, "10-14": 3}}
    order = {"conversations": 2, "interruptions": total, "messages": {"min": 30, "max": 32, "mean": 31.0}}
    spec = Spec.model_validate(data | order | {"variations": {}})
    text = show_plan(spec, plan_corpus(spec, standard_library(), 0))

    assert text.count(": no call\n") == len(standard_library().select(spec.workflows)) - 2
