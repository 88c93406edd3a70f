"""The calendar of batches, signed links and qualifications at their edges."""

from __future__ import annotations

import hashlib
import hmac
import math
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from labelwright.crowd import BadLayout, BatchesPart
from labelwright.crowd.calendar import schedule
from labelwright.crowd.links import LONGEST, BadLink, Link, read_link, sign_link
from labelwright.crowd.qualification import Given, score
from labelwright.crowd.receipts import receipt
from labelwright.scales import parse_scale

TOPICS = {"a": "t0", "b": "t1", "c": "t0", "d": "t2"}


def test_topics_follow_each_other_at_their_distance_and_close_after_their_hours():
    part = BatchesPart(
        daily={"first_day": "2026-11-16", "at": "08:30", "days_apart": 3, "close_after_hours": 36}
    )
    opens = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)
    slots = schedule(part, TOPICS, {}, 7)
    assert [(slot.topic, slot.keys) for slot in slots] == [("t0", ("a", "c")), ("t1", ("b",)), ("t2", ("d",))]
    assert [slot.opens_at for slot in slots] == [opens, opens + timedelta(days=3), opens + timedelta(days=6)]
    assert {slot.closes_at - slot.opens_at for slot in slots} == {timedelta(hours=36)}
    endless = schedule(BatchesPart(daily={"first_day": "2026-11-16"}), TOPICS, {}, 7)
    assert [slot.closes_at for slot in endless] == [None, None, None]
    assert endless[1].opens_at == datetime(2026, 11, 17, 9, tzinfo=UTC)


def test_seeded_topics_come_in_another_order_for_another_seed():
    part = BatchesPart(daily={"first_day": "2026-11-16", "order": "seeded"})
    orders = {tuple(slot.topic for slot in schedule(part, TOPICS, {}, seed)) for seed in range(30)}
    # All 6 orders of three topics turn up in 30 seeds, and each seed has its own each time.
    assert len(orders) == 6
    assert schedule(part, TOPICS, {}, 5) == schedule(part, TOPICS, {}, 5)


def test_a_calendar_takes_topics_sets_drawn_items_and_the_rest():
    part = BatchesPart(calendar=[{"topic": "t0"}, {"set": "s"}, {"items": 1}, {}])
    topics = {"a": "t0", "b": "t1", "c": "t1", "d": "t2", "e": "t3", "f": "t3"}
    slots = schedule(part, topics, {"s": frozenset("ab")}, 7)
    assert [slot.topic for slot in slots] == ["t0", "s", "", ""]
    # "a" went with its topic; of the set only "b" is left; one of four is drawn, the others are the rest.
    assert slots[0].keys + slots[1].keys == ("a", "b")
    assert (len(slots[2].keys), len(slots[3].keys)) == (1, 3)
    drawn = {schedule(part, topics, {"s": frozenset("ab")}, seed)[2].keys for seed in range(40)}
    assert drawn == {("c",), ("d",), ("e",), ("f",)}
    assert schedule(None, topics, {}, 7)[0].keys == tuple("abcdef")


def test_a_time_without_an_offset_is_one_of_the_calendars_time_zone():
    part = BatchesPart(
        timezone="Asia/Tokyo",
        calendar=[{"opens": "2026-11-16T09:00", "closes": "2026-11-16T00:00:01Z"}],
    )
    slot = schedule(part, TOPICS, {}, 7)[0]
    assert slot.opens_at == datetime(2026, 11, 16, 0, tzinfo=UTC)
    assert slot.closes_at == datetime(2026, 11, 16, 0, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"calendar": [{}, {"opens": "2026-11-16T09:00Z", "closes": "2026-11-16T09:00Z"}]}, "batch 2 of the"),
        ({"calendar": [{"topic": "t", "items": 1}]}, "a batch can only have one of"),
        ({"calendar": [{}], "daily": {"first_day": "2026-11-16"}}, "either `daily` or"),
        ({}, "either `daily` or"),
        ({"timezone": "Europe/Madird", "calendar": [{}]}, 'did you mean "Europe/Madrid"'),
        ({"timezone": "qqqqqqqqqqqq", "calendar": [{}]}, 'expected a name like "Europe/Madrid"'),
    ],
)
def test_a_calendar_that_cannot_be_is_refused(part: dict[str, Any], told: str):
    with pytest.raises(ValueError, match=told):
        BatchesPart(**part)


