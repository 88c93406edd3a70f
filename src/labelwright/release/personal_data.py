"""Personal data in free text: what looks like a mail address, a phone number or a platform ID, and what becomes of it.

Nothing is decided here. A person decides about every text that is found; see `Cleaner`.
"""

from __future__ import annotations

import enum
import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError

MASK = "█"
"""Stands for one hidden character, so that the positions of marked parts stay right."""


class HitKind(enum.StrEnum):
    """What a text looks like."""

    EMAIL = "email"
    PHONE = "phone"
    PLATFORM_ID = "platform_id"


class HitDecision(enum.StrEnum):
    """What a person decides about a text that may be personal data."""

    KEEP = "keep"
    """Publish it as it is."""
    REPLACE = "replace"
    """Hide its characters."""
    LEAVE_OUT = "leave_out"
    """Hide the whole text around it."""


class UndecidedHit(LabelwrightError):
    """A text that may be personal data, and that nobody has decided about."""

    code: ClassVar[str] = "undecided_hit"


@dataclass(frozen=True, slots=True)
class PersonalMatch:
    """A part of a text that may be personal data."""

    kind: HitKind
    start: int
    end: int
    text: str

    @property
    def key(self) -> str:
        """The same for all ways to write it, so that it is decided about once.

        >>> PersonalMatch(HitKind.PHONE, 0, 0, "+1 (555) 010-0199").key == PersonalMatch(HitKind.PHONE, 0, 0, "+1 555 0100199").key
        True
        """
        plain = (
            re.sub(r"\D", "", self.text) if self.kind is HitKind.PHONE else _plain(self.text).strip().lower()
        )
        return hashlib.sha256(f"{self.kind}\x1f{plain}".encode()).hexdigest()


# Full-width signs are written by East Asian keyboards.
_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+[@＠][\w-]+(?:[.．。][\w-]+)*[.．。][^\W\d_]{2,}")
_EMAIL_IN_WORDS = re.compile(
    r"[\w.+-]+\s*[\[({<]\s*at\s*[\])}>]\s*[\w-]+(?:\s*[\[({<]\s*dot\s*[\])}>]\s*[\w-]+|\.[\w-]+)+",
    re.IGNORECASE,
)
# Prolific's IDs have 24 hexadecimal digits. Those of Mechanical Turk begin with A; assignments and HITs begin with 3.
_PLATFORM_IDS = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-f]{24}|[0-9A-F]{24}|[A3](?=[A-Z]*\d)(?=\d*[A-Z])[0-9A-Z]{11,29})(?![0-9A-Za-z])"
)
_PHONE = re.compile(r"(?<![\w.,:/#-])(?:\+|00)?\(?\d(?:[ \u00a0./()‐‑–-]{0,3}\d){6,14}(?![\w/:]|[.,-]\d)")
_NO_PHONE = re.compile(
    # Dates, years, fractions, amounts with groups of thousands, and numbers that nobody dials.
    r"\(?(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|(?:1[89]|20)\d\d\s?[-–/]\s?(?:1[89]|20)\d\d"
    r"|(?:0|[1-9]\d{0,4})\.\d+|\d{1,3}(?:[ .]\d{3})+|0*\d{0,7}|(\d)\1+)"
)
_WORDS = re.compile(r"[\w.@+-]+")
_WORTH_A_LOOK = re.compile(
    r"[@＠]|\d(?:[^\w]{0,3}\d){6}|[0-9A-Za-z]{12}|[\[({<]\s*at\s*[\])}>]", re.IGNORECASE
)
_FULL_WIDTH = str.maketrans("＠．。", "@..")


