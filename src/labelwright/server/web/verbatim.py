"""Texts that a page must reproduce exactly, because answers contain offsets into them."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def verbatim(text: str) -> SafeString:
    """A text as HTML that a browser reads back as the same text.

    An HTML parser turns a carriage return and line feed into one line feed, which would shift every later offset.
    A carriage return written as a character reference is kept.

    >>> verbatim("a < b\\r\\n")
    'a &lt; b&#13;\\n'
    """
    return mark_safe(escape(text).replace("\r", "&#13;"))  # noqa: S308 - escaped just before
