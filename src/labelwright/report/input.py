"""Input of a report: the ratings, with the columns that a report understands, and the facts around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from labelwright.analysis import Labels
from labelwright.analysis.audit import AuditReport
from labelwright.report.facts import Facts
from labelwright.report.preferences import PreferenceSet
from labelwright.report.spans import SpanSet

EXCLUDED = "excluded"
"""A column of booleans: whether the rating was excluded by quality control. Figures come before and after exclusion."""


@dataclass(frozen=True, eq=False)
class ReportInput:
    """Ratings and facts.

    `labels` has one row per rating: `item`, `label`, and as far as known `rater`, `condition`, `system`, `aspect`,
    `question`, `dialogue`, `category`, `seconds` (of the whole task), `assignment` (ratings of one task share it),
    `design`, `confidence`, `weight` and `excluded` (or `data_use` of an export, where "left_out" means the same). Ratings that never
    count (gold, attention checks, models) are not in it.
    """

    title: str
    labels: Labels | None
    """None if there are only marked texts."""
    facts: Facts = field(default_factory=Facts)
    wordings: Mapping[str, str] = field(default_factory=dict)
    """The text of each question, as raters read it."""
    audited: AuditReport | None = None
    """The audit of the files, if they were changed after it; otherwise the ratings themselves are audited."""
    recodings: tuple[str, ...] = ()
    """How labels were recoded before the analysis, as phrases."""
    spans: tuple[SpanSet, ...] = ()
    """Texts in which raters marked parts, by condition."""
    preferences: tuple[PreferenceSet, ...] = ()
    """Comparisons of candidates, by question."""
    span_reference: str = ""
    """The name of the set that experts marked, with which the others are compared."""
