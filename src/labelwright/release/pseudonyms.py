"""Pseudonyms: names of two words for raters, which cannot be traced back to a person."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count

from labelwright.release._name_words import FIRST_WORDS, SECOND_WORDS

PAIRS = 16
"""The pairs of words that one digest gives. After them, the first pair gets a number."""


def draw_pseudonyms(key: bytes, study: str, platform: str, rater: str) -> Iterator[str]:
    """The names that a rater of a study may get, in the order in which they are tried; it never ends.

    The key decides, so nobody without it can tell which name belongs to whom, or that two names in two studies belong
    to the same person. Whoever gives a name stores it: it is the first one that no other rater of the study has.

    >>> names = draw_pseudonyms(b"key", "s1", "link", "7")
    >>> [next(names) for _ in range(3)]
    ['bramble-civet', 'summer-pintail', 'summer-kookaburra']
    """
    text = f"name\x1f{study}\x1f{platform}\x1f{rater}"
    digest = hmac.new(key, text.encode(), hashlib.sha256).digest()
    pairs = [f"{FIRST_WORDS[digest[n]]}-{SECOND_WORDS[digest[n + 1]]}" for n in range(0, 2 * PAIRS, 2)]
    yield from pairs
    for number in count(2):
        yield f"{pairs[0]}-{number}"
