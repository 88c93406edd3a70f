"""Consent: what raters agree to, and what becomes of their answers when they want their data deleted."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from labelwright.task import Markdown

ConsentPoint = Annotated[str, Field(min_length=1, max_length=300)]


class ConsentPart(BaseModel):
    """What is read before the first task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Markdown = ""
    """Who asks, what is stored, who to write to; shown above what is ticked."""
    points: Annotated[tuple[ConsentPoint, ...], Field(max_length=12)] = ()
    """Each is ticked by itself; one sentence of ours stands there when left out."""
    answers_on_deletion: Literal["keep", "delete"] = "keep"
    """Whether a person's answers stay, under the pseudonym, when their personal data are deleted."""