def test_a_batch_may_take_exactly_what_is_left():
    assert len(schedule(BatchesPart(calendar=[{"items": 4}]), TOPICS, {}, 7)[0].keys) == 4
    with pytest.raises(BadLayout, match=r"batch 1 of the calendar has 4 items, but needs 5\."):
        schedule(BatchesPart(calendar=[{"items": 5}]), TOPICS, {}, 7)


def read(token: str, seconds: float = 0) -> Link:
    return read_link(
        token, lambda key_id: [b"key"] if key_id == "k" else [], datetime.fromtimestamp(seconds, UTC)
    )


def test_a_link_works_up_to_its_last_second():
    token = sign_link(Link("p1", "r2", 1000, "n"), "k", b"key")
    assert read(token, 1000) == Link("p1", "r2", 1000, "n")
    with pytest.raises(BadLink):
        read(token, 1000.001)


def test_a_token_of_the_greatest_length_is_read_and_a_longer_one_is_not():
    sizes = {}
    for size in range(600, 800):
        token = sign_link(Link("p1", "r2", 9, "n" * size), "k", b"key")
        sizes[len(token)] = token
    # Base64 makes four letters of three, so 1,000 letters can be met exactly, and 1,001 too.
    assert LONGEST == 1000
    assert read(sizes[1000]).p == "p1"
    with pytest.raises(BadLink):
        read(sizes[1001])


def test_an_unknown_version_or_key_is_no_link_of_ours():
    token = sign_link(Link("p1", "r2", 9, "n"), "k", b"key")
    for changed in (token.replace("v1", "v2", 1), token.replace(".k.", ".j.", 1), token + ".x", "ä" + token):
        with pytest.raises(BadLink):
            read(changed)


def test_a_receipt_is_eight_letters_of_an_hmac():
    # Crockford's base 32, a letter for each of the first eight bytes of the digest.
    digest = hmac.digest(b"key", b"receipt|17", hashlib.sha256)
    letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[byte % 32] for byte in digest[:8])
    assert receipt(b"key", UUID(int=17)) == f"{letters[:4]}-{letters[4:]}"


def given(value: Any, reference: Any, *, right: bool = False, code: int | None = None) -> Given:
    return Given("a", "q", value, code, reference, code, right=right)


def test_what_is_chosen_of_a_text_is_scored_item_by_item():
    both = [given([[0, 4]], [[2, 6]]), given([[0, 4]], [[0, 4]])]
    # F1 of 2 shared of 4 and 4: 1/2; then 1. Jaccard 2/6; then 1.
    assert score(both, "f1", {}).value == (1 / 2 + 1) / 2
    assert score(both, "jaccard", {}).value == pytest.approx((2 / 6 + 1) / 2)
    assert score([given([], [[2, 6]])], "jaccard", {}).value == 0
    assert score([given([[1, 3]], [])], "f1", {}).value == 0


def test_answers_without_codes_are_right_or_not():
    texts = [given("no", "yes"), given("yes", "yes", right=True), given("so", "yes")]
    found = score(texts, "cohen_kappa", {})
    assert (found.value, found.share_right) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    # An answer with a code among others without one is compared as a whole too.
    mixed = [Given("a", "q", 1, 1, 1, None, right=True), Given("b", "q", 1, 1, 1, 1, right=False)]
    assert score(mixed, "cohen_kappa", {}).value == 0.5
    # Measures of chosen text go by percentage on questions with codes.
    codes = [given(1, 1, code=1, right=True), Given("b", "q", 1, 1, 2, 2, right=False)]
    assert score(codes, "f1", {"q": parse_scale("1, 2")}).value == 0.5


def test_nobody_answered_nothing_is_no_score():
    assert math.isnan(score([], "percentage", {}).value)
    assert math.isnan(score([], "percentage", {}).share_right)
