"""The page Money in a real browser: no violation at any size, and a payment from the budget to its confirmation."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from labelwright.simulate import Timeline, crowd
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import log_in
from tests.integration.test_rehearsal import CORPUS, MIX, leaving
from tests.integration.test_requester import PASSWORD
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

RATERS = 6
NARROW: ViewportSize = {"width": 320, "height": 700}
PAY = {"cents": 60, "fee_percent": 25, "hourly_minimum_cents": 1200, "batch_bonus": {"cents": 100}}


@pytest.fixture
def worked(database: str) -> Any:
    """A study with flagged and other work, an earlier run that nobody confirmed, and a budget."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
    from labelwright.server.paying.actions.runs import hand_out, release
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.store.models import Payment, StudyRow

    text = study_text(
        name="travel", title="Travel assistant", items={"per_dialogue": 1}, redundancy=4,
        quality=[{"rule": "too_fast", "seconds": 20, "then": "propose"}],
        pools=pool(pay=PAY, raters=RATERS, caps={"tasks": 40}),
    )  # fmt: skip
    owner, _ = add_user("mine@example.org", PASSWORD)
    opened = open_rehearsal(text, CORPUS[:10], RATERS, NOW)
    life = Timeline(crowd(RATERS, MIX, 3, leaving(0.0)), NOW)
    live_fast(life, opened)
    StudyRow.objects.filter(pk=opened.row.pk).update(owner=owner)
    for _ in range(2):
        run_periodic(life.worked[-1].ended)
    now = datetime.now(UTC)
    set_budget(opened.row, BudgetOf(Scope.STUDY), 20_000, "mine@example.org", now)
    some = list(Payment.objects.order_by("id").values_list("pk", flat=True)[:10])
    (first,) = release(opened.row, "mine@example.org", now, only=some)
    assert first.run is not None
    hand_out(opened.row, first.run, "mine@example.org", now - timedelta(days=5))
    return opened.row


def open_money(page: Page, server: Server, study: Any) -> None:
    log_in(page, server)
    page.goto(f"{server.root}/studies/{study.public_id}/money")


def test_the_page_has_no_violation_and_fits(browser: Browser, server: Server, worked: Any):
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    open_money(page, server, worked)
    found: list[tuple[str, ...]] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for viewport in (DESKTOP, PHONE, NARROW):
            page.set_viewport_size(viewport)
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], viewport
            violations = Axe().run(page).response["violations"]
            found.extend((scheme, str(viewport), v["id"], v["nodes"][0]["html"]) for v in violations)
            picture(page, f"money-{viewport['width']}-{scheme}", whole=True)
    assert found == []
    context.close()


def test_a_payment_is_released_listed_and_confirmed(page: Page, server: Server, worked: Any, tmp_path: Path):
    open_money(page, server, worked)
    expect(page.get_by_role("heading", name="Payments to resolve")).to_be_visible()
    page.get_by_role("button", name="It was paid").first.click()
    expect(page.get_by_text("The payment counts as paid.")).to_be_visible()
    page.get_by_role("button", name="Release $").click()
    expect(page.get_by_text("in run 2")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV of run 2").click()
    saved = tmp_path / "list.csv"
    started.value.save_as(saved)
    lines = list(csv.DictReader(saved.read_text().splitlines()))
    assert lines
    saved.write_text("payment,status\n" + "".join(f"{line['payment']},paid\n" for line in lines))
    page.locator("#c-file").set_input_files(saved)
    expect(page.get_by_label("The pay list with a column")).to_have_value(re.compile("payment,status"))
    page.get_by_role("button", name="Take over confirmations").click()
    expect(page.get_by_text(f"{len(lines):,} confirmed")).to_be_visible()
    assert rows("SELECT count(*)::int FROM payment WHERE state = 'confirmed'") == [(len(lines) + 1,)]
