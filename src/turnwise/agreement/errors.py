"""What a person can get wrong when handing ratings to a measure."""

from __future__ import annotations

from turnwise.errors import TurnwiseError


class UnknownCode(TurnwiseError):
    """A label that is no code of its scale."""

    code = "agreement.unknown_code"


class UnequalLengths(TurnwiseError):
    """Columns that should have one entry per rating, but differ in length."""

    code = "agreement.unequal_lengths"


class UnknownMeasure(TurnwiseError):
    """A measure that nobody registered."""

    code = "agreement.unknown_measure"


class UnknownOption(TurnwiseError):
    """An option value that a measure does not know."""

    code = "agreement.unknown_option"
