"""Names of raters, on pages and in published files."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import re
from itertools import islice

from labelwright.release import draw_pseudonyms
from labelwright.release._name_words import FIRST_WORDS, SECOND_WORDS
from labelwright.release.pseudonyms import PAIRS


def first(key: bytes, study: str, platform: str, rater: str) -> str:
    return next(draw_pseudonyms(key, study, platform, rater))


def test_a_name_is_two_words_that_an_hmac_picks() -> None:
    # RFC 2104 with SHA-256, the parts joined by the unit separator; each byte picks one of 256 words.
    digest = hmac.digest(b"key", b"name\x1fs1\x1flink\x1f7", hashlib.sha256)
    assert first(b"key", "s1", "link", "7") == f"{FIRST_WORDS[digest[0]]}-{SECOND_WORDS[digest[1]]}"


def test_after_sixteen_pairs_the_first_one_is_numbered() -> None:
    names = list(islice(draw_pseudonyms(b"key", "s1", "link", "7"), PAIRS + 3))
    assert names[PAIRS:] == [f"{names[0]}-{number}" for number in (2, 3, 4)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+-[a-z]+(-[0-9]+)?", name) for name in names)


def test_key_study_platform_and_rater_each_change_it() -> None:
    drawn = [
        tuple(islice(draw_pseudonyms(key, study, platform, rater), PAIRS))
        for key, study, platform, rater in itertools.product(
            (b"key", b"other"), ("s1", "s2"), ("link", "prolific"), ("7", "8")
        )
    ]
    assert len(set(drawn)) == 16


def test_parts_cannot_run_into_each_other() -> None:
    assert first(b"key", "s", "link1", "7") != first(b"key", "s", "link", "17")
    assert first(b"key", "s1", "link", "7") != first(b"key", "s", "1link", "7")


def test_the_words_are_safe_wherever_a_name_is_written() -> None:
    for words in (FIRST_WORDS, SECOND_WORDS):
        # One byte picks one; a file name, a cell or an address has nothing to escape.
        assert len(set(words)) == 256
        assert all(re.fullmatch("[a-z]{2,11}", word) for word in words)
    # Two words of the same sound would be hard to tell apart in a message.
    assert not set(FIRST_WORDS) & set(SECOND_WORDS)
    # With a number of nine digits they fit the column.
    assert max(map(len, FIRST_WORDS)) + max(map(len, SECOND_WORDS)) + len("--999999999") <= 32


def test_names_are_spread_evenly() -> None:
    # 4,000 raters and 65,536 pairs: about 4000**2 / 2 / 65536 = 122 meet an earlier first pair; far more would be a fault.
    names = [first(b"key", "s", "link", str(number)) for number in range(4000)]
    assert 60 < len(names) - len(set(names)) < 200
