"""Makes the labelled set anew: `python -m tests.audit.scan.make_labelled`.

Fifty composed calls, one of each workflow, and turns planted into them: leaks of eight kinds and clean turns that are
hard. What is planted is taken from the calls' texts by seed, or written by hand (`by_hand.py`). Nothing of the scan is
used to choose it. Every second case of a kind is held out.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from factory.audit.scan.call import ScannedCall, call_of_rows
from factory.build.conversations import compose
from factory.build.engine import Engine
from factory.corpus.plan import plan_corpus
from factory.corpus.specs import load_spec
from factory.dataset.about import domain_of
from factory.dataset.calls import FinishedCall
from factory.dataset.publish import conversation_row, turn_rows
from factory.workflow.library import standard_library
from tests.audit.scan import by_hand, clean_turns, leaks
from tests.audit.scan.spots import Spot, caller_rounds, undelivered
from tests.audit.scan.stored import CALLS, LABELLED, Case, call_line, write_lines
from tests.bench.bench import scaled

SEED = 21
DRAW = 2
"""Draw of what is planted; raised whenever the held-out half was looked at and something was changed after it."""
COUNT = 90
"""Calls composed, of which the first of each workflow is kept."""
EACH = 72
"""Cases of each kind that is taken from the calls' texts."""


def composed() -> list[ScannedCall]:
    library = standard_library()
    engine, kept = Engine(library), {}
    for blueprint in plan_corpus(scaled(load_spec("balanced"), COUNT), library, SEED):
        if blueprint.workflow in kept:
            continue
        workflow = library.workflow(blueprint.workflow)
        call = FinishedCall(blueprint, workflow, asyncio.run(compose(engine, blueprint)), {})
        row = conversation_row(call, domain_of(workflow, [workflow]), "", {})
        kept[blueprint.workflow] = call_of_rows(row, tuple(turn_rows(call)))
    return [kept[name] for name in sorted(kept)]


Maker = Callable[[ScannedCall, Random], Iterator[Case]]
FROM_TEXTS: tuple[tuple[Maker, int], ...] = (
    (leaks.verbatim, EACH),
    (leaks.numbers, EACH),
    (leaks.dates, EACH),
    (leaks.halves, EACH),
    (leaks.stage_names, EACH),
    (leaks.futures, EACH - len(by_hand.FUTURE)),
    (leaks.early_answers, EACH),
    (clean_turns.own_facts, 60),
    (clean_turns.heard_values, 60),
    (clean_turns.continued, 40),
    (clean_turns.own_hidden, 40),
    (clean_turns.freely_said, 60),
    (clean_turns.quoted, 30),
)
"""What takes cases from the calls' texts, and how many are kept of each."""


def made(calls: list[ScannedCall]) -> Iterator[Case]:
    for maker, count in FROM_TEXTS:
        random = Random(f"{SEED} {DRAW} {maker.__name__}")
        by_call = [iter(list(maker(call, random))) for call in calls]
        random.shuffle(by_call)
        cases: list[Case] = []
        while by_call and len(cases) < count:
            by_call = [one for one in by_call if (case := next(one, None)) is not None and (cases.append(case) or True)]
        yield from cases[:count]
    by_id = {call.conversation_id: call for call in calls}
    for kind, leak, entries in (
        ("paraphrase", True, by_hand.PARAPHRASES),
        ("future_step", True, by_hand.FUTURE),
        ("restated", False, by_hand.RESTATED),
    ):
        for conversation, number, said in entries:
            spot = Spot(by_id[conversation], number, by_id[conversation].turns[number].undelivered if leak else "")
            yield spot.case(kind, said, leak=leak)
    random = Random(f"{SEED} {DRAW}")
    for kind, texts in (("small_talk", by_hand.SMALL_TALK), ("common_phrase", by_hand.COMMON)):
        for text in texts:
            call = random.choice(calls)
            cut = [spot.round for spot in undelivered(call)] or caller_rounds(call)
            yield Spot(call, random.choice(cut), "").case(kind, text, leak=False)


def main() -> None:
    calls = composed()
    counts: dict[str, int] = {}
    cases = []
    for case in made(calls):
        number = counts[case.kind] = counts.get(case.kind, 0) + 1
        cases.append(replace(case, id=f"{case.kind}-{number}", held_out=number % 2 == 0))
    write_lines(CALLS, map(call_line, calls))
    write_lines(LABELLED, (case.line() for case in cases))
    print(counts, CALLS.stat().st_size, LABELLED.stat().st_size)


if __name__ == "__main__":
    main()
