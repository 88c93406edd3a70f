"""Spans: how much the highlighted parts of a text overlap between raters, by character.

The measures follow Lajewska and Balog 2023 (CAsT-snippets), section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelwright.agreement._arrays import Ints
from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.counts import Counts
from labelwright.agreement.errors import UnknownOption
from labelwright.agreement.estimate import Estimate
from labelwright.agreement.means import mean_estimate
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP

Spans: TypeAlias = Sequence[tuple[int, int]]
"""The parts of a text that one rater highlighted, as half-open character offsets. Overlaps count once."""
Mask: TypeAlias = NDArray[np.bool_]


def masks(raters: Sequence[Spans]) -> NDArray[np.bool_]:
    """Raters x characters, up to the last highlighted character: whether the rater chose it.

    >>> masks([[(0, 2)], [(1, 3), (2, 3)]]).astype(int).tolist()
    [[1, 1, 0], [0, 1, 1]]
    """
    length = max((end for spans in raters for _, end in spans), default=0)
    chosen = np.zeros((len(raters), length), dtype=bool)
    for row, spans in zip(chosen, raters, strict=True):
        for start, end in spans:
            row[start:end] = True
    return chosen


def chosen_counts(texts: Sequence[Sequence[Spans]], lengths: Sequence[int]) -> Counts:
    """Every character as an item with code 0 (not chosen) or 1 (chosen), for count measures.

    The characters of a text are resampled together.
    """
    rows = []
    for raters, length in zip(texts, lengths, strict=True):
        chosen = np.zeros(length, dtype=np.int64)
        covered = masks(raters).sum(axis=0)
        chosen[: len(covered)] = covered
        rows.append(np.stack([len(raters) - chosen, chosen], axis=1))
    text = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return Counts.of_table(np.concatenate(rows) if rows else np.empty((0, 2)), codes=(0, 1), cluster=text)


def jaccard_of_choices(chosen: Ints, raters: int, k: int | None = None) -> float:
    """The share of chosen units that at least k raters chose; all raters if k is None.

    `chosen` is the number of raters who chose each character, word or sentence. If no rater
    chose anything, agreement is 1.

    >>> jaccard_of_choices(np.array([3, 2, 2, 2, 2, 2, 1, 1]), raters=3)
    0.125
    >>> jaccard_of_choices(np.array([3, 2, 2, 2, 2, 2, 1, 1]), raters=3, k=2)
    0.75
    """
    union = int((chosen >= 1).sum())
    return float((chosen >= (raters if k is None else k)).sum() / union) if union else 1.0


def jaccard(
    texts: Sequence[Sequence[Spans]],
    k: int | None = None,
    *,
    at: int | None = None,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """J (if k is None) or J_k: the share of chosen characters that enough raters chose, mean over texts.

    `texts` holds the highlights of each rater of each text; a rater who chose nothing has an
    empty list. With `at`, every text is measured as if it had that many raters, by averaging
    over all subsets of that size, so that sets with different numbers of raters can be
    compared. Texts with fewer raters are left out.

    >>> jaccard([[[(0, 4)], [(2, 6)]], [[], []]], bootstrap=None).value.__round__(4)
    0.6667
    """
    values = [_text_value(raters, k, at) for raters in texts]
    name = "jaccard" if k is None else f"jaccard_{k}"
    who = "all raters" if k is None else f"at least {k} raters"
    size = (
        f" Each text is measured at {at} raters: mean over all subsets of {at} of its raters." if at else ""
    )
    definition = (
        f"Characters chosen by {who}, divided by characters chosen by any rater; unweighted mean over texts. "
        f"A text without any chosen character counts as 1.{size}"
    )
    return mean_estimate(name, values, definition, bootstrap, ratings=sum(map(len, texts)), bounds=(0, 1))


def jaccard_k(
    texts: Sequence[Sequence[Spans]], k: int, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
) -> Estimate:
    """J_k, under its published name."""
    return jaccard(texts, k, bootstrap=bootstrap)


def pair_overlap(raters: Sequence[Spans]) -> float:
    """The mean Jaccard overlap of all pairs of raters of one text; nan for a single rater.

    >>> pair_overlap([[(0, 4)], [(2, 4)], []]).__round__(4)
    0.1667
    """
    return _text_value(raters, None, 2)


def _text_value(raters: Sequence[Spans], k: int | None, at: int | None) -> float:
    wanted = k or 2
    if len(raters) < max(2, at or 0, wanted):
        return float("nan")
    chosen = masks(raters)
    if at is None:
        return jaccard_of_choices(chosen.sum(axis=0), len(raters), k)
    groups = combinations(range(len(raters)), at)
    return float(np.mean([jaccard_of_choices(chosen[list(group)].sum(axis=0), at, k) for group in groups]))


Combination: TypeAlias = Literal["mean", "majority", "similarity"]


@dataclass(frozen=True)
class ReferenceScores:
    """How well the spans of raters match those of experts."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


