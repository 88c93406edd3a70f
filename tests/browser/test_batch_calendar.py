"""The calendar of batches in a real browser."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.conftest import picture
from tests.browser.test_requester import go_to, log_in
from tests.integration.test_requester import PASSWORD
from tests.processes import Server
from tests.studies import dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


@pytest.fixture
def calendar(database: str) -> Any:
    """A study on its second day: the first topic past its deadline and not filled, the second open, the third planned."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.calendar import update_calendar
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", PASSWORD)
    now = datetime.now(UTC)
    begin = now - timedelta(hours=26)
    daily = {"first_day": f"{begin:%Y-%m-%d}", "at": f"{begin:%H:%M}", "close_after_hours": 24}
    text = study_text(
        items={"turns_before": 1}, redundancy=3, conditions={"C": {}}, batches={"daily": daily}, pools=pool()
    )
    loaded = load_study(parse(text), text, dialogues(3), begin, owner, opened=True)
    update_calendar(begin + timedelta(minutes=2))
    links = make_links(loaded.study, Pool.objects.get(), 4, 60, begin)
    raters = [get_visitor(link.token, begin) for link in links]
    for rater in raters[:2]:
        for _ in range(2):
            submit(offer(rater, begin).token, {"0": {"useful": 2}}, begin + timedelta(hours=1))
    update_calendar(now)
    submit(offer(raters[2], now).token, {"0": {"useful": 2}}, now)
    flag_block(now)
    return loaded.study


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_calendar_shows_progress_and_moves_a_deadline(
    browser: Browser, server: Server, calendar: Any, width: int, scheme: Any
):
    page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    log_in(page, server)
    page.goto(f"{server.root}/studies/{calendar.public_id}")
    go_to(page, "Batches")
    first, second, third = page.locator("tbody tr").all()
    # Two raters did both items of the first topic; three ratings of each were wanted.
    expect(first).to_contain_text("Closed")
    expect(first).to_contain_text("2 not filled")
    expect(first).to_contain_text("4 of 6")
    expect(first).to_contain_text("2 within 24 h")
    expect(second).to_contain_text("Open")
    expect(second).to_contain_text("1 of 6")
    expect(third).to_contain_text("Planned")
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="2 raters completed").click()
    whole = page.get_by_role("region", name="Raters who completed “")
    expect(whole).to_contain_text("2 of the 2 raters who started it; 2 within 24 h of its release")
    # Open since it was loaded, and completed an hour later.
    expect(whole.locator("tbody tr").first).to_contain_text("1.0 h")
    assert whole.get_by_text("In time", exact=True).count() == 2
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    picture(page, f"batches-{width}-{scheme}", whole=True)
    taken = page.request.get(f"{server.root}/studies/{calendar.public_id}/batches/completed.csv").text()
    table = list(csv.DictReader(taken.splitlines()))
    assert [(row["topic"], row["tasks"], row["left_out"], row["in_time"]) for row in table] == [
        ("d0", "2", "0", "True")
    ] * 2
    page.get_by_label("Batch", exact=True).select_option(index=0)
    page.get_by_label("New deadline").fill(f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Move deadline").click()
    expect(page.locator("tbody tr").first).to_contain_text("Open")
    assert told == []
