"""Several items in one task, and several targets in one reading."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, begin, picture, ready
from tests.browser.test_rater import Load, saved_answers, stored
from tests.studies import dialogue, pool

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def test_thirty_items_are_judged_by_keyboard_with_a_way_back_and_a_reload(page: Page, study: Load):
    (link, *_) = study(size=30, tasks={"items_per_task": 30}, pools=pool(caps={"tasks": 1}))
    begin(page, link)
    expect(page.locator(".prog")).to_contain_text("1 of 30")
    for n in range(12):
        page.keyboard.press(str(n % 3 + 1))
        page.keyboard.press("Control+Enter")
    expect(page.locator(".prog")).to_contain_text("13 of 30")
    while len(saved_answers() or {}) < 12:
        page.wait_for_timeout(100)
    page.reload()
    ready(page)
    # Where one was is where one goes on.
    expect(page.locator(".prog")).to_contain_text("13 of 30")
    page.keyboard.press("b")
    expect(page.locator(".prog")).to_contain_text("12 of 30")
    expect(page.get_by_role("radio", name="Very useful")).to_be_checked()
    assert page.evaluate("document.activeElement.checked")
    page.locator(".jump-box summary").click()
    page.get_by_role("navigation", name="Go to").get_by_role("button", name="13", exact=True).click()
    for n in range(12, 30):
        page.keyboard.press(str(n % 3 + 1))
        page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert [value for _, value in stored()] == [n % 3 + 1 for n in range(30)]


def test_the_last_step_leads_to_what_is_still_open(page: Page, study: Load):
    (link, *_) = study(size=3, tasks={"items_per_task": 3}, pools=pool(caps={"tasks": 1}))
    begin(page, link)
    page.get_by_role("button", name="3", exact=True).click()
    page.keyboard.press("2")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".prog")).to_contain_text("1 of 3")
    expect(page.get_by_text("Choose one of the points.").first).to_be_visible()
    assert stored() == []


def test_targets_of_one_dialogue_are_judged_in_one_reading(browser: Browser, study: Load):
    links = study(
        corpus=[dialogue("d0", 3)],
        items={},
        tasks={"together": "dialogue"},
        conditions={"SECRET": {"context": {"topic": True, "next_turn": True}}},
        pools=pool(caps={"tasks": 1}),
    )
    for link, (width, height) in zip(links, ((1280, 800), (390, 844)), strict=False):
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 900)
        page = context.new_page()
        begin(page, link)
        assert page.locator(".target").count() == 4
        assert page.locator(".turn").count() == 10
        picture(page, f"one-reading-{width}")
        for n in range(4):
            expect(page.locator(".target.now")).to_have_attribute("id", f"target-{n}")
            page.locator(".step:not([hidden])").get_by_text("Very useful").click()
            page.get_by_role("button", name="Submit" if n == 3 else "Next").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        context.close()
    assert stored() == [("useful", 3)] * 8


def test_a_long_task_on_a_phone(browser: Browser, study: Load):
    (link, *_) = study(size=30, tasks={"items_per_task": 30}, pools=pool(caps={"tasks": 1}))
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, link)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # What is read and answered; the list of the thirty stands below it.
    assert page.evaluate("document.querySelector('.panes').scrollHeight") <= 844
    picture(page, "steps-390", whole=True)
    page.get_by_text("Somewhat useful").locator("visible=true").tap()
    page.get_by_role("button", name="Next").tap()
    expect(page.locator(".prog")).to_contain_text("2 of 30")
    context.close()
