"""Labels from an export of a study: the table and the scales that were written beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labelwright import tables
from labelwright.analysis.labels import Labels, NoAnswer
from labelwright.scales import Scale


def read_export(path: str | Path, *, no_answer: NoAnswer = "left_out", engine: Any = None) -> Labels:
    """The coded answers of `labelwright study export`, on the scales that the study declares for its aspects.

    Free text and other answers without a code are left out, and so are gold items and questions on a
    task as a whole. Where versions of the study
    differ, the newest one says what the codes mean. An aspect that is measured on different
    scales has none: the codes that occur in each question are taken.
    """
    path = Path(path)
    table = tables.having(tables.read(path, engine), "label")
    if "role" in tables.columns(table):
        table = tables.where(table, {"role": "item"})
    beside = path.with_suffix(".scales.json")
    declared = exported_scales(json.loads(beside.read_text())) if beside.exists() else {}
    return Labels.read(table, scale=declared, no_answer=no_answer)


def exported_scales(document: Mapping[str, Any]) -> dict[str | None, Scale]:
    """The scale of each aspect in the file that is written beside an export."""
    found: dict[str | None, Scale] = {}
    for version in document["versions"]:
        found |= {name: Scale.model_validate(scale) for name, scale in version["aspects"].items()}
    return found
