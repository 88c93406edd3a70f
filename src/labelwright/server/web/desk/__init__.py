"""The frame of the requester's pages: the title, and the tabs of a study."""

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
    count: str = ""
    """The number beside its name, by its name in the stored summary of a study; empty for none."""
    urgent: bool = False
    """Whether somebody has to act while the number is not zero."""
    permission: str = "view"
    """What a user must be permitted to see it."""


# A page gets its tab with one line here. The order is that of the header.
TABS = (
    Tab("overview", "Overview", ""),
    Tab("items", "Items", "/items", count="items"),
    Tab("review", "Review", "/review", count="to_review", urgent=True, permission="review"),
    Tab("raters", "Raters", "/raters", count="raters", permission="see_raters"),
    Tab("messages", "Messages", "/messages", count="unanswered", urgent=True, permission="see_raters"),
    Tab("money", "Money", "/money", permission="see_raters"),
    Tab("publication", "Publication", "/publication", permission="see_raters"),
    Tab("report", "Report", "/report"),
    Tab("batches", "Batches", "/batches"),
    Tab("judge", "Judge", "/judge"),
    Tab("versions", "Versions", "/versions"),
    Tab("release", "Release", "/release"),
    Tab("file", "Study file", "/file"),
    Tab("state", "State", "/state"),
    Tab("settings", "Settings", "/settings"),
)


def frame(public_id: str, title: str, current: str, page: str = "") -> Context:
    """The frame of a page of a study.

    `current` is the key of its tab, or of a page without a tab; `page` is its name, if it differs from that of its tab.
    """
    root = f"/studies/{public_id}"
    tabs = [
        {
            "name": tab.name,
            "href": root + tab.path,
            "current": tab.key == current,
            "count": tab.count,
            "urgent": tab.urgent,
            "permission": tab.permission,
        }
        for tab in TABS
    ]
    name = page or next((tab.name for tab in TABS if tab.key == current), "")
    return {
        "title": f"{name} · {title}" if name else title,
        "page_name": name,
        "study_title": title,
        "root": root,
        "tabs": tabs,
        "public_id": public_id,
    }
