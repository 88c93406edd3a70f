"""Pool: raters who are recruited together, with their caps and their pay."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from turnwise.crowd.qualification import QualificationPart

Origin = Annotated[str, Field(pattern=r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$")]


class Caps(BaseModel):
    """The most that one rater may do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: Annotated[int, Field(ge=1)] | None = None


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
    pay: Pay = Pay()
    lease_minutes: Annotated[float, Field(gt=0, le=10_080)] = 30
    """How long a rater holds a place before it is offered again."""
    link_days: Annotated[int, Field(ge=1, le=730)] = 60
    embed_origins: tuple[Origin, ...] = ()
    """Sites that may show the rater's pages in a frame; nobody when left out."""

    @model_validator(mode="after")
    def _made_or_granted(self) -> LinkPool:
        needed = not self.requires or self.qualification is not None
        if needed and "raters" not in self.model_fields_set:
            raise ValueError("`raters` is missing: only a pool that requires others is filled by itself")
        return self
