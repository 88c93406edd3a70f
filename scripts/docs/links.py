"""Maps files of the repository to files of the site, and finds broken links."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

PICTURES = {".png", ".svg"}
_LINK = re.compile(r'\b(href|src)="([^"]*)"')
_ELSEWHERE = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def place_in_site(path: Path, root: Path) -> Path:
    """The file of the site that shows a page, a picture, a folder or any other file of the repository."""
    inside = path.relative_to(root)
    inside = Path(*inside.parts[1:]) if inside.parts[:1] == ("docs",) else inside
    if path.is_dir():
        return inside / "index.html"
    if path.suffix == ".md":
        return inside.with_suffix(".html")
    return inside if path.suffix in PICTURES else inside.with_name(f"{inside.name}.html")


def lead_to_site(body: str, folder: Path, here: Path, root: Path) -> tuple[str, list[Path]]:
    """A page with its links adapted to its place in the site, and the files that these links need.

    A link to something that is not in the repository stays as it is, for `broken` to find.
    """
    needed: list[Path] = []

    def led(link: re.Match[str]) -> str:
        address, mark, part = link[2].partition("#")
        there = Path(os.path.normpath(folder / unquote(address)))
        if not address or _ELSEWHERE.match(address) or not there.exists() or not there.is_relative_to(root):
            return link[0]
        needed.append(there)
        return f'{link[1]}="{way(here, place_in_site(there, root))}{mark}{part}"'

    return _LINK.sub(led, body), needed


def way(here: Path, there: Path) -> str:
    """The link from one file of the site to another."""
    return Path(os.path.relpath(there, here.parent)).as_posix()


def broken(site: Path) -> list[str]:
    """Every broken link, picture and anchor of the site, with its page."""
    pages = {path: _Page.read(path) for path in sorted(site.rglob("*.html"))}
    return [
        f"{path.relative_to(site)}: {link} is broken"
        for path, page in pages.items()
        for link in page.links
        if not _ELSEWHERE.match(link) and not _is_there(path, link, pages)
    ]


def _is_there(path: Path, link: str, pages: dict[Path, _Page]) -> bool:
    address, _, part = link.partition("#")
    there = Path(os.path.normpath(path.parent / unquote(address))) if address else path
    return there.is_file() and (not part or (there in pages and unquote(part) in pages[there].ids))


class _Page(HTMLParser):
    """The links of a page, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    @classmethod
    def read(cls, path: Path) -> _Page:
        page = cls()
        page.feed(path.read_text(encoding="utf-8"))
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        self.ids |= {value for name, value in attrs if name == "id" and value}
