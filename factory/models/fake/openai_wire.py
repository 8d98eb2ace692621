"""OpenAI's chat completions, as the official SDK reads them."""

from factory.models.fake.scenarios import Outcome
from factory.models.fake.wire import (
    Asked,
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


class OpenAIWire:
    """Chat completions of OpenAI and of all servers that follow it."""

    def read(self, body: Json) -> Asked:
        """Reads a chat request."""
        messages = objects(body, "messages")
        system = "\n\n".join(text_of(m) for m in messages if m.get("role") in ("system", "developer"))
        schema, name = None, ""
        form = body.get("response_format")
        if isinstance(form, dict) and form.get("type") == "json_schema":
            inner = object_of(form, "json_schema")
            schema, name = object_of(inner, "schema"), str(inner.get("name", ""))
            if inner.get("strict"):
                check_closed(schema, "response_format")
        seed = body.get("seed")
        limit = body.get("max_completion_tokens", body.get("max_tokens"))
        return Asked(
            model=model_of(body),
            system=system,
            messages=tuple(text_of(m) for m in messages if m.get("role") not in ("system", "developer")),
            schema=schema,
            name=str((schema or {}).get("title", name)),
            max_tokens=limit if isinstance(limit, int) else None,
            caches=True,
            seed=seed if isinstance(seed, int) else None,
        )

    def reply(self, asked: Asked, said: Said, number: int) -> Json:
        """A chat completion."""
        used, made = asked.input_tokens, tokens(said.text)
        message: Json = {
            "role": "assistant",
            "content": None if said.refusal else said.text,
            "refusal": said.text if said.refusal else None,
            "annotations": [],
        }
        finish = "length" if said.cut else "stop"
        return {
            "id": f"chatcmpl-{number:08d}",
            "object": "chat.completion",
            "created": 1_750_000_000 + number,
            "model": asked.model,
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": used,
                "completion_tokens": made,
                "total_tokens": used + made,
                "prompt_tokens_details": {"cached_tokens": asked.cached_tokens, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
            },
            "service_tier": "default",
            "system_fingerprint": "fp_player",
        }

    def without(self, reply: Json, outcome: Outcome) -> Json:
        """A completion without usage, or without choices."""
        if outcome is Outcome.NO_USAGE:
            return {key: value for key, value in reply.items() if key != "usage"}
        return reply | {"choices": []}

    def error(self, outcome: Outcome, message: str, number: int) -> tuple[int, Json]:
        """Status and body of an error."""
        status, kind, code = {
            Outcome.RATE_LIMIT: (429, "requests", "rate_limit_exceeded"),
            Outcome.QUOTA: (429, "insufficient_quota", "insufficient_quota"),
            Outcome.SERVER: (500, "server_error", None),
            Outcome.OVERLOADED: (529, "server_error", "overloaded"),
            Outcome.AUTHENTICATION: (401, "invalid_request_error", "invalid_api_key"),
            Outcome.CONTEXT: (400, "invalid_request_error", "context_length_exceeded"),
            Outcome.BAD_REQUEST: (400, "invalid_request_error", None),
        }[outcome]
        param = "messages" if outcome is Outcome.CONTEXT else None
        return status, {"error": {"message": message, "type": kind, "param": param, "code": code}}

    def headers(self, number: int, retry_after_s: float | None) -> list[tuple[bytes, bytes]]:
        """The request's id, and how long to wait."""
        headers = [(b"x-request-id", f"req_{number:08d}".encode())]
        if retry_after_s is not None:
            headers.append((b"retry-after-ms", str(round(retry_after_s * 1000)).encode()))
        return headers + retry_after(retry_after_s)

    def missing(self, message: str, number: int) -> tuple[int, Json]:
        """Status and body for a model that does not exist."""
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": "model_not_found"}
        return 404, {"error": error}

    def models(self, names: tuple[str, ...]) -> Json:
        """The list of models."""
        data = [{"id": name, "object": "model", "created": 1_750_000_000, "owned_by": "factory"} for name in names]
        return {"object": "list", "data": data}
