"""Finds the scripts of question types beside their models, and what they share; nothing else in that folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

import turnwise.task.questions

FOLDER = Path(turnwise.task.questions.__file__).parent
ADDRESS = re.compile(r"questions/([a-z][a-z0-9_]*/widget\.js|shared/[a-z][a-z0-9_]*\.js)")


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
