"""Debian's chromium, a server of the tests' own, and raters with links."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

# Playwright's synchronous interface runs a loop in this thread; Django would refuse to talk to the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


# Playwright runs a loop in this thread for as long as it is open; other modules' tests run loops of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    assert path, "chromium is not installed; `make setup-dev` as root installs it"
    with sync_playwright() as playwright:
        # As browsers do that block the cookies of a frame from elsewhere.
        launched = playwright.chromium.launch(
            executable_path=path,
            args=["--test-third-party-cookie-phaseout", "--disable-background-networking"],
        )
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=DESKTOP)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which any error in the console fails the test."""
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert not errors


def begin(page: Page, link: str) -> None:
    """Opens a link, agrees to take part and waits for the first task."""
    page.goto(link)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    ready(page)


def ready(page: Page) -> None:
    """Waits until the script of a task's page works."""
    page.wait_for_selector("html[data-ready]")


def picture(page: Page, name: str, *, whole: bool = False) -> None:
    """What is seen of the page, or all of it, kept where LABELWRIGHT_SCREENSHOTS says, if it does."""
    if folder := os.environ.get("LABELWRIGHT_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)
