"""Preferences in a report: how often equal systems are told apart, and a file of an export."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from labelwright.analysis import Comparisons, NotLabels, bradley_terry
from labelwright.report import make_report, read_input
from labelwright.report.preferences import preferred_pairs
from labelwright.report.reading import ReadingOptions

ITEMS, RATERS, REDUNDANCY = 40, 20, 5


def simulated(random: np.random.Generator, lead: float = 0.0) -> Comparisons:
    """Raters compare two systems; items and raters lean to either of them, and some answers are ties."""
    of_items, of_raters = random.normal(0, 0.8, ITEMS), random.normal(0, 0.5, RATERS)
    item = np.repeat(np.arange(ITEMS), REDUNDANCY)
    rater = np.concatenate([random.choice(RATERS, REDUNDANCY, replace=False) for _ in range(ITEMS)])
    odds = np.exp(lead + of_items[item] + of_raters[rater])
    first = random.random(len(item)) < odds / (1 + odds)
    tie = random.random(len(item)) < 0.15
    return Comparisons(
        ("heron",) * len(item),
        ("wren",) * len(item),
        tuple(None if t else "heron" if f else "wren" for f, t in zip(first, tie, strict=True)),
        item=tuple(map(str, item)),
        rater=tuple(map(str, rater)),
    )


def certain(compared: Comparisons) -> bool:
    (pair,) = preferred_pairs(compared, bradley_terry(compared), 0.95)
    return pair.p < 0.05


def test_equal_systems_are_seldom_told_apart_and_different_ones_are():
    random = np.random.default_rng(5)
    # 10 of 200 would be 5%; 20 or more would come by chance once in 400 runs of such a test.
    assert sum(certain(simulated(random)) for _ in range(200)) < 20
    assert sum(certain(simulated(random, lead=1.0)) for _ in range(20)) >= 18


def test_an_export_is_ranked_by_the_question_that_is_named(tmp_path: Path):
    random, path = np.random.default_rng(1), tmp_path / "answers.csv"
    compared = simulated(random, lead=2.0)
    with path.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(["item", "rater", "question", "label", "candidates"])
        for item, rater, winner in zip(compared.item, compared.rater, compared.winner, strict=True):
            label = {"heron": -1, "wren": 1, None: 0}[winner]
            writer.writerow([item, rater, "better", label, json.dumps(["heron", "wren"])])
    given = read_input(path, "Films", options=ReadingOptions(preferences=["better"]))
    tree = make_report(given, 1).tree
    assert tree["answers"][0]["answer"] == ["heron is better than wren."]
    with pytest.raises(NotLabels, match="no answers to a question"):
        read_input(path, "Films", options=ReadingOptions(preferences=["best"]))
