"""The limits and defaults of a study file are those that are written down.

Study files outlive a release, so a limit that moves must move on purpose. `limits.json` holds every limit and default
that the parts of a study declare. After a change that is meant, write it anew and look at the difference:

    PYTHONPATH=src python -m tests.unit.study.test_limits
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

WRITTEN = Path(__file__).with_name("limits.json")
STAGES = ("context", "crowd", "quality", "study", "task")
NOT_LIMITS = {"title", "description", "$defs", "$ref", "anyOf", "oneOf", "discriminator", "type"}


def _models() -> Iterator[type[BaseModel]]:
    for stage in STAGES:
        package = importlib.import_module(f"labelwright.{stage}")
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    left, seen = [BaseModel], set()
    while left:
        for model in left.pop().__subclasses__():
            if model not in seen:
                seen.add(model)
                left.append(model)
                if model.__module__.split(".")[1:2] and model.__module__.split(".")[1] in STAGES:
                    yield model


def _limits(schema: Any) -> Any:
    """What a schema says about values, without names, texts and types."""
    if isinstance(schema, list):
        return [found for each in schema if (found := _limits(each))]
    if not isinstance(schema, dict):
        return schema
    found = {key: schema[key] for key in sorted(schema) if key not in NOT_LIMITS}
    for key in ("items", "additionalProperties", "prefixItems", "propertyNames"):
        if isinstance(found.get(key), dict | list):
            found[key] = _limits(found[key])
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found |= _limits(choice)
    return {key: value for key, value in found.items() if value not in ({}, [])}


def declared_limits() -> dict[str, Any]:
    """Every limit and default of every field, by model and field; fields without any are left out."""
    found = {}
    for model in _models():
        schema = model.model_json_schema(ref_template="{model}")
        fields = {name: _limits(field) for name, field in schema.get("properties", {}).items()}
        found[model.__qualname__] = {name: limits for name, limits in sorted(fields.items()) if limits}
    return {name: fields for name, fields in sorted(found.items()) if fields}


def test_limits_and_defaults_are_those_written_down() -> None:
    assert declared_limits() == json.loads(WRITTEN.read_text())


def test_what_is_designed_cannot_change_and_has_no_unknown_fields() -> None:
    loose = {
        model.__qualname__
        for model in _models()
        if (model.model_config.get("frozen"), model.model_config.get("extra")) != (True, "forbid")
    }
    # HasOptions is only ever inherited, by models that say it themselves.
    assert loose == {"HasOptions"}


if __name__ == "__main__":
    models = []
    for model, fields in declared_limits().items():
        lines = [
            f"  {json.dumps(name)}: {json.dumps(limits, ensure_ascii=False)}"
            for name, limits in fields.items()
        ]
        models.append(f" {json.dumps(model)}: {{\n" + ",\n".join(lines) + "\n }")
    WRITTEN.write_text("{\n" + ",\n".join(models) + "\n}\n", encoding="utf-8")
