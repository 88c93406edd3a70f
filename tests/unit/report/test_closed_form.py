"""Closed forms for large studies: the same values as by resampling, and intervals of nearly the same width."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from labelwright.agreement import Bootstrap
from labelwright.analysis import Labels
from labelwright.report import ReportInput, make_report
from labelwright.report.closed_form import ClosedFigures
from labelwright.report.figures import Figures
from labelwright.report.material import ReportMaterial
from tests.unit.report.made_studies import made_rows


@pytest.fixture(scope="module")
def both() -> tuple[Figures, ClosedFigures]:
    rows = pa.table(made_rows(dialogues=150, effect=0.3)).drop_columns(["dialogue"])
    data = ReportMaterial.read(ReportInput("Made", Labels.read(rows, repeated="unchecked"))).questions[0].kept
    return Figures(data, "C_0", Bootstrap(seed=1)), ClosedFigures(data, "C_0", Bootstrap(seed=1))


def _alike(one, two):
    assert two.value == pytest.approx(one.value, abs=1e-9)
    assert two.interval.high - two.interval.low == pytest.approx(
        one.interval.high - one.interval.low, rel=0.2
    )


def test_agreement(both):
    small, large = (each.agreement() for each in both)
    for name in ("percentage", "fleiss_kappa", "alpha_nominal", "alpha_ordinal"):
        for condition in ("C_0", "C_3", "C_7"):
            _alike(small.get(name, condition=condition), large.get(name, condition=condition))
    kappas = [each.get("cohen_kappa", condition="C_3").value for each in (small, large)]
    assert kappas[1] == pytest.approx(kappas[0], abs=1e-9)
    for test in both[1].agreement_tests():
        assert test.p < 0.001


def test_scores_shifts_times_and_differences(both):
    small, large = both
    for one, two in zip(small.scores(["condition"]), large.scores(["condition"]), strict=True):
        _alike(one.estimates["score"], two.estimates["score"])
    for name in ("shifts", "seconds_saved"):
        for one, two in zip(getattr(small, name)(), getattr(large, name)(), strict=True):
            _alike(one, two)
            assert two.test.p == pytest.approx(one.test.p, abs=0.1)
            assert two.effect_size == pytest.approx(one.effect_size)
            assert two.values == pytest.approx(one.values)
    pairs = zip(
        small.agreement_differences("alpha_nominal"),
        large.agreement_differences("alpha_nominal"),
        strict=True,
    )
    for one, two in pairs:
        # Conditions lost different numbers of ratings per item, so resampling compares at equal numbers.
        assert two.value == pytest.approx(one.value, abs=0.03)


def test_labels_consistency_and_confidence(both):
    small, large = both
    assert small.label_shares() == large.label_shares()
    one, two = small.consistency(), large.consistency()
    for pair, same in one.pairs.items():
        assert two.pairs[pair].value == pytest.approx(same.value)
        assert two.pairs[pair].interval == same.interval
        assert two.expected[pair] == pytest.approx(one.expected[pair])
        assert two.tests[pair].p == pytest.approx(one.tests[pair].p, abs=0.05)
        assert two.baseline[pair[0]] == pytest.approx(one.baseline[pair[0]], abs=0.03)
    (rho, test), (other, same_test) = (each.confidence("C_0") for each in both)
    _alike(rho, other)
    assert same_test.p == pytest.approx(test.p)


def test_systems_are_ranked_by_the_same_test(both):
    one, two = (each.ranking() for each in both)
    assert one.differences == two.differences
    assert math.isnan(two.systems[0].share_best)


def test_a_large_study_says_that_nothing_was_resampled(monkeypatch):
    monkeypatch.setattr("labelwright.report.sources.LARGE", 100)
    monkeypatch.setattr("labelwright.report.auditing.MOST_AUDITED", 100)
    found = make_report(ReportInput("Made", Labels.read(made_rows())), seed=1)
    assert "no resampling" in found.tree["methods"]
    assert found.tree["audit"]["covers"].startswith("The audit looked at ")
    assert found.json()
