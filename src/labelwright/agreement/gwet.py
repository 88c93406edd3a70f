"""Gwet's AC1 and AC2 (Gwet 2008, British Journal of Mathematical and Statistical Psychology 61)."""

from __future__ import annotations

from collections.abc import Callable

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.counts import Sums
from labelwright.agreement.measures import count_measure
from labelwright.agreement.weights import Weighting, closeness

_DEFINITION = (
    "Gwet's {} ({} weights): agreement beyond chance, where raters are assumed to guess only on hard items; "
    "the number of codes is that of the scale, not of the data. Items with one rating are left out, of chance "
    "agreement too (irrCAC counts them there)."
)
_FEW_ITEMS = (
    "With 20 items and five codes, 95% intervals of AC2 with {} weights held the true value in {} of "
    "simulated data sets."
)


def _coefficient(weighting: Weighting) -> Callable[[Sums], Floats]:
    def value(sums: Sums) -> Floats:
        size = len(sums.codes)
        weights = closeness(sums.codes, weighting)
        spread = (sums.prevalence * (1 - sums.prevalence)).sum(axis=-1)
        chance = weights.sum() / max(size * (size - 1), 1) * spread
        return divide(sums.observed(weights) - chance, 1 - chance)

    return value


gwet_ac1 = count_measure("gwet_ac1", _DEFINITION.format("AC1", "plain"))(_coefficient("plain"))
gwet_ac2_linear = count_measure("gwet_ac2_linear", _DEFINITION.format("AC2", "linear"), needs_order=True)(
    _coefficient("linear")
)
gwet_ac2_quadratic = count_measure(
    "gwet_ac2_quadratic",
    _DEFINITION.format("AC2", "quadratic"),
    few_items_note=_FEW_ITEMS.format("quadratic", "90.2%"),
    needs_order=True,
)(_coefficient("quadratic"))
gwet_ac2_ordinal = count_measure(
    "gwet_ac2_ordinal",
    _DEFINITION.format("AC2", "ordinal"),
    few_items_note=_FEW_ITEMS.format("ordinal", "90.8%"),
    needs_order=True,
)(_coefficient("ordinal"))
