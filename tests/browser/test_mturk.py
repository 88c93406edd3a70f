"""A worker in a real browser: our pages in a frame of another origin, without third-party cookies, and paid to the cent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.integration.test_payments import ME, check_balance, loaded, run_jobs, states
from tests.integration.test_prolific import send_all
from tests.mturk import Turk, created, turk_settings
from tests.processes import Server
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


@pytest.fixture
def turk(
    monkeypatch: pytest.MonkeyPatch, database: str, tmp_path: Path
) -> Iterator[tuple[Turk, MturkEmulator, Server]]:
    """An emulator, and a server of its own that knows it."""
    emulator = MturkEmulator(MturkSettings(visibility_seconds=0))
    with EmulatorServer(emulator) as there:
        for name, value in turk_settings(there.address).items():
            monkeypatch.setenv(name, value)
        server = Server(tmp_path / "server.log")
        server.start()
        made = Turk(there)
        yield made, emulator, server
        made.close()
        server.stop()


def framed(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def test_a_worker_previews_accepts_works_and_submits_and_is_paid(
    browser: Browser, turk: tuple[Turk, MturkEmulator, Server]
):
    from labelwright.server.paying.actions.runs import release

    there, emulator, server = turk
    study = loaded(items=4, pool={"platform": "mturk", "raters": 4})
    # Another name of the same machine is another site for browsers, as the frame of a real platform is.
    root = server.root.replace("127.0.0.1", "localhost")
    created(turk_settings(there.address), "pub", 2, address=f"{root}/p/{study.public_id}/own")
    for worker, (size, viewport) in zip(
        there.workers(2), (("wide", DESKTOP), ("narrow", PHONE)), strict=True
    ):
        context = browser.new_context(viewport=viewport)
        page = context.new_page()
        page.goto(f"{there.address}/workers/{worker}/")
        page.get_by_role("link", name="Tiny study").or_(
            page.get_by_role("link", name="Rate dialogues")
        ).click()
        expect(framed(page).get_by_text("accept the work on Mechanical Turk")).to_be_visible()
        expect(framed(page).get_by_role("button")).to_have_count(0)
        picture(page, f"mturk-preview-{size}")
        page.get_by_role("button", name="Accept").click()
        work_in_frame(page, size)
        submit_twice_entered(page)
        expect(framed(page).get_by_role("heading", name="Submitted")).to_be_visible()
        assert [cookie["name"] for cookie in context.cookies() if "localhost" in cookie["domain"]] == []
        context.close()
    assert [slot.status for slot in emulator.state.slots] == ["Submitted"] * 2
    assert rows("SELECT state FROM assignment") == [("submitted",)] * 2
    run_jobs()
    release(study, ME, datetime.now(UTC))
    send_all()
    # Two tasks of 0.40, each with a fee of 20%.
    assert there.ledger() == [("reward", 40, 8)] * 2
    assert rows("SELECT sum(cents)::int, sum(fee_cents)::int FROM payment WHERE state = 'confirmed'") == [
        (80, 16)
    ]
    assert states(study) == {"confirmed": 2}
    check_balance(study)


def work_in_frame(page: Page, size: str) -> None:
    frame = framed(page)
    frame.get_by_role("checkbox").check()
    picture(page, f"mturk-consent-{size}")
    frame.get_by_role("button", name="Start").click()
    expect(frame.get_by_text("1 of 1").first).to_be_visible()
    frame.get_by_text("Somewhat useful").first.click()
    # A reload of the whole page comes back to the same task, with the answer.
    page.reload()
    expect(frame.get_by_role("radio", checked=True)).to_have_count(1)
    picture(page, f"mturk-task-{size}")
    frame.get_by_role("button", name="Submit").first.click()


def submit_twice_entered(page: Page) -> None:
    """The form is there again after a reload, as if the first one had been lost."""
    button = framed(page).get_by_role("button", name="Submit to Mechanical Turk")
    expect(button).to_be_visible()
    page.reload()
    expect(button).to_be_visible()
    picture(page, f"mturk-done-{page.viewport_size['width'] if page.viewport_size else 0}")
    button.click()
