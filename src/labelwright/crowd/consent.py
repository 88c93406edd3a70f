"""Consent: what raters agree to, and what happens to their answers when they delete their data."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from labelwright.task import Markdown

ConsentPoint = Annotated[str, Field(min_length=1, max_length=300)]


class ConsentPart(BaseModel):
    """The consent form shown before the first task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Markdown = ""
    """Information shown above the checkboxes: who runs the study, what is stored, whom to contact."""
    points: Annotated[tuple[ConsentPoint, ...], Field(max_length=12)] = ()
    """The statements with a checkbox each. Default: one standard sentence."""
    answers_on_deletion: Literal["keep", "delete"] = "keep"
    """Whether a person's answers are kept under the pseudonym when their personal data are deleted."""
