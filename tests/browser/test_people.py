"""The pages on people in a real browser: roster, one rater, qualification, messages, and the rater's own page."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.test_requester import log_in
from tests.figures import compute_all
from tests.integration import test_candidates as candidates
from tests.integration.test_messages import HOSTILE, rater_of
from tests.integration.test_qualification import answers_with_mistakes, links_of, load, qualifying, work
from tests.processes import Server
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.browser]


@pytest.fixture
def people(database: str) -> Any:
    """A study with applicants, some of whom have finished, experts at work, and talk with them."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.people.actions.messages import (
        give_feedback,
        write_as_rater,
        write_to_pool,
        write_to_rater,
    )
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.qualification import decide_qualification
    from labelwright.server.people.actions.roster import add_note
    from labelwright.server.store.models import Assignment

    study = load(**qualifying(rule={"best": 3, "at_least": 0.6})).study
    applicants = links_of(study, "applicants", 7)
    for n, (_, token) in enumerate(applicants[:2]):
        work(token, answers_with_mistakes(n))
    decide_qualification(study, "applicants", [name for name, _ in applicants[:2]], "mine@example.org", NOW)
    for n, (_, token) in enumerate(applicants[2:6]):
        work(token, answers_with_mistakes(2 * n), minutes=n)
    experts = links_of(study, "experts")
    for n, (_, token) in enumerate(experts):
        work(token, lambda key, n=n: 1 + (len(key) + n) % 3)
    (_, expert), now = experts[0], datetime.now(UTC)
    rater = rater_of(expert)
    add_note(study, rater, "mine@example.org", "Asked to work in the mornings only.", now)
    write_as_rater(
        get_visitor(expert, NOW), f"Does a title alone count as a recommendation? {HOSTILE}", now, position=0
    )
    write_to_rater(study, "mine@example.org", rater, "Thank you for the careful start.", now)
    done = Assignment.objects.filter(rater=rater, place__pool__name="experts").order_by("id")[:2]
    give_feedback(
        study, "mine@example.org", rater, [a.pk for a in done], "Two replies to look at again.", now
    )
    write_to_pool(
        study,
        "mine@example.org",
        get_pool(study, "experts"),
        "From Monday on: read the whole reply.",
        now,
        ["d11#4"],
    )
    make_open_link(study, get_pool(study, "applicants"), "mine@example.org", 20, 14, now)
    return study, rater.pseudonym, expert


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_on_people_has_a_violation(
    browser: Browser, server: Server, people: Any, size: Any, scheme: Any
):
    study, pseudonym, token = people
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    log_in(page, server)
    root, found = f"{server.root}/studies/{study.public_id}", []
    applicant = links_of(study, "applicants")[3]
    for name, address in {
        "roster": f"{root}/raters",
        "rater": f"{root}/raters/{pseudonym}",
        "qualification": f"{root}/pools/applicants/qualification?rater={applicant[0]}",
        "messages": f"{root}/messages",
        "board": f"{root}/pools/experts/board",
        "me": f"{server.root}/w/{token}/me",
    }.items():
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        found += [(name, v["id"], v["nodes"][0]["html"]) for v in Axe().run(page).response["violations"]]
        picture(page, f"{name}-{size['width']}-{scheme}", whole=True)
    assert found == []
    assert told == []
    context.close()


@pytest.mark.parametrize(("language", "size"), [("en", DESKTOP), ("ar", PHONE)])
def test_feedback_on_candidates_reads_as_the_task_did(
    browser: Browser, server: Server, database: str, language: str, size: Any
):
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.people.actions.messages import give_feedback
    from labelwright.server.store.models import Assignment

    loaded, stored = candidates.load(language=language)
    token = candidates.three_raters(loaded, stored)[1]
    rater = rater_of(token)
    done = Assignment.objects.filter(rater=rater).order_by("id")[:2]
    now = datetime.now(UTC)
    give_feedback(loaded.study, "mine@example.org", rater, [a.pk for a in done], "Look again.", now)
    flag_block(now)
    compute_all()
    context = browser.new_context(viewport=size)
    page = context.new_page()
    log_in(page, server)
    for name, address in {
        "me": f"{server.root}/w/{token}/me",
        "rater": f"{server.root}/studies/{loaded.study.public_id}/raters/{rater.pseudonym}",
        "overview": f"{server.root}/studies/{loaded.study.public_id}",
    }.items():
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        assert Axe().run(page).response["violations"] == []
        text = page.locator("main").inner_text()
        # A preference is about the item's candidates, so a requester reads of c0 and c1; a rater never does.
        assert name == "overview" or not re.search(r"\bc[0-2]\b|[{}]", text), text
        picture(page, f"told-{name}-{size['width']}-{language}", whole=True)
    context.close()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_both_bad_is_drawn_apart_from_the_order(browser: Browser, server: Server, database: str, size: Any):
    from labelwright.server.flagging.actions.blocks import flag_block

    loaded, stored = candidates.load(candidates.BOTH_BAD)
    candidates.three_raters(loaded, stored, candidates.find_both_bad)
    flag_block(datetime.now(UTC))
    compute_all()
    context = browser.new_context(viewport=size)
    page = context.new_page()
    log_in(page, server)
    page.goto(f"{server.root}/studies/{loaded.study.public_id}")
    page.wait_for_selector("#draw-labels-better svg")
    expect(page.get_by_text("leaves out 6 ratings outside the order (“Both are bad”).")).to_be_visible()
    # The four points are four parts of the bar of beta; "both are bad" is the last one and has only an outline.
    bars = page.locator("#draw-labels-better svg .mark-rect.role-mark path")
    outlined = [bar for bar in bars.all() if bar.get_attribute("stroke") not in (None, "transparent")]
    assert [bar.get_attribute("fill") for bar in outlined] == ["#ffffff"] * len(outlined) != []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert Axe().run(page).response["violations"] == []
    picture(page, f"both-bad-{size['width']}", whole=True)
    context.close()


def test_a_requester_decides_answers_and_a_rater_reads_it(page: Page, server: Server, people: Any):
    from labelwright.server.store.models import Member

    study, pseudonym, token = people
    compute_all()
    log_in(page, server)
    page.get_by_role("link", name="Tiny study", exact=True).click()
    expect(page.get_by_text("1 unanswered question from raters")).to_be_visible()
    page.get_by_label("Study").get_by_role("link", name="Raters").click()
    page.get_by_role("link", name="Qualification “applicants”").click()
    # Two qualified before; the rule has room for one more.
    expect(page.get_by_text("Picked", exact=True)).to_have_count(1)
    page.get_by_role("button", name="Apply the rule: admit 1 of 4").click()
    expect(page.get_by_text("Qualified", exact=True)).to_have_count(3)
    assert Member.objects.filter(pool__name="experts").count() == 3

    page.get_by_label("Study").get_by_role("link", name="Messages").click()
    page.get_by_role("link", name=pseudonym).first.click()
    page.get_by_label("Answer", exact=True).fill("Only with a reason.")
    page.get_by_label("Show question and answer").check()
    page.get_by_label("The question as others will read it").fill("Does a title alone count?")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_text("shown to everyone at this item")).to_be_visible()

    page.goto(f"{server.root}/w/{token}/me")
    expect(page.get_by_text("Only with a reason.")).to_be_visible()
    page.get_by_label("Write to the study team").fill("Understood.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Understood.")).to_be_visible()
    page.goto(f"{server.root}/studies/{study.public_id}/messages")
    expect(page.get_by_text("Understood.")).to_be_visible()
