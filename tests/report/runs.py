"""Small finished runs, made from the records themselves, with whatever text a test wants in them."""

import wave
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from factory.records.blueprint import ActUse, Blueprint, CalmReply, Interruption, ReplyKind, RoundPlan
from factory.records.conversation import CallerTurn, Cut, ReactionPlan, Rerun, Round, Segment, Utterance
from factory.records.enums import InterruptionType, Profile, band_name, depth_band
from factory.records.ledger import GENESIS
from factory.records.rubric import Control, ControlKind, Criterion, Item
from factory.records.run import Manifest, RunIdentity
from factory.records.spec import InterruptionOrder, Messages, Spec
from factory.run.files import append_lines, write_text
from factory.run.folder import RunFolder
from factory.run.log import Kind, Line, read_progress
from tests.timelines import write_tone_call

WORKFLOW = "travel/seat_change"
AGENT = "Your booking is open now. I can see two free seats by the window in row fourteen today. Which one suits you?"
CUT = Cut(onset_word=10, cut_word=12)
HEARD = "Your booking is open now. I can see two free seats"
TALKED_OVER = "by the"
UNDELIVERED = "window in row fourteen today. Which one suits you?"


@dataclass
class Call:
    """One call to be put into a run.

    Attributes:
        kinds: The interruption of each caller turn; None where they let the agent finish.
        agent: What the agent says in every turn.
        caller: What the caller says in every turn.
        history: Rewinds and drops that happened first, as lines of the log.
    """

    conversation_id: str
    kinds: Sequence[InterruptionType | None]
    agent: str = AGENT
    caller: str = "Wait, is that by the window?"
    outcome: str = "success"
    fails: bool = False
    rubric: str = "The response answers the question"
    history: list[Line] = field(default_factory=list)


def rerun(kind: Kind, round_: int, reason: str) -> Line:
    """A line that says that a round was run again, or a draw dropped."""
    return Line(kind=kind, ledger_head=GENESIS, rerun=Rerun.model_validate({"round": round_, "reason": reason}))


def make_run(
    path: Path, calls: Sequence[Call], audio: bool = False, limit: int | None = None, extra: int = 0
) -> RunFolder:
    """A finished run folder with these calls; the spec orders `extra` pushbacks more than they hold."""
    folder = RunFolder(path)
    blueprints = [_blueprint(i, call) for i, call in enumerate(calls)]
    write_text(folder.identity_file, _identity(calls, audio, limit, extra).model_dump_json())
    write_text(folder.blueprints_file, "".join(b.canonical() + "\n" for b in blueprints))
    write_text(folder.manifest_file, Manifest(items={}, ledger="cd" * 32, root="ab" * 32).model_dump_json())
    for call in calls[:limit]:
        file = folder.conversation_file(call.conversation_id)
        file.parent.mkdir(parents=True, exist_ok=True)
        append_lines(file, (line.model_dump_json() for line in _log(call)))
        if audio:
            for number in range(1, len(call.kinds) + 1):
                _tone(folder.audio_file(call.conversation_id, number))
            write_tone_call(folder, call.conversation_id, read_progress(file).rounds)
    return folder


def _identity(calls: Sequence[Call], audio: bool, limit: int | None, extra: int) -> RunIdentity:
    kinds = [(i, k) for call in calls for i, k in enumerate(call.kinds) if k is not None]
    by_type = {kind: sum(k is kind for _, k in kinds) for kind in InterruptionType}
    by_type[InterruptionType.PUSHBACK] += extra
    by_depth = {band_name(b): sum(depth_band(i) == b for i, _ in kinds) for b in range(4)}
    by_depth[band_name(0)] += extra
    spec = Spec(
        schema_version=1,
        name="small",
        description="A few calls <b>for the tests</b>.",
        conversations=len(calls),
        workflows=("*/*",),
        interruptions=InterruptionOrder(by_type=by_type, by_depth=by_depth),
        messages=Messages(min=6, max=40, mean=20),
    )
    return RunIdentity(
        spec=spec, seed=7, limit=limit, audio=audio, versions={}, workflows={}, shared=GENESIS, templates={}
    )


