"""Figures of raters for quality rules: agreement with its interval, and what the audit's tests find."""

from __future__ import annotations

import numpy as np
import pytest

from labelwright.analysis.audit import LabelSet
from labelwright.analysis.audit.rater_figures import measure_raters


def crowd_of(seed: int = 1, items: int = 120) -> LabelSet:
    """Eight careful raters, one who answers at random, one who always gives 3, and two who share their answers."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(1, 6, items)
    names, codes, places = [], [], []

    def add(name: str, given: np.ndarray) -> None:
        names.extend([name] * items)
        codes.extend(int(code) for code in given)
        places.extend(f"i{n}" for n in range(items))

    for number in range(8):
        noise = draw.choice([-1, 0, 1], items, p=[0.15, 0.7, 0.15])
        add(f"careful{number}", np.clip(truth + noise, 1, 5))
    add("random", draw.integers(1, 6, items))
    add("constant", np.full(items, 3))
    shared = draw.integers(1, 6, items)
    add("twin1", shared)
    add("twin2", shared)
    return LabelSet("set", "a", "C0", places, codes, names)


def test_the_tests_of_the_audit_are_told_rater_by_rater():
    figures = measure_raters([crowd_of()])
    kinds = {name: sorted(found.findings) for name, found in figures.items()}
    assert "random" in kinds["random"]
    assert "constant" in kinds["constant"]
    # Every answer of the first twin was there before that of the second.
    assert {"copied", "same_source"} <= set(kinds["twin2"])
    assert not {"copied", "same_source"} & set(kinds["twin1"])
    assert figures["twin2"].findings["same_source"]["accounts"] == ["twin1", "twin2"]
    assert figures["twin2"].findings["same_source"]["agreed"] == 120
    assert all(kinds[f"careful{number}"] == [] for number in range(8))


def test_careful_raters_agree_far_more_than_random_ones_and_the_intervals_say_so():
    figures = measure_raters([crowd_of()])
    random, careful = figures["random"], figures["careful0"]
    assert random.agreement is not None
    assert random.high is not None
    assert careful.low is not None
    assert random.high < careful.low
    assert random.items == 120


def test_raters_who_answer_in_turns_are_both_told_of():
    made = crowd_of()
    rows = list(zip(made.item, made.label, made.rater or (), strict=True))
    # On every other item, the second twin is the first.
    rows.sort(key=lambda row: (int(row[0][1:]), (row[2] == "twin1") == (int(row[0][1:]) % 2 == 0)))
    items, labels, raters = zip(*rows, strict=True)
    mixed = LabelSet("set", "a", "C0", items, labels, raters)
    figures = measure_raters([mixed])
    assert all("same_source" in figures[name].findings for name in ("twin1", "twin2"))


def test_agreement_is_one_minus_the_share_of_the_expected_distance():
    """As in alpha with interval distances: its mean over raters is alpha, and the pool's is that of the middle rater."""
    made = crowd_of(items=40)
    codes = np.array(made.label, dtype=float).reshape(-1, 40)
    within = np.mean([np.var(codes[:, item], ddof=1) for item in range(40)])
    alpha = 1 - within / np.var(codes.ravel(), ddof=1)
    figures = measure_raters([made])
    values = [found.agreement for found in figures.values() if found.agreement is not None]
    assert np.mean(values) == pytest.approx(alpha)
    assert [found.pool_agreement for found in figures.values()] == [pytest.approx(np.median(values))] * 12


def test_without_ratings_to_compare_nothing_is_known():
    assert measure_raters([]) == {}
    single = LabelSet("set", "a", "C0", ["i0", "i1"], [1, 2], ["a", "b"])
    assert {found.agreement for found in measure_raters([single]).values()} == {None}
