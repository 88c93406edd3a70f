"""Label values: which values of a label column are codes, and which are blanks, variants of a code, or strays."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from labelwright.agreement import Ints

if TYPE_CHECKING:
    from labelwright.tables import Code

MANY_CODES = 20
"""A set with more numeric codes than this is treated as a slider: labels agree if they are close."""
# Texts that stand for a missing value in any column.
_ALWAYS_BLANK = {"", "-", "--", "?", "n/a", "#n/a", "na", "nan", "null", "none", "nil", "select", "choose"}
_ALWAYS_BLANK |= {"please select", "tbd", "missing", "no label", "undefined"}
# Among words, these can be answers of their own ("none of the frames").
_SOMETIMES_CODES = {"none", "na", "null", "nil", "-", "?", "missing"}
_MOSTLY = 0.8
_USUAL_SHARE, _FREQUENT_SHARE = 0.02, 0.05


@dataclass(frozen=True, eq=False)
class LabelValues:
    """The code of every rating, and the values that are not plain codes."""

    code: Ints
    """The place of each rating's label in `codes`; -1 if it has none."""
    codes: tuple[Code, ...]
    """The codes that occur, ascending, numbers before words."""
    missing: int
    """The number of ratings without any value."""
    blanks: Mapping[str, int]
    """Placeholders such as "N/A", which count as missing, with their numbers."""
    variants: Mapping[Code, Mapping[str, int]] = field(default_factory=dict)
    """Other spellings of a code, which are read as that code."""
    strays: Mapping[str, int] = field(default_factory=dict)
    """Values that do not belong to the scale, such as free text, which count as missing."""

    @property
    def numeric(self) -> bool:
        """Whether all codes are numbers, so that they have an order."""
        return all(not isinstance(code, str) for code in self.codes)

    @property
    def slider(self) -> bool:
        """Whether the scale has so many points that equal labels are rare."""
        return self.numeric and len(self.codes) > MANY_CODES


def read_values(labels: Sequence[Any], declared: Sequence[Code] | None = None) -> LabelValues:
    """The codes among the labels of one set, without refusing any value.

    With `declared` codes, every other value is left out. Without them, a column of numbers may hold words
    and a column of words may hold long texts; if these are rare, they are strays.
    """
    labels = _hashable(labels)
    given = Counter(labels)
    plain = {label: _plain(label) for label in given}
    counts: Counter[Any] = Counter()
    for label, n in given.items():
        counts[plain[label]] += n
    missing = counts.pop(None, 0)
    parsed: dict[Any, Code | None] = {value: _parse(value) for value in counts}
    numbers = sum(n for value, n in counts.items() if isinstance(parsed[value], int | float))
    words = sum(n for value, n in counts.items() if isinstance(parsed[value], str))
    if numbers >= _MOSTLY * (numbers + words) and numbers:
        strays = _number_strays(counts, parsed)
    else:
        parsed = {value: _word(value) for value in counts}
        strays = _word_strays(counts, parsed)
    if declared is not None:
        parsed = {value: code if code in set(declared) else None for value, code in parsed.items()}
    blanks = {str(value): counts[value] for value, code in parsed.items() if code is None}
    for value in strays:
        parsed[value] = None
        blanks.pop(str(value), None)
    names, variants = _spellings(counts, parsed)
    codes = tuple(sorted(set(names.values()), key=lambda code: (isinstance(code, str), code)))
    place = {code: number for number, code in enumerate(codes)}
    numbered = {value: place[code] for value, code in names.items()}
    place_of = {label: numbered.get(value, -1) for label, value in plain.items()}
    code = np.fromiter(map(place_of.__getitem__, labels), np.int64, len(labels))
    return LabelValues(
        code, codes, missing, blanks, variants, {str(value): counts[value] for value in strays}
    )


def _hashable(labels: Sequence[Any]) -> Sequence[Any]:
    """The labels, with lists and objects of JSON as texts."""
    nested = any(isinstance(label, list | dict) for label in labels)
    return [str(label) for label in labels] if nested else labels


