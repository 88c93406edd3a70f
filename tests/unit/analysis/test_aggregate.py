"""One label per item, by votes and by models of raters."""

from __future__ import annotations

import numpy as np
import pytest

from labelwright.agreement import Ratings, UnknownCode, UnknownOption
from labelwright.analysis import Labels, NotLabels, dawid_skene, mace, majority, one_coin
from labelwright.analysis.aggregation import TieRule
from labelwright.scales import Point, Scale

# Item a: 2, 1 (tie, rated 2 first); b: 1, 1, 2; c: 3, 2, 1.
ITEMS = ["a", "a", "b", "b", "b", "c", "c", "c"]
LABELS = [2, 1, 1, 1, 2, 3, 2, 1]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("none", [None, 1, None]), ("lowest", [1, 1, 1]), ("highest", [2, 1, 3]), ("first", [2, 1, 3])],
)
def test_majority_with_its_tie_rule(ties: TieRule, expected: list[int | None]) -> None:
    found = majority(Ratings.of(ITEMS, LABELS), ties)
    assert found.labels == expected
    assert found.facts["tied"] == 2
    assert ties in found.definition


def test_random_ties_are_seeded_and_only_among_the_tied() -> None:
    ratings = Ratings.of(np.repeat(np.arange(200), 2), [0, 2] * 200, codes=(0, 1, 2))
    one, again = majority(ratings, "random", seed=3), majority(ratings, "random", seed=3)
    assert one.labels == again.labels
    assert 60 < one.counts[0] < 140
    assert one.counts[1] == 0


def test_an_unknown_tie_rule_is_an_error() -> None:
    with pytest.raises(UnknownOption, match="lowest"):
        majority(Ratings.of(ITEMS, LABELS), "coin")  # type: ignore[arg-type]


# Each way to count and each way to write an item's name: by place, by group.
NAMES = {
    "numbers close together": lambda n: n - 3,
    "numbers with large gaps": lambda n: n * 10**9,
    "names": lambda n: f"{'aéz😀'[n % 4]}{n}",
}


def _labelled(items: int, codes: int) -> tuple[np.ndarray, list[int | None]]:
    """Up to nine ratings an item in no order, a tenth of them without a label, and an item without any."""
    draw = np.random.default_rng(6)
    item = draw.integers(items, size=5 * items)
    label = draw.integers(codes, size=len(item)).tolist()
    return item, [
        None if n == 5 or draw.random() < 0.1 else code for n, code in zip(item, label, strict=True)
    ]


@pytest.mark.parametrize("ties", ["none", "lowest", "highest", "first", "random"])
@pytest.mark.parametrize(("names", "codes"), [*((name, 3) for name in NAMES), ("names", 40)])
def test_votes_counted_by_the_engine_give_the_labels_that_ratings_give(
    names: str, codes: int, ties: TieRule
) -> None:
    numbers, label = _labelled(60, codes)
    item = [NAMES[names](int(number)) for number in numbers]
    labels = Labels.read({"item": item, "label": label})
    found = majority(labels, ties, seed=2)
    for expected in (
        majority(Ratings.of(item, label), ties, seed=2),
        majority(labels.ratings(), ties, seed=2),
    ):
        assert found.labels == expected.labels
        assert found.posterior.tolist() == expected.posterior.tolist()
        assert found.facts == expected.facts
    texts = [str(name) for name in found.frame()["item"].to_pylist()]
    assert set(texts) == {str(name) for name, code in zip(item, label, strict=True) if code is not None}
    assert texts == sorted(texts) or names.startswith("numbers")


def test_an_item_of_two_conditions_has_a_label_in_each() -> None:
    rows = {"item": ["a", "a", "a", "b"], "condition": ["C_1", "C_0", "C_0", "C_0"], "label": [2, 1, 1, 2]}
    frame = majority(Labels.read(rows)).frame()
    assert frame.select(["item", "condition", "label"]).to_pylist() == [
        {"item": "a", "condition": "C_0", "label": 1},
        {"item": "a", "condition": "C_1", "label": 2},
        {"item": "b", "condition": "C_0", "label": 2},
    ]


