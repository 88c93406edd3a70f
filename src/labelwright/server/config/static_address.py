"""The address of static files: it contains a hash of their content, so that browsers can cache them forever."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

SUFFIXES = (".js", ".css")


def static_address(folders: Iterable[Path]) -> str:
    """The URL prefix of all static files; it changes whenever a file changes.

    Scripts import each other by relative addresses, so one prefix works for all of them.
    """
    digest = hashlib.sha256()
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in SUFFIXES)
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"/static/{digest.hexdigest()[:10]}/"
