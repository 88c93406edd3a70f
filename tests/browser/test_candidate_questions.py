"""Grid, preference and ranking on one page: what was answered half-way stands there again after a reload."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from labelwright.task.questions import QUESTION_TYPES
from tests.browser.conftest import begin, ready
from tests.browser.drivers import lettered, press
from tests.studies import example_study

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]
QUESTIONS = [
    QUESTION_TYPES["grid"].EXAMPLES[0],
    QUESTION_TYPES["preference"].EXAMPLES[1],
    QUESTION_TYPES["ranking"].EXAMPLES[1],
]


def open_page(page: Page, study: Load) -> None:
    (link,) = study(raters=1, **example_study(*QUESTIONS, kind="candidates"))
    begin(page, link)


def saved() -> Any:
    from labelwright.server.store.models import Draft

    return Draft.objects.get().answers["0"]


def shown(page: Page) -> list[str]:
    """The candidates in the order of the page."""
    return page.locator(".panel .cand p").all_text_contents()


def test_half_an_answer_survives_a_reload_and_nothing_is_asked_on_leaving(page: Page, study: Load):
    open_page(page, study)
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    order = shown(page)
    press(page, "Tab", "3", "1", "Space", "Enter")
    page.get_by_role("radio", name="About the same").check()
    lettered(page, ".place", "B").click()
    expect(page.get_by_text("Saved just now")).to_be_visible()
    expect(page.locator("#saved-text")).to_have_text(re.compile("^Saved"))
    while "order_with_ties" not in saved():
        page.wait_for_timeout(50)
    page.reload()
    ready(page)
    assert asked == []
    assert shown(page) == order
    # The grid goes on at the first reply that is open.
    expect(page.get_by_role("tab", name="Reply B")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Reply A").click()
    expect(page.get_by_role("checkbox", name="It could be said to anyone")).to_be_checked()
    expect(page.get_by_role("radio", name="About the same")).to_be_checked()
    assert page.locator(".ranked").first.get_attribute("data-letter") == "B"
    assert page.locator(".ranked[data-placed]").count() == 1


def test_a_ranking_takes_ties_moves_and_what_is_taken_back(page: Page, study: Load):
    open_page(page, study)

    def places() -> list[str]:
        rows = page.locator(".ranked").all()
        return [f"{row.get_attribute('data-letter')}{row.locator('.no').inner_text()}" for row in rows]

    for letter in "CA":
        lettered(page, ".place", letter).click()
    assert places() == ["C1", "A2", "B3"]
    page.get_by_role("button", name="A is as good as the one above").click()
    assert places() == ["C1", "A1", "B2"]
    # The tie stays between the first two places; what moves up takes part in it.
    page.get_by_role("button", name="Move B up").click()
    assert places() == ["C1", "B1", "A2"]
    lettered(page, ".place", "C").click()
    assert places() == ["B1", "A2", "C"]
    expect(page.locator("[data-type=ranking] [role=status]")).to_have_text("C has no place yet.")
