"""A study published on our page, and a participant who comes from the emulator's page, works, and goes back to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import log_in
from tests.integration.test_publishing import read, send_now, study_for_prolific
from tests.integration.test_requester import PASSWORD
from tests.processes import Server
from tests.prolific import Prolific
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

NARROW: ViewportSize = {"width": 320, "height": 700}


class Running:
    """An emulator, a server that knows it, and a study of the user who logs in."""

    def __init__(self, server: Server, prolific: Prolific, address: str, study: Any) -> None:
        self.server, self.prolific, self.address, self.study = server, prolific, address, study

    def work(self) -> None:
        """What the worker does in a minute."""
        from labelwright.server.publishing.actions.publications import carry_on

        send_now()
        carry_on(datetime.now(UTC))
        send_now()
        self.prolific.control("clock", seconds=1)
        read()


@pytest.fixture
def running(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import StudyRow

    with EmulatorServer(ProlificEmulator(ProlificSettings(currency="GBP"))) as emulator:
        for name, value in {
            "ADDRESS": emulator.address,
            "SITE": emulator.address,
            "TOKEN": "emulated-token",
            "WORKSPACE": "workspace-1",
        }.items():
            monkeypatch.setenv(f"LABELWRIGHT_PROLIFIC_{name}", value)
        server = Server(tmp_path / "server.log")
        server.environment |= {"LABELWRIGHT_BASE_URL": server.root}
        study = study_for_prolific(items=4)
        owner, _ = add_user("mine@example.org", PASSWORD)
        StudyRow.objects.filter(pk=study.pk).update(owner=owner)
        server.start()
        prolific = Prolific(emulator.address, "emulated-token")
        yield Running(server, prolific, emulator.address, study)
        prolific.close()
        server.stop()


def test_a_study_is_published_and_a_participant_comes_works_and_goes_back(
    browser: Browser, page: Page, running: Running
):
    log_in(page, running.server)
    page.goto(f"{running.server.root}/studies/{running.study.public_id}/publication")
    page.get_by_role("link", name="Ask Prolific for the cost").click()
    # Four visits of 1.50, each with a fee of 0.50 and 0.10 VAT.
    expect(page.get_by_role("button", name="Publish for £8.40")).to_be_visible()
    picture(page, "publication-preview-1280", whole=True)
    page.get_by_role("button", name="Publish for £8.40").click()
    expect(page.get_by_text("Being made")).to_be_visible()
    running.work()
    people = running.prolific.people(3)
    context = browser.new_context(viewport=PHONE)
    take_part(context.new_page(), running, people[0])
    context.close()
    (study,) = running.prolific.read("studies/")["results"]
    # One submits without work, and one is at work.
    running.prolific.take_part(study["id"], people[1], code="WRONG")
    running.prolific.start(study["id"], people[2])
    running.work()
    page.reload()
    expect(page.locator("[data-part=submitted] dd")).to_have_text("2")
    expect(page.locator("[data-part='at work'] dd")).to_have_text("1")
    expect(page.locator("[data-kind=no_data]")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Settle").click()
    expect(page.get_by_text("The platform and this server agree.")).to_be_visible()
    page.get_by_role("button", name="Pause recruiting").click()
    expect(page.get_by_role("button", name="Resume recruiting")).to_be_visible()
    running.work()
    assert running.prolific.read(f"studies/{study['id']}/")["status"] == "PAUSED"
    assert not any(person in page.content() for person in people)


def take_part(page: Page, running: Running, person: str) -> None:
    """A person reserves a place there, agrees and works here, and goes back."""
    page.goto(f"{running.address}/participants/{person}/")
    page.get_by_role("button", name="Reserve a place").click()
    page.get_by_role("button", name="Open study").click()
    assert person not in page.url
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Somewhat useful").first.click()
    ((way,),) = rows("SELECT ways_back->>'completed' FROM publication")
    code = way.partition("cc=")[2]
    assert code not in page.content()
    page.get_by_role("button", name="Submit").first.click()
    back = page.get_by_role("link", name="Go back to Prolific")
    expect(back).to_be_visible()
    picture(page, "prolific-done")
    back.click()
    expect(page.get_by_text("AWAITING REVIEW")).to_be_visible()
    (submission,) = running.prolific.read("submissions/")["results"]
    assert (submission["status"], submission["study_code"]) == ("AWAITING REVIEW", code)
    assert rows("SELECT state FROM assignment") == [("submitted",)]


def check_page(page: Page) -> None:
    """No violation, and nothing wider than the window."""
    found: list[tuple[str, ...]] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for viewport in (DESKTOP, PHONE, NARROW):
            page.set_viewport_size(viewport)
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], viewport
            violations = Axe().run(page).response["violations"]
            found.extend((scheme, str(viewport), v["id"], v["nodes"][0]["html"]) for v in violations)
            picture(page, f"publication-{viewport['width']}-{scheme}", whole=True)
    assert found == []
    page.set_viewport_size(DESKTOP)
