"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

JSON = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def renamed_columns(given: Sequence[str] | None) -> dict[str, str]:
    """`item=dialogue_id` as a mapping from our name to the file's.

    >>> renamed_columns(["item=dialogue_id"])
    {'item': 'dialogue_id'}
    """
    pairs = [entry.partition("=") for entry in given or ()]
    wrong = [name for name, equals, _ in pairs if not equals]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r} is not of the form item=dialogue_id.")
    return {ours: theirs for ours, _, theirs in pairs}
