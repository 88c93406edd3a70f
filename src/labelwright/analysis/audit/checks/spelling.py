"""Checks on label values: blanks, codes spelled in several ways, and values that are no codes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from labelwright.analysis.audit.findings import Finding, first_few
from labelwright.analysis.audit.label_sets import LabelSet
from labelwright.analysis.audit.plots import BarPlot

_MOST_WORDS = 60
_ALIKE = 0.8


def blank_labels(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Labels that are empty or placeholders. They count as missing."""
    for each in sets:
        values = each.values
        blank = values.missing + sum(values.blanks.values())
        if not blank:
            continue
        named = {f'"{name}"': n for name, n in values.blanks.items()}
        shown = {**({"no value": values.missing} if values.missing else {}), **named}
        yield Finding(
            "blank_labels",
            "doubtful",
            each.name,
            f"{blank} of {len(each.label)} labels are blank or placeholders: "
            f"{first_few(f'{name} ({n})' for name, n in shown.items())}.",
            "Find out whether these ratings were skipped or lost. They count as missing here.",
            plot=BarPlot.of(
                "Values", "number of ratings", shown | {"labels": int(each.labelled.sum())}, shown
            ),
        )


def code_spellings(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Codes that are spelled in several ways, and rare codes that look like a misspelling of another."""
    for each in sets:
        variants = each.values.variants
        if variants:
            spelled = {repr(name): n for ways in variants.values() for name, n in ways.items()}
            yield Finding(
                "code_spelling",
                "wrong",
                each.name,
                f"{len(variants)} codes are spelled in several ways: "
                f"{first_few(' = '.join(map(repr, ways)) for ways in variants.values())}.",
                "Use one spelling for each code. Until then, other programs count them as different codes.",
                {"ratings": spelled},
                BarPlot.of("Spellings", "number of ratings", spelled, spelled),
            )
        similar = _similar(each)
        if similar:
            counts = {repr(code): n for pair in similar for code, n in pair}
            yield Finding(
                "similar_codes",
                "doubtful",
                each.name,
                f"{len(similar)} rare codes look like misspellings: "
                f"{first_few(f'{rare!r} ({n} times) of {usual!r}' for (rare, n), (usual, _) in similar)}.",
                "Correct them if they are the same code.",
                plot=BarPlot.of(
                    "Codes", "number of ratings", counts, [repr(rare) for (rare, _), _ in similar]
                ),
            )


def _similar(each: LabelSet) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    words = [code for code in each.codes if isinstance(code, str)]
    if not words or len(words) > _MOST_WORDS:
        return []
    counts = dict(
        zip(
            each.codes, np.bincount(each.code[each.labelled], minlength=len(each.codes)).tolist(), strict=True
        )
    )
    found = []
    for pair in combinations(words, 2):
        rare, usual = sorted(pair, key=lambda code: counts[code])
        rarely = counts[rare] <= max(1, 0.05 * counts[usual])
        if rarely and _looks_misspelled(rare.casefold(), usual.casefold()):
            found.append(((rare, counts[rare]), (usual, counts[usual])))
    return found


def _looks_misspelled(rare: str, usual: str) -> bool:
    """Whether two words differ by a slip, not by a prefix (relevant, irrelevant), a letter (model a) or a number."""
    longer, shorter = sorted((rare, usual), key=len, reverse=True)
    if len(shorter) <= 2 or longer.endswith(shorter):
        return False
    parts = [re.findall(r"[^\W\d_]{2,}", word) for word in (rare, usual)]
    return parts[0] != parts[1] and difflib.SequenceMatcher(None, rare, usual).ratio() >= _ALIKE


def stray_values(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Values in the label column that are no codes of the scale, such as free text or times."""
    for each in sets:
        strays = each.values.strays
        if strays:
            total = sum(strays.values())
            # One text that occurs again and again may be an answer that the scale allows.
            option = len(strays) == 1 and total > 2
            yield Finding(
                "stray_values",
                "doubtful" if option else "wrong",
                each.name,
                f"{total} of {len(each.label)} labels do not belong to the scale {first_few(each.codes, 8)}: "
                f"{first_few((repr(value[:60]) for value in strays), 3)}.",
                "Move free text to a column of its own, and check whether columns were exchanged in these rows. "
                "The values count as missing here.",
                plot=BarPlot.of(
                    "Labels",
                    "number of ratings",
                    {"codes": int(each.labelled.sum()), "others": total},
                    ["others"],
                ),
            )
