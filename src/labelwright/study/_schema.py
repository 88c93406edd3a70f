"""The JSON Schema of a study file, with the descriptions that stand below the fields of the models."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class DescribedSchema(GenerateJsonSchema):
    """Adds the string below each field as its description, and leaves examples for programmers out."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The schema of one model."""
        made, model = super().model_schema(schema), schema["cls"]
        if "description" in made:
            made["description"] = made["description"].partition("\n>>>")[0].rstrip()
        described = field_descriptions(model)
        for name, field in model.model_fields.items():
            shown = made.get("properties", {}).get(field.alias or name)
            if shown is not None and name in described:
                shown["description"] = described[name]
        return made


def field_descriptions(model: type[BaseModel]) -> dict[str, str]:
    """The string below each field of a model, where there is one; that of a subclass takes precedence.

    >>> from labelwright.task import Aspect
    >>> field_descriptions(Aspect)["aim"]
    'What the requester wants to learn; raters never see it.'
    """
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if issubclass(each, BaseModel) and each is not BaseModel:
            found |= _strings_below(each.__module__).get(each.__qualname__, {})
    return found


@functools.cache
def _strings_below(module: str) -> dict[str, dict[str, str]]:
    """The strings below fields, by class and field; empty if the source of the module is not installed."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {node.name: dict(_described(node)) for node in classes}


def _described(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _text(below):
            yield field.target.id, inspect.cleandoc(_text(below))


def _text(node: ast.stmt) -> str:
    value: Any = (
        node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else ""
    )
    return value if isinstance(value, str) else ""
