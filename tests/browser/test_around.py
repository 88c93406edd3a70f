"""The pages around tasks in a real browser: examples, questions before tasks, the quiz, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture, ready
from tests.studies import pool, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]

EXAMPLE = {
    "item": {
        "turns": [
            {"speaker": "user", "text": "Something short, please. I have an hour at most."},
            {"speaker": "system", "text": "“Paper Harbour” is wonderful, all three hours of it!"},
            {"speaker": "user", "text": "Three hours? I said short."},
        ],
        "target": 1,
    },
    "answers": {
        "useful": {
            "answer": 1,
            "reason": "It names a movie, but one that breaks the only wish the person had.",
        }
    },
}
DESIGN = study_data()["designs"]["reply"] | {
    "purpose": "We want to know how much of a conversation is needed to judge a reply in it.",
    "instructions": "Read the conversation. **One reply is marked.**\n\n- Judge that reply and nothing else.\n- Style does not count.",
    "examples": [EXAMPLE],
    "guidelines": {
        "version": "1.2",
        "text": "A reply is *useful* if the user can do something with it.",
        "hard_cases": [
            {
                "case": "The movie fits, but the user has seen it.",
                "decision": "**Somewhat useful.** It helped.",
            }
        ],
    },
    "feedback": [
        {"name": "clear", "type": "text", "text": "Was anything in this task unclear?", "required": False}
    ],
}
STUDY: dict[str, Any] = {
    "title": "How useful are these replies?",
    "designs": {"reply": DESIGN},
    "conditions": {
        "SECRET3": {
            "context": {"turns_before": 3, "next_turn": True},
            "instructions": "The turns before the exchange are shown. **Use them.**",
        }
    },
    "consent": {
        "text": "A study of the Dialogue Lab. Write to [us](mailto:lab@study.example) about it.",
        "points": ["I am 18 or older."],
    },
    "content_warning": "Some conversations mention crime and horror movies.",
    "demographics": [
        {"name": "often", "type": "scale", "scale": "useful", "text": "How useful are movies to you?"},
        {"name": "else", "type": "text", "text": "Anything else about you?"},
        {
            "name": "seen",
            "type": "choices",
            "text": "Where do you see movies?",
            "options": [
                {"code": 1, "name": "At home"},
                {"code": 2, "name": "I would rather not say", "no_answer": True},
            ],
        },
    ],
    "quiz": {
        "tries": 2,
        "questions": [
            {
                "item": EXAMPLE["item"],
                "ask": {
                    "name": "same",
                    "type": "scale",
                    "scale": "useful",
                    "text": "How useful is the marked reply?",
                },
                "right": {"answer": 1, "reason": "The person asked for a short movie and got a long one."},
            }
        ],
    },
    "debriefing": "You saw **three turns** before each exchange. Others saw none.",
    "pools": pool(caps={"tasks": 1}, pay={"cents": 40}),
}


def sound(page: Page, name: str) -> None:
    """No violation of accessibility rules, no sideways scrolling; and a picture if wanted."""
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, name, whole=True)


def answer_about_oneself(page: Page) -> None:
    """By keyboard; an option for no answer takes the others away here too."""
    page.keyboard.press("2")
    page.keyboard.type("tall")
    page.get_by_role("checkbox", name="At home").check()
    page.get_by_role("checkbox", name="rather not say").check()
    expect(page.get_by_role("checkbox", name="At home")).not_to_be_checked()
    page.keyboard.press("Control+Enter")


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_a_rater_is_told_asked_and_thanked(browser: Browser, study: Load, size: Any, scheme: Any):
    (link, *_) = study(**STUDY)
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    suffix = f"{size['width']}-{scheme}"
    page.goto(link)
    page.wait_for_selector("html[data-worked]")
    # The example is the real question, answered, and cannot be changed.
    example = page.locator(".worked")
    expect(example.get_by_role("radio", name="Not useful")).to_be_checked()
    expect(example.get_by_role("radio", name="Very useful")).to_be_disabled()
    expect(example).to_contain_text("breaks the only wish")
    sound(page, f"around-start-{suffix}")
    page.get_by_role("checkbox", name="18").check()
    page.get_by_role("checkbox", name="take part").check()
    page.get_by_role("button", name="Start").click()

    ready(page)
    expect(page.get_by_role("heading", name="A few questions about you")).to_be_visible()
    sound(page, f"around-before-{suffix}")
    answer_about_oneself(page)

    expect(page.get_by_role("heading", name="A short quiz")).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Choose one of the points.")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("asked for a short movie")).to_be_visible()
    sound(page, f"around-quiz-{suffix}")
    page.get_by_role("radio", name="Not useful").check()
    page.get_by_role("button", name="Check again").click()

    page.wait_for_selector("html[data-ready] body.two")
    expect(page.get_by_text("Use them.")).to_be_visible()
    sound(page, f"around-task-{suffix}")
    page.get_by_text("Somewhat useful").click()
    page.get_by_label("unclear").fill("all clear")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="What this study was about")).to_be_visible()
    sound(page, f"around-done-{suffix}")

    page.goto(f"{link}/instructions")
    sound(page, f"around-instructions-{suffix}")
    page.goto(f"{link}/withdraw")
    sound(page, f"around-withdraw-{suffix}")
    page.get_by_role("radio", name="Leave them out").check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("You have withdrawn")).to_be_visible()
    sound(page, f"around-ended-{suffix}")
    context.close()

    from labelwright.server.store.models import Answer, RaterSheet

    assert dict(Answer.objects.values_list("question", "value")) == {"useful": 2, "clear": "all clear"}
    assert list(RaterSheet.objects.order_by("id").values_list("answers", flat=True)) == [
        {"often": 2, "else": "tall", "seen": [2]},
        {"same": 1},
    ]


def test_lower_case_is_a_look_and_what_is_stored_keeps_its_case(page: Page, study: Load):
    design = study_data()["designs"]["reply"] | {"display": {"lower_case": True}}
    (link, *_) = study(designs={"reply": design})
    page.goto(link)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    ready(page)
    target = page.locator(".target > p")
    assert target.evaluate("e => e.textContent") == "Try “The Clockmaker’s Cat”."
    assert target.evaluate("e => e.innerText") == "try “the clockmaker’s cat”."
