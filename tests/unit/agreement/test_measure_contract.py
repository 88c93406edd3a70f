"""Every registered measure keeps the contract, and every one has its documentation."""

from __future__ import annotations

import pytest

from labelwright.agreement import (
    MEASURES,
    Bootstrap,
    Estimate,
    Ratings,
    get_measure,
    measure_names,
    register_measure,
)
from labelwright.testing.measures import MeasureContract

CANNOT = {"drop_one_kappa": {"renaming_raters": "the seeded drops follow positions, so other drops are made"}}


def _suite(name: str) -> type[MeasureContract]:
    return type(
        f"TestContractOf_{name}",
        (MeasureContract,),
        {"measure": get_measure(name), "cannot": CANNOT.get(name, {})},
    )


for _name in measure_names():
    globals()[f"TestContractOf_{_name}"] = _suite(_name)


class _ShareOfOnes:
    """A measure as another package would write it."""

    name = "share_of_ones"
    definition = "Share of items whose ratings are all code 1, which is no agreement at all."
    needs_raters = False

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = None) -> Estimate:
        return Estimate(self.name, float((ratings.code == 1).mean()), self.definition)


def test_registering_makes_a_measure_known() -> None:
    try:
        register_measure(_ShareOfOnes())
        assert "share_of_ones" in measure_names()
        assert get_measure("share_of_ones")(Ratings.of([0, 0], [0, 1]), None).value == 0.5
    finally:
        MEASURES.unregister("share_of_ones")


def test_only_a_measure_can_be_registered() -> None:
    with pytest.raises(TypeError, match="lacks an attribute of a measure"):
        register_measure(object())
