"""The list of raters and one rater's page in a real browser: no violation at any size, and actions on several raters."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from labelwright.simulate import Timeline, crowd
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import log_in
from tests.figures import compute_all
from tests.integration.test_recount import GOLD, LOOK, USEFUL, design
from tests.integration.test_rehearsal import CORPUS, MIX, leaving
from tests.integration.test_requester import PASSWORD
from tests.processes import Server
from tests.studies import NOW, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

RATERS = 8
NARROW: ViewportSize = {"width": 320, "height": 700}
RULES = [
    {"rule": "too_fast", "seconds": 30, "then": "propose"},
    {"rule": "attention_failed"},
    {"rule": "gold_failed"},
]


@pytest.fixture
def worked(database: str) -> Any:
    """A study that raters of all kinds worked through; one of them has asked something, and one has a task open."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.messages import write_as_rater
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.store.models import Pool, StudyRow

    text = study_text(
        name="movies", title="Movie replies", items={"per_dialogue": 1}, quality=RULES, gold=GOLD, redundancy=8,
        designs={"only": design(USEFUL, LOOK, version=1)}, conditions={"one": {}}, tasks={"gold_one_in": 4},
        pools=pool(pay={"cents": 40}, raters=RATERS, caps={"tasks": 40}),
    )  # fmt: skip
    owner, _ = add_user("mine@example.org", PASSWORD)
    opened = open_rehearsal(text, CORPUS[:12], RATERS, NOW)
    life = Timeline(crowd(RATERS, MIX, 3, leaving(0.0)), NOW)
    live_fast(life, opened)
    now = life.worked[-1].ended
    StudyRow.objects.filter(pk=opened.row.pk).update(owner=owner)
    tokens = [link.rsplit("/", 1)[1] for link in opened.links]
    write_as_rater(get_visitor(tokens[0], now), "Is it fine to answer from memory?", now)
    more = make_links(opened.row, Pool.objects.get(), RATERS + 2, 60, now)
    offer(get_visitor(more[-2].token, now), now)
    for _ in range(2):
        run_periodic(now)
    compute_all()
    return opened.row, more[0].pseudonym


SIZES = {"desktop": DESKTOP, "phone": PHONE, "narrow": NARROW}


def test_no_page_on_raters_has_a_violation(browser: Browser, server: Server, worked: Any):
    row, name = worked
    found: list[tuple[str, ...]] = []
    root = f"{server.root}/studies/{row.public_id}/raters"
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    log_in(page, server)

    def look_at(what: str) -> None:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)
                assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], (
                    what,
                    size,
                )
                violations = Axe().run(page).response["violations"]
                found.extend((what, size, scheme, v["id"], v["nodes"][0]["html"]) for v in violations)
                picture(page, f"{what}-{size}-{scheme}", whole=True)

    page.goto(root)
    for box in page.locator("td.pick input").all()[:3]:
        box.check()
    look_at("raters")
    page.get_by_role("button", name="Exclude", exact=True).click()
    look_at("bulk")
    page.goto(f"{root}/{name}")
    look_at("rater")
    assert found == []
    assert told == []
    context.close()


def test_selected_raters_are_paused_and_the_pause_is_undone(page: Page, server: Server, worked: Any):
    row, _ = worked
    log_in(page, server)
    page.goto(f"{server.root}/studies/{row.public_id}/raters")
    boxes = page.locator("td.pick input")
    names = [str(boxes.nth(n).get_attribute("value")) for n in range(2)]
    for n in range(2):
        boxes.nth(n).check()
    expect(page.locator(".bulk")).to_contain_text("2 selected")
    expect(page.locator(".bulk")).to_contain_text("owed")
    page.get_by_role("button", name="Pause").last.click()
    expect(page.get_by_role("heading", name="Pause 2 raters")).to_be_visible()
    for name in names:
        expect(page.locator(".names")).to_contain_text(name)
    page.get_by_role("button", name="Pause 2 raters").click()
    expect(page.get_by_role("status")).to_contain_text("2 raters are paused.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone: 2 raters have the state from before.")
