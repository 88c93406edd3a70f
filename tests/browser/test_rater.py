"""The rater's pages in a real browser."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from labelwright.corpus import Dialogue, Turn
from tests.browser.conftest import PHONE, begin, ready
from tests.studies import pool

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]


def stored() -> list[tuple[str, object]]:
    from labelwright.server.store.models import Answer

    return [(answer.question, answer.value) for answer in Answer.objects.order_by("id")]


def at_reply(page: Page, where: str) -> None:
    expect(page.locator(".prog")).to_contain_text(where)
    ready(page)


def saved_answers() -> Any:
    from labelwright.server.store.models import Draft

    draft = Draft.objects.first()
    return draft.answers if draft else None


def test_a_rater_works_by_keyboard_alone(page: Page, study: Load):
    (link, *_) = study(pools=pool(caps={"tasks": 2}))
    page.goto(link)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    ready(page)
    page.keyboard.press("Tab")
    # The first stop is the first question, not a header.
    assert page.evaluate("document.activeElement.closest('.q')?.dataset.question") == "useful"
    page.keyboard.press("3")
    page.keyboard.type("fits well")
    page.keyboard.press("Control+Enter")
    at_reply(page, "2 of 2")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert sorted(stored()) == [("comment", "fits well"), ("useful", 1), ("useful", 3)]


def test_a_phone_shows_everything_in_one_column_and_submits_by_touch(browser: Browser, study: Load):
    (link, *_) = study(pools=pool(caps={"tasks": 1}))
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, link)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # At most one screen and a half for an item of this size.
    assert page.evaluate("document.documentElement.scrollHeight") <= 844 * 1.5
    submit = page.get_by_role("button", name="Submit")
    box = submit.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= 844
    page.get_by_text("Somewhat useful").tap()
    submit.tap()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert stored() == [("useful", 2)]
    context.close()


@pytest.fixture
def outer_site() -> Iterator[tuple[HTTPServer, list[str]]]:
    """A site on another origin that shows whatever address is put into the list in a frame."""
    shown: list[str] = []

    class Outer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe src="{shown[0]}" width="1200" height="700"></iframe>'.encode())

        def log_message(self, *_: object) -> None:
            pass

    site = HTTPServer(("127.0.0.1", 0), Outer)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield site, shown
    site.shutdown()
    site.server_close()


def test_the_page_works_in_a_frame_of_a_listed_site_without_third_party_cookies(
    page: Page, study: Load, outer_site: tuple[HTTPServer, list[str]]
):
    site, shown = outer_site
    origin = f"http://localhost:{site.server_port}"
    (link, *_) = study(pools=pool(caps={"tasks": 1}, embed_origins=[origin]))
    shown.append(link)
    page.goto(origin)
    frame = page.frame_locator("iframe")
    frame.get_by_role("checkbox").check()
    frame.get_by_role("button", name="Start").click()
    frame.get_by_text("Very useful").click()
    frame.get_by_role("button", name="Submit").click()
    expect(frame.get_by_role("heading", name="Thank you")).to_be_visible()
    assert stored() == [("useful", 3)]
    assert page.context.cookies() == []


def test_no_other_site_may_show_the_page_in_a_frame(
    page: Page, study: Load, outer_site: tuple[HTTPServer, list[str]]
):
    site, shown = outer_site
    (link, *_) = study(pools=pool())
    shown.append(link)
    page.goto(f"http://localhost:{site.server_port}")
    page.wait_for_timeout(500)
    assert page.frame_locator("iframe").get_by_role("checkbox").count() == 0


def test_reload_and_back_in_mid_task_lose_nothing(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    page.get_by_text("Very useful").click()
    page.get_by_label("Comment").fill("half a thought")
    expect(page.get_by_text("Saved just now")).to_be_visible()
    expect(page.locator("#saved-text")).to_have_text(re.compile("^Saved"))
    while saved_answers() != {"0": {"useful": 3, "comment": "half a thought"}}:
        page.wait_for_timeout(100)
    page.reload()
    ready(page)
    expect(page.get_by_role("radio", name="Very useful")).to_be_checked()
    expect(page.get_by_label("Comment")).to_have_value("half a thought")
    page.goto("about:blank")
    page.go_back()
    ready(page)
    expect(page.get_by_label("Comment")).to_have_value("half a thought")
    page.get_by_role("button", name="Submit").click()
    at_reply(page, "2 of 4")
    assert sorted(stored()) == [("comment", "half a thought"), ("useful", 3)]


def test_submit_pressed_twice_makes_one_row(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    page.get_by_text("Not useful").click()
    page.evaluate("const b = document.getElementById('submit'); b.click(); b.click();")
    at_reply(page, "2 of 4")
    assert stored() == [("useful", 1)]


def test_the_older_of_two_tabs_turns_read_only(context: BrowserContext, page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    other = context.new_page()
    other.goto(link)
    ready(other)
    page.get_by_text("Very useful").click()
    expect(page.get_by_role("alert")).to_contain_text("open in another tab")
    expect(page.get_by_role("radio", name="Not useful")).to_be_disabled()
    other.get_by_text("Somewhat useful").click()
    other.get_by_role("button", name="Submit").click()
    at_reply(other, "2 of 4")
    assert stored() == [("useful", 2)]


def test_a_missing_answer_is_named_at_its_place_and_nothing_moves(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    where = "document.querySelector('.opts').getBoundingClientRect().top"
    before = page.evaluate(where)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Choose one of the points.")).to_be_visible()
    assert page.evaluate(where) == before
    assert stored() == []


def test_offline_answers_are_kept_and_sent_when_the_network_is_back(
    context: BrowserContext, page: Page, study: Load
):
    (link, *_) = study()
    begin(page, link)
    context.set_offline(True)
    page.get_by_text("Very useful").click()
    expect(page.locator("#saved-text", has_text="Offline, kept here")).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_text("Saved just now")).to_be_visible()
    assert saved_answers() == {"0": {"useful": 3}}


def test_a_lost_reply_to_a_save_loses_nothing_that_was_typed_since(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    lost = []

    def lose_first(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    page.route("**/t/save", lose_first)
    page.get_by_label("Comment").fill("first words")
    expect(page.locator("#saved-text", has_text="Offline, kept here")).to_be_visible()
    page.get_by_label("Comment").fill("first words and a second sentence")
    expect(page.get_by_text("Saved just now")).to_be_visible()
    while saved_answers() != {"0": {"comment": "first words and a second sentence"}}:
        page.wait_for_timeout(100)
    expect(page.get_by_label("Comment")).to_have_value("first words and a second sentence")


def test_a_tab_whose_work_was_submitted_in_another_says_so(context: BrowserContext, page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    other = context.new_page()
    other.goto(link)
    ready(other)
    other.get_by_text("Somewhat useful").click()
    other.get_by_role("button", name="Submit").click()
    at_reply(other, "2 of 4")
    page.get_by_text("Very useful").click()
    expect(page.get_by_role("alert")).to_contain_text("You have already submitted this task. Your receipt is")
    assert stored() == [("useful", 2)]


def test_stopping_gives_the_reply_back_and_shows_what_was_received(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    page.get_by_text("Very useful").click()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("button", name="Stop and get paid for 1").click()
    page.get_by_role("button", name="Stop and give the task back").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    expect(page.get_by_text("1 task received.")).to_be_visible()
    page.get_by_role("link", name="Continue").click()
    at_reply(page, "2 of 4")


def test_no_rater_route_sets_a_cookie_and_no_secret_reaches_the_browser(page: Page, study: Load):
    (link, *_) = study()
    seen: list[str] = []

    def note(response: object) -> None:
        headers = response.all_headers()  # type: ignore[attr-defined]
        assert "set-cookie" not in headers
        if "html" in headers.get("content-type", "") or "json" in headers.get("content-type", ""):
            seen.append(response.text())  # type: ignore[attr-defined]

    page.on("requestfinished", lambda request: note(request.response()))
    begin(page, link)
    page.get_by_text("Very useful").click()
    expect(page.get_by_text("Saved just now")).to_be_visible()
    page.get_by_role("button", name="Submit").click()
    at_reply(page, "2 of 4")
    page.goto(f"{link}/stopped")
    text = " ".join(seen)
    assert "How useful is the marked reply?" in text
    for secret in ("SECRET0", "SECRET3", "secret-aim", "secret-question-aim", "usefulness", "d0#"):
        assert secret not in text


def test_corpus_text_is_never_html(page: Page, study: Load):
    attack = (
        '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> {{ 7*7 }} </p><h1>gone</h1>'
    )
    turns = (Turn("system", "Hi"), Turn("user", attack), Turn("system", attack), Turn("user", "ok"))
    (link, *_) = study(corpus=[Dialogue("d0", turns)], items={"per_dialogue": 1})
    begin(page, link)
    assert page.locator("#target-0 p").inner_text() == attack
    assert page.evaluate("window.hacked") is None
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation(browser: Browser, study: Load, scheme: str, width: int):
    (link, *_) = study(pools=pool(caps={"tasks": 1}, pay={"cents": 40}))
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    found = []
    page.goto(link)
    found += Axe().run(page).response["violations"]
    begin(page, link)
    found += Axe().run(page).response["violations"]
    page.get_by_role("button", name="Submit").click()
    found += Axe().run(page).response["violations"]
    page.get_by_role("button", name="Instructions").click()
    found += Axe().run(page).response["violations"]
    page.get_by_text("Very useful").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    found += Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found] == []
    context.close()
