"""Why a generated text is discarded."""

from __future__ import annotations

from typing import Any

import pytest

from labelwright.context import ChecksPart, EntitiesPart, check_text, clean_reply, find_entities
from labelwright.context.checks import NEED_CHECKS, SUMMARY_CHECKS
from labelwright.corpus import Turn


def mention(*titles: str) -> dict[str, Any]:
    return {"mentions": [{"title": title} for title in titles]}


SAID = [
    Turn(
        "user",
        "I am looking for a film like Harbour Lights (1999), and it is late.",
        meta=mention("Harbour Lights (1999)"),
    ),
    Turn(
        "system",
        "Do you know Snow on the Quay (2004) or The Tin Orchard (2011)?",
        meta=mention("Snow on the Quay (2004)", "The Tin Orchard (2011)"),
    ),
    Turn("user", "I have seen the first of the two, and it was what I like. " * 3),
]
MARKS = EntitiesPart()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # Two of three entities are two thirds, which is enough; one is not.
        ("The user likes Harbour Lights and was told of SNOW ON THE QUAY.", None),
        ("The user likes “Harbour Lights” (1999).", "entities"),
        ("   ", "empty"),
        ("Harbour Lights, Snow on the Quay, The Tin Orchard. " * 9, "too_long"),
        (
            "Der Nutzer ist mit der Suche nach Harbour Lights und Snow on the Quay nicht zufrieden.",
            "language",
        ),
        ("用户喜欢 Harbour Lights 和 Snow on the Quay 这两部电影。", "language"),
    ],
)
def test_summaries(text: str, reason: str | None) -> None:
    assert check_text(text, SAID, SUMMARY_CHECKS, MARKS) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The user is looking for a slow film.", None),
        ("The user is looking for a film. It should be slow.", "several_sentences"),
        ("Sure! The user wants a film.", "several_sentences"),
        ("", "empty"),
    ],
)
def test_needs(text: str, reason: str | None) -> None:
    assert check_text(text, SAID, NEED_CHECKS, MARKS) == reason


def test_a_need_must_begin_as_the_study_says() -> None:
    part = ChecksPart(openings=("The user", "They"))
    assert check_text("the USER wants a film", SAID, part, MARKS) is None
    assert check_text("A film is wanted", SAID, part, MARKS) == "opening"


def test_a_reply_of_a_megabyte_is_too_long_whatever_the_study_says() -> None:
    assert check_text("the " * 300_000, SAID, ChecksPart(), MARKS) == "too_long"


def test_no_entities_are_all_named() -> None:
    assert check_text("Greeted.", [Turn("user", "Hello there, you all!")], SUMMARY_CHECKS, MARKS) is None


def test_entities_by_pattern_and_by_names() -> None:
    said = [Turn("user", 'I liked "Harbour Lights" and Snow on the Quay (2004).')]
    assert find_entities(said, EntitiesPart(by="pattern")) == ["Harbour Lights", "Snow on the Quay (2004)"]
    names = EntitiesPart(by="names", names=("Tin Orchard", "Quay", "Qua"))
    assert find_entities(SAID, names) == ["Tin Orchard", "Quay"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [("“Yes.”", "Yes."), ('"A" and "B"', '"A" and "B"'), (" x\n", "x"), ('"', '"'), ("", "")],
)
def test_quotation_marks_around_a_reply_are_taken_off(raw: str, text: str) -> None:
    assert clean_reply(raw) == text
