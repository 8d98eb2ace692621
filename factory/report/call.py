"""One conversation as a page: what was said, what was not, and what a good answer would be."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from factory.records.blueprint import SUCCESS, Blueprint
from factory.records.call import CallTimeline
from factory.records.callers import Intent
from factory.records.conversation import Cut, Rerun, RerunReason, Round, Utterance
from factory.records.enums import InterruptionType
from factory.records.rubric import Item
from factory.records.workflow import Workflow
from factory.report.history import CallHistory
from factory.report.pages import asset, policy, template
from factory.report.player import PIXELS_A_SECOND, Player, Sounded, clock, player, signed, sounded
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.workflow.lookup import stage_of


@dataclass(frozen=True, slots=True)
class Turn:
    """One agent turn and the caller turn behind it, as the page shows them.

    Attributes:
        number: From 1.
        enters: Names of the stages that the call comes to in this turn.
        heard: The agent's words up to the onset (all of them, where nobody cut in).
        talked_over: The words between onset and cut: spoken, while the caller was already speaking.
        undelivered: The words that were never spoken.
        words: Number of words of the agent's turn as meant.
        continues: The agent's turn is the rest of the one before.
        caller: The caller's words; None in a last turn that is the agent's.
        type: How the caller cut in, if they did.
        audio: Address of the caller's clip, relative to the page; None without audio.
        agent_sound: The agent's words with their times; None where the call has no time-line.
        caller_sound: The caller's.
        item: The frozen item of the interruption.
        previous: Number of the interruption's turn before this one, if there is one.
        following: Number of the interruption's turn after this one, if there is one.
        reruns: Why this round was run again.
    """

    number: int
    enters: tuple[str, ...]
    heard: str
    talked_over: str
    undelivered: str
    words: int
    cut: Cut | None
    continues: bool
    caller: str | None
    type: InterruptionType | None
    audio: str | None
    agent_sound: Sounded | None
    caller_sound: Sounded | None
    item: Item | None
    previous: int | None
    following: int | None
    reruns: tuple[RerunReason, ...]


@dataclass(frozen=True, slots=True)
class CallPage:
    """Everything that the page of one call shows.

    Attributes:
        ending: What the outcome means in this workflow, in its own words.
        dropped: Why earlier draws of the conversation were dropped.
        player: The whole call to be heard; None where it was not voiced as a call.
    """

    conversation_id: str
    workflow: Workflow
    intent: Intent
    blueprint: Blueprint
    ending: str
    turns: tuple[Turn, ...]
    messages: int
    dropped: tuple[RerunReason, ...]
    player: Player | None

    @property
    def interrupted(self) -> tuple[Turn, ...]:
        """The turns in which the caller cuts in."""
        return tuple(turn for turn in self.turns if turn.type is not None)


@dataclass(frozen=True, slots=True)
class CallSound:
    """A call that was voiced as one.

    Attributes:
        timeline: When what is said.
        file: Name of the sound file to play, in the run's folder of calls.
    """

    timeline: CallTimeline
    file: str


def write_call_page(path: Path, page: CallPage) -> None:
    """Writes the page of one call; only a player brings a script, and it plays and reads without."""
    style = asset("base.css", "call.css", *(("player.css",) if page.player else ()))
    script = asset("player.js")
    sources = {"style_src": style.source} | ({"script_src": script.source} if page.player else {})
    text = template("call.html.j2").render(
        page=page,
        style=style.text,
        script=script.text,
        policy=policy(**sources, media_src="'self' file:"),
        scale=PIXELS_A_SECOND,
        clock=clock,
        signed=signed,
    )
    write_text(path, text)


def call_page(
    folder: RunFolder,
    blueprint: Blueprint,
    history: CallHistory,
    workflow: Workflow,
    audio: bool,
    sound: CallSound | None = None,
) -> CallPage:
    """Puts the page of a call together.

    Args:
        folder: The run, for the places of its clips.
        blueprint: The conversation's order.
        history: What became of it.
        workflow: What the call is about.
        audio: Whether caller turns were voiced.
        sound: The whole call's sound; None where there is none, and the page then has no player.

    Raises:
        RunError: if the sound's time-line has other words than the conversation.
    """
    names = {stage.id: stage.name for stage in workflow.stages}
    stop = workflow.hard_stops.get(blueprint.outcome)
    timeline = None if sound is None else sound.timeline
    return CallPage(
        conversation_id=blueprint.conversation_id,
        workflow=workflow,
        intent=workflow.intent(blueprint.intent),
        blueprint=blueprint,
        ending=workflow.goal.success if blueprint.outcome == SUCCESS else stop.does if stop else "",
        turns=tuple(_turns(folder, blueprint, history, names, audio, timeline)),
        messages=sum(1 if r.caller is None else 2 for r in history.rounds),
        dropped=history.drops,
        player=None if sound is None else player(sound.timeline, sound.file),
    )


def _turns(
    folder: RunFolder,
    blueprint: Blueprint,
    history: CallHistory,
    names: dict[str, str],
    audio: bool,
    timeline: CallTimeline | None,
) -> Iterator[Turn]:
    interrupted = [r.index + 1 for r in history.rounds if r.caller is not None and r.caller.type is not None]
    stage: str | None = None
    for done in history.rounds:
        number, message = done.index + 1, 2 * done.index
        visited = _stages(done)
        enters = tuple(names.get(s, s) for s in (visited[1:] if visited[:1] == [stage] else visited))
        stage = visited[-1] if visited else stage
        caller, agent = done.caller, done.agent
        yield Turn(
            number=number,
            enters=enters,
            heard=agent.heard,
            talked_over=_talked_over(agent),
            undelivered=agent.undelivered.strip(),
            words=len(agent.text.split(" ")),
            cut=agent.cut,
            continues=blueprint.rounds[done.index].continues,
            caller=None if caller is None else caller.text,
            type=None if caller is None else caller.type,
            audio=None if caller is None or not audio else _clip(folder, blueprint.conversation_id, number),
            agent_sound=None if timeline is None else sounded(timeline, message, agent.delivered, agent.heard),
            caller_sound=None
            if timeline is None or caller is None
            else sounded(timeline, message + 1, caller.text, caller.text),
            item=history.items.get(number),
            previous=max((n for n in interrupted if n < number), default=None),
            following=min((n for n in interrupted if n > number), default=None),
            reruns=_reasons(history.standing_reruns, done.index),
        )


def _stages(done: Round) -> list[str]:
    """The stages of the acts that were at least begun aloud, in order, each once for every time it is come to."""
    stages: list[str] = []
    start, spoken = 0, len(done.agent.delivered)
    for segment in done.agent.segments:
        stage = stage_of(segment.act)
        if stage is not None and start < spoken and stages[-1:] != [stage]:
            stages.append(stage)
        start += len(segment.text) + 1
    return stages


def _talked_over(agent: Utterance) -> str:
    return agent.delivered[len(agent.heard) :].strip()


def _clip(folder: RunFolder, conversation_id: str, turn: int) -> str:
    clip = folder.audio_file(conversation_id, turn)
    return f"../../audio/{quote(conversation_id, safe='')}/{quote(clip.name, safe='')}"


def _reasons(reruns: tuple[Rerun, ...], index: int) -> tuple[RerunReason, ...]:
    return tuple(rerun.reason for rerun in reruns if rerun.round == index)
