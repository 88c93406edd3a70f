"""Audit: a list of errors and doubtful points in label files from any source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from labelwright.analysis.audit.checks import CHECKS, RATER_CHECKS
from labelwright.analysis.audit.checks.design import check_design
from labelwright.analysis.audit.crossing import cross
from labelwright.analysis.audit.design import ExpectedDesign
from labelwright.analysis.audit.evidence import RaterEvidence
from labelwright.analysis.audit.findings import AuditReport, Finding, report
from labelwright.analysis.audit.label_sets import LabelSet
from labelwright.analysis.audit.plots import BarPlot
from labelwright.analysis.audit.reading import read_sets
from labelwright.analysis.data.labels import Labels

__all__ = ["AuditReport", "ExpectedDesign", "Finding", "LabelSet", "audit", "audit_sets", "read_sets"]


def audit(
    sources: Sequence[Path | str | Labels],
    *,
    columns: Mapping[str, str] | None = None,
    item: str | None = None,
    label: str | None = None,
    design: ExpectedDesign | None = None,
) -> AuditReport:
    """Errors and doubtful points in label files, each with evidence and advice.

    A source is a file or labels that were read before. `columns` gives the names of the item, rater and
    label columns in tables. `item` and `label` name the fields of JSON item lists if they cannot be
    detected. With an expected `design`, differences from it are reported too.
    """
    return audit_sets(read_sets(sources, columns, item, label), design)


def audit_sets(sets: Sequence[LabelSet], design: ExpectedDesign | None = None) -> AuditReport:
    """Audits label sets that are already in memory."""
    labelled = [each for each in sets if each.codes]
    findings = [_without_labels(each) for each in sets if not each.codes]
    findings += list(check_design(sets, design)) if design else []
    findings += [finding for check in CHECKS for finding in check(labelled)]
    crossing = cross(labelled)
    if crossing is not None:
        evidence = RaterEvidence(crossing)
        findings += [finding for rater_check in RATER_CHECKS for finding in rater_check(evidence)]
    return report(len(sets), sum(len(each.label) for each in sets), findings)


def _without_labels(each: LabelSet) -> Finding:
    return Finding(
        "no_labels",
        "wrong",
        each.name,
        f"none of the {len(each.label)} ratings has a label.",
        "Check whether the labels are in another column or field, and name it.",
        plot=BarPlot.of("Ratings", "number", {"with a label": 0, "without": len(each.label)}, ["without"]),
    )
