"""What a person can get wrong when handing labels to the analysis."""

from __future__ import annotations

from labelwright.errors import LabelwrightError


class MixedCodes(LabelwrightError):
    """Label sets that are to be compared or pooled, but do not use the same codes."""

    code = "analysis.mixed_codes"


class NotLabels(LabelwrightError):
    """A table without the columns that labels need."""

    code = "analysis.not_labels"


class NothingShared(LabelwrightError):
    """Two sets that should share items, and share none."""

    code = "analysis.nothing_shared"
