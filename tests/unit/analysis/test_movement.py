"""Whether labels moved between versions: the size of the test, and what it finds."""

from __future__ import annotations

import math

import numpy as np

from labelwright.analysis import measure_movement


def ratings(
    draw: np.random.Generator, shift: float, items: int = 30
) -> tuple[list[int], list[int], list[int]]:
    """Items of different difficulty, rated twice under each version; the second version moves codes up."""
    item = np.repeat(np.arange(items), 4)
    version = np.tile([1, 1, 2, 2], items)
    base = draw.normal(size=items)[item]
    score = base + draw.normal(size=len(item)) + shift * (version == 2)
    return list(item), list(version), list(np.digitize(score, [-0.5, 0.5]))


def test_under_no_change_p_is_rarely_small_and_under_a_change_it_is():
    draw = np.random.default_rng(7)
    same = [measure_movement(*ratings(draw, 0.0), runs=199).test.p for _ in range(200)]
    # At 5%, 200 tests reject 10 times on average, and more than 20 times with probability 0.001.
    assert sum(p <= 0.05 for p in same) <= 20
    moved = [measure_movement(*ratings(draw, 1.5), runs=199).test.p for _ in range(20)]
    assert sum(p <= 0.05 for p in moved) >= 18


def test_items_of_one_version_say_nothing():
    found = measure_movement([1, 1, 2, 2], [1, 1, 2, 2], [1, 1, 3, 3])
    assert (math.isnan(found.test.p), found.items) == (True, 0)
    assert math.isnan(measure_movement([], [], []).test.p)


def test_harder_items_in_a_later_version_are_no_movement():
    """The second version rated other items more often, and these get other codes under both versions."""
    items = [1] * 8 + [2] * 8
    versions = [1] * 6 + [2] * 2 + [1] * 2 + [2] * 6
    codes = [1] * 8 + [3] * 8
    assert measure_movement(items, versions, codes).test.p == 1.0
