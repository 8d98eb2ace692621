"""Anthropic's messages, as the official SDK reads them."""

from factory.models.fake.scenarios import Outcome
from factory.models.fake.wire import (
    Asked,
    BadRequest,
    Json,
    Said,
    check_closed,
    model_of,
    object_of,
    objects,
    retry_after,
    text_of,
    tokens,
)


class AnthropicWire:
    """Messages of Anthropic."""

    def read(self, body: Json) -> Asked:
        """Reads a messages request."""
        limit = body.get("max_tokens")
        if not isinstance(limit, int) or limit < 1:
            raise BadRequest("max_tokens: Field required")
        system = body.get("system", "")
        blocks = system if isinstance(system, list) else []
        schema = None
        config = body.get("output_config")
        form = config.get("format") if isinstance(config, dict) else None
        if isinstance(form, dict):
            if form.get("type") != "json_schema":
                raise BadRequest("output_config.format.type: Input should be 'json_schema'")
            schema = object_of(form, "schema")
            check_closed(schema, "output_config.format.schema")
        return Asked(
            model=model_of(body),
            system="\n\n".join(str(b.get("text", "")) for b in blocks) if blocks else str(system),
            messages=tuple(text_of(m) for m in objects(body, "messages")),
            schema=schema,
            name=str((schema or {}).get("title", "")),
            max_tokens=limit,
            caches=any(isinstance(b, dict) and b.get("cache_control") for b in blocks),
        )

    def reply(self, asked: Asked, said: Said, number: int) -> Json:
        """A message."""
        stop = "refusal" if said.refusal else "max_tokens" if said.cut else "end_turn"
        return {
            "id": f"msg_{number:08d}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": [{"type": "text", "text": said.text}] if said.text else [],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": asked.input_tokens - asked.cached_tokens,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": asked.cached_tokens,
                "output_tokens": max(1, tokens(said.text)),
                "service_tier": "standard",
            },
        }

    def without(self, reply: Json, outcome: Outcome) -> Json:
        """A message without usage, or without its content."""
        gone = "usage" if outcome is Outcome.NO_USAGE else "content"
        return {key: value for key, value in reply.items() if key != gone}

    def error(self, outcome: Outcome, message: str, number: int) -> tuple[int, Json]:
        """Status and body of an error."""
        status, kind = {
            Outcome.RATE_LIMIT: (429, "rate_limit_error"),
            Outcome.QUOTA: (402, "billing_error"),
            Outcome.SERVER: (500, "api_error"),
            Outcome.OVERLOADED: (529, "overloaded_error"),
            Outcome.AUTHENTICATION: (401, "authentication_error"),
            Outcome.CONTEXT: (400, "invalid_request_error"),
            Outcome.BAD_REQUEST: (400, "invalid_request_error"),
        }[outcome]
        return status, self._error(kind, message, number)

    def headers(self, number: int, retry_after_s: float | None) -> list[tuple[bytes, bytes]]:
        """The request's id, and how long to wait."""
        return [(b"request-id", f"req_{number:08d}".encode()), *retry_after(retry_after_s)]

    def missing(self, message: str, number: int) -> tuple[int, Json]:
        """Status and body for a model that does not exist."""
        return 404, self._error("not_found_error", message, number)

    def models(self, names: tuple[str, ...]) -> Json:
        """The list of models."""
        data = [
            {"type": "model", "id": name, "display_name": name, "created_at": "2025-06-15T00:00:00Z"} for name in names
        ]
        return {"data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]}

    def _error(self, kind: str, message: str, number: int) -> Json:
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": f"req_{number:08d}"}
