"""Own words: what may be stored of a text that a rater typed, and how many words it has."""

from __future__ import annotations

import unicodedata
from typing import Any

from labelwright.task.questions.base import BadAnswer

CHARACTERS = 20_000
"""A hard limit on what is stored, whatever a study allows; a word has no length."""


def check_text(value: Any) -> str:
    """The text without white space at its ends; control characters are refused, because no keyboard makes them."""
    if not isinstance(value, str):
        raise BadAnswer("Write text here.")
    if len(value) > CHARACTERS:
        raise BadAnswer("Write at most {most} characters.", most=CHARACTERS)
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\r\t" for c in value):
        raise BadAnswer("The text has control characters. Remove them and save again.")
    return value.strip()


def check_words(text: str, least: int, most: int) -> None:
    """The word limits, which hold only for what is submitted."""
    words = len(text.split())
    if words > most:
        raise BadAnswer("Write at most {most} words; these are {words}.", most=most, words=words)
    if words < least:
        raise BadAnswer("Write at least {least} words; these are {words}.", least=least, words=words)
