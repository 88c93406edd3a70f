"""Every question type in a real browser: answered by keyboard alone and by touch alone, and stored as answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from labelwright.task.questions import QUESTION_TYPES, Question
from tests.browser.conftest import PHONE, begin, picture, ready
from tests.browser.drivers import DRIVERS, press
from tests.studies import example_study

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]
every_type = pytest.mark.parametrize("name", {**dict.fromkeys(QUESTION_TYPES), **dict.fromkeys(DRIVERS)})
MOST_STOPS = 150


def example(name: str) -> tuple[type[Question], dict[str, Any]]:
    """The type and the question behind the name of a driver: `number` is the first example, `number:1` the second."""
    kind = QUESTION_TYPES[name.partition(":")[0]]
    return kind, dict(kind.EXAMPLES[int(name.partition(":")[2] or 0)])


def load_example(study: Load, name: str) -> str:
    """The link of a rater who is asked one example of a type alone."""
    kind, question = example(name)
    (link, *_) = study(raters=1, **example_study(question, kind=kind.EXAMPLE_ITEM))
    return link


def stored_answer(name: str) -> Any:
    from labelwright.server.store.models import Answer

    return Answer.objects.get(question=example(name)[1]["name"]).value


@every_type
def test_answered_by_keyboard_alone(page: Page, study: Load, name: str):
    begin(page, load_example(study, name))
    expected = DRIVERS[name].by_keyboard(page)
    no_violation(page)
    picture(page, f"{name}-1280")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert stored_answer(name) == expected


@every_type
def test_answered_by_touch_alone(browser: Browser, study: Load, name: str):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, load_example(study, name))
    expected = DRIVERS[name].by_touch(page)
    picture(page, f"{name}-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    context.close()
    assert stored_answer(name) == expected


@every_type
def test_every_control_has_a_name_no_key_is_caught_and_a_missing_answer_is_told(
    page: Page, study: Load, name: str
):
    begin(page, load_example(study, name))
    go(page, "Tab", until="#submit")
    go(page, "Shift+Tab", until="body")
    no_violation(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".q .err")).to_be_visible()
    no_violation(page)


FOLLOWED = [
    {"name": "recommends", "type": "yes_no", "text": "Does the reply recommend a movie?"},
    {
        "name": "fits",
        "type": "choice",
        "text": "Does the movie fit?",
        "options": [{"code": 1, "name": "It fits"}, {"code": 2, "name": "It does not fit"}],
        "when": {"question": "recommends", "is": "yes"},
    },
    {"name": "why", "type": "text", "text": "Why not?", "when": {"question": "fits", "is": 2}},
]
RELEVANCE = {
    "name": "relevance",
    "aspect": "quality",
    "scale": "useful",
    "rules": [
        {"when": {"question": "recommends", "is": "no"}, "code": 1},
        {"when": {"question": "fits", "is": 1}, "code": 3},
    ],
    "otherwise": 2,
}


def test_follow_up_questions_appear_and_only_what_is_shown_is_stored(page: Page, study: Load):
    from labelwright.server.store.models import Answer

    (link,) = study(raters=1, **example_study(*FOLLOWED, size=2, labels=[RELEVANCE]))
    begin(page, link)
    expect(page.locator(".q:visible")).to_have_count(1)
    expect(page.locator("#answered")).to_contain_text("0 of 1")
    # Yes, it does not fit, because: each answer asks for the next, by keyboard alone.
    press(page, "Tab", "1", "2")
    expect(page.locator(".q:visible")).to_have_count(3)
    page.keyboard.type("too long")
    no_violation(page)
    picture(page, "follow-up-1280")
    page.get_by_text("It fits").click()
    expect(page.locator(".q:visible")).to_have_count(2)
    expect(page.get_by_text("Saved just now")).to_be_visible()
    page.get_by_text("No", exact=True).click()
    expect(page.locator("#answered")).to_contain_text("1 of 1")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".prog")).to_contain_text("2 of 2")
    ready(page)
    press(page, "Tab", "1", "1", "Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    rows = [(answer.question, answer.value) for answer in Answer.objects.order_by("assignment_id", "id")]
    assert rows == [
        ("recommends", False),
        ("relevance", 1),
        ("recommends", True),
        ("fits", 1),
        ("relevance", 3),
    ]


def no_violation(page: Page) -> None:
    """Axe finds nothing wrong with the page as it is."""
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []


def go(page: Page, key: str, until: str) -> None:
    """Presses a key until the focus is where it should come to."""
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if page.evaluate(f"document.activeElement.matches('{until}')"):
            return
    pytest.fail(f"{key} never came to {until}")
