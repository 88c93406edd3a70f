"""The order of a scale: what is outside it, when there is none, and how it is declared."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from labelwright.agreement import Counts, NoOrder, Ratings, get_measure, measure_names
from labelwright.agreement.alpha import alpha_ordinal
from labelwright.agreement.percentage import percentage
from labelwright.analysis import (
    Labels,
    distributions,
    item_scores,
    measure_agreement,
    normalised_scores,
)
from labelwright.analysis.charts import draw_distribution
from labelwright.analysis.comparing.differences import difference_of_ratings
from labelwright.charts import GAP, LIGHT
from labelwright.cli import register_commands
from labelwright.cli.options import declared_scales
from labelwright.scales import BadScale, Scale, parse_scale

IN_ORDER = {
    "alpha_ordinal",
    "alpha_interval",
    "alpha_ratio",
    "cohen_kappa_linear",
    "cohen_kappa_quadratic",
    "gwet_ac2_linear",
    "gwet_ac2_quadratic",
    "gwet_ac2_ordinal",
    "kendall_tau_b",
    "icc1",
    "icc1k",
    "icc2",
    "icc2k",
    "icc3",
    "icc3k",
}
BETTER = parse_scale("worse=-1, same=0, better=1 | both bad=9")


def preferences(*codes: int | None, scale: Scale = BETTER) -> Labels:
    """Pairs of ratings by x and y, one item after another."""
    items = [f"i{n // 2:02}" for n in range(len(codes))]
    raters = ["x", "y"] * (len(codes) // 2)
    return Labels.read({"item": items, "rater": raters, "label": list(codes)}, scale=scale)


@pytest.mark.parametrize("name", measure_names())
def test_every_measure_that_uses_the_order_leaves_out_both_bad(name: str) -> None:
    scale = parse_scale("0, 1, 2 | 9")
    inside = [0, 0, 1, 1, 2, 1, 2, 2, 0, 1]
    with_bad = preferences(*inside, 9, 9, 9, 2, scale=scale).ratings()
    measure = get_measure(name)
    found = measure(with_bad, None)
    # The two items with "both bad" have at most one rating with a place, so they cannot count.
    alone = measure(preferences(*inside, scale=parse_scale("0, 1, 2")).ratings(), None)
    if name not in IN_ORDER:
        assert not any("outside the order" in note for note in found.notes)
        return
    if not alone.undefined and not name.startswith(("icc2", "icc3")):
        assert found.value == pytest.approx(alone.value)
    assert f"{name} leaves out 3 ratings outside the order of the scale." in found.notes


def test_counts_and_ratings_leave_out_the_same() -> None:
    labels = preferences(-1, -1, 0, 1, 1, 1, 9, 9, 9, 1, 0, 0)
    [counts] = labels.counts().values()
    measure = alpha_ordinal
    one, two = measure(counts, None), measure(labels.ratings(), None)
    assert (one.value, one.items, one.left_out) == (two.value, two.items, two.left_out)
    assert one.left_out == {"rating outside the order of the scale": 3, "item with fewer than two ratings": 2}
    # Nominal measures count "both bad" as the label that it is.
    assert percentage(counts, None).items == 6


@pytest.mark.parametrize("name", sorted(IN_ORDER))
def test_unordered_labels_get_no_measure_that_uses_the_order(name: str) -> None:
    unordered = preferences(1, 1, 2, 2, 1, 2, scale=parse_scale("unordered: 1, 2"))
    found = measure_agreement(unordered, [name], bootstrap=None).get(name)
    assert math.isnan(found.value)
    assert found.undefined == "the scale is declared as unordered, so their order is not known."
    text = Labels.read(
        {"item": list("aabb"), "rater": list("xyxy"), "label": ["fair", "good", "good", "good"]}
    )
    table = measure_agreement(text, [name, "alpha_nominal"], bootstrap=None)
    assert "the labels are text, and no scale is declared" in str(table.get(name).undefined)
    assert "(`--scale` on the command line)" in repr(table)
    assert not math.isnan(table.get("alpha_nominal").value)


def test_text_codes_are_never_sorted_into_an_order() -> None:
    ratings = Ratings.of(list("aabb"), ["poor", "fair", "good", "good"], rater=list("xyxy"))
    assert math.isnan(get_measure("alpha_ordinal")(ratings, None).value)
    names = sorted(set("ab"))
    with pytest.raises(NoOrder, match="no scale is declared"):
        difference_of_ratings((ratings, names), (ratings, names), "alpha_ordinal")
    declared = Ratings.of(list("aabb"), ["poor", "fair", "good", "good"], codes=("poor", "fair", "good"))
    assert get_measure("alpha_ordinal")(declared, None).undefined is None
    # Numbers are in their own order.
    assert get_measure("alpha_ordinal")(Ratings.of(list("aabb"), [1, 2, 3, 3]), None).undefined is None
    assert Counts.of_ratings(ratings).no_order


def test_means_need_an_order_or_scores() -> None:
    text = Labels.read({"item": ["a", "b"], "label": ["fair", "good"]})
    with pytest.raises(NoOrder, match=r"no scale is declared .*--scale"):
        item_scores(text)
    with pytest.raises(NoOrder, match="declared as unordered"):
        item_scores(text.with_scale(parse_scale("unordered: fair, good")))
    found = normalised_scores(text, by=(), bootstrap=None).get("score")
    assert math.isnan(found.value)
    assert found.undefined
    # "Both bad" and missing labels are not part of a mean: (0 + 0.5 + 1) / 3 without them.
    means = item_scores(preferences(-1, -1, 0, 9, 1, None, 9, 9))
    assert means == {"i00": 0.0, "i01": 0.5, "i02": 1.0}


def test_both_bad_is_drawn_apart_from_the_order() -> None:
    [found] = distributions(preferences(-1, -1, 0, 9, 1, 9), by=())
    assert found.outside == (9,)
    chart = draw_distribution([found]).to_dict()
    bars = chart["vconcat"][0]["layer"][0]
    domain, colours = (bars["encoding"]["color"]["scale"][key] for key in ("domain", "range"))
    colour = dict(zip(domain, colours, strict=True))
    # The strongest colour belongs to the best point of the order; "both bad" has none and starts after a gap.
    assert [colour[place] for place in range(4)] == [LIGHT["s1"], LIGHT["s2"], LIGHT["s3"], LIGHT["paper"]]
    [parts] = chart["datasets"].values()
    assert [(part["start"], part["end"]) for part in parts][2:] == [
        (0.5, pytest.approx(4 / 6)),
        (pytest.approx(4 / 6 + GAP), pytest.approx(1 + GAP)),
    ]


def test_scales_are_declared_on_the_command_line(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    rows = [
        ("a", "x", "poor"),
        ("a", "y", "poor"),
        ("b", "x", "good"),
        ("b", "y", "fair"),
        ("c", "x", "fair"),
    ]
    rows += [("c", "y", "fair")]
    labels.write_text("item,rater,label\n" + "\n".join(",".join(row) for row in rows))
    command = register_commands()

    def run(*words: str) -> str:
        options = ["-m", "alpha_ordinal", "--replicates", "0"]
        return str(CliRunner().invoke(command, ["agreement", str(labels), *options, *words]).output)

    undeclared = run()
    assert "undefined" in undeclared
    assert "--scale" in undeclared
    expected = get_measure("alpha_ordinal")(
        Ratings.of(list("aabbcc"), [1, 1, 3, 2, 2, 2], codes=(1, 2, 3)), None
    )
    for scale in ("poor, fair, good", "poor=1,fair=2,good=3", "poor=-5, fair=0, good=9"):
        assert f"{expected.value:.2f}" in run("--scale", scale)
    assert "undefined" in run("--scale", "unordered: poor, fair, good")
    wrong = CliRunner().invoke(command, ["agreement", str(labels), "--scale", "bad, good"]).exception
    assert "Expected one of 'bad', 'good'" in str(wrong)


def test_a_scale_comes_from_a_list_a_study_file_or_an_export(tmp_path: Path) -> None:
    study = Path("studies/context/study.yaml")
    found = declared_scales([str(study), "fit: poor, good | no idea"])
    assert found["fit"].outside == (3,)
    assert found["usefulness"].ordered
    export = tmp_path / "answers.scales.json"
    export.write_text(f'{{"versions": [{{"aspects": {{"fit": {found["fit"].model_dump_json()}}}}}]}}')
    assert declared_scales([str(export)]) == {"fit": found["fit"]}
    assert parse_scale("1, 2, 3").codes == (1, 2, 3)
    for wrong in ("poor", "poor=1, fair", "poor, poor", "a, b | c | d", "a=0.5, b=1", ""):
        with pytest.raises(BadScale, match="from worst to best"):
            parse_scale(wrong)
