"""The requester's frame, table and account pages in a real browser: by keyboard, on a phone, on paper."""

from __future__ import annotations

import itertools
import os
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import picture
from tests.browser.test_requester import go_to, log_in
from tests.desk import study_pages
from tests.integration.test_requester import mine  # noqa: F401  a fixture
from tests.processes import Server

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def ready(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-scripted]")


# 640 px are a window of 1280 px at a zoom of 200%.
SIZES = list(itertools.product((1280, 390, 320, 640), ("light", "dark")))
TOO_WIDE = """() => [...document.querySelectorAll('.t.rows td, .passage, .turn > p')]
  .filter((e) => getComputedStyle(e).display === 'block' && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.textContent)"""
"""What does not fit into its cell, or into the text that raters read."""
IN_CI = [(1280, "light"), (390, "dark"), (320, "light"), (640, "dark")]


@pytest.mark.parametrize(("width", "scheme"), SIZES if os.environ.get("LABELWRIGHT_ALL_SIZES") else IN_CI)
def test_every_page_of_the_requester_holds_at_every_width(
    browser: Browser, server: Server, mine: Any, width: int, scheme: Any
):
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, timezone_id="Europe/Rome"
    )
    page, found = context.new_page(), []
    log_in(page, server)
    of_user = {
        "studies": "/studies",
        "new-study": "/new-study",
        "tokens": "/account/tokens",
        "account": "/accounts/",
    }
    of_user |= {"second-factor": "/accounts/2fa/", "password": "/accounts/password/change/"}
    for name, path in (study_pages(mine) | of_user).items():
        page.goto(server.root + path)
        page.wait_for_load_state("networkidle")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append((name, "wider than the window", ""))
        found += [(name, "runs over its neighbour", text) for text in page.evaluate(TOO_WIDE)]
        found += [(name, v["id"], v["nodes"][0]["html"]) for v in Axe().run(page).response["violations"]]
        picture(page, f"desk-{name}-{width}-{scheme}", whole=True)
    assert found == []
    # The browser told its zone with the first page.
    page.locator(".menu.me > summary").click()
    expect(page.get_by_text("Times in Europe/Rome")).to_be_visible()
    context.close()


def test_a_table_is_searched_while_typing_and_worked_by_keyboard(page: Page, server: Server, mine: Any):
    log_in(page, server)
    ready(page, f"{server.root}/studies/{mine.public_id}/raters")
    names = page.locator("tbody th a").all_text_contents()
    assert len(names) == 4
    page.keyboard.press("/")
    page.keyboard.type(names[2][:8])
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator(".pager")).to_contain_text("1 to 1 of 1")
    assert f"q={names[2][:8]}" in page.url
    # The field keeps the focus, and the address brings the same page back.
    expect(page.get_by_label("Find a rater")).to_be_focused()
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.wait_for_selector("html[data-scripted]")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(names[2])


def test_a_selection_shows_its_bar_and_archiving_can_be_undone(page: Page, server: Server, mine: Any):
    from labelwright.server.store.models import StudyRow

    StudyRow.objects.filter(pk=mine.pk).update(state="closed")
    log_in(page, server)
    ready(page, f"{server.root}/studies")
    archive = page.get_by_role("button", name="Archive")
    expect(archive).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    archive.click()
    expect(page.get_by_role("heading", name="Archive 1 study?")).to_be_visible()
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("status")).to_contain_text("1 study archived.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("1 study restored.")
    assert StudyRow.objects.get(pk=mine.pk).state == "closed"


def test_the_header_switches_pages_on_a_phone_and_is_left_out_on_paper(
    browser: Browser, server: Server, mine: Any
):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    log_in(page, server)
    ready(page, f"{server.root}/studies/{mine.public_id}")
    links = page.get_by_role("navigation", name="Study", exact=True).get_by_role("link")
    assert links.count() == 0
    go_to(page, "Raters")
    assert page.title() == "Raters · Tiny study"
    page.locator(".menu.sw > summary").click()
    expect(page.get_by_role("link", name="All studies")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="All studies")).to_be_hidden()
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("heading", name="Raters")).to_be_visible()
    for hidden in (".pages", ".filters", ".acts-d"):
        expect(page.locator(hidden).first).to_be_hidden()
    # Dark pages are printed on white paper.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    context.close()
