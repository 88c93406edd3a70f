"""Every registered measure keeps the contract, and every one has its documentation."""

from __future__ import annotations

import pytest

from labelwright.agreement import Bootstrap, Estimate, Ratings, get_measure, measure_names, register_measure
from labelwright.agreement import measures as registry
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


def test_another_package_adds_a_measure_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "share_of_ones"

        def load(self) -> _ShareOfOnes:
            return _ShareOfOnes()

    monkeypatch.setattr(registry, "_REGISTERED", dict(registry._REGISTERED))
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [Entry()] if group == "labelwright.measures" else []
    )
    assert "share_of_ones" in measure_names()
    assert get_measure("share_of_ones")(Ratings.of([0, 0], [0, 1]), None).value == 0.5


def test_registering_makes_a_measure_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    assert register_measure(_ShareOfOnes()).name in registry._REGISTERED
