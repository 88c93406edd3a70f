"""What a person can get wrong when handing labels to the analysis."""

from __future__ import annotations

from turnwise.errors import TurnwiseError


class MixedCodes(TurnwiseError):
    """Label sets that are to be compared or pooled, but do not use the same codes."""

    code = "analysis.mixed_codes"


class NotLabels(TurnwiseError):
    """A table without the columns that labels need."""

    code = "analysis.not_labels"


class NothingShared(TurnwiseError):
    """Two sets that should share items, and share none."""

    code = "analysis.nothing_shared"
