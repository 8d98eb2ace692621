"""With any adversary in any role, no planted word that was not delivered reaches a prompt of the caller's side.

Planted words stand in the agent's workflow, in other callers' secrets, and behind every cut. Code keeps whatever it can
read away from the caller's side, and takes planted words out of all that the agent says aloud.

Planted words in another writing (base64, backwards, in halves) are read in what the caller's side says, and then nobody
gets to see it. Two ways stay open. The agent says such a writing aloud before the cut: then it was heard, and an audit
finds it there. Or the caller's own model says the second half of a word alone, which may be anything; it has to know it
from having been the agent's model, too, and remembering.
"""

import asyncio
import json
import re
from pathlib import Path

import pytest

from factory.audit.report import write_flow_report
from factory.build.conversations import HopelessError, build_conversation
from factory.build.engine import Engine, ModelSide
from factory.corpus.plan import plan_corpus
from factory.models.request import ModelRequest
from factory.records.blueprint import Blueprint
from factory.run.folder import RunFolder
from factory.simulate.canary import canary_word
from factory.workflow.library import Library
from tests.dataset.runs import SEED, SPEC

from .adversaries import CANARY, HIDINGS, Adversary, Spread
from .engine_builds import CALLERS_FORMS, OWN, assert_holds, build, form_of, playing

DATA = re.compile(r'<data name="([^"]*)">\n(.*?)\n</data>', re.DOTALL)

AGENTS = frozenset({"PlannerReply", "AssistantReply"})
BEHIND = frozenset({"SystemMessageReply", "RubricReply", "VerifierReply", "ModifierReply"})
ROLES = {
    "planner": frozenset({"PlannerReply"}),
    "assistant": frozenset({"AssistantReply"}),
    "reaction planner": frozenset({"ReactionReply"}),
    "user": frozenset({"UserReply"}),
    "behind the call": BEHIND,
    "the agent's side": AGENTS,
    "the caller's side": CALLERS_FORMS,
    "all": AGENTS | BEHIND | CALLERS_FORMS,
}


@pytest.fixture(scope="module")
def shortest(small: Library) -> Blueprint:
    return min(plan_corpus(SPEC, small, SEED), key=lambda blueprint: blueprint.messages)


def played(folder: Path, library: Library, blueprint: Blueprint, adversary: Adversary) -> bool:
    """Whether a call in which planted words lie came out; it may not, but nothing else may go wrong."""
    for name in ("conversations", "ledger"):
        (folder / name).mkdir(parents=True)
    run = RunFolder(folder)
    engine = Engine(library, SEED, ModelSide(OWN, adversary, run.replies))
    try:
        asyncio.run(build_conversation(run, engine, blueprint))
    except HopelessError:
        return False
    return True


def leaked(adversary: Adversary) -> list[str]:
    """Planted words in prompts of the caller's side."""
    return [word for text in adversary.callers_prompts for word in CANARY.findall(text)]


@pytest.mark.parametrize("role", ROLES)
def test_who_copies_all_they_see_carries_nothing_over(
    role: str, small: Library, shortest: Blueprint, tmp_path: Path
) -> None:
    smuggled = 0
    for seed in range(2):
        for hiding in ("plain", "capitals"):
            adversary = Adversary(ROLES[role], False, HIDINGS[hiding], seed)
            played(tmp_path / f"{seed}-{hiding}", small, shortest, adversary)
            assert adversary.callers_prompts and leaked(adversary) == []
            smuggled += adversary.smuggled
    # Of the roles of a call, only those who plan and speak for the agent see planted words at all.
    assert (smuggled > 0) == bool(ROLES[role] & AGENTS)


@pytest.mark.parametrize("role", ROLES)
def test_nor_does_who_remembers_what_every_role_was_sent(
    role: str, small: Library, shortest: Blueprint, tmp_path: Path
) -> None:
    smuggled = 0
    for seed in range(2):
        for hiding in ("plain", "nested", "unseen"):
            adversary = Adversary(ROLES[role], True, HIDINGS[hiding], seed)
            played(tmp_path / f"{seed}-{hiding}", small, shortest, adversary)
            assert adversary.callers_prompts and leaked(adversary) == []
            smuggled += adversary.smuggled
    assert smuggled > 0


@pytest.mark.parametrize("hiding", ["base64", "reversed", "halves", "spread"])
def test_a_hidden_word_is_heard_from_the_agent_or_known_to_the_callers_own_model(
    hiding: str, small: Library, shortest: Blueprint, tmp_path: Path
) -> None:
    word = canary_word(SEED, shortest.conversation_id)
    marks = {word[:5], word[5:]} if hiding in ("halves", "spread") else {HIDINGS[hiding](word)}

    def hidden(role: str, seed: int) -> set[str]:
        """The elements of the caller's prompts in which the word stands in that writing."""
        hide = Spread() if hiding == "spread" else HIDINGS[hiding]
        adversary = Adversary(ROLES[role], True, hide, seed)
        played(tmp_path / f"{role}-{seed}", small, shortest, adversary)
        assert adversary.smuggled > 0 and leaked(adversary) == []
        elements = [found for text in adversary.callers_prompts for found in DATA.findall(text)]
        return {name for name, text in elements if any(mark in text for mark in marks)}

    assert {name for seed in range(2) for name in hidden("the agent's side", seed)} <= {"heard"}
    # The one way that code cannot see in one reply: both sides are one model with one memory, and it says half a word.
    unseen = {"plan"} if hiding == "spread" else set()
    assert {name for seed in range(2) for name in hidden("all", seed)} <= {"heard"} | unseen


def test_whoever_spells_a_hidden_word_out_is_not_listened_to(
    small: Library, shortest: Blueprint, tmp_path: Path
) -> None:
    word = canary_word(SEED, shortest.conversation_id)

    class Decoder(Adversary):
        """Says it backwards as the agent, and puts it right as the caller."""

        def answer(self, request: ModelRequest) -> str:
            text = super().answer(request)
            heard = any(word[::-1] in message.text for message in request.messages)
            if form_of(request) not in CALLERS_FORMS or not heard:
                return text
            self.spelled_out = True
            return json.dumps({k: f"{v} {word}" for k, v in json.loads(text).items()})

        spelled_out = False

    decoders = [Decoder(ROLES["assistant"], False, HIDINGS["reversed"], seed) for seed in range(3)]
    for seed, decoder in enumerate(decoders):
        played(tmp_path / str(seed), small, shortest, decoder)
        assert leaked(decoder) == []
    assert any(decoder.spelled_out for decoder in decoders)


@pytest.mark.parametrize("hiding", ["plain", "nested"])
def test_an_agent_that_says_planted_words_still_makes_a_clean_corpus(
    hiding: str, small: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adversary = Adversary(ROLES["assistant"], True, HIDINGS[hiding], 2)
    monkeypatch.setattr("factory.models.pool.open_client", playing(adversary.answer))
    folder = build(tmp_path / "run", small, OWN, canaries=True)
    assert adversary.smuggled > 0
    assert_holds(folder, small)
    assert write_flow_report(folder).canary.found == 0
