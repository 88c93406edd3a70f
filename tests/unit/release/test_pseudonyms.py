"""Names of raters in published files."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import re

from labelwright.release import pseudonym


def test_a_pseudonym_is_eighty_bits_of_an_hmac() -> None:
    # RFC 2104 with SHA-256, the parts joined by the unit separator; 10 bytes are 16 letters of base32.
    digest = hmac.digest(b"key", b"pseudonym\x1fs1\x1flink\x1f7", hashlib.sha256)
    assert pseudonym(b"key", "s1", "link", "7") == "r" + base64.b32encode(digest[:10]).decode().lower()


def test_key_study_platform_and_rater_each_change_it() -> None:
    names = [
        pseudonym(key, study, platform, rater)
        for key, study, platform, rater in itertools.product(
            (b"key", b"other"), ("s1", "s2"), ("link", "prolific"), ("7", "8")
        )
    ]
    assert len(set(names)) == 16
    # Safe as a file name, a cell and a variable: no formula, no separator, no case to lose.
    assert all(re.fullmatch("r[a-z2-7]{16}", name) for name in names)


def test_parts_cannot_run_into_each_other() -> None:
    assert pseudonym(b"key", "s", "link1", "7") != pseudonym(b"key", "s", "link", "17")
    assert pseudonym(b"key", "s1", "link", "7") != pseudonym(b"key", "s", "1link", "7")
