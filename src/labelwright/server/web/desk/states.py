"""States as pages show them: a shape and a word, the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_DOT = '<circle cx="6" cy="6" r="5" fill="currentColor"/>'
_BARS = '<path d="M3.5 1.5v9M8.5 1.5v9" stroke="currentColor" stroke-width="2.5"/>'
_HALF_DISC = (
    '<circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    '<path d="M6 1.25a4.75 4.75 0 010 9.5z" fill="currentColor"/>'
)
_SQUARE = '<rect x="1.75" y="1.75" width="8.5" height="8.5" fill="currentColor"/>'
_DASHED_RING = (
    '<circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" stroke-width="1.5" '
    'stroke-dasharray="2.2 2"/>'
)
_OPEN_SQUARE = (
    '<rect x="1.75" y="1.75" width="8.5" height="8.5" fill="none" stroke="currentColor" stroke-width="1.5"/>'
)
_PLAY = '<path d="M2.5 1.5l7.5 4.5-7.5 4.5z" fill="currentColor"/>'
_CROSS = '<path d="M2.5 2.5l7 7M9.5 2.5l-7 7" stroke="currentColor" stroke-width="1.75"/>'


@dataclass(frozen=True, slots=True)
class StateMark:
    """How a state is shown."""

    word: str
    shape: str
    """The inside of an SVG of 12 by 12."""
    css: str

    def html(self, *, boxed: bool = False) -> SafeString:
        """The shape and the word; in a box for the header."""
        return format_html(
            '<span class="st {}{}"><svg viewBox="0 0 12 12" aria-hidden="true">{}</svg>{}</span>',
            self.css,
            " boxed" if boxed else "",
            # Our own constants.
            mark_safe(self.shape),  # noqa: S308
            self.word,
        )


STATES = {
    "draft": StateMark("Draft", _DASHED_RING, "dra"),
    "open": StateMark("Collecting", _DOT, "col"),
    "paused": StateMark("Paused", _BARS, "pau"),
    "review": StateMark("Review", _HALF_DISC, "rvw"),
    "closed": StateMark("Closed", _SQUARE, "clo"),
    "archived": StateMark("Archived", _OPEN_SQUARE, "clo"),
    "at_work": StateMark("At work", _PLAY, "col"),
    "active": StateMark("Active", _DOT, "col"),
    "done": StateMark("Done", _SQUARE, "clo"),
    "stopped": StateMark("Stopped", _CROSS, "clo"),
    "excluded": StateMark("Excluded", _CROSS, "clo"),
    "invited": StateMark("Invited", _DASHED_RING, "dra"),
}
"""The states of studies and of raters, by their stored names."""
ORDER = ("open", "paused", "review", "draft", "closed", "archived")
"""The states of studies, those that ask for most attention first."""
