"""Marked parts of a text: those of all raters laid over it, one line for each, and how far they overlap."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from labelwright.agreement.spans import masks, pair_overlap, spans_of
from labelwright.server.results.actions.items import ItemEvidence
from labelwright.server.store.versions import study_of
from labelwright.server.web.verbatim import verbatim
from labelwright.task.questions import Question

LANES = "abcd"
"""The lines under a text, one for each rater; with more raters, shades count them."""
MOST_PAIRS = 6
Parts = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A part of the text, with the kind that a rater gave it, or the kinds that all raters gave it."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class RaterParts:
    """What one rater marked."""

    rater: str
    lane: str
    """Empty if there are too many raters for a line each."""
    parts: Parts
    kinds: tuple[str, ...]
    """The kind of each part; empty texts if the question has no kinds."""
    summary: str
    quotes: list[Quote]

    def kinds_in(self, start: int, end: int) -> list[str]:
        """The kinds of this rater's parts that overlap a part of the text."""
        return [kind for (a, b), kind in zip(self.parts, self.kinds, strict=True) if a < end and start < b]


@dataclass(frozen=True, slots=True)
class PairOverlap:
    """How far the parts of two raters overlap."""

    one: str
    other: str
    jaccard: float
    words: int
    """Words that both marked, at least in part."""


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question whose answers are parts of the text, with the parts of all raters."""

    name: str
    title: str
    text: str
    raters: list[RaterParts]
    label: Parts
    """The parts that more than half of the raters marked."""
    least: int
    """How many raters that is."""

    @property
    def html(self) -> SafeString:
        """The text with a line under it for each rater who marked a part."""
        edges = sorted(
            {0, len(self.text)} | {edge for rater in self.raters for p in rater.parts for edge in p}
        )
        return format_html_join("", "{}", ((self._piece(start, end),) for start, end in pairwise(edges)))

    def _piece(self, start: int, end: int) -> SafeString:
        by = [rater for rater in self.raters if any(a <= start and end <= b for a, b in rater.parts)]
        text = verbatim(self.text[start:end])
        if not by:
            return text
        shade = "" if by[0].lane else f" n{1 + 3 * (len(by) - 1) // max(len(self.raters), 1)}"
        marked = " k" if len(by) >= self.least else ""
        lanes = "".join(f" {rater.lane}" for rater in by if rater.lane)
        named = (f"{rater.rater} {kind}".strip() for rater in by for kind in rater.kinds_in(start, end))
        title = f"{len(by)} of {len(self.raters)}: {', '.join(named)}"
        return format_html('<span class="ln{}{}{}" title="{}">{}</span>', lanes, shade, marked, title, text)

    @property
    def quotes(self) -> list[Quote]:
        """The parts that more than half of the raters marked, each with how many raters gave it which kind."""
        return [
            Quote(self.text[start:end], count_kinds(k for r in self.raters for k in r.kinds_in(start, end)))
            for start, end in self.label
        ]

    @property
    def mean_overlap(self) -> float | None:
        """The mean overlap of all pairs of raters; None for a single rater."""
        value = pair_overlap([rater.parts for rater in self.raters])
        return None if math.isnan(value) else value

    def is_label(self, parts: Parts) -> bool:
        """Whether a rater marked exactly what more than half of the raters marked."""
        marked, label = masks([parts, self.label])
        return bool((marked == label).all())

    @property
    def overlaps(self) -> list[PairOverlap]:
        """Every pair of raters; none if there are too many pairs to read."""
        pairs = list(combinations(self.raters, 2))
        return [_overlap(one, other, self.text) for one, other in pairs] if len(pairs) <= MOST_PAIRS else []


def marked_texts(evidence: ItemEvidence) -> dict[str, MarkedQuestion]:
    """The questions of a condition that ask to mark parts, by name; data that do not count are left out."""
    found: dict[str, tuple[Question, str, list[tuple[str, Any]]]] = {}
    for work in evidence.work:
        study = study_of(work.version)
        text = study.asking(evidence.condition, evidence.item).item.text
        own = {
            answer.question: answer
            for answer in evidence.answers
            if answer.assignment == work.assignment and not answer.whole_task and not answer.left_out
        }
        for question in study.design(evidence.condition).questions:
            if question.selects and question.name in own:
                value = own[question.name].value
                found.setdefault(question.name, (question, text, []))[2].append((work.rater, value))
    return {name: _marked(question, text, raters) for name, (question, text, raters) in found.items()}


def _marked(question: Question, text: str, answers: Sequence[tuple[str, Any]]) -> MarkedQuestion:
    lanes = LANES if len(answers) <= len(LANES) else " " * len(answers)
    least = len(answers) // 2 + 1
    raters = [
        _of_rater(question, text, rater, lane.strip(), value)
        for (rater, value), lane in zip(answers, lanes, strict=False)
    ]
    chosen = (masks([rater.parts for rater in raters]).sum(axis=0) >= least).tolist()
    return MarkedQuestion(question.name, question.text, text, raters, tuple(spans_of(chosen)), least)


def _of_rater(question: Question, text: str, rater: str, lane: str, value: Any) -> RaterParts:
    parts, kinds = question.selected(value), question.selected_kinds(value)
    quotes = [Quote(text[start:end], kind) for (start, end), kind in zip(parts, kinds, strict=True)]
    return RaterParts(rater, lane, parts, kinds, describe_parts(parts, text) or "nothing", quotes)


def count_kinds(kinds: Iterable[str]) -> str:
    """How often each kind was given, the most frequent first; empty without kinds.

    >>> count_kinds(["Fact", "Opinion", "Fact"]), count_kinds(["", ""])
    ('2 Fact, 1 Opinion', '')
    """
    return ", ".join(f"{n} {kind}" for kind, n in Counter(filter(None, kinds)).most_common())


def _overlap(one: RaterParts, other: RaterParts, text: str) -> PairOverlap:
    first, second = masks([one.parts, other.parts])
    both, either = first & second, first | second
    share = float(both.sum() / either.sum()) if either.any() else 1.0
    return PairOverlap(one.rater, other.rater, share, _words(spans_of(both), text))


def describe_parts(parts: Sequence[tuple[int, int]], text: str) -> str:
    """How much was marked; empty if nothing was.

    >>> describe_parts([(0, 6), (11, 16)], "In the one city")
    '2 parts, 3 words'
    """
    if not parts:
        return ""
    words = _words(parts, text)
    return f"{len(parts)} part{'s' * (len(parts) != 1)}, {words} word{'s' * (words != 1)}"


def _words(parts: Sequence[tuple[int, int]], text: str) -> int:
    return sum(len(text[start:end].split()) for start, end in parts)
