"""Sentences with offsets into the stored text, for sentence selection."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Characters that end a sentence in Latin, CJK, Arabic, Devanagari and Ethiopic scripts, with closing quotes.
_END = re.compile(
    r"[.!?\u2026]+[\"'\u2019\u201d\u00bb)\]]*(?=\s)"
    r"|[\u3002\uff01\uff1f\u061f\u06d4\u0964\u1362]+[\u300d\u300f\u201d)\]]*"
    r"|\n\s*\n"
)
_TITLES = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "cf", "no", "vol", "fig", "al"}
)
"""Abbreviations that never end a sentence."""
_MAY_END = frozenset({"a.m", "p.m", "etc", "u.s", "u.k", "inc", "ltd", "co", "jr", "sr"})
"""Abbreviations that end a sentence only before a capital letter: "at 8 a.m. The bus"."""
_LAST_WORD = re.compile(r"([^\s(\[\"'\u201c]+?)\.+[\"'\u2019\u201d)\]]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Part of a text, as half-open offsets in code points."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The text of the sentence."""
        return text[self.start : self.end]


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order, without surrounding white space.

    Every non-space character is in exactly one sentence. A full stop after an abbreviation or an initial,
    or before a digit, does not end a sentence.

    >>> text = "Dr. No left at 3.5 miles.  He ran! \u062a\u0645\u0627\u0645\u061f"
    >>> [sentence.of(text) for sentence in split_sentences(text)]
    ['Dr. No left at 3.5 miles.', 'He ran!', '\u062a\u0645\u0627\u0645\u061f']
    """
    sentences: list[Sentence] = []
    start = 0
    for match in _END.finditer(text):
        if not _ends(text, start, match):
            continue
        _add(text, start, match.end(), sentences)
        start = match.end()
    _add(text, start, len(text), sentences)
    return sentences


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group(0)
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    word = _LAST_WORD.search(text, start, match.end())
    if word is None:
        return True
    said = word.group(1).casefold()
    is_initial = len(said) == 1 and word.group(1).isupper()
    if said in _MAY_END:
        return text[match.end() :].lstrip()[:1].isupper()
    return not is_initial and said not in _TITLES


def _add(text: str, start: int, end: int, sentences: list[Sentence]) -> None:
    piece = text[start:end]
    if piece.strip():
        lead = len(piece) - len(piece.lstrip())
        sentences.append(Sentence(start + lead, start + len(piece.rstrip())))
