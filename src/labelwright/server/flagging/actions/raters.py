"""Raters as a whole: their agreement and the findings of the audit, stored for the rules that look at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from labelwright.analysis.audit import LabelSet
from labelwright.analysis.audit.rater_figures import measure_raters
from labelwright.quality import RaterFigures, RuleNeed
from labelwright.scales import Scale
from labelwright.server.flagging.actions.work import AGREEMENT
from labelwright.server.flagging.queries import blocks
from labelwright.server.flagging.queries import raters as queries
from labelwright.server.flagging.queries.raters import Label
from labelwright.server.store.models import StudyVersion
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.judgments import judged_scales


@transaction.atomic
def compare_next_raters(now: datetime) -> int:
    """Compares the raters of the next study with new submissions; returns 0 if there is no such study.

    Reads the labels of the study, at most a million, so it runs in a job every ten minutes. The rules run again on the
    undecided work of raters whose figures have changed.
    """
    with planned_for_values():
        changed = queries.next_changed_study()
        if changed is None:
            return 0
        newest = StudyVersion.objects.filter(study=changed.study).latest("n").pk
        if any(RuleNeed.RATER in rule.needs for rule in study_of(newest).quality):
            _compare(changed.study, newest, now)
        queries.note_compared(changed, now)
    return 1


def _compare(study: int, newest: int, now: datetime) -> None:
    scales = judged_scales(newest)
    versions = [
        version
        for version in StudyVersion.objects.filter(study=study).values_list("pk", flat=True)
        if all(scale.matches(judged_scales(version).get(name, scale)) for name, scale in scales.items())
    ]
    labels = queries.labels_of(study, versions)
    names = queries.names_of(sorted({label.rater for label in labels}))
    figures = measure_raters(_label_sets(labels, names, scales))
    raters = {name: rater for rater, name in names.items()}
    stored = {raters[name]: _plain(found) for name, found in figures.items()}
    doubted = queries.store_findings(study, stored, now)
    blocks.mark_raters(study, doubted)


def _plain(figures: RaterFigures) -> dict[str, Any]:
    plain: dict[str, Any] = dict(figures.findings)
    if figures.agreement is not None:
        plain[AGREEMENT] = {
            "agreement": round(figures.agreement, 3),
            "low": None if figures.low is None else round(figures.low, 3),
            "high": None if figures.high is None else round(figures.high, 3),
            "items": figures.items,
            "pool_agreement": None if figures.pool_agreement is None else round(figures.pool_agreement, 2),
        }
    return plain


def _label_sets(
    labels: Sequence[Label], names: Mapping[int, str], scales: Mapping[str, Scale]
) -> list[LabelSet]:
    """The labels of each question in each condition."""
    grouped: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        grouped.setdefault((label.question, label.condition), []).append(label)
    return [
        LabelSet(
            f"{question} in {condition}",
            question,
            condition,
            [str(label.item) for label in own],
            [label.code for label in own],
            [names[label.rater] for label in own],
            scale=scales.get(question),
        )
        for (question, condition), own in sorted(grouped.items())
    ]