def _plain(label: Any) -> Any:
    """A value that can be counted; None for a missing one. 1, 1.0 and True are one value."""
    if label is None or (isinstance(label, float) and math.isnan(label)):
        return None
    if isinstance(label, str | int | float):
        return label
    return label.item() if isinstance(label, np.generic) else str(label)


def _parse(value: Any) -> Code | None:
    if not isinstance(value, str):
        return _whole(float(value)) if isinstance(value, float) else int(value)
    text = unicodedata.normalize("NFKC", value).strip()
    if text.casefold() in _ALWAYS_BLANK:
        return None
    try:
        number = float(text)
    except ValueError:
        return text
    return _whole(number) if math.isfinite(number) else None


def _word(value: Any) -> str | None:
    text = unicodedata.normalize("NFKC", str(value)).strip()
    folded = text.casefold()
    return None if folded in _ALWAYS_BLANK - _SOMETIMES_CODES else text


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _number_strays(counts: Mapping[Any, int], parsed: Mapping[Any, Code | None]) -> list[Any]:
    """Words among numbers, and numbers that do not fit a short scale of whole numbers."""
    words = [value for value, code in parsed.items() if isinstance(code, str)]
    used: Counter[int | float] = Counter()
    for value, code in parsed.items():
        if isinstance(code, int | float):
            used[code] += counts[value]
    total = sum(used.values())
    usual = [code for code, n in used.items() if n >= _USUAL_SHARE * total and isinstance(code, int)]
    covered = sum(used[code] for code in usual)
    if not usual or len(usual) > MANY_CODES or covered < 0.9 * total:
        return words
    # A rare code of a longer scale is close to the others; a time or an id is not.
    reach = max(10, 3 * (max(usual) - min(usual)))
    low, high = min(usual) - reach, max(usual) + reach
    odd = {code for code in used if isinstance(code, float) or not low <= code <= high}
    return words + [value for value, code in parsed.items() if code in odd and code not in usual]


def _word_strays(counts: Mapping[Any, int], parsed: Mapping[Any, Code | None]) -> list[Any]:
    """Rare long texts among short codes."""
    used: Counter[str] = Counter()
    for value, code in parsed.items():
        if isinstance(code, str):
            used[_folded(code)] += counts[value]
    total = sum(used.values())
    usual = [code for code, n in used.items() if n >= _FREQUENT_SHARE * total]
    if not usual or sum(used[code] for code in usual) < 0.5 * total:
        return []
    longest = max(map(len, usual))
    rare = {code for code, n in used.items() if n < 0.05 * total and len(code) > max(20, 2 * longest)}
    return [value for value, code in parsed.items() if isinstance(code, str) and _folded(code) in rare]


def _spellings(
    counts: Mapping[Any, int], parsed: Mapping[Any, Code | None]
) -> tuple[dict[Any, Code], dict[Code, dict[str, int]]]:
    """The code that each value is read as, and the values that are spelled differently from their code."""
    groups: dict[Code, list[Any]] = {}
    for value, code in parsed.items():
        if code is not None:
            groups.setdefault(_folded(code) if isinstance(code, str) else code, []).append(value)
    names: dict[Any, Code] = {}
    variants: dict[Code, dict[str, int]] = {}
    for values in groups.values():
        main = max(values, key=lambda value: counts[value])
        code = parsed[main]
        assert code is not None
        names |= dict.fromkeys(values, code)
        spelled = {str(value): counts[value] for value in values if str(value) != str(main)}
        if spelled:
            variants[code] = {str(main): counts[main], **spelled}
    return names, variants


def _folded(text: str) -> str:
    """A code without differences in case, spaces, joining marks and punctuation around it.

    >>> _folded("Very  Useful."), _folded("very_useful"), _folded("A+")
    ('very useful', 'very useful', 'a+')
    """
    joined = re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", text.casefold())
    return joined.strip(" .,;:!\"'") or text