def find_personal_data(text: str, known_ids: Collection[str] = ()) -> list[PersonalMatch]:
    """The parts of a text that look like personal data, in their order; they do not overlap.

    `known_ids` are the platform IDs and addresses of the raters in lower case, which are found whatever they look like.

    >>> [hit.text for hit in find_personal_data("Call 030 1234567 or write to ann@example.org.")]
    ['030 1234567', 'ann@example.org']
    >>> find_personal_data("On 2024-05-01, 3 of 1,200 buses (61C, 28X) left at 10:15:30.")
    []
    """
    found: list[PersonalMatch] = []
    if _WORTH_A_LOOK.search(text):
        found += _matches(HitKind.EMAIL, _EMAIL, text)
        found += _matches(HitKind.EMAIL, _EMAIL_IN_WORDS, text)
        found += _matches(HitKind.PLATFORM_ID, _PLATFORM_IDS, text)
        found += [hit for hit in _matches(HitKind.PHONE, _PHONE, text) if not _NO_PHONE.fullmatch(hit.text)]
    if known_ids:
        found += [
            PersonalMatch(HitKind.PLATFORM_ID, word.start(), word.start() + len(bare), bare)
            for word in _WORDS.finditer(text)
            if (bare := word[0].rstrip(".-")).lower() in known_ids
        ]
    return list(_apart(found))


def _matches(kind: HitKind, pattern: re.Pattern[str], text: str) -> list[PersonalMatch]:
    return [PersonalMatch(kind, each.start(), each.end(), each[0]) for each in pattern.finditer(text)]


def _apart(found: list[PersonalMatch]) -> Iterator[PersonalMatch]:
    """Of those that overlap, the one that begins first; of two that begin together, the longer one."""
    end = 0
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end)):
        if hit.start >= end:
            end = hit.end
            yield hit


def _plain(text: str) -> str:
    return text.translate(_FULL_WIDTH)


@dataclass(frozen=True, slots=True)
class Cleaner:
    """Applies a person's decisions to texts on their way into a release."""

    decisions: Mapping[str, HitDecision]
    """By the key of the hit."""
    known_ids: Collection[str] = field(default_factory=frozenset)

    def text(self, text: str) -> str:
        """The text as it may be published, as long as before; raises UndecidedHit.

        >>> hit = PersonalMatch(HitKind.EMAIL, 0, 0, "ann@example.org")
        >>> Cleaner({hit.key: HitDecision.REPLACE}).text("Ask ann@example.org!")
        'Ask ███████████████!'
        >>> Cleaner({hit.key: HitDecision.LEAVE_OUT}).text("Ask ann@example.org!")
        '███ ███@███████.███!'
        """
        hits = find_personal_data(text, self.known_ids)
        decided = [self._decided(hit) for hit in hits]
        if HitDecision.LEAVE_OUT in decided:
            # Sentences keep their ends, because questions count them.
            return re.sub(r"\w", MASK, text)
        for hit, decision in zip(hits, decided, strict=True):
            if decision is HitDecision.REPLACE:
                text = text[: hit.start] + MASK * (hit.end - hit.start) + text[hit.end :]
        return text

    def value(self, value: Any) -> Any:
        """A value of JSON with all texts in it as they may be published; names of fields stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {name: self.value(each) for name, each in value.items()}
        return value

    def may_change(self, raw: str) -> bool:
        """Whether a text, also one in JSON, has to be looked at; False is certain."""
        return bool(self.known_ids) or _WORTH_A_LOOK.search(raw) is not None

    def _decided(self, hit: PersonalMatch) -> HitDecision:
        try:
            return self.decisions[hit.key]
        except KeyError:
            raise UndecidedHit(
                f"nobody has decided about a text that looks like {KIND_NAMES[hit.kind]}.",
                do="Decide about it on the page Personal data, or with `labelwright personal-data`.",
            ) from None


KIND_NAMES = {
    HitKind.EMAIL: "a mail address",
    HitKind.PHONE: "a phone number",
    HitKind.PLATFORM_ID: "a platform ID",
}


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a value of JSON.

    >>> list(texts_of({"a": ["x", 1], "b": "y"}))
    ['x', 'y']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_of(each)
