"""Errors in questions about models as raters."""

from __future__ import annotations

from labelwright.errors import LabelwrightError


class NoModel(LabelwrightError):
    """Labels in which no rater is known to be a model, or in which the named model does not occur."""

    code = "judging.no_model"


class NotRandom(LabelwrightError):
    """An estimate for all items from items that people did not get by chance."""

    code = "judging.not_random"


class TooFew(LabelwrightError):
    """Too few labels for the answer that was asked for."""

    code = "judging.too_few"


class AlreadyOpened(LabelwrightError):
    """Held-out items that were opened before for the same version of a prompt."""

    code = "judging.already_opened"
