"""Spans: how far the parts of a text that raters highlighted overlap, character by character.

The measures are those of Lajewska and Balog 2023 (CAsT-snippets), section 4.
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
"""What one rater highlighted in one text: half-open character offsets; overlaps count once."""
Mask: TypeAlias = NDArray[np.bool_]


def masks(raters: Sequence[Spans]) -> NDArray[np.bool_]:
    """Raters x characters, up to the last highlighted character: whether a rater chose it.

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
    """Every character as an item with the codes 0 (left) and 1 (chosen), for measures over counts."""
    rows = []
    for raters, length in zip(texts, lengths, strict=True):
        chosen = np.zeros(length, dtype=np.int64)
        covered = masks(raters).sum(axis=0)
        chosen[: len(covered)] = covered
        rows.append(np.stack([len(raters) - chosen, chosen], axis=1))
    return Counts.of_table(np.concatenate(rows) if rows else np.empty((0, 2)), codes=(0, 1))


def jaccard_of_choices(chosen: Ints, raters: int, k: int | None = None) -> float:
    """What at least k raters chose, over what any rater chose; all of them where k is None.

    `chosen` says for each character (or word, or sentence) how many raters chose it.
    Nothing chosen by anybody is full agreement, 1.

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
    """J (k is None) or J_k: the mean over texts of the characters that enough raters chose.

    `texts` holds for each text what each of its rater highlighted; a rater who chose nothing
    counts with an empty list. With `at`, every text is measured as if it had that many
    raters: the mean over all choices of so many of them, so that sets with different
    numbers of raters can be compared. Texts with fewer raters are left out.

    >>> jaccard([[[(0, 4)], [(2, 6)]], [[], []]], bootstrap=None).value.__round__(4)
    0.6667
    """
    values = [_text_value(raters, k, at) for raters in texts]
    name = "jaccard" if k is None else f"jaccard_{k}"
    who = "all raters" if k is None else f"at least {k} raters"
    size = f" Each text at {at} raters: mean over all choices of {at} of its raters." if at else ""
    definition = (
        f"Characters chosen by {who} over characters chosen by any, unweighted mean over texts; "
        f"a text in which nobody chose anything counts as 1.{size}"
    )
    return mean_estimate(name, values, definition, bootstrap, ratings=sum(map(len, texts)))


def jaccard_k(
    texts: Sequence[Sequence[Spans]], k: int, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
) -> Estimate:
    """J_k under its published name."""
    return jaccard(texts, k, bootstrap=bootstrap)


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
    """How well raters' spans match those of experts."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


def against_reference(
    texts: Sequence[Sequence[Spans]],
    references: Sequence[Sequence[Spans]],
    combine: Combination = "mean",
    *,
    majority: int | None = None,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> ReferenceScores:
    """Precision, recall and F1 against expert spans, mean over experts and texts.

    `mean` averages over raters; `majority` takes one set of spans made of the characters
    that more than half of the raters chose (at least `majority` of them where given);
    `similarity` takes the rater whose mean F1 with the other raters is highest, the first
    of equals. No overlap, or nothing chosen on one side, is 0.
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
            f"{what}_{combine}", table[:, i], f"{what}: {definition}", bootstrap, ratings=sum(map(len, texts))
        )
        for i, what in enumerate(("precision", "recall", "f1"))
    ]
    return ReferenceScores(*estimates)


_REFERENCE = {
    "mean": "character overlap of every rater with every expert, mean over both, then over texts.",
    "majority": "character overlap of what {} of the raters chose with every expert, "
    "mean over experts, then over texts.",
    "similarity": "character overlap of the rater most similar to the other raters with every expert, "
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
    """Precision, recall and F1 of one set of characters against another; 0 where nothing is shared."""
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
    """The spans of a text as offsets into one part of it, or None where the part is not in the text.

    The part is found by letters and digits alone, because copies of a sentence often lose
    quotes, double spaces and non-ASCII characters.

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
    """The spans that a row of `masks` stands for.

    >>> spans_of([True, True, False, True])
    [(0, 2), (3, 4)]
    """
    row = np.array(list(mask), dtype=bool)
    return _runs(np.arange(len(row)), row)
