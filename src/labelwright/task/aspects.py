"""Aspect: the quality that judgments measure."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Aspect(BaseModel):
    """A quality that judgments measure, such as relevance or usefulness."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=120)]
    """Its name on the requester's pages."""
    aim: Annotated[str, Field(max_length=1000)] = ""
    """What the requester wants to learn; raters never see it."""
    redundancy: Annotated[int, Field(ge=1, le=100)] | None = None
    """Ratings wanted for each item in each condition that measures this aspect; by default that of the study."""
