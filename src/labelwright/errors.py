"""Errors that people can cause, each with a stable code and a message that says what to do next."""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable, Sequence
from typing import ClassVar


class LabelwrightError(Exception):
    """An error message in up to four parts: where, what happened, what was expected, what to do next.

    Subclasses set `code`, which scripts and the API rely on. Extra facts are stored as
    attributes, so callers do not have to parse the message.

    >>> str(LabelwrightError("turn 4 has no speaker.", where="d.jsonl:7", expected='"user" or "system".'))
    'd.jsonl:7: turn 4 has no speaker. Expected "user" or "system".'
    """

    code: ClassVar[str] = "labelwright"

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        expected: str | None = None,
        do: str | None = None,
        **facts: object,
    ) -> None:
        self.what = what
        self.where = where
        self.expected = expected
        self.do = do
        for name, value in facts.items():
            setattr(self, name, value)
        super().__init__(self._message())

    def _message(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        expected = f"Expected {self.expected}" if self.expected else None
        return " ".join(part for part in (head, expected, self.do) if part)


MOST_LISTED = 30
"""The names that a message lists; a study can have thousands."""
MOST_COMPARED = 300
"""The names that are compared with a mistyped one letter by letter, which is slow."""


def listed(names: Sequence[str]) -> str:
    """Names for a message, the first ones if there are many.

    >>> listed(["useful", "fit"]), listed([])
    ('useful, fit', 'none')
    >>> listed([str(n) for n in range(1000)])[-29:]
    '26, 27, 28, 29 and 970 others'
    """
    rest = len(names) - MOST_LISTED
    return (", ".join(names[:MOST_LISTED]) or "none") + (f" and {rest:,} others" if rest > 0 else "")


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The valid name closest to a mistyped one, or None if none is close.

    >>> nearest("useful3", ["useful", "fit"])
    'useful'
    >>> nearest("xyz", ["useful", "fit"]) is None
    True
    """
    close = difflib.get_close_matches(name, _most_alike(name, list(names)), n=1, cutoff=0.6)
    return close[0] if close else None


def _most_alike(name: str, names: list[str]) -> list[str]:
    """Of very many names, those with the same beginning and about the same length."""
    if len(names) <= MOST_COMPARED:
        return names
    return heapq.nsmallest(
        MOST_COMPARED, names, key=lambda other: (other[:2] != name[:2], abs(len(other) - len(name)))
    )


def did_you_mean(name: str, names: Iterable[str]) -> str | None:
    """A suggestion for a mistyped name, or None if no valid name is close.

    >>> did_you_mean("useful3", ["useful", "fit"])
    'Did you mean "useful"?'
    """
    meant = nearest(name, names)
    return f'Did you mean "{meant}"?' if meant else None


def with_hint(sentence: str, name: str, names: Iterable[str]) -> str:
    """A sentence about a mistyped name, followed by the closest valid name if there is one.

    >>> with_hint("Known: useful, fit.", "useful3", ["useful", "fit"])
    'Known: useful, fit. Did you mean "useful"?'
    """
    return " ".join(filter(None, (sentence, did_you_mean(name, names))))
