"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

JSON = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def renamed_columns(given: Sequence[str] | None) -> dict[str, str]:
    """A mapping from our column names to those of the file, from options such as `item=dialogue_id`.

    >>> renamed_columns(["item=dialogue_id"])
    {'item': 'dialogue_id'}
    """
    pairs = [entry.partition("=") for entry in given or ()]
    wrong = [name for name, equals, _ in pairs if not equals]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r} does not have the form item=dialogue_id.")
    return {ours: theirs for ours, _, theirs in pairs}
