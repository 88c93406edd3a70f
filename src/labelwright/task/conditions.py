"""Condition: one level of the experiment."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from labelwright.context import AmountRecipe
from labelwright.task.guidelines import Markdown


class Condition(BaseModel):
    """A context, and the task design shown with it; its name never reaches a rater."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context: AmountRecipe = AmountRecipe()
    design: str | None = None
    """The name of a task design; may be left out where the study has only one."""
    redundancy: Annotated[int, Field(ge=1, le=100)] | None = None
    """Ratings wanted of each item in this condition; as its aspect or the study says when left out."""
    instructions: Markdown = ""
    """What raters are told besides the design's instructions, such as how to use a summary; shown above the item."""
    stage: str | None = None
    """The stage that it belongs to; the first one, which begins at once, when left out."""
