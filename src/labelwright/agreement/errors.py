"""Errors in the input of measures."""

from __future__ import annotations

from labelwright.errors import LabelwrightError
from labelwright.registry import UnknownName


class UnknownCode(LabelwrightError):
    """A label that is not a code of the scale."""

    code = "agreement.unknown_code"


class NoOrder(LabelwrightError):
    """Codes without an order, for a measure that needs one."""

    code = "agreement.no_order"


class UnequalLengths(LabelwrightError):
    """Columns that differ in length although each should have one entry per rating."""

    code = "agreement.unequal_lengths"


class MissingName(LabelwrightError):
    """A rating without an item or without a rater."""

    code = "agreement.missing_name"


class UnknownMeasure(UnknownName):
    """A measure that nobody registered."""

    code = "agreement.unknown_measure"


class UnknownOption(LabelwrightError):
    """A value that an option does not accept."""

    code = "agreement.unknown_option"
