"""Where static files stand: under a name made of what is in them, so that a browser never asks twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

SUFFIXES = (".js", ".css")


def static_address(folders: Iterable[Path]) -> str:
    """The prefix of all static files; any change in one of them gives another.

    Scripts name each other by relative addresses, so that the name of the folder holds for all of them.
    """
    digest = hashlib.sha256()
    files = sorted(file for folder in folders for file in folder.rglob("*") if file.suffix in SUFFIXES)
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"/static/{digest.hexdigest()[:10]}/"
