"""The life of a study in a browser: the requester's page State, and what people read who come too early or too late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_around import sound
from tests.browser.test_requester import log_in
from tests.integration.test_requester import mine  # noqa: F401  a fixture
from tests.processes import Server
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]


def test_a_requester_pauses_resumes_and_closes_and_cannot_delete_what_is_owed(
    browser: Browser, page: Page, server: Server, mine: Any
):
    page.set_viewport_size(PHONE)
    log_in(page, server)
    page.goto(f"{server.root}/studies/{mine.public_id}/state")
    sound(page, "state-390")
    page.set_viewport_size(DESKTOP)
    for button, state in (("Pause", "Paused"), ("Resume", "Collecting"), ("Close study", "Closed")):
        page.locator("main").get_by_role("button", name=button, exact=True).click()
        expect(page.locator("main").get_by_role("heading", name=state)).to_be_visible()
    sound(page, "state-1280")
    page.get_by_text("Delete study").first.click()
    page.get_by_label("Type the name of the study").fill("tiny")
    page.get_by_role("button", name="Delete study").click()
    expect(page.get_by_text("it holds the record of what its raters are paid")).to_be_visible()
    assert rows("SELECT state, deleted_at FROM study") == [("closed", None)]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_who_finds_all_tasks_taken_can_leave_an_address(
    browser: Browser, study: Load, tmp_path: Path, size: Any
):
    (link, *_) = study()
    rows("UPDATE place SET state = 'filled'")
    server = Server(
        tmp_path / "server.log",
        LABELWRIGHT_MAIL_URL="smtp+plain://127.0.0.1:1",
        LABELWRIGHT_MAIL_FROM="a@b.org",
    )
    server.start()
    context = browser.new_context(viewport=size)
    page = context.new_page()
    try:
        page.goto(f"{server.root}/w/{link.rsplit('/', 1)[1]}")
        expect(page.get_by_text("All tasks are taken.")).to_be_visible()
        expect(page.get_by_role("button", name="Start")).to_have_count(0)
        sound(page, f"taken-{size['width']}")
        page.get_by_label("Email address").fill("ana@example.org")
        page.get_by_role("button", name="Write to me").click()
        expect(page.get_by_text("We will write to you when there are tasks again.")).to_be_visible()
        picture(page, "waiting")
        assert rows("SELECT count(*)::int FROM waiting_address") == [(1,)]
        page.go_back()
        page.get_by_label("Email address").fill("ana@example.org")
        page.get_by_role("button", name="Delete my address").click()
        expect(page.get_by_text("We have deleted your address")).to_be_visible()
        assert rows("SELECT count(*)::int FROM waiting_address") == [(0,)]
    finally:
        context.close()
        server.stop()
