"""The forms of the replies, and their JSON schemas: closed objects, every property required."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from factory.models.request import ReplySchema
from factory.records.base import Record

Prose = Annotated[str, Field(max_length=4_000)]
Spoken = Annotated[str, Field(max_length=2_000)]


class SystemMessageReply(Record):
    """The system message, with the one placeholder `{known_user_information}`."""

    system_message: Annotated[str, Field(max_length=24_000)]


class PlannerReply(Record):
    """What the agent will do in its turn, as if nobody interrupted."""

    rationale: Prose
    plan: Prose


class SpokenAct(Record):
    """One act and the words that do it."""

    act: str
    text: Spoken


class AssistantReply(Record):
    """The agent's turn: a short reaction (may be empty), then every act in its order."""

    lead: Spoken
    segments: Annotated[tuple[SpokenAct, ...], Field(min_length=1)]


class ReactionReply(Record):
    """What the caller will say.

    Attributes:
        gist: All of it, values included.
        answer: The part of it that answers the agent's question, while they cut in; else empty.
    """

    rationale: Prose
    gist: Prose
    answer: Prose


class UserReply(Record):
    """The caller's words."""

    rationale: Prose
    utterance: Spoken


class RubricReply(Record):
    """The criteria in words, in the order in which they were asked for."""

    task_fulfilment: Prose
    recovery: Annotated[tuple[Prose, ...], Field(min_length=2, max_length=4)]


class FindingReply(Record):
    """One fault of a finished conversation.

    Attributes:
        message: Index of the message it lies in, from 0.
        check: Letter of the check.
        fixable: Whether other words in that message mend it.
        problem: What is wrong.
        fix: What to change.
    """

    message: Annotated[int, Field(ge=0)]
    check: str
    fixable: bool
    problem: Prose
    fix: Prose


class VerifierReply(Record):
    """All faults that were found; empty for a clean conversation."""

    findings: Annotated[tuple[FindingReply, ...], Field(max_length=40)]


class ModifierReply(Record):
    """The agent's turn with as few words changed as possible."""

    segments: Annotated[tuple[SpokenAct, ...], Field(min_length=1)]


class WorkflowReply(Record):
    """A whole workflow file."""

    yaml: Annotated[str, Field(max_length=200_000)]


def reply_schema(reply: type[Record], enums: Mapping[str, tuple[str, ...]] | None = None) -> ReplySchema:
    """The schema of a reply, as both makers' structured outputs take it.

    Its properties keep the record's order: servers write in that order, so what is to be thought of first comes first.

    Args:
        reply: Its record.
        enums: For properties of that name, the only values they may have.
    """
    schema = _schema(reply)
    closed = _closed(schema, schema.get("$defs", {}), enums or {})
    closed["title"] = reply.__name__
    return ReplySchema(name=reply.__name__, json_schema=json.dumps(closed, separators=(",", ":")))


@lru_cache(maxsize=32)
def _schema(reply: type[Record]) -> dict[str, Any]:
    """The record's own schema; nobody writes into it."""
    return reply.model_json_schema()


_KEPT = ("type", "enum")
"""What structured outputs take of every kind of value; lengths are checked when the reply is read."""


def _closed(
    schema: dict[str, Any], definitions: dict[str, Any], enums: Mapping[str, tuple[str, ...]]
) -> dict[str, Any]:
    if "$ref" in schema:
        return _closed(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions, enums)
    kept = {key: schema[key] for key in _KEPT if key in schema}
    if schema.get("type") == "array":
        kept["items"] = _closed(schema["items"], definitions, enums)
    if schema.get("type") == "object":
        kept["properties"] = {
            name: _closed(part, definitions, enums) | ({"enum": list(enums[name])} if name in enums else {})
            for name, part in schema["properties"].items()
        }
        kept["required"] = list(schema["properties"])
        kept["additionalProperties"] = False
    return kept
