"""The rater's page where something goes wrong or comes to an end, and candidates beside each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from labelwright.corpus import Dialogue, Turn
from labelwright.task.questions import QUESTION_TYPES
from tests.browser.conftest import PHONE, begin, picture, ready
from tests.browser.test_around import STUDY, answer_about_oneself
from tests.studies import example_study, pool, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]
PREFERENCE = QUESTION_TYPES["preference"].EXAMPLES[0]


def held() -> int:
    from labelwright.server.store.models import Assignment

    return Assignment.objects.filter(state="open").count()


def test_stopping_asks_before_it_gives_the_task_back(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    page.get_by_role("button", name="Stop here").click()
    expect(page.get_by_text("this task goes to someone else")).to_be_visible()
    picture(page, "stopping")
    expect(page.get_by_role("button", name="Keep working")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_text("this task goes to someone else")).to_be_hidden()
    assert held() == 1
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="Keep working").click()
    assert held() == 1
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="Stop and give the task back").click()
    expect(page.get_by_role("heading", name="You have stopped")).to_be_visible()
    assert held() == 0


def test_a_capped_rater_who_stops_is_not_sent_to_another_task(page: Page, study: Load):
    (link, *_) = study(pools=pool(caps={"returns": 1}))
    begin(page, link)
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="Stop and give the task back").click()
    expect(page.get_by_text("You have returned the maximum number of tasks")).to_be_visible()
    expect(page.get_by_role("link", name="Continue with another task")).to_have_count(0)


@pytest.mark.parametrize("name", ["spans", "sentences"])
def test_a_long_error_wraps_on_a_phone_and_is_summed_up_above_submit(
    browser: Browser, study: Load, name: str
):
    kind = QUESTION_TYPES[name]
    useful = {"name": "useful", "type": "scale", "scale": "useful", "text": "How useful is it?"}
    (link,) = study(raters=1, **example_study(kind.EXAMPLES[0], useful, kind=kind.EXAMPLE_ITEM))
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    begin(page, link)
    page.get_by_role("button", name="Submit").click()
    error = page.locator(".q.wrong .err").first
    expect(error).to_be_visible()
    picture(page, f"errors-{name}")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    # Nothing lies over the error or under it.
    covered = """(error) => { const box = error.getBoundingClientRect();
      return [...error.closest('.q').parentElement.querySelectorAll('.opt, .pad, .how, .acts-of')].some((other) => {
        const its = other.getBoundingClientRect();
        return its.width && its.top < box.bottom - 1 && its.bottom > box.top + 1; }); }"""
    assert not error.evaluate(covered)
    summed = page.locator("#sum-text")
    expect(summed).to_have_text("2 questions need an answer or a correction.")
    above, submit = summed.bounding_box(), page.locator("#submit").bounding_box()
    assert above
    assert submit
    assert above["y"] + above["height"] <= submit["y"]
    page.get_by_text("Very useful").click()
    expect(page.locator("#sum-text")).to_have_text("1 question needs an answer or a correction.")
    context.close()


def test_no_tick_stands_beside_what_is_not_saved(context: BrowserContext, page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    tick, alarm = page.locator("#saved .tick"), page.locator("#saved .alarm")
    expect(tick).to_be_hidden()
    context.set_offline(True)
    page.get_by_text("Very useful").click()
    expect(page.locator("#saved-text")).to_have_text("Offline, kept here")
    expect(tick).to_be_hidden()
    expect(alarm).to_be_visible()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#saved-text")).to_have_text("Not sent yet")
    expect(tick).to_be_hidden()
    context.set_offline(False)
    page.get_by_label("Comment").fill("clear")
    expect(page.get_by_text("Saved just now")).to_be_visible()
    expect(tick).to_be_visible()
    expect(alarm).to_be_hidden()


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (1100, True), (1099, False), (390, False)])
def test_candidates_are_side_by_side_where_there_is_room(page: Page, study: Load, width: int, beside: bool):
    page.set_viewport_size({"width": width, "height": 800})
    (link,) = study(raters=1, **example_study(PREFERENCE, kind="candidates"))
    begin(page, link)
    picture(page, f"pair-{width}")
    columns, listed = page.locator(".replies > .reply"), page.locator(".ask .cands")
    expect(listed).to_be_hidden() if beside else expect(listed).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if not beside:
        expect(columns.first).to_be_hidden()
        return
    boxes = [column.bounding_box() for column in columns.all()]
    assert len({box["y"] for box in boxes if box}) == 1
    assert len({box["x"] for box in boxes if box}) == columns.count() > 1
    assert columns.first.locator("p").inner_text() == listed.locator("p").first.text_content()
    # The reply that the rater prefers is framed.
    page.get_by_role("radio", name="A is better").check()
    expect(page.locator(".reply.now h2")).to_have_text("Reply A")
    page.get_by_role("radio", name="B is better").check()
    expect(page.locator(".reply.now h2")).to_have_text("Reply B")


def test_a_grid_shows_which_reply_its_open_tab_is_about(page: Page, study: Load):
    (link,) = study(raters=1, **example_study(QUESTION_TYPES["grid"].EXAMPLES[0], kind="candidates"))
    begin(page, link)
    expect(page.locator(".reply.now h2")).to_have_text("Reply A")
    page.get_by_role("tab", name="Reply B").click()
    picture(page, "grid-beside")
    expect(page.locator(".reply.now h2")).to_have_text("Reply B")
    expect(page.locator(".panel:not([hidden]) .cand")).to_be_hidden()


def test_a_worked_example_of_a_preference_can_be_read(page: Page, study: Load):
    example: dict[str, Any] = {
        "item": {
            "kind": "candidates",
            "turns": [{"speaker": "user", "text": "A short movie, please."}],
            "candidates": ["Try “Blue”.", "No."],
        },
        "answers": {"better": {"answer": -1, "reason": "It helps."}},
    }
    (link,) = study(raters=1, **example_study(PREFERENCE, kind="candidates", examples=[example]))
    page.goto(link)
    page.wait_for_selector("html[data-worked]")
    page.locator(".worked").scroll_into_view_if_needed()
    picture(page, "worked-preference")
    chosen = page.locator(".worked .seg", has_text="A is better")
    assert chosen.locator("input").is_checked()
    # The button itself is not drawn: a ring of the size of the option would lie over its name.
    for control in page.locator(".worked .seg input").all():
        assert control.evaluate("(input) => getComputedStyle(input).opacity") == "0"


def test_a_quiz_leads_to_the_instructions(page: Page, study: Load):
    (link, *_) = study(**STUDY)
    page.goto(link)
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Start").click()
    answer_about_oneself(page)
    expect(page.get_by_role("heading", name="A short quiz")).to_be_visible()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Instructions").click()
    expect(opened.value.get_by_role("heading", name="Your task")).to_be_visible()


@pytest.mark.parametrize("turns", [4, 14])
def test_every_option_of_an_attention_check_has_the_key_that_it_shows(page: Page, study: Load, turns: int):
    dialogue = Dialogue(
        "long", tuple(Turn("user" if n % 2 == 0 else "system", f"Turn {n}.") for n in range(turns))
    )
    check = {"name": "look", "type": "attention", "asks": "turns_shown", "text": "How many turns are shown?"}
    reply = study_data()["designs"]["reply"]
    (link, *_) = study(
        corpus=[dialogue],
        items={"kind": "dialogue"},
        designs={"reply": reply | {"questions": [check, *reply["questions"]]}},
        conditions={"C": {"design": "reply"}},
    )
    begin(page, link)
    asked = page.locator(".q", has_text="How many turns are shown?")
    options = asked.locator(".opt")
    assert options.count() == 5
    for n in range(5):
        asked.locator("input").first.focus()
        page.keyboard.press(options.nth(n).locator("kbd").inner_text())
        expect(options.nth(n).locator("input")).to_be_checked()
    ready(page)
