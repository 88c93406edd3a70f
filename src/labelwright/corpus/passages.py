"""Passage selection: the most relevant passages of a query, with variety within the last level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from labelwright import seeds
from labelwright.errors import LabelwrightError

Passage = Mapping[str, Any]


class PassagesPart(BaseModel):
    """How the passages of each query are selected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: Annotated[int, Field(ge=1, le=1000)] = 5
    """The number of passages that are judged for each query."""
    lowest_level: int = 0
    """Passages below this relevance level are never selected."""
    without_texts: bool = False
    """Draw by seed alone if passages have no text to cluster; otherwise this is an error."""


class NoPassageTexts(LabelwrightError):
    """Passages cannot be clustered because their texts are missing."""

    code: ClassVar[str] = "no_passage_texts"


class NoScikitLearn(LabelwrightError):
    """scikit-learn, which clusters passages, is not installed."""

    code: ClassVar[str] = "no_scikit_learn"


def select_passages(
    query: str, passages: Sequence[Passage], part: PassagesPart, seed: int
) -> list[dict[str, Any]]:
    """The top passages of a query by relevance level, best first; in the given order within a level.

    Complete levels are selected from the highest down. The first level with more passages than remaining
    places is clustered by k-means into that many clusters, and one passage is drawn by seed from each
    (Lajewska and Balog, CIKM 2023, section 3). The result has fewer than `n` passages if fewer exist.

    >>> judged = [{"id": "p", "level": 1}, {"id": "q", "level": 4}]
    >>> [passage["id"] for passage in select_passages("1_1", judged, PassagesPart(), seed=7)]
    ['q', 'p']
    """
    levels: dict[int, list[Passage]] = defaultdict(list)
    for passage in passages:
        if passage["level"] >= part.lowest_level:
            levels[passage["level"]].append(passage)
    chosen: list[Passage] = []
    for level in sorted(levels, reverse=True):
        places = part.n - len(chosen)
        if len(levels[level]) <= places:
            chosen += levels[level]
        else:
            chosen += _varied(query, levels[level], places, part, seed)
            break
    return [dict(passage) for passage in chosen]


def _varied(query: str, passages: list[Passage], places: int, part: PassagesPart, seed: int) -> list[Passage]:
    if places == 0:
        return []
    ranked = sorted(passages, key=lambda passage: seeds.rank(seed, "passage", query, passage["id"]))
    if any("text" not in passage for passage in passages):
        if not part.without_texts:
            raise NoPassageTexts(
                f'query "{query}" has {len(passages)} passages at one level for {places} places, and some of them '
                "have no text to cluster.",
                do="Add the passage texts to the corpus, or set `without_texts: true` to draw by seed alone.",
            )
        return ranked[:places]
    clusters = _clusters([passage["text"] for passage in ranked], places, seeds.rank(seed, "k-means", query))
    drawn: dict[int, Passage] = {}
    for passage, cluster in zip(ranked, clusters, strict=True):
        drawn.setdefault(cluster, passage)
    # Passages with equal texts give fewer clusters than places; the next passages by rank fill the rest.
    taken = {passage["id"] for passage in drawn.values()}
    spare = [passage for passage in ranked if passage["id"] not in taken]
    kept = taken | {passage["id"] for passage in spare[: places - len(drawn)]}
    return [passage for passage in passages if passage["id"] in kept]


def _clusters(texts: Sequence[str], count: int, seed: int) -> list[int]:
    """The cluster of each text, by k-means over tf-idf vectors."""
    try:
        from sklearn.cluster import KMeans  # noqa: PLC0415
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415
    except ImportError as error:
        raise NoScikitLearn(
            "clustering passages needs scikit-learn.", do="Install it with: pip install labelwright[corpus]"
        ) from error
    # Single letters and signs count as words, so that no passage is without words.
    vectors = TfidfVectorizer(token_pattern=r"(?u)\w+|[^\w\s]").fit_transform(texts)  # noqa: S106
    count = min(count, len(set(texts)))
    means = KMeans(n_clusters=count, n_init=10, random_state=seed % 2**32).fit(vectors)
    return [int(label) for label in means.labels_]
