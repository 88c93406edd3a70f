"""Condition: one level of the experiment."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from labelwright.context import AmountRecipe
from labelwright.task.guidelines import Markdown


class Condition(BaseModel):
    """A context and the task design that goes with it; raters never see its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context: AmountRecipe = AmountRecipe()
    """What raters see along with the item."""
    design: str | None = None
    """The name of a task design; may be left out if the study has only one."""
    redundancy: Annotated[int, Field(ge=1, le=100)] | None = None
    """Ratings wanted for each item in this condition; by default that of its aspect or of the study."""
    instructions: Markdown = ""
    """Instructions that are added to those of the design, such as how to use a summary; shown above the item."""
    stage: str | None = None
    """The stage that it belongs to; by default the first one, which begins at once."""
