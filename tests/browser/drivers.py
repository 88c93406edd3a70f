"""How the first example of each question type is answered: by keyboard alone, and by touch alone.

A driver starts where the page is ready and nothing is focused; `by_keyboard` uses `page.keyboard` and nothing
else, `by_touch` only `tap` (and `fill` once a text field was tapped). Each gives the answer that must be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

from turnwise.testing.questions import CANDIDATES


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


def lettered(page: Page, selector: str, letter: str) -> Locator:
    """What belongs to the candidate that this rater is shown under a letter."""
    return page.locator(selector).filter(has=page.locator(f".letter:text-is('{letter}')"))


def _preference_by_keyboard(page: Page) -> int:
    press(page, "Tab", "3")
    return _code_for(page, "B")


def _preference_by_touch(page: Page) -> int:
    page.get_by_role("radio", name="A is better").tap()
    return _code_for(page, "A")


def _code_for(page: Page, letter: str) -> int:
    """-1 where the letter is that of the candidate stored first, whichever side it is on."""
    return -1 if CANDIDATES[0] in lettered(page, ".cand", letter).inner_text() else 1


def _grid_by_keyboard(page: Page) -> dict[str, Any]:
    # Each line leads to the next, and each candidate to the next one; a reason is asked for on the way.
    press(page, "Tab", "3", "1", "Space", "Enter")
    press(page, "2", "2")
    press(page, "1", "1", "Tab", "Tab")
    page.keyboard.type("Said 2 times before")
    return _grid(
        page,
        A={"usefulness": {"choice": 3}, "fit": {"choice": 0, "explanation": {"reasons": ["generic"]}}},
        B={"usefulness": {"choice": 2}, "fit": {"choice": 1}},
        C={
            "usefulness": {"choice": 1},
            "fit": {"choice": 0, "explanation": {"words": "Said 2 times before"}},
        },
    )


def _grid_by_touch(page: Page) -> dict[str, Any]:
    for _ in "AB":
        page.get_by_role("radio", name="Very useful").tap()
        page.get_by_role("radio", name="Good").tap()
        page.get_by_role("button", name="Next reply").tap()
    page.get_by_role("radio", name="Not useful").tap()
    page.get_by_role("radio", name="Bad").tap()
    page.get_by_role("checkbox", name="It contradicts what was said").tap()
    page.get_by_role("tab", name="Reply A").tap()
    page.get_by_role("radio", name="Somewhat useful").tap()
    return _grid(
        page,
        A={"usefulness": {"choice": 2}, "fit": {"choice": 1}},
        B={"usefulness": {"choice": 3}, "fit": {"choice": 1}},
        C={
            "usefulness": {"choice": 1},
            "fit": {"choice": 0, "explanation": {"reasons": ["contradicts"]}},
        },
    )


def _grid(page: Page, **lines: dict[str, Any]) -> dict[str, Any]:
    """The stored answer, from what was chosen for each letter."""
    texts = {letter: lettered(page, ".panel", letter).text_content() or "" for letter in lines}
    return {
        f"c{index}": next(cells for letter, cells in lines.items() if text in texts[letter])
        for index, text in enumerate(CANDIDATES)
    }


def _ranking_by_keyboard(page: Page) -> list[int]:
    # C is the best, then A; B is left over. One arrow then puts A before C.
    press(page, "Tab", "3", "1", "ArrowUp")
    return _ranks(page, "ACB")


def _ranking_by_touch(page: Page) -> list[int]:
    lettered(page, ".place", "B").tap()
    lettered(page, ".place", "A").tap()
    page.get_by_role("button", name="Move C up").tap()
    return _ranks(page, "BCA")


def _ranks(page: Page, letters: str) -> list[int]:
    """The ranks by stored order of candidates that stand in the order of the letters."""
    texts = {row.get_attribute("data-letter"): row.inner_text() for row in page.locator(".ranked").all()}
    return [
        next(place for place, letter in enumerate(letters, 1) if text in texts[letter]) for text in CANDIDATES
    ]


DRIVERS: dict[str, Driver] = {
    "grid": Driver(_grid_by_keyboard, _grid_by_touch),
    "preference": Driver(_preference_by_keyboard, _preference_by_touch),
    "ranking": Driver(_ranking_by_keyboard, _ranking_by_touch),
    "scale": Driver(_scale_by_keyboard, _scale_by_touch),
    "text": Driver(_text_by_keyboard, _text_by_touch),
}
