"""Where the published data and figures are; none of them is part of this repository."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_BESIDE = Path(__file__).parents[3] / "shared" / "data"
DATA = Path(os.environ.get("LABELWRIGHT_DATA") or _BESIDE)

needs_data = pytest.mark.skipif(
    not DATA.is_dir(),
    reason="the published data are not here; set LABELWRIGHT_DATA to their folder",
)


@cache
def _figures() -> dict[str, dict[str, Any]]:
    loaded = json.loads((DATA / "published-figures.json").read_text(encoding="utf-8"))
    return {figure["id"]: figure for figure in loaded["figures"]}


def figure(name: str) -> dict[str, Any]:
    """One entry of published-figures.json: published, recomputed, acceptance."""
    return _figures()[name]


def recomputed(name: str) -> Any:
    """The value that the released data give by the definition in published-figures.json."""
    return figure(name)["recomputed"]


def published(name: str) -> Any:
    """The value that the paper prints."""
    return figure(name)["published"]


def tolerance(name: str) -> float:
    """How far from it a recomputed value may be."""
    return float(figure(name)["acceptance"]["tolerance"]["abs"])
