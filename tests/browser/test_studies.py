"""The tasks of the four published studies, as they ship: each worked through by keyboard alone and by touch alone.

With TURNWISE_SCREENSHOTS the pictures of the documentation are taken on the way (`make pictures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, ready, screenshots
from tests.browser.drivers import press
from tests.processes import Server
from tests.studies import parse

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

STUDIES = Path(__file__).parents[2] / "studies"
Open = Callable[..., list[str]]


@pytest.fixture
def shipped(database: str, server: Server) -> Open:
    """Loads a study of `studies/`, with parts of it replaced where a test says so; the links of its raters."""

    def load(name: str, raters: int = 2, **changes: Any) -> list[str]:
        from turnwise.corpus import draw, read_dialogues
        from turnwise.server.actions.links import make_links
        from turnwise.server.actions.study import load_study
        from turnwise.server.store.models import Pool

        path = STUDIES / f"{name}.yaml" if "/" in name else STUDIES / name / "study.yaml"
        text = yaml.safe_dump(yaml.safe_load(path.read_text()) | changes, sort_keys=False, allow_unicode=True)
        study = parse(text)
        dialogues, _ = read_dialogues(study.corpus, path.parent)
        now = datetime.now(UTC)
        loaded = load_study(study, text, draw(dialogues, study.corpus, study.seed).dialogues, now)
        links = make_links(loaded.study, Pool.objects.get(), raters, 60, now)
        return [server.root + "/w/" + address.rsplit("/", 1)[1] for _, address in links]

    return load


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=DESKTOP)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def start(page: Page, link: str) -> None:
    """Agrees to take part, by touch or keyboard as the page allows, and waits for the first task."""
    page.goto(link)
    page.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    page.locator(".agree .btn").focus()
    page.keyboard.press("Enter")
    ready(page)


def picture(page: Page, name: str) -> None:
    if folder := screenshots():
        width = page.viewport_size["width"]  # type: ignore[index]
        page.screenshot(path=folder / f"{name}-{width}.png")


def thanked(page: Page) -> None:
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def stored(rater: int = 0) -> list[tuple[int, str, Any, int | None]]:
    """Position, question, value and code of what one rater submitted, in order."""
    from turnwise.server.store.models import Answer, Rater

    rows = Answer.objects.filter(assignment__rater=Rater.objects.order_by("id")[rater])
    return list(rows.order_by("id").values_list("position", "question", "value", "code"))


def one_task(data: dict[str, Any]) -> dict[str, Any]:
    """The pools of a study whose raters do one task each."""
    return {
        "pools": {name: pool | {"caps": {"tasks": 1}} for name, pool in data["pools"].items()},
    }


def plain(name: str) -> dict[str, Any]:
    path = STUDIES / f"{name}.yaml" if "/" in name else STUDIES / name / "study.yaml"
    return dict(yaml.safe_load(path.read_text()))


# -- Let's Go ------------------------------------------------------------------


def test_lets_go_one_dialogue_with_five_questions(shipped: Open, laptop: Page, phone: Page):
    links = shipped("lets-go", **one_task(plain("lets-go")))
    start(laptop, links[0])
    press(laptop, "5", "4")
    picture(laptop, "lets-go")
    press(laptop, "3", "4", "6", "Control+Enter")
    thanked(laptop)
    start(phone, links[1])
    picture(phone, "lets-go")
    for question, option in (
        ("understood", "Mostly"),
        ("successful", "Entirely successful"),
        ("expected", "Completely"),
        ("overall", "Good"),
        ("outcome", "Succeeded"),
    ):
        phone.locator(f"[data-question={question}]").get_by_text(option, exact=True).tap()
    phone.get_by_role("button", name="Submit").tap()
    thanked(phone)
    names = ["understood", "successful", "expected", "overall", "outcome"]
    assert [(question, code) for _, question, _, code in stored(0)] == list(
        zip(names, [5, 4, 3, 4, 6], strict=True)
    )
    assert [(question, code) for _, question, _, code in stored(1)] == list(
        zip(names, [4, 5, 5, 4, 1], strict=True)
    )


# -- candidates -----------------------------------------------------------------


def test_three_candidates_by_four_criteria(shipped: Open, laptop: Page, phone: Page):
    links = shipped("candidates", **one_task(plain("candidates")))
    start(laptop, links[0])
    picture(laptop, "candidates")
    press(laptop, "Tab", "1", "2", "Space", "Enter")
    picture(laptop, "candidates-explained")
    start(phone, links[1])
    picture(phone, "candidates")


# -- context ---------------------------------------------------------------------