def score_against_reference(
    texts: Sequence[Sequence[Spans]],
    references: Sequence[Sequence[Spans]],
    combine: Combination = "mean",
    *,
    majority: int | None = None,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> ReferenceScores:
    """Precision, recall and F1 against expert spans, mean over experts and texts.

    `mean` averages over raters. `majority` uses the characters that more than half of the
    raters chose (or at least `majority` raters, if given). `similarity` uses the rater with
    the highest mean F1 against the other raters, or the first of them if there are ties.
    Scores are 0 if there is no overlap.
    """
    chosen = {"mean": _everybody, "majority": _majority(majority), "similarity": _most_similar}
    if combine not in chosen:
        raise UnknownOption(f"unknown combination {combine!r}.", expected="mean, majority or similarity.")
    rows = [
        _scores_of_text(raters, experts, chosen[combine])
        for raters, experts in zip(texts, references, strict=True)
    ]
    table = np.array(rows, dtype=float).reshape(-1, 3)
    definition = _REFERENCE[combine].format(majority or "more than half")
    estimates = [
        mean_estimate(
            f"{what}_{combine}",
            table[:, i],
            f"{what}: {definition}",
            bootstrap,
            ratings=sum(map(len, texts)),
            bounds=(0, 1),
        )
        for i, what in enumerate(("precision", "recall", "f1"))
    ]
    return ReferenceScores(*estimates)


_REFERENCE = {
    "mean": "character overlap of each rater with each expert, mean over both, then over texts.",
    "majority": "character overlap with each expert of the characters chosen by {} of the raters, "
    "mean over experts, then over texts.",
    "similarity": "character overlap with each expert of the rater who is most similar to the other raters, "
    "mean over experts, then over texts.",
}


def _scores_of_text(
    raters: Sequence[Spans], experts: Sequence[Spans], choose: Callable[[Mask], Mask]
) -> tuple[float, float, float]:
    both = masks([*raters, *experts])
    chosen, wanted = choose(both[: len(raters)]), both[len(raters) :]
    scores = np.array([[overlap(own, expert) for expert in wanted] for own in chosen])
    precision, recall, f1 = scores.mean(axis=(0, 1))
    return float(precision), float(recall), float(f1)


def overlap(own: Mask, reference: Mask) -> tuple[float, float, float]:
    """Precision, recall and F1 of one set of characters against another; 0 if they do not overlap."""
    shared = int((own & reference).sum())
    if not shared:
        return 0.0, 0.0, 0.0
    precision, recall = shared / int(own.sum()), shared / int(reference.sum())
    return precision, recall, 2 * precision * recall / (precision + recall)


def _everybody(chosen: Mask) -> Mask:
    return chosen


def _majority(threshold: int | None) -> Callable[[Mask], Mask]:
    def choose(chosen: Mask) -> Mask:
        least = len(chosen) // 2 + 1 if threshold is None else threshold
        return np.asarray(chosen.sum(axis=0, keepdims=True) >= least)

    return choose


def _most_similar(chosen: Mask) -> Mask:
    if len(chosen) < 2:
        return chosen
    f1 = np.array([[overlap(a, b)[2] for b in chosen] for a in chosen])
    np.fill_diagonal(f1, 0)
    return chosen[[int(f1.sum(axis=1).argmax())]]


def cut_spans(spans: Spans, text: str, part: str) -> list[tuple[int, int]] | None:
    """The spans of a text as offsets into one part of it, or None if the text does not contain the part.

    Only letters and digits are compared, because copies of a sentence often lose quotes,
    double spaces and non-ASCII characters.

    >>> cut_spans([(4, 9)], 'He “said” no. Yes.', "said no.")
    [(0, 4)]
    """
    places, wanted = _letters(text), _letters(part)
    haystack = "".join(text[i] for i in places).lower()
    found = haystack.find("".join(part[i] for i in wanted).lower())
    if found < 0 or not wanted:
        return None
    inside = np.zeros(len(text) + 1, dtype=bool)
    for start, end in spans:
        inside[start:end] = True
    covered = inside[[places[found + i] for i in range(len(wanted))]]
    return _runs(np.array(wanted), np.asarray(covered))


def _letters(text: str) -> list[int]:
    return [i for i, character in enumerate(text) if character.isascii() and character.isalnum()]


def _runs(places: Ints, covered: Mask) -> list[tuple[int, int]]:
    """Spans from the first to the last letter of each run of covered letters."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], covered, [False]]).astype(int)))
    return [(int(places[a]), int(places[b - 1]) + 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def spans_of(mask: Iterable[bool]) -> list[tuple[int, int]]:
    """The spans of one row of `masks`.

    >>> spans_of([True, True, False, True])
    [(0, 2), (3, 4)]
    """
    row = np.array(list(mask), dtype=bool)
    return _runs(np.arange(len(row)), row)
