"""Auditing: errors and doubtful points in the ratings, for page one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from labelwright import tables
from labelwright.analysis.audit import AuditReport, audit
from labelwright.report.cells import column, section, table, text
from labelwright.report.material import ONE_CONDITION, ReportMaterial
from labelwright.report.tree import Json
from labelwright.seeds import generator

_LONGEST = 400
MOST_AUDITED = 20_000
"""Of larger data, this many ratings are audited: all ratings of some items, drawn at random."""


def audit_material(material: ReportMaterial, seed: int) -> tuple[AuditReport, str]:
    """The audit of the ratings, and what it covers if not all of them."""
    if material.given.audited is not None:
        return material.given.audited, ""
    total = len(material.kept)
    if not total:
        return AuditReport(0, 0, ()), "Marked text is not audited."
    rows = material.kept
    about = ""
    if total > MOST_AUDITED:
        number = material.columns["item"].number[rows]
        items = len(material.columns["item"].names)
        drawn = generator(seed, "audit").permutation(items)[: max(2, items * MOST_AUDITED // total)]
        rows = rows[np.isin(number, drawn)]
        about = (
            f"The audit looked at {len(rows):,} of {total:,} ratings: all ratings of {len(drawn):,} items, drawn at "
            "random."
        )
    table = material.rows.take(pa.array(rows)) if len(rows) < material.rows.num_rows else material.rows
    return audit([replace(material.labels, table=tables.read(table))]), about


def audit_tree(found: AuditReport, about: str) -> Json:
    """The findings as plain values."""
    return {
        "summary": found.summary,
        "covers": about,
        "findings": [
            {
                "kind": each.kind,
                "severity": each.severity,
                "where": where_text(each.where),
                "what": each.what,
                "do": each.do,
                "evidence": {str(name): evidence_text(value) for name, value in each.evidence.items()},
            }
            for each in found
        ],
    }


def where_text(name: str) -> str:
    """A label set as a reader knows it: without the names that we gave to what has none.

    >>> where_text("labels/usefulness/C_0"), where_text("labels/better/all"), where_text("usefulness/C_0")
    ('usefulness, C_0', 'better', 'usefulness/C_0')
    """
    own = name.removeprefix("labels/")
    return name if own == name else own.removesuffix(f"/{ONE_CONDITION}").replace("/", ", ")


def evidence_text(value: Any) -> str:
    """A piece of evidence in one line.

    >>> evidence_text({"C_0": (1, 2, 3)})
    'C_0: 1, 2, 3'
    """
    if isinstance(value, Mapping):
        text = "; ".join(f"{key}: {evidence_text(each)}" for key, each in value.items())
    elif isinstance(value, list | tuple):
        text = ", ".join(map(str, value))
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def audit_section(tree: Json) -> Json:
    """All findings with advice."""
    columns = [
        column("severity", "Severity"),
        column("where", "Where"),
        column("what", "Finding"),
        column("do", "Advice"),
    ]
    blocks = [text(f"{tree['summary']}.", tree["covers"])]
    if tree["findings"]:
        blocks.append(table("audit", "Findings of the audit.", columns, tree["findings"]))
    return section("audit", "Audit of the ratings", blocks)
