"""Labels from a study export: the table and the scales file next to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labelwright import tables
from labelwright.analysis.labels import Labels, NoAnswer
from labelwright.scales import Scale


def read_export(path: str | Path, *, no_answer: NoAnswer = "left_out", engine: Any = None) -> Labels:
    """The coded answers of `labelwright study export`, with the scales that the study declares for its aspects.

    Answers without a code (such as free text), gold items and questions about the task as a whole
    are left out. If versions of the study differ, the newest version defines the scale. An aspect
    with several scales has no declared scale: the codes that occur in each question are used.
    """
    path = Path(path)
    table = tables.having(tables.read(path, engine), "label")
    if "role" in tables.columns(table):
        table = tables.where(table, {"role": "item"})
    beside = path.with_suffix(".scales.json")
    declared = exported_scales(json.loads(beside.read_text())) if beside.exists() else {}
    return Labels.read(table, scale=declared, no_answer=no_answer)


def exported_scales(document: Mapping[str, Any]) -> dict[str | None, Scale]:
    """The scale of each aspect, from the scales file of an export."""
    found: dict[str | None, Scale] = {}
    for version in document["versions"]:
        found |= {name: Scale.model_validate(scale) for name, scale in version["aspects"].items()}
    return found
