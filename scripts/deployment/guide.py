"""The commands of a page: every block that starts with ```sh, with the heading above it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"^## (?P<heading>[^\n]+)$|^```sh(?P<kind>[^\n]*)\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Step:
    """One block of commands."""

    heading: str
    kind: str
    """The word after ```sh; empty for the blocks of the first installation."""
    commands: str


def read_steps(page: Path) -> Iterator[Step]:
    """The blocks of a page in their order."""
    heading = ""
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["heading"]:
            heading = found["heading"]
        else:
            yield Step(heading, found["kind"].strip(), found["commands"])
