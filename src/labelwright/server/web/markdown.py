"""Renders the Markdown of study files as HTML: no raw HTML, no images, and only web and mail links."""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
TAGS = frozenset(
    ("a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre", "strong", "table")
) | frozenset(("tbody", "td", "th", "thead", "tr", "ul"))
"""All tags that the output can contain; a test checks this."""


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable("table").disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda url: bool(LINK.match(url))  # type: ignore[method-assign]
    parser.core.ruler.push("ours", _ours)
    return parser


def _ours(state: object) -> None:
    """Shifts headings below the page's own, adds `noreferrer` to links, and lets each text set its direction."""
    for token in _flat(state.tokens):  # type: ignore[attr-defined]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(4, int(token.tag[1]) + 1)}"
        elif token.type == "link_open":
            token.attrs |= {"rel": "noreferrer noopener", "target": "_blank"}
        # Column alignment would be an inline style, which the page's content security policy forbids.
        token.attrs.pop("style", None)
        if token.type in ("paragraph_open", "heading_open", "list_item_open", "td_open", "th_open"):
            token.attrs["dir"] = "auto"


def _flat(tokens: list) -> list:  # type: ignore[type-arg]
    return [t for token in tokens for t in (token, *(token.children or []))]


_PARSER = _parser()


@lru_cache(maxsize=2048)
def render(text: str) -> SafeString:
    """The text as HTML, cached per process.

    >>> render("**Read** [this](javascript:alert(1)) <script>")
    '<p dir="auto"><strong>Read</strong> [this](javascript:alert(1)) &lt;script&gt;</p>\\n'
    """
    # The parser escapes everything except its own tags.
    return SafeString(_PARSER.render(text))
