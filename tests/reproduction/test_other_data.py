"""Ratings of chatbots (FED) and of task dialogues (USS): alphas stated in the data pack's README, and a ranking."""

from __future__ import annotations

import json

import pytest

from labelwright.agreement import Bootstrap, krippendorff_alpha
from labelwright.analysis import Labels, rank_systems
from tests.reproduction.published import DATA, needs_data

pytestmark = needs_data


def _fed() -> Labels:
    records = json.loads((DATA / "fed-ratings" / "fed_data.json").read_text(encoding="utf-8"))
    rows: dict[str, list[object]] = {"item": [], "aspect": [], "system": [], "label": []}
    for number, record in enumerate(records):
        level = "turn" if "response" in record else "dialogue"
        for question, ratings in record["annotations"].items():
            for rating in ratings:
                rows["item"].append(f"r{number}")
                rows["aspect"].append(f"{level} {question}")
                rows["system"].append(record["system"])
                # Answers such as "N/A (no errors)" are missing labels, never zero.
                rows["label"].append(rating if isinstance(rating, int) else None)
    return Labels.read(rows)


@pytest.fixture(scope="module")
def fed() -> Labels:
    return _fed()


@pytest.mark.parametrize(
    ("aspect", "nominal", "ordinal"),
    [
        ("turn Overall", 0.087, 0.279),
        ("turn Relevant", 0.173, 0.262),
        ("dialogue Overall", 0.131, 0.341),
        ("dialogue Coherent", 0.245, 0.321),
    ],
)
def test_fed_alphas(fed: Labels, aspect: str, nominal: float, ordinal: float) -> None:
    ratings = fed.where(aspect=aspect).ratings()
    assert krippendorff_alpha(ratings, "nominal", None).value == pytest.approx(nominal, abs=0.0005)
    assert krippendorff_alpha(ratings, "ordinal", None).value == pytest.approx(ordinal, abs=0.0005)


def test_fed_ranking_puts_people_first(fed: Labels) -> None:
    found = rank_systems(fed.where(aspect="dialogue Overall"), Bootstrap(300))
    assert found.order[0] == "Human"
    assert found.systems[0].share_best > 0.9


@pytest.mark.parametrize(
    ("file", "nominal", "ordinal"),
    [("ReDial", 0.150, 0.243), ("SGD", 0.169, 0.262), ("MWOZ", 0.118, 0.210), ("CCPE", 0.097, 0.206)],
)
def test_uss_alphas_with_three_to_seven_ratings(file: str, nominal: float, ordinal: float) -> None:
    lines = (DATA / "uss-satisfaction" / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    items, labels = [], []
    for number, line in enumerate(lines):
        role, text, *_, ratings = (
            [*line.split("\t"), ""] if line.count("\t") == 2 else (line.split("\t") + [""] * 4)[:4]
        )
        if role == "USER" and text.strip() != "OVERALL" and ratings:
            for rating in ratings.split(","):
                items.append(number)
                labels.append(int(rating))
    found = krippendorff_alpha(Labels.read({"item": items, "label": labels}).ratings(), "nominal", None)
    assert found.value == pytest.approx(nominal, abs=0.0005)
    assert "different numbers of ratings" in found.notes[0]
    ordinal_value = krippendorff_alpha(
        Labels.read({"item": items, "label": labels}).ratings(), "ordinal", None
    ).value
    assert ordinal_value == pytest.approx(ordinal, abs=0.0005)
