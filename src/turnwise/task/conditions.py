"""Condition: one level of the experiment."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from turnwise.context import AmountRecipe
from turnwise.task.around import Markdown


class Condition(BaseModel):
    """A context, and the task design shown with it; its name never reaches a rater."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context: AmountRecipe = AmountRecipe()
    design: str | None = None
    """The name of a task design; may be left out where the study has only one."""
    instructions: Markdown = ""
    """What raters are told besides the design's instructions, such as how to use a summary; shown above the item."""
