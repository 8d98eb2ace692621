"""An item's two lines in the ledger: its rubric, and the controls that were made to prove it."""

from factory.records.ledger import Label, Read, Role
from factory.records.rubric import Criterion, Item
from factory.rubric.context import Interrupted
from factory.simulate.ledger import LedgerChain, data_item
from factory.simulate.roles import COMPOSER, Made
from factory.simulate.views import writer_view


def add_item(
    chain: LedgerChain,
    item: Item,
    source: Interrupted,
    workflow: Read,
    following: int,
    criteria: Made[tuple[Criterion, ...]],
) -> None:
    """Adds the line of the rubric writer and behind it that of the control writer.

    Args:
        chain: Gets the lines.
        item: What was written.
        source: What it was written from, without canaries.
        workflow: The workflow, as the ledger has it.
        following: The attempt of the round behind the interruption that stands.
        criteria: The rubric, with who worded it.
    """
    now = source.rounds[-1]
    place = f"r{now.index}.{now.attempt}"
    reads = _reads(source, workflow, place, f"r{now.index + 1}.{following}")
    rubric = data_item(Label.RUBRIC, f"{place}/rubric", [c.model_dump(mode="json") for c in criteria.value])
    draws = {"rotation": source.blueprint.rotation, "seed": source.blueprint.seed}
    controls = data_item(Label.CONTROLS, f"{place}/controls", [c.model_dump(mode="json") for c in item.controls])
    # Whoever words the rubric, the composer writes the controls: it alone knows the right recovery for certain.
    for role, read, wrote, engine, call in (
        (Role.RUBRIC_WRITER, reads, rubric, criteria.engine, criteria.call),
        (Role.CONTROL_WRITER, (*reads, rubric, _seed(place, draws)), controls, COMPOSER, None),
    ):
        chain.add(
            turn=(now.index, now.attempt),
            role=role,
            branch=item.type.value,
            engine=engine,
            call=call,
            view=writer_view(read).digest(),
            reads=read,
            wrote=wrote,
        )


def _seed(place: str, draws: dict[str, int]) -> Read:
    return data_item(Label.SEED, f"{place}/control_seed", draws)


def _reads(source: Interrupted, workflow: Read, now: str, following: str) -> tuple[Read, ...]:
    """What both read, under the names that the calls of this round and of the next one gave."""
    standing, plans, number = source.standing, source.blueprint.rounds, source.rounds[-1].index
    return (
        workflow,
        data_item(Label.BLUEPRINT_ROUND, f"{now}/entry", plans[number].model_dump(mode="json")),
        data_item(Label.INTERRUPTION_TYPE, f"{now}/type", source.interruption.type),
        data_item(Label.UTTERANCE_AS_MEANT, f"{now}/cut_utterance", source.utterance.text),
        data_item(Label.HISTORY_DELIVERED, f"{following}/delivered", [m.text for m in source.history]),
        data_item(Label.CALLER_VALUES, f"{following}/values", {"slots": standing.slots, "revised": standing.revised}),
        data_item(Label.CALLER_VALUES, f"{following}/answered", standing.answered),
        data_item(Label.BLUEPRINT_ROUND, f"{following}/entry", plans[number + 1].model_dump(mode="json")),
    )
