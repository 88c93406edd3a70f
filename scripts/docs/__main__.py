"""Builds the documentation into a folder, and fails if a link, a picture or an anchor is broken.

The pages of docs/ are at the top level of the site, next to the pages of the repository's root. Everything
that they link to is part of the site too: pictures as they are, folders as lists, other files as their text.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scripts.docs.api import MARK, write_api
from scripts.docs.blocks import is_run, run
from scripts.docs.links import PICTURES, broken, lead_to_site, place_in_site
from scripts.docs.pages import Section, lay_out, read_navigation, render, show_file, show_folder, title_of

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Site:
    """The documentation of the repository at `root`, built into a folder."""

    root: Path
    folder: Path

    @cached_property
    def navigation(self) -> list[Section]:
        return read_navigation(self.root / "docs" / "index.md", self.root)

    def build(self) -> list[Path]:
        """Writes every page and everything it links to; returns their paths in the repository."""
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(__file__).with_name("style.css"), self.folder)
        waiting = [*self.root.glob("*.md"), *(self.root / "docs").rglob("*.md")]
        written: set[Path] = set()
        while waiting:
            source = waiting.pop()
            if source not in written:
                written.add(source)
                waiting += self._write(source)
        return sorted(written)

    def _write(self, source: Path) -> list[Path]:
        """Writes one file of the site; returns the files of the repository that it links to."""
        here = place_in_site(source, self.root)
        target = self.folder / here
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix in PICTURES:
            shutil.copy(source, target)
            return []
        folder = source if source.is_dir() else source.parent
        body, needed = lead_to_site(self._body(source), folder, here, self.root)
        title = title_of(source) if source.suffix == ".md" else source.name
        target.write_text(lay_out(body, title, here, self.navigation), encoding="utf-8")
        return needed

    def _body(self, source: Path) -> str:
        if source.is_dir():
            return render(show_folder(source))
        if source.suffix != ".md":
            return show_file(source, self.root)
        text = source.read_text(encoding="utf-8")
        if MARK in text:
            text = text.replace(MARK, write_api())
        return render(run(text, source) if is_run(text) else text)


def main() -> None:
    """Rebuilds site/."""
    folder = ROOT / "site"
    shutil.rmtree(folder, ignore_errors=True)
    written = Site(ROOT, folder).build()
    wrong = broken(folder)
    if wrong:
        sys.exit("\n".join([*wrong, f"{len(wrong)} broken links in the documentation."]))
    print(f"{len(written)} files, no broken links: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
