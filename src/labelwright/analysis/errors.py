"""Errors in the input of the analysis."""

from __future__ import annotations

from labelwright.errors import LabelwrightError


class MixedCodes(LabelwrightError):
    """Label sets that cannot be compared or pooled because they use different codes."""

    code = "analysis.mixed_codes"


class NotLabels(LabelwrightError):
    """A table or file that does not have the shape of labels."""

    code = "analysis.not_labels"


class NothingShared(LabelwrightError):
    """Two sets that cannot be compared because one has no ratings."""

    code = "analysis.nothing_shared"


class SeveralQuestions(LabelwrightError):
    """Labels of several aspects, questions or conditions where those of one are needed."""

    code = "analysis.several_questions"
