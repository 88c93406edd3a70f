"""The pages Report and Themes in a real browser: themes by keyboard, the report from the button to its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import log_in
from tests.complete_study import CompleteStudy
from tests.figures import compute_all
from tests.integration.test_requester import PASSWORD
from tests.processes import Process, Server

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

SIZES = {"1280": DESKTOP, "390": PHONE}


@pytest.fixture
def study(database: str) -> Any:
    from labelwright.server.access.actions.users import add_user

    owner, _ = add_user("mine@example.org", PASSWORD)
    made = CompleteStudy(items=12, raters=12, owner=owner).make()
    compute_all()
    return made


def look_at(page: Page, name: str) -> list[str]:
    """What is wrong with a page, in both sizes and colour schemes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            picture(page, f"{name}-{scheme}-{size}", whole=True)
            found += [
                f"{name} {scheme} {size}: {each['id']}" for each in Axe().run(page).response["violations"]
            ]
            wide = page.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
            found += [f"{name} {size}: wider than the window"] if wide else []
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(DESKTOP)
    return found


def test_themes_by_keyboard_and_a_report_from_the_button_to_its_page(
    browser: Browser, server: Server, study: Any, tmp_path: Path
):
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    log_in(page, server)
    root = f"{server.root}/studies/{study.public_id}"
    page.goto(f"{root}/themes?q=too+long")
    for name in ("Length", "Unclear need"):
        page.get_by_label("New theme").fill(name)
        page.get_by_role("button", name="Add theme").click()
    page.goto(f"{root}/themes?q=too+long")
    count = page.locator("[data-theme-count='Length']")
    # The text in focus, then all of the page, and back.
    page.keyboard.press("j")
    page.keyboard.press("1")
    expect(count).to_have_text("1")
    expect(page.locator("tbody tr", has=page.locator(":focus"))).to_contain_text("Length")
    page.keyboard.press("u")
    expect(count).to_have_text("0")
    # The search is still there.
    assert page.url.endswith("?q=too+long")
    expect(page.locator("tbody tr", has_text="Nice film!")).to_have_count(0)
    page.get_by_label("Select all texts on this page").check()
    page.keyboard.press("1")
    expect(page.get_by_role("status")).to_contain_text("now “Length”")
    wrong = look_at(page, "themes")

    page.goto(f"{root}/report")
    page.get_by_role("button", name="Make report").click()
    expect(page.locator("[data-step]")).to_contain_text("Waiting for the worker")
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        # The page refreshes itself while the report is being made.
        expect(page.locator("[data-report]")).to_contain_text("Current", timeout=120_000)
    finally:
        worker.stop()
    wrong += look_at(page, "report-page")
    page.goto(f"{root}/versions")
    wrong += look_at(page, "plan")
    assert wrong == []

    page.goto(f"{root}/report/page")
    # Nothing in the sandbox can run, so the page is read as it is.
    expect(page.get_by_role("heading", level=1)).to_contain_text("Two film recommenders compared")
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            picture(page, f"report-{scheme}-{size}", whole=True)
    assert "heron" in page.locator("main, body").first.inner_text()
    context.close()
