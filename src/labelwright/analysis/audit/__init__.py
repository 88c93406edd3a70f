"""Audit: label files from anywhere in, a list of what is wrong or doubtful out."""

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
    """What is wrong or doubtful about label files, each with its evidence and what to do.

    `columns` says what item, rater and label are called in tables; `item` and `label` name
    fields of JSON item lists where they cannot be told from the files.
    """
    return audit_sets(read_sets(paths, columns, item, label))


def audit_sets(sets: Sequence[LabelSet]) -> AuditReport:
    """The same for label sets that are already in memory."""
    labelled = [each for each in sets if each.codes]
    findings = [_without_labels(each) for each in sets if not each.codes]
    findings += [finding for check in CHECKS for finding in check(labelled)]
    return report(len(sets), sum(len(each.label) for each in sets), findings)


def _without_labels(each: LabelSet) -> Finding:
    return Finding(
        "no_labels",
        "wrong",
        each.name,
        f"none of {len(each.label)} ratings has a label.",
        "Look whether the labels stand in another column or field, and name it.",
    )
