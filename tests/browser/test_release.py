"""A release in a real browser: personal data by keyboard, the data sheet, and the file."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import go_to, log_in
from tests.integration.test_requester import mine  # noqa: F401  a fixture
from tests.processes import Server

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def plant(study: Any) -> None:
    from labelwright.server.releasing.actions.personal_data import scan_texts
    from labelwright.server.store.models import Answer, Assignment

    comments = [
        "Ask ann.lee@example.org <b>now</b>, she knows.",
        "Call +49 30 9018200",
        "ann.lee@example.org!",
    ]
    for work, text in zip(Assignment.objects.filter(study=study).order_by("id"), comments, strict=False):
        Answer.objects.create(study=study, assignment=work, position=0, question="comment", value=text)
    scan_texts(study, datetime.now(UTC))


def check(page: Page, name: str) -> None:
    """The page fits both sizes, and has no violation."""
    for size, view in (("1280", DESKTOP), ("390", PHONE)):
        page.set_viewport_size(view)
        assert page.evaluate("document.documentElement.scrollWidth") <= view["width"]
        assert Axe().run(page).response["violations"] == []
        picture(page, f"{name}-{size}", whole=True)
    page.set_viewport_size(DESKTOP)


def test_a_study_is_released_on_its_pages(browser: Browser, server: Server, mine: Any, tmp_path: Path):
    from labelwright.server.releasing.actions.files import get_releases, write_release_file

    plant(mine)
    page = browser.new_context(viewport=DESKTOP).new_page()
    log_in(page, server)
    page.goto(f"{server.root}/studies/{mine.public_id}")
    go_to(page, "Release")
    expect(page.get_by_role("button", name="Prepare release")).to_have_count(0)
    check(page, "release-open")

    page.get_by_role("link", name="Decide (Personal data)").click()
    expect(page.get_by_text("2 of 2 to decide.")).to_be_visible()
    check(page, "personal-data-open")
    for button, left in (("Hide (ann.lee@example.org)", "1 of 2"), ("Keep (+49 30 9018200)", "0 of 2")):
        page.get_by_role("button", name=button).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"{left} to decide.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 of 2 to decide.")).to_be_visible()
    page.get_by_role("button", name="Leave text out (+49 30 9018200)").press("Enter")
    expect(page.get_by_text("0 of 2 to decide.")).to_be_visible()
    check(page, "personal-data-decided")

    page.get_by_role("link", name="Release").last.click()
    page.get_by_role("link", name="Fill in (Data sheet)").click()
    page.get_by_label("Licence").select_option("cc-by-4.0")
    page.get_by_label("Authors").fill("Lee, Ann, Example University\n<Doe>, Joe")
    check(page, "data-sheet")
    page.get_by_role("button", name="Save data sheet").click()
    expect(page.get_by_text("The data sheet is saved.")).to_be_visible()
    expect(page.get_by_label("Authors")).to_have_value("Lee, Ann, Example University\n<Doe>, Joe")

    go_to(page, "Release")
    page.get_by_role("button", name="Prepare release").click()
    expect(page.get_by_role("cell", name="Waiting")).to_be_visible()
    write_release_file(get_releases(mine)[0].pk, datetime.now(UTC))
    page.reload()
    check(page, "release-ready")
    with page.expect_download() as given:
        page.get_by_role("link", name="Download").click()
    given.value.save_as(tmp_path / "release.zip")
    with zipfile.ZipFile(tmp_path / "release.zip") as packed:
        assert b"cc-by-4.0" in packed.read("tiny-release/README.md")
    page.context.close()