@pytest.mark.parametrize("label", [[1, 2, 5], ["1", "2", "x"]])
def test_no_label_is_made_of_codes_off_the_scale(label: list[object]) -> None:
    scale = Scale(points=tuple(Point(code=code, name=f"point {code}") for code in (1, 2, 3)))
    with pytest.raises((UnknownCode, NotLabels), match=r"not a code of the scale|partly text \('x'\)"):
        majority(Labels.read({"item": [1, 1, 2], "label": label}, scale=scale))


def _crowd() -> tuple[Ratings, np.ndarray]:
    """300 items, four careful raters (90% right) and three who always answer 0."""
    draw = np.random.default_rng(8)
    truth = draw.integers(2, size=300)
    careful = np.where(draw.random((300, 4)) < 0.9, truth[:, None], 1 - truth[:, None])
    table = np.hstack([careful, np.zeros((300, 3), dtype=int)])
    ratings = Ratings.of(np.repeat(np.arange(300), 7), table.ravel(), rater=np.tile(np.arange(7), 300))
    return ratings, truth


@pytest.mark.parametrize("method", [dawid_skene, mace])
def test_models_see_through_raters_who_always_answer_the_same(method) -> None:
    # With one of four careful raters wrong on a 1 (29% of such items), 3 + 1 zeros outvote 3 ones.
    ratings, truth = _crowd()
    votes = (majority(ratings).label == truth).mean()
    found = method(ratings)
    assert (found.label == truth).mean() > max(0.95, votes + 0.05)
    assert found.rater_skill is not None
    assert found.rater_skill[:4].min() > found.rater_skill[4:].max()
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(300))


@pytest.mark.parametrize("method", [dawid_skene, one_coin, mace])
def test_models_name_items_and_raters(method) -> None:
    # Rater z always says 2; names are in no order, and one rater gave no label at all.
    rows = {
        "item": [item for item in ("d10", "d9", "d2", "d1") for _ in range(3)] + ["d1"],
        "rater": ["z", "y", "x"] * 4 + ["w"],
        "label": [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, None],
    }
    found = method(Labels.read(rows))
    assert found.frame().select(["item", "label"]).to_pylist() == [
        {"item": name, "label": label} for name, label in (("d1", 2), ("d10", 1), ("d2", 1), ("d9", 2))
    ]
    skills = {row["rater"]: row["skill"] for row in found.rater_frame().to_pylist()}
    assert list(skills) == ["x", "y", "z"]
    assert skills["x"] == pytest.approx(skills["y"])
    assert skills["z"] < skills["x"]
    assert found.convergence.iterations > 0
    assert "onverged after" in repr(found)
    positions = method(Labels.read({name: rows[name] for name in ("item", "label")}))
    assert positions.raters == ()
    assert "Positions, not raters" in repr(positions)


def test_a_model_that_was_stopped_says_so() -> None:
    found = dawid_skene(_crowd()[0], iterations=2)
    assert not found.convergence.converged
    assert found.convergence.change > 0
    assert "Not converged after 2 iterations: log-likelihood" in repr(found)


def test_the_frame_has_a_posterior_per_code() -> None:
    frame = majority(Ratings.of(ITEMS, LABELS)).frame()
    assert frame.column_names == ["item", "label", "p_1", "p_2", "p_3"]
    assert frame["p_1"].to_pylist()[1] == pytest.approx(2 / 3)


def test_one_coin_sees_through_raters_who_guess() -> None:
    # Three raters are right on 90% of 300 items, four guess among three codes.
    draw = np.random.default_rng(9)
    truth = draw.integers(3, size=300)
    careful = np.where(draw.random((300, 3)) < 0.9, truth[:, None], draw.integers(3, size=(300, 3)))
    table = np.hstack([careful, draw.integers(3, size=(300, 4))])
    ratings = Ratings.of(np.repeat(np.arange(300), 7), table.ravel(), rater=np.tile(np.arange(7), 300))
    found = one_coin(ratings)
    assert (found.label == truth).mean() > max(0.95, (majority(ratings).label == truth).mean())
    assert found.rater_skill is not None
    assert found.rater_skill[:3].min() > 0.85
    assert found.rater_skill[3:].max() < 0.5
