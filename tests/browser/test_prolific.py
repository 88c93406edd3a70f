"""A participant in a real browser: from the emulator's page through consent and task to completion, and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.browser.conftest import picture
from tests.integration.test_payments import loaded
from tests.processes import Server
from tests.prolific import Prolific
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def test_a_participant_comes_works_and_goes_back(page: Page, server: Server, database: str):
    with EmulatorServer(ProlificEmulator(ProlificSettings(currency="GBP"))) as emulator:
        prolific = Prolific(emulator.address, "emulated-token")
        panel = {
            "name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID",
            "completed": f"{emulator.address}/submissions/complete?cc=C7K2",
        }  # fmt: skip
        own = {"platform": "prolific", "panel": panel, "caps": {"tasks": 1}}
        study = loaded(items=2, pool=own, pay={"cents": 150, "currency": "GBP"})
        code = {"code": "C7K2", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
        prolific.study(
            external_study_url=f"{server.root}/p/{study.public_id}/own?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
            "&SESSION_ID={{%SESSION_ID%}}",
            completion_codes=[code],
        )
        (person,) = prolific.people()
        page.goto(f"{emulator.address}/participants/{person}/")
        page.get_by_role("button", name="Reserve a place").click()
        page.get_by_role("button", name="Open study").click()
        assert person not in page.url
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Start").click()
        page.get_by_text("Somewhat useful").first.click()
        assert "C7K2" not in page.content()
        page.get_by_role("button", name="Submit").first.click()
        back = page.get_by_role("link", name="Go back to Prolific")
        expect(back).to_be_visible()
        picture(page, "prolific-done")
        back.click()
        expect(page.get_by_text("AWAITING REVIEW")).to_be_visible()
        (submission,) = prolific.read("submissions/")["results"]
        prolific.close()
    assert (submission["status"], submission["study_code"]) == ("AWAITING REVIEW", "C7K2")
    assert rows("SELECT state FROM assignment") == [("submitted",)]
