"""The status line: what the last action did, and how to undo it. It is shown once, on the next page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest

_KEY = "status_line"


@dataclass(frozen=True, slots=True)
class Undo:
    """A form that takes an action back."""

    do: str
    """The action, as the page's forms name it."""
    fields: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    path: str = ""
    """The page that takes the form; empty for the page of the action."""
    name: str = "Undo"


@dataclass(frozen=True, slots=True)
class Done:
    """What an action did, in one sentence."""

    text: str
    undo: Undo | None = None
    onward: str | None = None
    """The address to go to; None for the same page."""


def put_status(request: HttpRequest, done: Done) -> None:
    """Keeps the sentence for the next page."""
    undo = done.undo
    request.session[_KEY] = {
        "text": done.text,
        "undo": {
            "do": undo.do,
            "fields": [
                (name, value)
                for name, values in undo.fields.items()
                for value in ([values] if isinstance(values, str) else values)
            ],
            "path": undo.path or request.path,
            "name": undo.name,
        }
        if undo
        else None,
    }


def take_status(request: HttpRequest) -> dict[str, object] | None:
    """The sentence for this page, which is then forgotten; None if there is none."""
    session = getattr(request, "session", None)
    if session is None or _KEY not in session:
        return None
    status: dict[str, object] = session.pop(_KEY)
    return status
