"""Texts that a page must hold character by character, because answers point into them."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def exact(text: str) -> SafeString:
    """A text as HTML that a browser reads back as the same text.

    A parser of HTML makes one line feed of a carriage return with the line feed behind it, and every
    offset behind that would be wrong; written as a reference, it stays.

    >>> exact("a < b\\r\\n")
    'a &lt; b&#13;\\n'
    """
    return mark_safe(escape(text).replace("\r", "&#13;"))  # noqa: S308 - escaped just before
