"""Guidelines: the long text behind the instructions, with hard cases and how they were decided."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Markdown = Annotated[str, Field(max_length=20_000)]
"""Text with headings, lists, emphasis, tables and links; HTML in it is shown as plain text."""


class HardCase(BaseModel):
    """A case that raters asked about, and the decision."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: Markdown
    """What raters asked about."""
    decision: Markdown
    """How to judge it."""


class Guidelines(BaseModel):
    """The long text behind the instructions; its version is stored with every answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Annotated[str, Field(min_length=1, max_length=40)]
    """The name of this version, such as 2 or 2027-03; change it whenever you change the text."""
    text: Markdown = ""
    """The guidelines, in Markdown."""
    hard_cases: Annotated[tuple[HardCase, ...], Field(max_length=500)] = ()
    """Decisions on hard cases, listed below the text."""
