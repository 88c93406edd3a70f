"""Pool: raters who are recruited together, with their caps and their pay."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.crowd.qualification import QualificationPart

GroupName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
Cap = Annotated[int, Field(ge=1)]
Origin = Annotated[str, Field(pattern=r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$")]


class Caps(BaseModel):
    """The most that one rater may do; the database enforces each of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: Cap | None = None
    """In the whole study, whatever its versions."""
    conditions: Cap | None = None
    """Different conditions; one that was only given back does not count."""
    tasks_per_batch: Cap | None = None
    tasks_per_day: Cap | None = None
    """A day ends at midnight UTC."""
    returns: Cap = 20
    """Tasks given back. Who has given back so many is offered no more: nobody can look through all items."""


class Group(BaseModel):
    """Raters of a pool who are fixed to item sets, to be compared with other groups."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    raters: Annotated[int, Field(ge=1)]
    sets: Annotated[tuple[str, ...], Field(min_length=1)]
    """Names of item sets; the group rates every item of them."""
    redundancy: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Ratings wanted of each item in each condition from this group; as the study says when left out."""


class Pay(BaseModel):
    """What one task pays, in minor units."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cents: Annotated[int, Field(ge=0)] = 0
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"


class LinkPool(BaseModel):
    """Raters of one's own, each with a signed link."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    platform: Literal["link"]
    raters: Annotated[int, Field(ge=1, le=100_000)] = 1
    """How many links are made, and how many applicants a qualification has room for."""
    requires: tuple[str, ...] = ()
    """Pools with a qualification; only who qualified in all of them enters, and does so by itself."""
    qualification: QualificationPart | None = None
    """The pool's only work is then this qualification."""
    caps: Caps = Caps()
    groups: dict[GroupName, Group] = Field(default_factory=dict)
    """The first raters of the pool form the first group, and so on; who is in no group gets no work."""
    pay: Pay = Pay()
    lease_minutes: Annotated[float, Field(gt=0, le=10_080)] = 30
    """How long a rater holds a place, counted from the last sign of life, before it is offered again."""
    longest_lease_minutes: Annotated[float, Field(gt=0, le=43_200)] | None = None
    """How long one can be held in all, however often the rater comes back; four times `lease_minutes` when left out."""
    link_days: Annotated[int, Field(ge=1, le=730)] = 60
    embed_origins: tuple[Origin, ...] = ()
    """Sites that may show the rater's pages in a frame; nobody when left out."""

    @model_validator(mode="after")
    def _made_or_granted(self) -> LinkPool:
        needed = not self.requires or self.qualification is not None
        if needed and not self.says_raters:
            raise ValueError("`raters` is missing: only a pool that requires others is filled by itself")
        return self

    @model_validator(mode="after")
    def _groups_fit(self) -> LinkPool:
        grouped = sum(group.raters for group in self.groups.values())
        if self.says_raters and grouped > self.raters:
            raise ValueError(f"its groups hold {grouped} raters and the pool {self.raters}")
        return self

    @property
    def says_raters(self) -> bool:
        """Whether the study file says how many there are; else as many as qualify."""
        return "raters" in self.model_fields_set

    @property
    def hold_minutes(self) -> float:
        """How long a place can be held in all."""
        return self.longest_lease_minutes or 4 * self.lease_minutes

    def lease_end(self, now: datetime, offered_at: datetime, free_for: timedelta) -> datetime:
        """When a lease that is given now ends; not after now where the place was held as long as it can be.

        The time for which the place was free in between kept nobody waiting, so it does not count.
        """
        limit = offered_at + free_for + timedelta(minutes=self.hold_minutes)
        return min(now + timedelta(minutes=self.lease_minutes), limit)
