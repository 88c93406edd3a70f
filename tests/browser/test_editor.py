"""A study made in the browser: from a template to raters, with a mistake on the way and a rehearsal by a real worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, begin, picture
from tests.browser.test_around import sound
from tests.browser.test_requester import log_in
from tests.integration.test_requester import mine  # noqa: F401  a fixture
from tests.processes import Process, Server
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

REHEARSAL_MS = 300_000


def shot(page: Page, name: str) -> None:
    """The page on a laptop and on a phone, checked and kept."""
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        sound(page, f"{name}-{size['width']}")


def test_a_study_is_made_in_the_browser_rehearsed_opened_and_judged(
    page: Page, server: Server, mine: Any, tmp_path: Any
):
    log_in(page, server)
    page.goto(f"{server.root}/studies")
    page.get_by_role("link", name="New study").click()
    shot(page, "new-study")
    page.get_by_role("button", name="Context effects").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_text("No problems found.")).to_be_visible()
    write(page)
    rehearse(page, tmp_path / "worker.log")
    page.get_by_role("link", name="Back to the editor").click()
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="Open to raters").click()
    expect(page.get_by_text("The study can be completed under its rules.")).to_be_visible()
    shot(page, "effect")
    page.get_by_role("button", name="Open to raters").click()
    expect(page.get_by_text("The study is open.")).to_be_visible()
    assert rows("SELECT state FROM study WHERE name = 'context-effects'") == [("open",)]
    judge(page, server)


def write(page: Page) -> None:
    """Makes a mistake, sees its line, mends it, looks at the preview and saves."""
    text = page.get_by_label("Study file, as YAML")
    right = text.input_value()
    line = right[: right.index("type: scale")].count("\n") + 1

    # A mistake shows its line while it is typed; the main button leads there instead of opening anything.
    text.fill(right.replace("type: scale", "type: scael", 1))
    problem = page.get_by_role("button", name=f"Line {line}", exact=True)
    expect(problem).to_be_visible()
    shot(page, "editor-mistake")
    page.get_by_role("button", name="Open to raters").click()
    assert page.evaluate("getSelection().toString()").strip() == "type: scael"
    page.get_by_role("button", name="Use “scale”").click()
    expect(page.get_by_text("No problems found.")).to_be_visible()
    assert text.input_value() == right

    # The preview is the rater's own page, in each condition, on both screens.
    frame = page.frame_locator("#preview iframe:not(.coming)")
    expect(frame.get_by_role("button", name="Submit")).to_be_visible()
    page.get_by_label("Condition").select_option(index=2)
    page.get_by_role("button", name="Laptop").click()
    expect(frame.get_by_role("button", name="Submit")).to_be_visible()
    expect(page.locator("#plan dd").first).to_have_text("216")
    picture(page, "editor-laptop")
    page.get_by_role("button", name="Phone").click()

    # One rating of each item suffices to show a rehearsal.
    text.fill(right.replace("redundancy: 3", "redundancy: 1", 1))
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    expect(page.locator("#plan dd").first).to_have_text("72")
    shot(page, "editor")


def rehearse(page: Page, log: Path) -> None:
    """Simulated raters do the study, in a real worker."""
    page.get_by_role("button", name="Rehearse").click()
    expect(page.get_by_role("heading", name="Waiting for the worker")).to_be_visible()
    worker = Process("worker", log=log)
    worker.start()
    try:
        begun = page.get_by_role("heading", name="A copy of the study is being prepared")
        at_work = page.get_by_role("heading", name="Simulated raters are at work")
        expect(begun.or_(at_work)).to_be_visible(timeout=30_000)
        picture(page, "rehearsal-running")
        expect(page.get_by_role("heading", name="Agreement beyond chance")).to_be_visible(
            timeout=REHEARSAL_MS
        )
    finally:
        worker.stop()
    expect(page.get_by_text("72 of 72")).to_be_visible()
    page.wait_for_selector(".draw svg")
    shot(page, "rehearsal")


def judge(page: Page, server: Server) -> None:
    """A rater opens their link and sees the first task."""
    from datetime import UTC, datetime

    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import StudyRow

    study = StudyRow.objects.get(name="context-effects")
    (link, *_) = make_links(study, study.pool_set.get(), 1, 60, datetime.now(UTC))
    begin(page, f"{server.root}/w/{link.token}")
    page.get_by_role("radio").first.check(force=True)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("2 of 6").or_(page.get_by_text("2 of 10"))).to_be_visible()
    assert rows("SELECT count(*)::int FROM answer WHERE study_id = %s", [study.pk]) == [(1,)]


def test_two_people_see_both_texts(page: Page, server: Server, mine: Any):
    log_in(page, server)
    page.goto(f"{server.root}/new-study")
    page.get_by_role("button", name="Blank").click()
    page.wait_for_selector("html[data-ready]")
    rows("UPDATE edited_file SET revision = 2, text = text || '# theirs', changed_by = 'ana@example.org'")
    page.get_by_label("Study file, as YAML").press("Control+End")
    page.keyboard.type("# mine")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_role("heading", name="Two people changed this study file")).to_be_visible()
    shot(page, "conflict")
    page.get_by_role("button", name="Save your text").click()
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert rows("SELECT text LIKE '%%# mine', revision FROM edited_file") == [(True, 3)]
