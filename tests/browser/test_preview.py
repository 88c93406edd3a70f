"""The preview in a real browser, for a requester and from a study file."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_around import sound
from tests.browser.test_requester import log_in
from tests.integration.test_requester import mine  # noqa: F401  a fixture
from tests.processes import Server

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def test_a_requester_sees_the_conditions_side_by_side_and_nothing_is_kept(
    page: Page, server: Server, mine: Any
):
    from labelwright.server.store.models import Answer, Draft

    before = (Answer.objects.count(), Draft.objects.count())
    log_in(page, server)
    page.get_by_role("link", name="Tiny study", exact=True).click()
    page.get_by_role("link", name="Preview").click()
    expect(page.locator("iframe")).to_have_count(2)
    for frame in (page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1")):
        frame.locator("html[data-ready]").wait_for()
        frame.get_by_text("Very useful").click()
        expect(frame.get_by_text("Saved just now")).to_be_visible()
    first = page.frame_locator("iframe >> nth=0")
    # The phone is higher than the laptop's window.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    first.get_by_role("button", name="Submit").click()
    expect(first.get_by_role("radio", name="Very useful")).not_to_be_checked()
    sound(page, "preview-1280")
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert (Answer.objects.count(), Draft.objects.count()) == before


def test_a_study_file_is_previewed_without_a_database(browser: Browser, tmp_path: Path, django_ready: str):
    from labelwright.corpus import read_dialogues
    from labelwright.server.operations.preview import served, write_preview
    from labelwright.study import read_study

    demo = Path("studies/demo/study.yaml")
    study, _ = read_study(demo)
    dialogues, _ = read_dialogues(study.corpus, demo.parent)
    assert write_preview(study, dialogues, tmp_path, 2) == 2
    with served(tmp_path, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{server.server_port}/laptop-1.html")
        frame = page.frame_locator("iframe >> nth=1")
        frame.locator("html[data-ready]").wait_for()
        frame.get_by_text("Somewhat useful").click()
        expect(frame.get_by_text("1 of 1 answered")).to_be_visible()
        page.close()
        server.shutdown()
