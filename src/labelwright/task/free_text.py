"""Free text that a rater typed: the limits on its characters and words."""

from __future__ import annotations

import unicodedata
from typing import Any

from labelwright.task.questions.base import BadAnswer

CHARACTERS = 20_000
"""A hard limit, whatever a study allows, because a word can have any length."""


def check_text(value: Any) -> str:
    """The text without white space at its ends; control characters are rejected, because no keyboard types them."""
    if not isinstance(value, str):
        raise BadAnswer("Write text here.")
    if len(value) > CHARACTERS:
        raise BadAnswer("Write at most {most} characters.", most=CHARACTERS)
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\r\t" for c in value):
        raise BadAnswer("The text has control characters. Remove them and save again.")
    return value.strip()


def check_words(text: str, least: int, most: int) -> None:
    """Raises BadAnswer if a submitted text has too few or too many words."""
    words = len(text.split())
    if words > most:
        raise BadAnswer("Write at most {most} words. You wrote {words}.", most=most, words=words)
    if words < least:
        raise BadAnswer("Write at least {least} words. You wrote {words}.", least=least, words=words)
