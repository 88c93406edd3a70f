"""Answers that fit a JSON schema, for endpoints in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WORDS = "one two three four five six"


def fill(schema: dict[str, Any]) -> Any:
    """A small value that fits a schema as question types write it.

    >>> fill({"type": "array", "items": {"enum": [3, 4]}, "minItems": 1})
    [3]
    """
    if options := schema.get("enum"):
        return options[0]
    if variants := schema.get("anyOf"):
        return fill(variants[0])
    make: Callable[[dict[str, Any]], Any] = _KINDS.get(str(schema.get("type")), _text)
    return make(schema)


def _text(_schema: dict[str, Any]) -> str:
    return WORDS


def _object(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: fill(schema["properties"][name]) for name in schema.get("required", ())}


def _array(schema: dict[str, Any]) -> list[Any]:
    places = schema.get("prefixItems")
    if places:
        return [fill(place) for place in places]
    inner, number = schema["items"], int(schema.get("minItems", 0))
    return [fill(inner)] * number if inner.get("type") in ("array", "object") else _distinct(inner, number)


def _number(schema: dict[str, Any]) -> Any:
    return schema.get("minimum", schema.get("maximum", 0))


def _distinct(schema: dict[str, Any], number: int) -> list[Any]:
    lowest = schema.get("minimum", 0)
    options = schema.get("enum") or [lowest + place for place in range(number)]
    return list(options[:number])


_KINDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "object": _object,
    "array": _array,
    "integer": _number,
    "number": _number,
    "boolean": lambda _: True,
    "null": lambda _: None,
}
