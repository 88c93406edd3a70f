"""Selections: agreement on chosen sentences, and responses scored by the snippets they cover."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Sequence

import numpy as np

from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.estimate import Estimate
from labelwright.agreement.means import mean_estimate
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP
from labelwright.agreement.spans import jaccard_of_choices


def selection_jaccard(
    items: Sequence[Sequence[Collection[Hashable]]],
    k: int | None = None,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """J (or J_k) over chosen sentences: those chosen by all (or at least k) raters, divided by those chosen by any.

    >>> selection_jaccard([[{"s1", "s2"}, {"s2"}], [{"s1"}, {"s1"}]], bootstrap=None).value
    0.75
    """
    values = [
        jaccard_of_choices(np.array(list(_chosen(raters).values()), dtype=int), len(raters), k)
        if len(raters) >= max(2, k or 2)
        else float("nan")
        for raters in items
    ]
    who = "all raters" if k is None else f"at least {k} raters"
    definition = (
        f"Sentences chosen by {who}, divided by sentences chosen by any rater; unweighted mean over items."
    )
    name = "selection_jaccard" if k is None else f"selection_jaccard_{k}"
    return mean_estimate(name, values, definition, bootstrap, ratings=sum(map(len, items)), bounds=(0, 1))


def _chosen(raters: Sequence[Collection[Hashable]]) -> Counter[Hashable]:
    return Counter(sentence for chosen in raters for sentence in set(chosen))


def snippet_coverage(response: str, snippets: Sequence[str]) -> float:
    """How much of the snippets a response covers: the share of each snippet's words, mean over snippets.

    Words are runs of letters and digits, ignoring case. A word counts as often as it occurs
    in both (unigram recall, as in ROUGE-1). Undefined (nan) without snippets.

    >>> snippet_coverage("The door will not open.", ["the door", "motor stops"])
    0.5
    """
    said = _words(response)
    shares = [_share(_words(snippet), said) for snippet in snippets]
    return float(np.mean(shares)) if shares else float("nan")


def _share(wanted: Counter[str], said: Counter[str]) -> float:
    total = sum(wanted.values())
    return sum((wanted & said).values()) / total if total else 1.0


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def response_scores(
    responses: Sequence[str],
    snippets: Sequence[Sequence[str]],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """Mean snippet coverage over items. `responses` and `snippets` are in the same order."""
    values = [snippet_coverage(text, wanted) for text, wanted in zip(responses, snippets, strict=True)]
    definition = "Share of each snippet's words found in the response, mean over snippets, then over items."
    return mean_estimate("snippet_coverage", values, definition, bootstrap, bounds=(0, 1))
