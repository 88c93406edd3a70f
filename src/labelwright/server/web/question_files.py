"""Finds the template and script in each question type's folder, and the scripts that types share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from django.template import Origin
from django.template.loaders.filesystem import Loader
from django.templatetags.static import static

import labelwright.task.questions
from labelwright.task.questions import QUESTION_TYPES, folder_of

SHARED = Path(labelwright.task.questions.__file__).parent / "shared"
ADDRESS = re.compile(r"questions/([a-z][a-z0-9_]*)/([a-z][a-z0-9_]*\.js)")
IMPORTED = re.compile(r'from "\.\./(shared/[a-z][a-z0-9_]*\.js)"')


def _script(folder: str, name: str) -> Path | None:
    """The file behind `questions/FOLDER/NAME`: a type's widget.js or a shared script; None for any other file."""
    if folder == "shared":
        file = SHARED / name
    elif folder in QUESTION_TYPES and name == "widget.js":
        file = folder_of(folder) / name
    else:
        return None
    return file if file.is_file() else None


@cache
def scripts_of(kind: str) -> tuple[str, ...]:
    """The addresses of a type's script and of its imports, so that a page can preload all of them."""
    widget = _script(kind, "widget.js")
    imported = IMPORTED.findall(widget.read_text()) if widget else []
    return tuple(static(f"questions/{name}") for name in (f"{kind}/widget.js", *imported))


class QuestionLoader(Loader):
    """Loads `NAME/template.html` from a type's folder; needed for question types of other packages."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """The template file, if the name belongs to a question type."""
        kind, _, file = template_name.partition("/")
        if file == "template.html" and kind in QUESTION_TYPES:
            yield Origin(str(folder_of(kind) / file), template_name, self)


class QuestionFinder(BaseFinder):
    """Serves the script of each type as `questions/NAME/widget.js`, and shared scripts as `questions/shared/`."""

    def check(self, **kwargs: Any) -> list[Any]:
        """There are no settings to check."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file at an address, or an empty list."""
        match = ADDRESS.fullmatch(path)
        file = _script(match[1], match[2]) if match else None
        if file is None:
            return []
        return [str(file)] if find_all else str(file)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        """Every script with its address."""
        folders = {name: folder_of(name) for name in QUESTION_TYPES} | {"shared": SHARED}
        for name, folder in folders.items():
            storage = FileSystemStorage(location=str(folder))
            storage.prefix = f"questions/{name}"  # type: ignore[attr-defined]
            for file in sorted(folder.glob("*.js" if name == "shared" else "widget.js")):
                yield file.name, storage
