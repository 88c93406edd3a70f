"""How the first example of each question type is answered: by keyboard alone, and by touch alone.

A driver starts where the page is ready and nothing is focused; `by_keyboard` uses `page.keyboard` and nothing
else, `by_touch` only `tap` (and `fill` once a text field was tapped). Each gives the answer that must be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page


@dataclass(frozen=True)
class Driver:
    """Two ways to answer, each with the answer that it gives."""

    by_keyboard: Callable[[Page], Any]
    by_touch: Callable[[Page], Any]


def press(page: Page, *keys: str) -> None:
    """Presses keys one after another."""
    for key in keys:
        page.keyboard.press(key)


def _scale_by_keyboard(page: Page) -> int:
    press(page, "Tab", "3")
    return 3


def _scale_by_touch(page: Page) -> int:
    page.get_by_text("Somewhat useful").tap()
    return 2


def _text_by_keyboard(page: Page) -> str:
    press(page, "Tab")
    page.keyboard.type("It fits, 3 times")
    return "It fits, 3 times"


def _text_by_touch(page: Page) -> str:
    page.get_by_role("textbox").tap()
    page.get_by_role("textbox").fill("naïve 👩‍🚀 مرحبا")
    return "naïve 👩‍🚀 مرحبا"


DRIVERS: dict[str, Driver] = {
    "scale": Driver(_scale_by_keyboard, _scale_by_touch),
    "text": Driver(_text_by_keyboard, _text_by_touch),
}
