"""How the first example of each question type is answered: by keyboard alone, and by touch alone.

A driver starts where the page is ready and nothing is focused; `by_keyboard` uses `page.keyboard` and nothing
else, `by_touch` only `tap` (and `fill` once a text field was tapped). Each gives the answer that must be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from turnwise.corpus import split_sentences
from turnwise.testing.questions import PASSAGE

SENTENCES = [[sentence.start, sentence.end] for sentence in split_sentences(PASSAGE)]


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


def tap_words(page: Page, *texts: str, within: str = "#passage-0") -> None:
    """Taps each of these stretches of the text under judgment, in its middle."""
    for text in texts:
        x, y = page.evaluate(
            """([within, text]) => {
                const element = document.querySelector(within), start = element.firstChild.data.indexOf(text);
                const range = document.createRange();
                range.setStart(element.firstChild, start);
                range.setEnd(element.firstChild, start + text.length);
                scrollBy(0, range.getBoundingClientRect().top - 200);
                const box = range.getClientRects()[0];
                return [box.left + box.width / 2, box.top + box.height / 2];
            }""",
            [within, text],
        )
        page.touchscreen.tap(x, y)


def span_of(text: str, within: str = PASSAGE) -> list[int]:
    """Where a text stands, in code points."""
    return [within.index(text), within.index(text) + len(text)]


def _spans_by_keyboard(page: Page) -> list[list[int]]:
    press(page, "Tab", "ArrowRight", "Shift+ArrowRight", "Enter", "End", "Enter")
    start, end = span_of("it.")
    return [span_of("lighthouse 🗼"), [start, end - 1]]


def _spans_by_touch(page: Page) -> list[list[int]]:
    tap_words(page, "called", "sailors")
    page.get_by_role("button", name="Mark", exact=True).tap()
    return [span_of("called «المنارة» by sailors")]


def _sentences_by_keyboard(page: Page) -> dict[str, Any]:
    press(page, "Tab", "Space", "ArrowDown", "ArrowDown", "Space")
    return {"sentences": SENTENCES, "chosen": [0, 2]}


def _sentences_by_touch(page: Page) -> dict[str, Any]:
    page.get_by_text("An earthquake ended it.").last.tap()
    page.get_by_text("by sailors").last.tap()
    return {"sentences": SENTENCES, "chosen": [1, 3]}


DRIVERS: dict[str, Driver] = {
    "scale": Driver(_scale_by_keyboard, _scale_by_touch),
    "spans": Driver(_spans_by_keyboard, _spans_by_touch),
    "sentences": Driver(_sentences_by_keyboard, _sentences_by_touch),
    "text": Driver(_text_by_keyboard, _text_by_touch),
}
