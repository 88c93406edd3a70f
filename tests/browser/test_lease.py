"""A page's hold on its place, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import begin

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"


def test_a_page_keeps_its_place_and_says_at_once_when_it_is_gone(page: Page, study: Callable[..., list[str]]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import expire_leases, offer
    from labelwright.server.store.models import Assignment, Draft

    link, other = study(size=1, redundancy=1, conditions={"C": {}})
    begin(page, link)
    held = Assignment.objects.get()
    Assignment.objects.update(lease_until=held.lease_until - timedelta(minutes=20))
    # Whoever looks at the page again gets the whole time anew.
    with page.expect_response("**/t/heartbeat") as replied:
        page.evaluate(LOOK)
    assert replied.value.json()["state"] == "open"
    assert Assignment.objects.get().lease_until >= held.lease_until
    now = datetime.now(UTC)
    expire_leases(now + timedelta(hours=1))
    offer(get_visitor(other.rsplit("/", 1)[1], now), now)
    page.get_by_label("Very useful").check()
    page.evaluate(LOOK)
    expect(page.get_by_role("alert")).to_contain_text("You can still submit your answers")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("Your answers are kept")
    assert Assignment.objects.get(pk=held.pk).state == "expired_answered"
    assert Draft.objects.get(assignment=held).answers == {"0": {"useful": 3}}
