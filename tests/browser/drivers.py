"""How the examples of question types are answered: by keyboard alone, and by touch alone.

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


def _choice_by_keyboard(page: Page) -> dict[str, Any]:
    # The third option asks why: its first reason has the focus, the field for own words follows the second.
    press(page, "Tab", "3")
    page.wait_for_function("document.activeElement.dataset.reason === 'misheard'")
    press(page, "Space", "Tab", "Tab")
    page.keyboard.type("asked 3 times over")
    return {"choice": 3, "explanation": {"reasons": ["misheard"], "words": "asked 3 times over"}}


def _choice_by_touch(page: Page) -> dict[str, Any]:
    # What is said of an option that is then left is not stored.
    page.get_by_text("No", exact=True).tap()
    page.get_by_text("The user gave up.").tap()
    page.get_by_text("I cannot tell", exact=True).tap()
    page.get_by_role("textbox", name="In your own words").tap()
    page.get_by_role("textbox", name="In your own words").fill("too short to tell")
    return {"choice": 4, "explanation": {"words": "too short to tell"}}


def _choices_by_keyboard(page: Page) -> list[int]:
    # Nothing (4) is taken away by what follows; the second is turned on and off again.
    press(page, "Tab", "4", "3", "2", "2", "1")
    return [1, 3]


def _choices_by_touch(page: Page) -> list[int]:
    page.get_by_text("It is rude").tap()
    page.get_by_text("Nothing I can see").tap()
    return [0]


def _yes_no_by_keyboard(page: Page) -> bool:
    press(page, "Tab", "2")
    return False


def _yes_no_by_touch(page: Page) -> bool:
    page.get_by_text("Yes", exact=True).tap()
    return True


def _number_by_keyboard(page: Page) -> int:
    press(page, "Tab")
    page.keyboard.type("12")
    return 12


def _number_by_touch(page: Page) -> int:
    page.get_by_role("textbox").tap()
    page.get_by_role("textbox").fill("١٧")  # 17, as an Arabic keyboard writes it
    return 17


def _decimal_by_keyboard(page: Page) -> float:
    press(page, "Tab")
    page.keyboard.type("2,5")
    return 2.5


def _decimal_by_touch(page: Page) -> float:
    page.get_by_role("textbox").tap()
    page.get_by_role("textbox").fill("0.5")
    return 0.5


def _confidence_by_keyboard(page: Page) -> int:
    press(page, "Tab", "Space", "ArrowDown")
    return 2


def _confidence_by_touch(page: Page) -> int:
    page.get_by_text("Very sure").tap()
    return 3


def _slider_by_keyboard(page: Page) -> int:
    press(page, "Tab", "7", "ArrowRight", "ArrowRight")
    return 72


def _slider_by_touch(page: Page) -> int:
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    assert box is not None
    slider.tap(position={"x": box["width"] - 1, "y": box["height"] / 2})
    return 100


DRIVERS: dict[str, Driver] = {
    "choice": Driver(_choice_by_keyboard, _choice_by_touch),
    "scale": Driver(_scale_by_keyboard, _scale_by_touch),
    "choices": Driver(_choices_by_keyboard, _choices_by_touch),
    "yes_no": Driver(_yes_no_by_keyboard, _yes_no_by_touch),
    "number": Driver(_number_by_keyboard, _number_by_touch),
    "number:1": Driver(_decimal_by_keyboard, _decimal_by_touch),
    "text": Driver(_text_by_keyboard, _text_by_touch),
    "confidence": Driver(_confidence_by_keyboard, _confidence_by_touch),
    "confidence:1": Driver(_slider_by_keyboard, _slider_by_touch),
}
"""By type, for its first example; `type:1` answers the second one."""
