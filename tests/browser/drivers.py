"""How the examples of question types are answered: by keyboard alone, and by touch alone.

A driver starts where the page is ready and nothing is focused; `by_keyboard` uses `page.keyboard` and nothing
else, `by_touch` only `tap` (and `fill` once a text field was tapped). Each gives the answer that must be stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from labelwright.corpus import split_sentences
from labelwright.testing.questions import CANDIDATES, PASSAGE

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


def _choice_by_keyboard(page: Page) -> dict[str, Any]:
    # The third option asks why: its first reason has the focus, the field for own words follows the second.
    press(page, "Tab", "3")
    expect(page.locator("[data-reason=misheard]")).to_be_focused()
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


def _attention(page: Page, option: int) -> dict[str, Any]:
    """What is stored of an option; the example item shows six turns."""
    chosen = page.locator(".q .opt .nm").nth(option).inner_text()
    return {"chosen": chosen, "right": chosen == "6"}


def _attention_by_keyboard(page: Page) -> dict[str, Any]:
    # Among numbers, a digit means the number.
    press(page, "Tab", page.locator(".q .opt .nm").nth(1).inner_text())
    return _attention(page, 1)


def _attention_by_touch(page: Page) -> dict[str, Any]:
    page.locator(".q .nm", has_text="6").tap()
    return {"chosen": "6", "right": True}


DRIVERS: dict[str, Driver] = {
    "attention": Driver(_attention_by_keyboard, _attention_by_touch),
    "grid": Driver(_grid_by_keyboard, _grid_by_touch),
    "preference": Driver(_preference_by_keyboard, _preference_by_touch),
    "ranking": Driver(_ranking_by_keyboard, _ranking_by_touch),
    "scale": Driver(_scale_by_keyboard, _scale_by_touch),
    "spans": Driver(_spans_by_keyboard, _spans_by_touch),
    "sentences": Driver(_sentences_by_keyboard, _sentences_by_touch),
    "choice": Driver(_choice_by_keyboard, _choice_by_touch),
    "choices": Driver(_choices_by_keyboard, _choices_by_touch),
    "yes_no": Driver(_yes_no_by_keyboard, _yes_no_by_touch),
    "number": Driver(_number_by_keyboard, _number_by_touch),
    "number:1": Driver(_decimal_by_keyboard, _decimal_by_touch),
    "text": Driver(_text_by_keyboard, _text_by_touch),
    "confidence": Driver(_confidence_by_keyboard, _confidence_by_touch),
    "confidence:1": Driver(_slider_by_keyboard, _slider_by_touch),
}
"""By type, for its first example; `type:1` answers the second one."""
