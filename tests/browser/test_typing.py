"""Typing is recorded only where the study says so and the rater agreed, and never as text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import begin, picture, ready
from tests.rows import rows
from tests.studies import pool

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]
PASTE = """([field, text]) => {
  const data = new DataTransfer();
  data.setData("text", text);
  field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
  field.setRangeText(text, field.value.length, field.value.length, "end");
  field.dispatchEvent(new InputEvent("input", {bubbles: true, inputType: "insertFromPaste"}));
}"""


def write(page: Page) -> None:
    """Types, deletes and pastes into the text field, and submits."""
    field = page.locator("textarea")
    field.press_sequentially("secretword")
    for _ in range(10):
        field.press("Backspace")
    field.press_sequentially("fits")
    page.evaluate(PASTE, [field.element_handle(), " and more"])
    page.keyboard.press("Escape")
    page.get_by_text("Very useful").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def test_key_strokes_and_pastes_are_counted_and_deleted_text_is_not_kept(page: Page, study: Load):
    (link, *_) = study(record_typing=True, pools=pool(caps={"tasks": 1}))
    page.goto(link)
    expect(page.get_by_text("we count how often you press a key or paste text")).to_be_visible()
    picture(page, "start-typing", whole=True)
    begin(page, link)
    write(page)
    ((facts,),) = rows("SELECT facts::text FROM typing_record")
    found = json.loads(facts)
    assert list(found) == ["0:comment"]
    # Ten letters, ten deletions and four letters; nine pasted characters.
    typed = found["0:comment"]
    assert (typed["keys"], typed["pastes"], typed["pasted"], typed["before"]) == (24, 1, 9, 0)
    assert 0 < typed["seconds"] < 60
    assert "secretword" not in str(rows("SELECT answer::text FROM answer"))


def test_text_of_an_earlier_visit_counts_as_there_before(page: Page, study: Load):
    (link, *_) = study(record_typing=True, pools=pool(caps={"tasks": 1}))
    begin(page, link)
    with page.expect_response("**/t/save"):
        page.locator("textarea").press_sequentially("from before ")
        page.locator("textarea").blur()
    page.goto(link)
    ready(page)
    write(page)
    ((before,),) = rows("SELECT facts->'0:comment'->>'before' FROM typing_record")
    assert before == str(len("from before "))


def test_nothing_is_recorded_where_the_study_does_not_say_so(page: Page, study: Load):
    (link, *_) = study(pools=pool(caps={"tasks": 1}))
    page.goto(link)
    expect(page.get_by_text("we count how often you press a key")).to_have_count(0)
    begin(page, link)
    write(page)
    assert rows("SELECT count(*) FROM typing_record") == [(0,)]
