"""Extractive summary: the most central sentences of the dialogue, as a baseline without a language model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labelwright.context.makers import ContextText, Surroundings, context_maker
from labelwright.corpus import Turn, normalise, split_sentences

DAMPING = 0.85
ROUNDS = 100
MOST_SENTENCES = 400
"""Every sentence is compared with every other, so only the last sentences of a long dialogue are used."""
Matrix = NDArray[np.float64]


@context_maker("summary:extractive")
def extractive_summary(before: Sequence[Turn], around: Surroundings) -> ContextText | None:
    """Whole sentences in their order, each with its speaker, less than half of the dialogue by default.

    At least one sentence is taken. Centrality is that of LexRank (Erkan and Radev, JAIR 22, 2004).
    """
    said = [
        (number, turn.speaker, sentence.of(turn.text))
        for number, turn in enumerate(before)
        for sentence in split_sentences(turn.text)
    ][-MOST_SENTENCES:]
    if not said:
        return None
    share = around.settings.extractive_share if around.settings is not None else 0.5
    chosen = _chosen([text for _, _, text in said], share)
    lines: list[str] = []
    last = -1
    for place in chosen:
        number, speaker, text = said[place]
        if number == last:
            lines[-1] += f" {text}"
        else:
            lines.append(f"{speaker.capitalize()}: {text}")
        last = number
    return ContextText("\n".join(lines), {"sentences": chosen})


def _chosen(sentences: list[str], share: float) -> list[int]:
    scores = lexrank([normalise(sentence).split() for sentence in sentences])
    room = share * sum(len(sentence) for sentence in sentences)
    chosen: list[int] = []
    used = 0
    for place in sorted(range(len(sentences)), key=lambda place: (-scores[place], place)):
        if not chosen or used + len(sentences[place]) < room:
            chosen.append(place)
            used += len(sentences[place])
    return sorted(chosen)


def lexrank(sentences: Sequence[Sequence[str]]) -> Matrix:
    """How central each sentence is: the stationary distribution of a walk between similar sentences.

    Similarity is the cosine of words weighted by their rarity among the sentences; a sentence without words
    is similar to none. The scores add up to 1.

    >>> lexrank([["a", "bus"], ["a", "bus", "ride"], ["rain"]]).argmin().item()
    2
    """
    similar = _similarities(sentences)
    size = len(sentences)
    rows = similar.sum(axis=1, keepdims=True)
    walk = np.where(rows > 0, similar / np.where(rows > 0, rows, 1), 1 / size)
    scores = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        scores = (1 - DAMPING) / size + DAMPING * scores @ walk
    return np.asarray(scores / scores.sum(), dtype=np.float64)


def _similarities(sentences: Sequence[Sequence[str]]) -> Matrix:
    words = {word: place for place, word in enumerate(sorted({w for s in sentences for w in s}))}
    counts = np.zeros((len(sentences), max(1, len(words))))
    for row, sentence in enumerate(sentences):
        for word in sentence:
            counts[row, words[word]] += 1
    rarity = np.log((1 + len(sentences)) / (1 + (counts > 0).sum(axis=0))) + 1
    weighted = counts * rarity
    length = np.linalg.norm(weighted, axis=1, keepdims=True)
    unit = weighted / np.where(length > 0, length, 1)
    similar = unit @ unit.T
    np.fill_diagonal(similar, 0)
    return np.asarray(similar, dtype=np.float64)
