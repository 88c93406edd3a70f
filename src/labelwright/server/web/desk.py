"""The frame of the requester's pages: the title and the tabs of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of a study's pages."""

    key: str
    name: str
    path: str


TABS = (
    Tab("overview", "Overview", ""),
    Tab("items", "Items", "/items"),
    Tab("flagged", "Flagged", "/flagged"),
    Tab("batches", "Batches", "/batches"),
    Tab("raters", "Raters", "/raters"),
    Tab("messages", "Messages", "/messages"),
    Tab("versions", "Versions", "/versions"),
    Tab("exports", "Export", "/export"),
    Tab("file", "Study file", "/file"),
    Tab("settings", "Settings", "/settings"),
)


def frame(public_id: str, title: str, current: str) -> Context:
    """The navigation of a study's pages."""
    root = f"/studies/{public_id}"
    tabs = [{"name": tab.name, "href": root + tab.path, "current": tab.key == current} for tab in TABS]
    return {"title": title, "root": root, "tabs": tabs, "public_id": public_id}
