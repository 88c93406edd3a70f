"""Normalised text, used by rules, cues and word counts. It is computed once, at import."""

from __future__ import annotations

import re
import unicodedata

# Logs use different apostrophes for the same words, and rules should match all of them.
_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\uff07": "'"})
_SPACE = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The text in NFC, case-folded, with straight apostrophes and single spaces.

    Engines differ in case folding and white space, so this is done in Python.

    >>> normalise("I\u2019m\u00a0 SORRY, ÉCOLE Straße")
    "i'm sorry, école strasse"
    """
    folded = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).casefold()
    return _SPACE.sub(" ", unicodedata.normalize("NFC", folded)).strip()
