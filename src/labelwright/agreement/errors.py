"""What a person can get wrong when handing ratings to a measure."""

from __future__ import annotations

from labelwright.errors import LabelwrightError
from labelwright.registry import UnknownName


class UnknownCode(LabelwrightError):
    """A label that is no code of its scale."""

    code = "agreement.unknown_code"


class UnequalLengths(LabelwrightError):
    """Columns that should have one entry per rating, but differ in length."""

    code = "agreement.unequal_lengths"


class UnknownMeasure(UnknownName):
    """A measure that nobody registered."""

    code = "agreement.unknown_measure"


class UnknownOption(LabelwrightError):
    """An option value that a measure does not know."""

    code = "agreement.unknown_option"
