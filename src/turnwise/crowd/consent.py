"""Consent: what raters agree to, and what becomes of their answers when they want their data deleted."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class ConsentPart(BaseModel):
    """What is read before the first task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(max_length=10_000)] = ""
    """Shown above the box that is ticked; blank lines part paragraphs."""
    answers_on_deletion: Literal["keep", "delete"] = "keep"
    """Whether a person's answers stay, under the pseudonym, when their personal data are deleted."""
