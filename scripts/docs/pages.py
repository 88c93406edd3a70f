"""Makes HTML pages from Markdown, folders and other text, with site-wide navigation."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts.docs.links import place_in_site, way

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass(frozen=True)
class Entry:
    """A page in the navigation."""

    title: str
    page: Path
    """Its path in the site."""


@dataclass(frozen=True)
class Section:
    """A group of pages in the navigation."""

    title: str
    entries: list[Entry]


def title_of(page: Path) -> str:
    """The first heading of a page."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else page.stem


def render(text: str) -> str:
    """Markdown as HTML, with an anchor at every heading, named as forges name it."""
    tokens = _MARKDOWN.parse(text)
    taken: dict[str, int] = {}
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", _anchor(content, taken))
    wrapped = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    # Wide tables scroll on their own, so that the page fits the screen.
    return str(wrapped).replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def _anchor(heading: Token, taken: dict[str, int]) -> str:
    words = "".join(child.content for child in heading.children or [])
    name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return f"{name}-{taken[name]}" if taken[name] else name


def read_navigation(start: Path, root: Path) -> list[Section]:
    """The sections of the start page, each with the first link of every entry of its lists."""
    sections = []
    for part in re.split(r"^## ", start.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        entries = [
            Entry(title, place_in_site((start.parent / link).resolve(), root))
            for title, link in re.findall(r"^- \[([^\]]+)\]\(([^)]+)\)", part, re.MULTILINE)
        ]
        sections.append(Section(part.splitlines()[0], entries))
    return [section for section in sections if section.entries]


def show_folder(folder: Path) -> str:
    """The contents of a folder as Markdown; pages by their titles."""
    shown = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__")))
    lines = [f"- [{title_of(path) if path.suffix == '.md' else path.name}]({path.name})" for path in shown]
    return f"# {folder.name.capitalize()}\n\n" + "\n".join(lines)


def show_file(path: Path, root: Path) -> str:
    """A file that is not a page, as the body of one."""
    text = html.escape(path.read_text(encoding="utf-8"))
    return f"<h1>{html.escape(str(path.relative_to(root)))}</h1><pre>{text}</pre>"


def lay_out(body: str, title: str, here: Path, navigation: list[Section]) -> str:
    """A complete page: a link to the start page, the body, and the navigation."""
    home, style = way(here, Path("index.html")), way(here, Path("style.css"))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{html.escape(title)}</title><link rel="stylesheet" href="{style}"></head>'
        f'<body><header><a href="{home}">Labelwright</a><a class="on" href="#all-pages">All pages</a></header>'
        f"<main>{body}</main>"
        f'<nav id="all-pages" aria-label="All pages">{"".join(_listed(part, here) for part in navigation)}</nav>'
        f"</body></html>\n"
    )


def _listed(section: Section, here: Path) -> str:
    rows = []
    for entry in section.entries:
        current = ' aria-current="page"' if entry.page == here else ""
        rows.append(f'<li><a href="{way(here, entry.page)}"{current}>{html.escape(entry.title)}</a></li>')
    return f"<h2>{html.escape(section.title)}</h2><ul>{''.join(rows)}</ul>"
