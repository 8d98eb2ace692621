"""Calls to the fake server through the official SDKs."""

import json
import time

import anthropic
import openai

from factory.models.prompt import as_data
from factory.models.replies import PlannerReply, reply_schema
from tests.models.servers import RunningServer

SCHEMA = json.loads(reply_schema(PlannerReply).json_schema)
SYSTEM = "You plan.\n" + as_data({"goal": "Sell a lamp"}, "workflow") + "\n" + "Stay on the subject. " * 300
USER = as_data([{"ref": "a.b", "does": "greet the person"}], "acts")
PLAN = "Open the call warmly, then greet the person."
KEY = "sk-of-nobody-1234"


def openai_client(server: RunningServer, timeout_s: float = 10) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.openai_url, api_key=KEY, max_retries=0, timeout=timeout_s)


def anthropic_client(server: RunningServer, timeout_s: float = 10) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=server.anthropic_url, api_key=KEY, max_retries=0, timeout=timeout_s)


def chat(server: RunningServer, model: str, user: str = USER, timeout_s: float = 10, limit: int = 500):  # type: ignore[no-untyped-def]
    form = {"name": "PlannerReply", "schema": SCHEMA, "strict": True}
    return openai_client(server, timeout_s).chat.completions.create(
        model=model,
        messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}],
        max_completion_tokens=limit,
        response_format={"type": "json_schema", "json_schema": form},  # type: ignore[typeddict-item]
    )


def message(server: RunningServer, model: str, user: str = USER, timeout_s: float = 10, limit: int = 500):  # type: ignore[no-untyped-def]
    return anthropic_client(server, timeout_s).messages.create(
        model=model,
        system=[{"type": "text", "text": SYSTEM, "cache_control": {"type": "ephemeral"}}],
        messages=[{"role": "user", "content": user}],
        max_tokens=limit,
        output_config={"format": {"type": "json_schema", "schema": SCHEMA}},
    )


def text_of(reply) -> str:  # type: ignore[no-untyped-def]
    return str(reply.choices[0].message.content if hasattr(reply, "choices") else reply.content[0].text)


HANGS = """
import sys, openai
client = openai.OpenAI(base_url=sys.argv[1], api_key="k", max_retries=0)
client.chat.completions.create(model="player;hang", messages=[{"role": "user", "content": "Hello"}])
"""


def until(holds, patience_s: float = 20) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def ended(server: RunningServer, wanted):  # type: ignore[no-untyped-def]
    """The last call of some kind, once none of that kind is under way any more."""
    until(lambda: server.stats()["under_way"] == 0 and any(map(wanted, server.log())))
    return [line for line in server.log() if wanted(line)][-1]
