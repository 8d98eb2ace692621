"""The step of a build in which models are asked, alone: from blueprints to finished conversations.

`python -m tests.bench.played plan SPEC FOLDER ROLES` plans a run; `play` plays one that is planned and tells what it
used; `record` plays one and writes down the requests, for the bare loop.
"""

import asyncio
import json
import sys
from pathlib import Path

import openai  # noqa: F401  (its import is in nobody's time)

from factory.build.engine import ModelSide
from factory.build.order import Order, opened_run
from factory.build.steps import blueprints_of, plan, simulate
from factory.build.together import play_together
from factory.corpus.specs import load_spec
from factory.models.ask import Asker
from factory.models.openai_client import OTHERS_WORD
from factory.models.pool import Pool
from factory.models.request import ModelReply, ModelRequest
from factory.models.roles_file import load_models
from factory.models.store import ReplyStore
from factory.records.models import Models
from factory.run.display import Silent
from factory.run.folder import RunFolder
from factory.workflow.library import standard_library
from tests.bench.usage import Clock


class _Recorder:
    """Sends the requests of one conversation, and writes down which ran together and which followed."""

    def __init__(self, pool: Pool, path: Path) -> None:
        self._pool = pool
        self._path = path
        self._together: list[dict[str, object]] = []
        self._under_way = 0

    async def send(self, request: ModelRequest) -> ModelReply:
        self._together.append(body_of(request))
        self._under_way += 1
        reply = await self._pool.send(request)
        self._under_way -= 1
        if not self._under_way:
            with self._path.open("a") as file:
                file.write(json.dumps(self._together, ensure_ascii=False) + "\n")
            self._together = []
        return reply


class _RecordingSide(ModelSide):
    """A model side both of whose askers share a recorder."""

    def __init__(self, models: Models, pool: Pool, folder: RunFolder, requests: Path) -> None:
        super().__init__(models, pool, folder.replies)
        self._given = (models, pool, folder, requests)
        self._recorders: dict[str, _Recorder] = {}

    def asker(self, conversation_id: str, side: str) -> Asker:
        models, pool, folder, requests = self._given
        path = requests / f"{conversation_id}.jsonl"
        recorder = self._recorders.setdefault(conversation_id, _Recorder(pool, path))
        return Asker(models, recorder, ReplyStore(folder.replies / f"{conversation_id}.{side}.jsonl"))


def body_of(request: ModelRequest) -> dict[str, object]:
    """A request as the arguments of the SDK's `create`; that the bodies are equal, the server's log proves."""
    assert request.reply_schema is not None
    schema = {
        "name": request.reply_schema.name,
        "schema": json.loads(request.reply_schema.json_schema),
        "strict": True,
    }
    return {
        "model": request.model,
        "messages": [
            {"role": "system", "content": request.system},
            *({"role": message.sender.value, "content": message.text} for message in request.messages),
        ],
        "response_format": {"type": "json_schema", "json_schema": schema},
        OTHERS_WORD: request.max_output_tokens,
    }


def main() -> None:
    """Does what the command line says."""
    verb, spec, out, roles, *more = sys.argv[1:]
    order = Order(spec=load_spec(spec), library=standard_library(), audio=False, models=load_models(roles))
    folder = RunFolder(Path(out))
    if verb == "plan":
        with opened_run(order, folder.path) as planned:
            plan(order, planned, Silent())
        Clock().tell()
        return
    for workflow in {blueprint.workflow for blueprint in folder.blueprints()}:
        order.library.script(workflow)  # read in the steps before
    everything = range(order.spec.conversations)
    clock = Clock()
    if verb == "play":
        simulate(order, folder, everything, Silent())
    else:
        asyncio.run(_record(order, folder, everything, Path(more[0])))
    clock.tell()


async def _record(order: Order, folder: RunFolder, everything: range, requests: Path) -> None:
    assert order.models is not None
    requests.mkdir()
    async with Pool(order.models, {}) as pool:
        engine = order.engine(_RecordingSide(order.models, pool, folder, requests))
        await play_together(folder, engine, blueprints_of(folder, everything), len(everything), Silent())


if __name__ == "__main__":
    main()