def _blueprint(ordinal: int, call: Call) -> Blueprint:
    acts = (ActUse(ref="find_booking.ask"), ActUse(ref="choose_seat.offer"))
    calm = CalmReply(kind=ReplyKind.FAIL if call.fails else ReplyKind.ANSWER, question="find_booking.ask")
    rounds = [
        RoundPlan(acts=acts, reply=calm) if kind is None else RoundPlan(acts=acts, interruption=_order(kind))
        for kind in call.kinds
    ]
    return Blueprint(
        conversation_id=call.conversation_id,
        ordinal=ordinal,
        rotation=0,
        workflow=WORKFLOW,
        intent="nervous_flyer",
        seed=ordinal,
        facts={},
        outcome=call.outcome,
        stages=("find_booking", "choose_seat"),
        rounds=(*rounds, RoundPlan(acts=acts)),
    )


def _order(kind: InterruptionType) -> Interruption:
    return Interruption(type=kind, cut=1)


def _log(call: Call) -> list[Line]:
    rounds = [_round(call, i, kind) for i, kind in enumerate(call.kinds)]
    rounds.append(Round(index=len(rounds), agent=_agent(call.agent, False), caller=None))
    items = tuple(_item(call, i + 1, kind) for i, kind in enumerate(call.kinds) if kind is not None)
    return [
        Line(kind=Kind.HEADER, ledger_head=GENESIS, conversation_id=call.conversation_id, blueprint="0" * 64),
        *_replayed(call.history, rounds),
        Line(kind=Kind.FINISHED, ledger_head=GENESIS, items=items),
    ]


def _replayed(history: list[Line], rounds: list[Round]) -> list[Line]:
    """The log of a call whose every draw ran to its end before something was found in it."""
    lines: list[Line] = []
    start = 0
    for event in history:
        lines += [Line(kind=Kind.ROUND, ledger_head=GENESIS, round=r) for r in rounds[start:]]
        lines.append(event)
        assert event.rerun is not None
        start = event.rerun.round if event.kind is Kind.RERUN else 0
    return [*lines, *(Line(kind=Kind.ROUND, ledger_head=GENESIS, round=r) for r in rounds[start:])]


def _agent(text: str, cut: bool) -> Utterance:
    first, _, rest = text.partition(". ")
    return Utterance(
        segments=(Segment(act="find_booking.ask", text=first + "."), Segment(act="choose_seat.offer", text=rest)),
        cut=CUT if cut else None,
    )


def _round(call: Call, index: int, kind: InterruptionType | None) -> Round:
    caller = CallerTurn(
        text=call.caller,
        type=kind,
        plan=ReactionPlan(gist="ask", manner=Profile.UNSURE),
        released=(),
        facts={},
        reaction_seed=1,
        user_seed=2,
        reaction_view=GENESIS,
        user_view=GENESIS,
    )
    return Round(index=index, agent=_agent(call.agent, kind is not None), caller=caller)


def _item(call: Call, turn: int, kind: InterruptionType) -> Item:
    return Item(
        conversation_id=call.conversation_id,
        turn=turn,
        type=kind,
        history=GENESIS,
        task_fulfilment=Criterion(text=f"{call.rubric}, turn {turn}."),
        recovery=(Criterion(text="It starts afresh."), Criterion(text="It stays calm.")),
        controls=(
            Control(kind=ControlKind.REFERENCE, text="Yes, both are by the window."),
            Control(kind=ControlKind.RESTARTS, text="Your booking is open now."),
            Control(kind=ControlKind.STALLS, text="Let me see."),
            Control(kind=ControlKind.IGNORES_CALLER, text="Window in row fourteen."),
        ),
    )


def _tone(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(24_000)
        clip.writeframes(
            b"".join((4000 if i // 30 % 2 else -4000).to_bytes(2, "little", signed=True) for i in range(12_000))
        )
