"""Personal data in free text is found, and decisions about it are applied to every text."""

from __future__ import annotations

import pytest

from labelwright.release.personal_data import (
    MASK,
    Cleaner,
    HitDecision,
    HitKind,
    PersonalMatch,
    UndecidedHit,
    find_personal_data,
)


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("mail me: ann.lee+x@mail.example.co.uk, ok?", HitKind.EMAIL, "ann.lee+x@mail.example.co.uk"),
        ("jürgen@bücher.example", HitKind.EMAIL, "jürgen@bücher.example"),
        ("ann＠example.org", HitKind.EMAIL, "ann＠example.org"),
        ("ann [at] example [dot] org", HitKind.EMAIL, "ann [at] example [dot] org"),
        ("My number is +49 30 901820.", HitKind.PHONE, "+49 30 901820"),
        ("(555) 010-0199 please", HitKind.PHONE, "(555) 010-0199"),
        ("call 5550100199", HitKind.PHONE, "5550100199"),
        ("0171/2345678", HitKind.PHONE, "0171/2345678"),
        # Forms of the platforms' documentation: 24 hexadecimal digits, and A with 12 or 13 more.
        ("I am 5f3c1b2a9d8e7f6a5b4c3d2e on Prolific", HitKind.PLATFORM_ID, "5f3c1b2a9d8e7f6a5b4c3d2e"),
        ("worker A2ZXCVBNMASDF1", HitKind.PLATFORM_ID, "A2ZXCVBNMASDF1"),
    ],
)
def test_what_looks_like_personal_data_is_found(text: str, kind: HitKind, part: str) -> None:
    assert [(hit.kind, hit.text) for hit in find_personal_data(text)] == [(kind, part)]
    (hit,) = find_personal_data(text)
    assert text[hit.start : hit.end] == part


@pytest.mark.parametrize(
    "text",
    [
        "The 61C leaves at 10:15 and 10:45 on 2024-05-01 (01.05.2024).",
        "It cost 1,250,000 or 1 250 000 or 3.14159265.",
        "From 1999-2004 we had 12345 users.",
        "a@b and @SUM(A1) and 2 @ 3",
        "AAAAAAAAAAAAAAAA INTERNATIONALLY",
        "0000000000",
    ],
)
def test_ordinary_numbers_and_words_are_left_alone(text: str) -> None:
    assert find_personal_data(text) == []


def test_ids_of_raters_are_found_whatever_they_look_like() -> None:
    (hit,) = find_personal_data("this is Zed-99.", {"zed-99"})
    assert (hit.kind, hit.text) == (HitKind.PLATFORM_ID, "Zed-99")


def test_decisions_apply_to_texts_anywhere_in_a_value_and_keep_positions() -> None:
    mail, phone = (
        PersonalMatch(HitKind.EMAIL, 0, 0, "ann@example.org"),
        PersonalMatch(HitKind.PHONE, 0, 0, "555-010-0199"),
    )
    cleaner = Cleaner({mail.key: HitDecision.REPLACE, phone.key: HitDecision.LEAVE_OUT})
    value = {"a": ["Ask ANN@example.org now.", {"b": "It is 555 010 0199. Yes."}], "n": 3}
    cleaned = cleaner.value(value)
    assert cleaned == {
        "a": [f"Ask {MASK * 15} now.", {"b": "██ ██ ███ ███ ████. ███."}],
        "n": 3,
    }
    assert Cleaner({mail.key: HitDecision.KEEP}).text("ann@example.org") == "ann@example.org"


def test_an_undecided_text_stops_the_release() -> None:
    with pytest.raises(UndecidedHit, match="mail address"):
        Cleaner({}).value(["x", {"y": "ann@example.org"}])
