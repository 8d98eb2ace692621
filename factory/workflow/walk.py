"""One way through a workflow: which acts come up, in order, for a caller with given facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from factory.records.acts import Act, Condition
from factory.records.blueprint import SUCCESS
from factory.records.callers import FactValue
from factory.records.workflow import KnownValue, Stage, Workflow
from factory.workflow.lookup import HINT, RETRY, STOP, act_ref
from factory.workflow.sentences import is_cuttable, sentences

VALUE_WORDS = 2
"""Words of a long value beyond its first."""


@dataclass(frozen=True)
class PathAct:
    """One act on a path, with what the planner has to know about it.

    Attributes:
        words: Words of a usual wording.
        longest: Words of the longest wording, values filled in; of a brief one, of the hint.
        fails: The caller gets this question wrong.
        leads_to: Reference of the question without which it is not said.
        brief: It has a brief form.
        cuttable: A caller can cut in during its first sentence.
        two_sentences: Every wording has a second sentence, so that it can be cut without an act behind it.
        hint: Reference of the hint that may follow; None where there is none or it cannot be cut.
        fills: The slot that is filled once the question is answered.
    """

    ref: str
    stage: str
    question: bool
    words: int = 0
    longest: tuple[int, int, int] = (0, 0, 0)
    optional: bool = False
    required: bool = False
    fails: bool = False
    leads_to: str | None = None
    brief: bool = False
    cuttable: bool = False
    two_sentences: bool = False
    hint: str | None = None
    fills: str | None = None
    revisable: bool = False


@dataclass(frozen=True)
class Path:
    """A path to its end.

    Attributes:
        outcome: `success` or the id of a hard stop.
        stages: The stages on the way.
    """

    acts: tuple[PathAct, ...]
    outcome: str
    stages: tuple[str, ...]

    @cached_property
    def questions(self) -> tuple[int, int]:
        """How many questions come up at least (optional ones left out) and at most."""
        asked = [a for a in self.acts if a.question]
        return sum(not a.optional for a in asked), len(asked)

    def holds(self, questions: int) -> bool:
        """Whether a call along this path can ask so many questions."""
        least, most = self.questions
        return least <= questions <= most


def holds(condition: Condition | None, facts: Mapping[str, FactValue], known: Mapping[str, KnownValue]) -> bool:
    """Whether a condition is true for this caller; no condition always is."""
    if condition is None:
        return True
    value = facts[condition.slot].value if condition.slot in facts else known.get(condition.slot)
    return value == condition.equals


def failable(workflow: Workflow) -> tuple[tuple[str, int, str], ...]:
    """Questions that may fail: reference, retries of their stage, and the hard stop behind them."""
    return tuple(
        (act_ref(stage, act), stage.on_failure.retries, stage.on_failure.then)
        for stage in workflow.stages
        if stage.on_failure is not None
        for act in stage.acts
        if act.failure is not None and not act.optional
    )


def walk(workflow: Workflow, facts: Mapping[str, FactValue], failing: str | None = None, failures: int = 0) -> Path:
    """The path of a caller.

    Args:
        workflow: The workflow.
        facts: The caller's facts; they decide skips, conditions and terminations.
        failing: Reference of the question that fails, if one does.
        failures: How often it fails; more than its stage's retries leads to the hard stop.
    """
    acts: list[PathAct] = []
    stages: list[str] = []
    known = workflow.known_user_information
    for stage in workflow.stages:
        skip = stage.skip_when
        if skip is not None and holds(Condition(slot=skip.slot, equals=skip.equals), facts, known):
            continue
        stages.append(stage.id)
        left_out = {act.id for act in stage.acts if not holds(act.when, facts, known)}
        for act in stage.acts:
            if act.id in left_out or act.leads_to in left_out:
                continue
            ref = act_ref(stage, act)
            if ref != failing:
                acts.append(_path_act(stage, act))
                continue
            assert stage.on_failure is not None
            acts.append(_path_act(stage, act, fails=True))
            retries = stage.on_failure.retries
            acts += [_retry(stage, act, fails=i < failures) for i in range(1, min(failures, retries) + 1)]
            if failures > retries:
                stop = stage.on_failure.then
                acts.append(PathAct(ref=f"{STOP}{stop}", stage=stage.id, question=False))
                return Path(tuple(acts), stop, tuple(stages))
        for rule in stage.terminate_when:
            if holds(Condition(slot=rule.slot, equals=rule.equals), facts, known):
                acts.append(PathAct(ref=f"{STOP}{rule.then}", stage=stage.id, question=False))
                return Path(tuple(acts), rule.then, tuple(stages))
    return Path(tuple(acts), SUCCESS, tuple(stages))


@lru_cache(maxsize=4096)
def _cut_facts(lines: tuple[str, ...]) -> tuple[bool, bool]:
    return is_cuttable(lines), all(len(sentences(line)) > 1 for line in lines)


def _path_act(stage: Stage, act: Act, fails: bool = False) -> PathAct:
    cuttable, two = (False, False) if act.is_question else _cut_facts(act.say + act.resume)
    return PathAct(
        ref=act_ref(stage, act),
        stage=stage.id,
        question=act.is_question,
        words=_usual(act.say),
        longest=(_longest(act.say + act.resume), _longest(act.brief), _longest(act.hint.say if act.hint else ())),
        optional=act.optional,
        required=act.required,
        fails=fails,
        leads_to=f"{stage.id}.{act.leads_to}" if act.leads_to else None,
        brief=bool(act.brief),
        cuttable=cuttable,
        two_sentences=two,
        hint=_hint(stage, act),
        fills=act.fills,
        revisable=act.corrects is not None,
    )


@lru_cache(maxsize=4096)
def _usual(lines: tuple[str, ...]) -> int:
    """Words of one of some lines, in the mean."""
    return sum(line.count(" ") + 1 for line in lines) // len(lines)


@lru_cache(maxsize=4096)
def _longest(lines: tuple[str, ...]) -> int:
    """Words of the longest of some lines; a value may have several."""
    return max((line.count(" ") + 1 + VALUE_WORDS * line.count("{") for line in lines), default=0)


def _retry(stage: Stage, act: Act, fails: bool) -> PathAct:
    return PathAct(
        ref=act_ref(stage, act) + RETRY,
        stage=stage.id,
        question=True,
        fails=fails,
        hint=_hint(stage, act),
        fills=act.fills,
    )


def _hint(stage: Stage, act: Act) -> str | None:
    cuttable = act.hint is not None and _cut_facts(act.hint.say) == (True, True)
    return act_ref(stage, act) + HINT if cuttable else None
