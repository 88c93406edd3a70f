"""Audit: a list of errors and doubtful points in label files from any source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from labelwright.analysis.audit.checks import CHECKS
from labelwright.analysis.audit.findings import AuditReport, Finding, report
from labelwright.analysis.audit.label_sets import LabelSet, read_sets

__all__ = ["AuditReport", "Finding", "LabelSet", "audit", "audit_sets", "read_sets"]


def audit(
    paths: Sequence[Path | str],
    *,
    columns: Mapping[str, str] | None = None,
    item: str | None = None,
    label: str | None = None,
) -> AuditReport:
    """Errors and doubtful points in label files, each with evidence and advice.

    `columns` gives the names of the item, rater and label columns in tables. `item` and `label`
    name the fields of JSON item lists if they cannot be detected.
    """
    return audit_sets(read_sets(paths, columns, item, label))


def audit_sets(sets: Sequence[LabelSet]) -> AuditReport:
    """Audits label sets that are already in memory."""
    labelled = [each for each in sets if each.codes]
    findings = [_without_labels(each) for each in sets if not each.codes]
    findings += [finding for check in CHECKS for finding in check(labelled)]
    return report(len(sets), sum(len(each.label) for each in sets), findings)


def _without_labels(each: LabelSet) -> Finding:
    return Finding(
        "no_labels",
        "wrong",
        each.name,
        f"none of the {len(each.label)} ratings has a label.",
        "Check whether the labels are in another column or field, and name it.",
    )
