"""Review: which work people look at, and the reasons that they can give for a verdict."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from labelwright.crowd.pools import GroupName
from labelwright.quality.rules.settings import Share
from labelwright.seeds import rank

_RANKS = 2**63


class ReasonTemplate(BaseModel):
    """A reason for a verdict that a reviewer completes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=30)]
    """The name that reviewers choose it by."""
    text: Annotated[str, Field(min_length=1, max_length=500)]
    """What the rater reads, in the language of the study. Parts in square brackets, such as `[which one]`, must be replaced before it is sent."""


class ReviewPart(BaseModel):
    """Which work goes to review. Everything else is paid and used without one.

    >>> ReviewPart(takes="all").includes("", flagged=False, seed=7, work="amber-finch")
    True
    >>> ReviewPart(without_approval=("control",)).includes("control", flagged=True, seed=7, work="amber-finch")
    False
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    takes: Literal["flagged", "sample", "all"] = "flagged"
    """What reviewers decide on: flagged work, flagged work and a random sample of the rest, or all work. The sample shows what the rules miss."""
    share: Share = 0.1
    """The share of the work without flags that is drawn for `takes: sample`."""
    without_approval: tuple[GroupName, ...] = ()
    """Groups of raters whose work never goes to review: all of it is paid and used, and flags on it decide nothing."""
    second_opinions: Annotated[float, Field(ge=0, le=1)] = 0
    """The share of verdicts that another reviewer repeats without seeing the first. The page on reviewers shows how well they agree."""
    reasons: Annotated[tuple[ReasonTemplate, ...], Field(max_length=9)] = ()
    """Reasons for verdicts that reviewers can choose and complete. Default: one for each kind of finding, in English."""

    def includes(self, group: str, *, flagged: bool, seed: int, work: str) -> bool:
        """Whether work goes to review; `work` names it in the seeded draw."""
        if group in self.without_approval:
            return False
        if flagged or self.takes == "all":
            return True
        return self.takes == "sample" and _is_drawn(self.share, seed, "review", work)

    def asks_again(self, *, seed: int, work: str) -> bool:
        """Whether the verdict on this work is repeated by another reviewer."""
        return _is_drawn(self.second_opinions, seed, "second opinion", work)


def _is_drawn(share: float, seed: int, use: str, work: str) -> bool:
    return rank(seed, use, work) < share * _RANKS
