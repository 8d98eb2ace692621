"""Replies of a form that the player does not know: whatever its schema allows, as small as it may be."""

from collections.abc import Mapping

Schema = Mapping[str, object]
WORDS = "Some plain words."


def smallest(schema: Schema, whole: Schema | None = None) -> object:
    """A plausible value of a schema: texts of some words, arrays as short as they may be."""
    whole = whole or schema
    if "const" in schema:
        return schema["const"]
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed:
        return allowed[0]
    if isinstance(reference := schema.get("$ref"), str):
        return smallest(_referred(whole, reference), whole)
    for key in ("anyOf", "oneOf"):
        if isinstance(choices := schema.get(key), list) and choices:
            return smallest(choices[0], whole)
    return _of_type(schema, whole)


def _of_type(schema: Schema, whole: Schema) -> object:
    kind, properties, items = schema.get("type"), schema.get("properties"), schema.get("items")
    if kind == "object" and isinstance(properties, dict):
        return {name: smallest(part, whole) for name, part in properties.items()}
    if kind == "array":
        least = schema.get("minItems", 0)
        return [smallest(items, whole)] * least if isinstance(items, dict) and isinstance(least, int) else []
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"object": {}, "boolean": False, "null": None}.get(str(kind), WORDS)


def _referred(whole: Schema, reference: str) -> Schema:
    found: object = whole
    for key in reference.removeprefix("#/").split("/"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
