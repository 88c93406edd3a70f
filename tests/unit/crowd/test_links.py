"""A link says who a rater is, and nobody but us can say it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelwright.crowd import BadLink, Link, read_link, sign_link
from labelwright.crowd.links import _encode, _signature

KEY = b"a key of the study"
NOW = datetime(2026, 11, 15, tzinfo=UTC)
LINK = Link(p="p1", w="r2", x=int(NOW.timestamp()) + 60, n="nonce")
TOKEN = sign_link(LINK, "abc-1", KEY)


def test_a_token_is_read_back():
    assert read_link(TOKEN, lambda _: [KEY], NOW) == LINK


def test_the_numbers_in_links_of_earlier_releases_are_public_ids():
    old = {"p": 3, "w": 17, "x": LINK.x, "n": "nonce"}
    payload = _encode(json.dumps(old).encode())
    token = f"v1.abc-1.{payload}.{_signature('abc-1', payload, KEY)}"
    assert read_link(token, lambda _: [KEY], NOW) == Link(p="3", w="17", x=LINK.x, n="nonce")


def test_an_expired_one_and_one_of_another_study_are_refused():
    with pytest.raises(BadLink):
        read_link(TOKEN, lambda _: [KEY], datetime(2026, 11, 16, tzinfo=UTC))
    with pytest.raises(BadLink):
        read_link(TOKEN, lambda _: [b"another key"], NOW)
    with pytest.raises(BadLink):
        read_link(TOKEN, lambda _: [], NOW)


@given(st.integers(0, len(TOKEN) - 1), st.characters(codec="utf-8"))
def test_a_token_with_any_character_changed_is_refused(position: int, character: str):
    changed = TOKEN[:position] + character + TOKEN[position + 1 :]
    # The last character of base64 carries unused bits, so only another text counts as changed.
    if changed != TOKEN:
        with pytest.raises(BadLink):
            read_link(changed, lambda _: [KEY], NOW)


@given(st.text(max_size=200))
def test_no_text_is_taken_for_a_token(text: str):
    with pytest.raises(BadLink):
        read_link(text, lambda _: [KEY], NOW)
