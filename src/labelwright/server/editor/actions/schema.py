"""Fields of the study file in its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from labelwright.study import json_schema

Schema = dict[str, Any]
Step = tuple[str | int, str]
"""A part of a path, and the tag beside it that decides between alternatives; empty for none."""


def schema_at(path: tuple[Step, ...]) -> Iterator[Schema]:
    """The schemas that describe the value at a path, the most special first."""
    here = [_whole()]
    for part, tag in path:
        here = [found for schema in _alternatives(here, tag) for found in _inside(schema, part)]
    yield from here
    yield from _alternatives(here, "")


@cache
def _whole() -> Schema:
    return json_schema()


def _alternatives(schemas: list[Schema], tag: str) -> list[Schema]:
    """The schemas with references followed, and of tagged alternatives the one with this tag."""
    found: list[Schema] = []
    waiting = list(schemas)
    while waiting:
        schema = waiting.pop(0)
        if "$ref" in schema:
            waiting.insert(0, _whole()["$defs"][schema["$ref"].rpartition("/")[2]])
            continue
        mapping = schema.get("discriminator", {}).get("mapping", {})
        if tag in mapping:
            waiting.insert(0, {"$ref": mapping[tag]})
            continue
        further = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
        waiting = [*further, *waiting]
        if not further:
            found.append(schema)
    return found


def _inside(schema: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int):
        if "items" in schema:
            yield schema["items"]
        return
    if part in schema.get("properties", {}):
        yield schema["properties"][part]
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, part):
            yield inner
    if isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]
