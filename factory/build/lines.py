"""The ledger's lines of those who work behind a call: system message, findings, edits, and rewinds."""

from collections.abc import Iterator
from typing import TypeVar

from factory.build.players import Faulty
from factory.models.verifier import VerifierFinding
from factory.records.blueprint import RoundPlan
from factory.records.conversation import Rerun, Round, Segment
from factory.records.ledger import Label, Read, Role
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.loop import edit_item
from factory.simulate.roles import BY_CODE, Made, NothingMade
from factory.simulate.views import writer_view

T = TypeVar("T")


def workflow_item(digest: str) -> Read:
    """The agent's side of a workflow, which its digest stands for."""
    return data_item(Label.WORKFLOW_AGENT_SIDE, "workflow", digest)


def add_system_message(chain: LedgerChain, workflow: Read, made: Made[str] | NothingMade) -> None:
    """The line of the system-message writer."""
    wrote = data_item(Label.SYSTEM_MESSAGE, "system_message", made.value)
    _add(chain, (0, 0), Role.SYSTEM_WRITER, "system_message", made, (workflow,), wrote)


def add_findings(
    chain: LedgerChain, workflow: Read, rounds: tuple[Read, ...], made: Made[tuple[VerifierFinding, ...]] | NothingMade
) -> Read:
    """The line of who has read the finished conversation; returns what was found, for those who act on it."""
    content = None if made.value is None else [finding.model_dump(mode="json") for finding in made.value]
    wrote = data_item(Label.FINDINGS, f"{chain.length}/findings", content)
    _add(chain, (0, 0), Role.VERIFIER, "conversation", made, (workflow, *rounds), wrote)
    return wrote


def add_edit(chain: LedgerChain, faulty: Faulty, found: Read, made: Made[tuple[Segment, ...]] | NothingMade) -> None:
    """The line of who has edited the agent's words of a round."""
    index, attempt = faulty.done.index, faulty.done.attempt
    reads = (
        data_item(Label.HISTORY_DELIVERED, f"r{index}.{attempt}/delivered", [m.text for m in faulty.history]),
        data_item(Label.UTTERANCE_AS_MEANT, f"r{index}.{attempt}/edited_utterance", faulty.done.agent.text),
        found,
    )
    wrote = (
        data_item(Label.EDIT, f"r{index}.{attempt + 1}/edit", None)
        if made.value is None
        else edit_item(index, attempt + 1, made.value)
    )
    _add(chain, (index, attempt), Role.MODIFIER, "edit", made, reads, wrote)


def add_rerun(chain: LedgerChain, reads: tuple[Read, ...], rerun: Rerun, attempt: int, dropped: bool) -> None:
    """The line of a rewind: which attempt is rejected, and whether the whole draw is given up."""
    wrote = data_item(
        Label.RERUN, f"r{rerun.round}.{attempt}/rerun", {**rerun.model_dump(mode="json"), "dropped": dropped}
    )
    chain.add(
        turn=(rerun.round, attempt),
        role=Role.REWINDER,
        branch=rerun.reason.value,
        engine=BY_CODE,
        view=data_item(Label.RERUN, "view", [read.content for read in reads]).content,
        reads=reads,
        wrote=wrote,
    )


def checked(done: Round, entry: RoundPlan) -> Iterator[Read]:
    """What lies before the verifier of one round, under the names that the calls which made it gave."""
    name = f"r{done.index}.{done.attempt}"
    yield data_item(Label.BLUEPRINT_ROUND, f"{name}/entry", entry.model_dump(mode="json"))
    yield data_item(Label.UTTERANCE_AS_MEANT, f"{name}/utterance", done.agent.text)
    if done.agent.cut is not None:
        yield data_item(Label.CUT, f"{name}/cut", done.agent.cut.model_dump(mode="json"))
    if done.caller is not None:
        yield data_item(Label.CALLER_WORDS, f"{name}/caller", done.caller.text)


def _add(
    chain: LedgerChain,
    turn: tuple[int, int],
    role: Role,
    branch: str,
    made: Made[T] | NothingMade,
    reads: tuple[Read, ...],
    wrote: Read,
) -> None:
    chain.add(
        turn=turn,
        role=role,
        branch=branch,
        engine=made.engine,
        call=made.call,
        view=writer_view(reads).digest(),
        reads=reads,
        wrote=wrote,
    )
