"""Normalised text: what rules, cues and counts look at, made once, when a corpus is imported."""

from __future__ import annotations

import re
import unicodedata

# Logs write the same cue with either apostrophe; a rule must not care which.
_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\uff07": "'"})
_SPACE = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The text in NFC, with straight apostrophes, case-folded, each run of white space as one space.

    Engines fold letters and know white space differently, so none of them is asked to.

    >>> normalise("I\u2019m\u00a0 SORRY, ÉCOLE Straße")
    "i'm sorry, école strasse"
    """
    folded = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).casefold()
    return _SPACE.sub(" ", unicodedata.normalize("NFC", folded)).strip()
