"""A small run that models wrote, each conversation with its own troubles, played in this process."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from factory.build.conversations import build_conversation
from factory.build.engine import ModelSide
from factory.build.order import Order
from factory.corpus.plan import plan_corpus
from factory.dataset.write import write_dataset
from factory.models.fake.player import play
from factory.models.fake.scenarios import Scenario
from factory.models.fake.wire import Asked
from factory.models.request import Finish, ModelReply, ModelRequest
from factory.records.models import ModelChoice, ModelRole, Models, Provider, ProviderKind, Usage
from factory.run.files import write_text
from factory.run.folder import RunFolder
from factory.run.freeze import freeze
from factory.workflow.library import Library
from tests.dataset.runs import SEED, SPEC

MODELS = Models(
    providers={"own": Provider(kind=ProviderKind.OPENAI, free=True)},
    roles={role: ModelChoice(provider="own", model=f"{role.value}-model") for role in ModelRole},
)

AGENT, CALLER, BEYOND = (4, "I", True), (5, "N", True), (2, "I", False)
"""Faults of a finished call: message, check, and whether other words mend them."""

CANARY = "Zqbabababa"
NOT_JSON = "Certainly! Here it is."
READING, SAYING, WORDING = "VerifierReply", "UserReply", "RubricReply"
"""Names of forms, which tell the role that is asked."""


class Player:
    """Answers as the fake server's player does, but for what a conversation is to have of trouble."""

    def __init__(
        self,
        faults: Sequence[tuple[int, str, bool]] = (),
        silent: dict[str, tuple[int, ...]] | None = None,
        slips: Sequence[int] = (),
    ) -> None:
        """Takes what goes wrong.

        Args:
            faults: What each reading finds.
            silent: By form, the requests, from 0, that get no usable reply.
            slips: The caller's turns, from 0, in which a word of the shape of a canary is said.
        """
        self._faults = faults
        self._silent = silent or {}
        self._slips = slips
        self._asked: Counter[str] = Counter()
        self._found = 0

    async def send(self, request: ModelRequest) -> ModelReply:
        assert request.reply_schema is not None
        form = request.reply_schema.name
        number, self._asked[form] = self._asked[form], self._asked[form] + 1
        text = NOT_JSON if number in self._silent.get(form, ()) else self._text(request, form)
        if form == SAYING and number in self._slips:
            said = json.loads(text)
            text = json.dumps(said | {"utterance": f"{CANARY} {said['utterance']}"})
        usage = Usage(input=100, cached=10, output=7)
        return ModelReply(text=text, finish=Finish.DONE, usage=usage, model=request.model)

    def _text(self, request: ModelRequest, form: str) -> str:
        if form == READING:
            found = self._faults[self._found : self._found + 1]
            self._found += 1
            told = {"problem": "It sounds stiff.", "fix": "Begin it with a small word."}
            findings = [{"message": m, "check": c, "fixable": f, **told} for m, c, f in found]
            return json.dumps({"findings": findings})
        assert request.reply_schema is not None
        asked = Asked(
            model="player",
            system=request.system,
            messages=tuple(message.text for message in request.messages),
            schema=json.loads(request.reply_schema.json_schema),
            name=form,
            max_tokens=None,
            caches=False,
        )
        return play(asked, Scenario())


def troubled() -> list[Player]:
    """One for each of the four conversations."""
    return [
        Player([AGENT, CALLER, BEYOND, AGENT]),
        Player(silent={SAYING: (1, 4, 5, 6), WORDING: (0, 1, 2)}),  # one reply that is repaired, then none of use
        Player(silent={READING: (0, 1, 2), "SystemMessageReply": (0, 1, 2)}),
        Player(),
    ]


def modelled_run(
    path: Path, library: Library, canaries: bool = False, players: Callable[[], Sequence[Player]] = troubled
) -> RunFolder:
    """Four conversations: the first is edited, said again, drawn anew and edited; the others as `troubled` has it."""
    folder = RunFolder(path)
    order = Order(spec=SPEC, library=library, seed=SEED, audio=False, canaries=canaries, models=MODELS)
    folder.claim(order.identity(), fresh=False)
    write_text(folder.blueprints_file, "".join(f"{line}\n" for line in plan_corpus(SPEC, library, SEED).lines))
    for blueprint, player in zip(folder.built(), players(), strict=True):
        engine = order.engine(ModelSide(MODELS, player, folder.replies))
        asyncio.run(build_conversation(folder, engine, blueprint))
    freeze(folder)
    write_dataset(folder, library)
    return folder
