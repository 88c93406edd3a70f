"""Work: the plain values that a quality rule may look at."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Ranges = tuple[tuple[int, int], ...]


class RuleNeed(enum.StrEnum):
    """Data besides codes and times that must be queried separately, so a rule has to ask for it."""

    HISTORY = "history"
    """The rater's earlier work in the study, as far back as the rule's `history_tasks`."""
    OTHER_RATINGS = "other_ratings"
    """What other raters answered about the same items."""
    CONTENTS = "contents"
    """What the rater marked, chose or wrote."""
    CATEGORIES = "categories"
    """The automatic categories of the items."""
    TYPING = "typing"
    """How free text was typed; known only where the study records it."""
    TEXT_USES = "text_uses"
    """How many other raters wrote the same text anywhere in the study."""
    POOL = "pool"
    """How long the task takes the pool, in the same condition."""
    RATER = "rater"
    """Figures of the rater over all their work."""


FROM_OTHERS = frozenset({RuleNeed.OTHER_RATINGS, RuleNeed.TEXT_USES, RuleNeed.POOL, RuleNeed.RATER})
"""What changes after a submission, when others work: rules that need it run again."""


@dataclass(frozen=True, slots=True)
class AnswerContent:
    """An answer beyond its code."""

    ranges: Ranges | None = None
    """The marked parts of the text, as half-open ranges of characters; None if nothing can be marked."""
    length: int = 0
    """The number of characters of that text."""
    chosen: frozenset[int] | None = None
    """The positions of the chosen sentences; None if the question does not ask for sentences."""
    offered: int = 0
    """The number of sentences that could be chosen."""
    text: str | None = None
    """What the rater wrote."""


@dataclass(frozen=True, slots=True)
class OtherRating:
    """What one other rater answered to the same question about the same item."""

    code: int | None = None
    content: AnswerContent = AnswerContent()


@dataclass(frozen=True, slots=True)
class TypingFacts:
    """How the text of an answer came about; never the text that was deleted."""

    keys: int = 0
    """The number of key strokes that changed the text."""
    seconds: float = 0.0
    """The time between them, summed up without pauses."""
    pastes: int = 0
    pasted: int = 0
    """The number of pasted characters."""
    before: int = 0
    """The number of characters that were there when the page was opened, of a draft that is continued."""


@dataclass(frozen=True, slots=True)
class PoolPace:
    """How long tasks of one condition take the pool."""

    tasks: int
    median_seconds: float


@dataclass(frozen=True, slots=True)
class RaterFigures:
    """What is known of a rater over all their work."""

    agreement: float | None = None
    """With the others on the same items: 1 is perfect, 0 is chance."""
    low: float | None = None
    high: float | None = None
    items: int = 0
    pool_agreement: float | None = None
    """The agreement of the middle rater of the pool."""
    findings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the audit found about the rater, by kind of finding, with its figures."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a rule may look at: one submitted assignment, and what the rule declares that it needs.

    Answers are known by position and question, such as `0:useful`.
    """

    condition: str
    seconds: float
    codes: Mapping[str, int]
    gold: Mapping[str, bool] = field(default_factory=dict)
    """Whether each answer to an item with known answers is right."""
    attention: Mapping[str, bool] = field(default_factory=dict)
    """The same for attention checks."""
    options: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """The names of the codes of each question, for evidence in words."""
    history: Sequence[Work] | None = None
    """The rater's earlier work, the oldest first; None if it was not loaded."""
    other_ratings: Mapping[str, Sequence[OtherRating]] | None = None
    contents: Mapping[str, AnswerContent] | None = None
    categories: Mapping[int, str] | None = None
    """By the position of the item."""
    typing: Mapping[str, TypingFacts] | None = None
    text_uses: Mapping[str, int] | None = None
    pool: PoolPace | None = None
    rater: RaterFigures | None = None

    @property
    def judged(self) -> dict[str, int]:
        """The codes without those of attention checks and of items with known answers, which differ for a reason."""
        known = {place.partition(":")[0] for place in self.gold}
        return {
            place: code
            for place, code in self.codes.items()
            if place not in self.attention and place.partition(":")[0] not in known
        }

    def answer_name(self, question: str, code: int) -> str:
        """An answer as raters read it.

        >>> Work("C0", 60, {}, options={"fits": {1: "Yes"}}).answer_name("fits", 1)
        '“Yes”'
        """
        name = self.options.get(question, {}).get(code)
        return f"“{name}”" if name else f"answer {code}"

    def only(self, needs: Collection[RuleNeed]) -> Work:
        """The same work without anything that is not needed."""
        unneeded: dict[str, Any] = {need.value: None for need in RuleNeed if need not in needs}
        return replace(self, **unneeded)

    def holds(self, needs: Collection[RuleNeed]) -> bool:
        """Whether everything that is needed was loaded."""
        return all(getattr(self, need.value) is not None for need in needs)


def place_name(place: str) -> str:
    """An answer as a requester reads it.

    >>> place_name("0:useful")
    'useful (item 1)'
    """
    position, _, question = place.partition(":")
    return f"{question} (item {int(position) + 1})"
