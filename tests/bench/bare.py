"""The floor for the model engine: recorded requests, sent again through the official SDK by a bare loop.

Each conversation is a file of its own; a line holds the calls that may run together, and the next line depends on it.
"""

import asyncio
import json
import sys
from pathlib import Path

from openai import AsyncOpenAI

from tests.bench.usage import Clock


async def _send_all(address: str, folder: Path) -> None:
    async with AsyncOpenAI(api_key="none", base_url=address, max_retries=0) as client:

        async def conversation(path: Path) -> None:
            with path.open() as file:
                for line in file:
                    calls = [client.chat.completions.create(**body) for body in json.loads(line)]
                    await asyncio.gather(*calls)

        await asyncio.gather(*map(conversation, sorted(folder.glob("*.jsonl"))))


if __name__ == "__main__":
    url, requests = sys.argv[1:]
    clock = Clock()
    asyncio.run(_send_all(url, Path(requests)))
    clock.tell()
