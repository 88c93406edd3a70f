"""Charts are drawn offline, in every format, with the values on the marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from labelwright.agreement import Bootstrap
from labelwright.analysis import Labels, consistency, distributions, measure_agreement, rank_systems
from labelwright.analysis.charts import (
    draw_consistency,
    draw_distribution,
    draw_estimates,
    draw_ranking,
    save,
    theme,
)
from labelwright.charts import DARK, LIGHT, NoPicture

ROWS = {
    "item": ["a", "a", "b", "b", "c", "c"] * 2,
    "rater": ["x", "y"] * 6,
    "condition": ["C_0"] * 6 + ["C_7"] * 6,
    "system": ["s", "s", "t", "t", "t", "t"] * 2,
    "label": [0, 0, 1, 2, 2, 2, 0, 1, 1, 1, 2, 2],
}


@pytest.fixture(scope="module")
def labels() -> Labels:
    return Labels.read(ROWS)


def test_estimates_carry_their_text_and_interval(labels: Labels, tmp_path: Path) -> None:
    table = measure_agreement(
        labels, ["percentage", "alpha_nominal"], by=["condition"], bootstrap=Bootstrap(100)
    )
    save(draw_estimates(table), tmp_path / "agreement.svg")
    drawn = (tmp_path / "agreement.svg").read_text()
    assert table.get("percentage", condition="C_0").text in drawn
    assert "alpha_nominal" in drawn


def test_a_heat_map_shows_the_baseline_in_brackets(labels: Labels, tmp_path: Path) -> None:
    [found] = consistency(labels, bootstrap=None)
    save(draw_consistency(found, mode="dark"), tmp_path / "heat.svg")
    assert f"({100 * found.baseline['C_0']:.0f})" in (tmp_path / "heat.svg").read_text()


def test_distributions_and_rankings_are_drawn(labels: Labels, tmp_path: Path) -> None:
    save(draw_distribution(distributions(labels)), tmp_path / "shares.svg")
    assert "0: 33%" in (tmp_path / "shares.svg").read_text()
    ranking = rank_systems(labels, Bootstrap(50))
    save(draw_ranking(ranking), tmp_path / "ranking.svg")
    assert ranking.systems[0].score.text in (tmp_path / "ranking.svg").read_text()


@pytest.mark.parametrize(
    ("ending", "starts"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")]
)
def test_other_formats(ending: str, starts: bytes, labels: Labels, tmp_path: Path) -> None:
    save(draw_distribution(distributions(labels)), tmp_path / f"chart.{ending}")
    written = (tmp_path / f"chart.{ending}").read_bytes()
    assert written.lstrip().startswith(starts)
    assert b"cdn." not in written


def test_an_unknown_ending_is_an_error(labels: Labels, tmp_path: Path) -> None:
    with pytest.raises(NoPicture, match="svg"):
        save(draw_distribution(distributions(labels)), tmp_path / "chart.gif")


def test_the_theme_has_both_modes() -> None:
    assert theme(LIGHT)["background"] != theme(DARK)["background"]
