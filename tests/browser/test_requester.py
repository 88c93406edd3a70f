"""The requester's pages in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.figures import compute_all
from tests.integration.test_requester import PASSWORD, mine  # noqa: F401  a fixture
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def log_in(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/studies")
    page.get_by_label("Email").fill("mine@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def follow(page: Page, link: Locator) -> None:
    """Waits for the next page: between two pages there is no document to measure."""
    with page.expect_navigation():
        link.click()


def go_to(page: Page, tab: str) -> None:
    """Follows a tab; on a phone, from the menu of pages."""
    pages = page.get_by_role("navigation", name="Study", exact=True)
    menu = pages.get_by_role("button")
    if menu.is_visible():
        menu.click()
    follow(page, pages.get_by_role("link", name=tab))


def drawn(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".draw svg").count() == page.locator(".draw").count() >= 4


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]
)
def test_every_page_is_drawn_under_the_strict_policy_without_a_violation(
    browser: Browser,
    server: Server,
    mine: Any,
    width: int,
    scheme: Any,
):
    from labelwright.server.store.models import Assignment
    from labelwright.server.tallies.actions import exclude_data

    for work in Assignment.objects.filter(study=mine, data_use="used").order_by("id")[:2]:
        exclude_data(work.pk, "Too fast.", "me", NOW)
    compute_all()
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    found: list[Any] = []

    def look() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found.extend(
            (page.url, v["id"], v["nodes"][0]["html"]) for v in Axe().run(page).response["violations"]
        )

    page.goto(f"{server.root}/accounts/login/")
    look()
    log_in(page, server)
    look()
    follow(page, page.get_by_role("link", name="Tiny study", exact=True))
    drawn(page)
    look()
    page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true })")
    look()
    follow(page, page.get_by_role("link", name="Show figures before exclusion"))
    drawn(page)
    look()
    picture(page, f"before-exclusion-{width}-{scheme}", whole=True)
    for tab in ("Items", "Review", "Batches", "Versions", "Study file"):
        go_to(page, tab)
        look()
    go_to(page, "Items")
    follow(page, page.locator("tbody th a").first)
    look()
    assert found == []
    assert told == []
    context.close()


def test_the_page_moves_while_raters_work(
    page: Page,
    server: Server,
    mine: Any,
):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool
    from tests.studies import NOW

    log_in(page, server)
    page.get_by_role("link", name="Tiny study", exact=True).click()
    drawn(page)
    page.get_by_text("Show as table").first.click()
    page.locator("h1").click()
    opened = page.locator("details[open]").count()
    expect(page.locator("[data-figure=stored]")).to_have_text("24")
    address = make_links(mine, Pool.objects.get(), 5, 60, NOW)[4].address
    submit(offer(get_visitor(address.rsplit("/", 1)[1], NOW), NOW).token, {"0": {"useful": 2}}, NOW)
    flag_block(NOW)
    compute_all()
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("[data-figure=stored]")).to_have_text("25", timeout=15_000)
    # What was open stays open, and the charts are drawn anew.
    assert page.locator("details[open]").count() == opened > 0
    drawn(page)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_first_figures_appear_by_themselves(browser: Browser, server: Server, mine: Any, size: Any):
    rows("DELETE FROM study_figures")
    context = browser.new_context(viewport=size)
    page = context.new_page()
    log_in(page, server)
    page.get_by_role("link", name="Tiny study", exact=True).click()
    expect(page.get_by_text("being computed for the first time")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    picture(page, f"overview-first-{size['width']}")
    compute_all()
    expect(page.locator("[data-figure=stored]")).to_have_text("24", timeout=15_000)
    expect(page.get_by_text("with 24 judgments counted.")).to_be_visible()
    expect(page.locator("#draw-time svg")).to_be_visible()
    picture(page, f"overview-{size['width']}", whole=True)
    context.close()


def test_a_page_in_the_background_asks_for_nothing(page: Page, server: Server, mine: Any):
    asked: list[int] = []
    address = f"{server.root}/studies/{mine.public_id}"
    log_in(page, server)
    page.clock.install()
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.on("response", lambda answer: asked.append(answer.status) if answer.url == address else None)
    page.goto(address)
    drawn(page)
    page.clock.run_for(60_000)
    page.wait_for_timeout(200)
    assert asked == [200]
    # Somebody looks again: the page asks at once, and nothing has changed.
    with page.expect_response(address):
        page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    assert asked == [200, 304]


def test_the_figures_are_readable_without_javascript(browser: Browser, server: Server, mine: Any):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, server)
    page.get_by_role("link", name="Tiny study", exact=True).click()
    page.get_by_text("Show as table").nth(1).click()
    expect(page.get_by_role("columnheader", name="Somewhat useful")).to_be_visible()
    context.close()
