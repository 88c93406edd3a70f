"""Finds the scripts of question types beside their models, and what they share; nothing else in that folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from django.templatetags.static import static

import turnwise.task.questions

FOLDER = Path(turnwise.task.questions.__file__).parent
ADDRESS = re.compile(r"questions/([a-z][a-z0-9_]*/widget\.js|shared/[a-z][a-z0-9_]*\.js)")

IMPORTED = re.compile(r'from "\.\./(shared/[a-z][a-z0-9_]*\.js)"')


@cache
def scripts_of(kind: str) -> tuple[str, ...]:
    """The addresses of a type's script and of what it imports, so that a page can ask for all of them at once."""
    widget = FOLDER / kind / "widget.js"
    imported = IMPORTED.findall(widget.read_text()) if widget.is_file() else []
    return tuple(static(f"questions/{name}") for name in (f"{kind}/widget.js", *imported))


class QuestionFinder(BaseFinder):
    """Serves `task/questions/NAME/widget.js` as `questions/NAME/widget.js`, and `shared/*.js` likewise."""

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing can be set wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file behind an address, or nothing."""
        match = ADDRESS.fullmatch(path)
        file = FOLDER / match[1] if match else None
        if file is None or not file.is_file():
            return []
        return [str(file)] if find_all else str(file)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        """Every script with its address."""
        storage = FileSystemStorage(location=str(FOLDER))
        storage.prefix = "questions"  # type: ignore[attr-defined]
        for file in sorted([*FOLDER.glob("*/widget.js"), *FOLDER.glob("shared/*.js")]):
            yield str(file.relative_to(FOLDER)), storage
