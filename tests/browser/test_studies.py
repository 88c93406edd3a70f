"""The tasks of the four published studies, as they ship: each worked through by keyboard alone and by touch alone.

With LABELWRIGHT_SCREENSHOTS the pictures of the documentation are taken on the way (`make pictures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect

from labelwright.testing.llm_endpoint import LlmEmulator, completion
from tests.agreed_costs import agree
from tests.browser import conftest
from tests.browser.conftest import DESKTOP, PHONE, ready
from tests.browser.drivers import press, tap_words
from tests.processes import Server
from tests.studies import parse

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

STUDIES = Path(__file__).parents[2] / "studies"
Open = Callable[..., list[str]]


@pytest.fixture
def shipped(database: str, server: Server) -> Open:
    """Loads a study of `studies/`, with parts of it replaced where a test says so; the links of its raters."""

    def load(name: str, raters: int = 2, **changes: Any) -> list[str]:
        from labelwright.corpus import draw, read_dialogues
        from labelwright.server.people.actions.joining import make_links
        from labelwright.server.store.models import Pool
        from labelwright.server.studies.actions.loading import load_study

        path = STUDIES / f"{name}.yaml" if "/" in name else STUDIES / name / "study.yaml"
        text = yaml.safe_dump(yaml.safe_load(path.read_text()) | changes, sort_keys=False, allow_unicode=True)
        study = parse(text)
        dialogues, _ = read_dialogues(study.corpus, path.parent)
        now = datetime.now(UTC)
        loaded = load_study(
            study, text, draw(dialogues, study.corpus, study.seed).dialogues, now, opened=True
        )
        links = make_links(loaded.study, Pool.objects.get(), raters, 60, now)
        return [server.root + "/w/" + link.token for link in links]

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
    page.locator("input[name=agree]").focus()
    page.keyboard.press("Space")
    page.locator(".agree .btn").focus()
    page.keyboard.press("Enter")
    ready(page)


def picture(page: Page, name: str) -> None:
    conftest.picture(page, f"{name}-{page.viewport_size['width']}")  # type: ignore[index]


def thanked(page: Page) -> None:
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def stored(rater: int = 0) -> list[tuple[int, str, Any, int | None]]:
    """Position, question, value and code of what one rater submitted, in order."""
    from labelwright.server.store.models import Answer, Rater

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
    # Short points stand side by side, each in one line of its own; long ones below each other.
    heights = "els => [new Set(els.map(el => el.getBoundingClientRect().top)).size, els[0].offsetHeight]"
    assert phone.locator("[data-question=expected] .opt").evaluate_all(heights) == [1, 50]
    assert phone.locator("[data-question=successful] .opt").evaluate_all(heights) == [5, 44]
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


def test_lets_go_thirty_dialogues_in_one_task(shipped: Open, laptop: Page, phone: Page):
    links = shipped("lets-go/agreement", **one_task(plain("lets-go/agreement")))
    start(laptop, links[0])
    expect(laptop.locator(".prog")).to_contain_text("1 of 30")
    picture(laptop, "lets-go-agreement")
    for n in range(30):
        press(laptop, str(n % 7 + 1), "Control+Enter")
    thanked(laptop)
    assert [row[3] for row in stored(0)] == [n % 7 + 1 for n in range(30)]
    start(phone, links[1])
    picture(phone, "lets-go-agreement")
    for _ in range(30):
        phone.locator(".step:not([hidden])").get_by_text("Failed because of the system").tap()
        phone.locator("#submit").tap()
    thanked(phone)
    assert [row[3] for row in stored(1)] == [6] * 30


# -- candidates -----------------------------------------------------------------


def test_three_candidates_by_four_criteria(shipped: Open, laptop: Page, phone: Page):
    links = shipped("candidates", **one_task(plain("candidates")))
    start(laptop, links[0])
    picture(laptop, "candidates")
    # Fits, refers to nothing because it could be said to anyone, listens, is correct.
    press(laptop, "Tab", "1", "2", "Space", "Enter")
    picture(laptop, "candidates-explained")
    # The first reply: listening, and correct; the second one all good; the third with a reason in own words.
    press(laptop, "1", "1", "1", "1", "1", "1", "2", "Tab")
    laptop.keyboard.type("it answers something else")
    # What is still open is marked when one tries to submit, and the first of it has the focus.
    press(laptop, "Control+Enter")
    expect(laptop.locator(".q.wrong")).to_be_visible()
    picture(laptop, "candidates-open")
    press(laptop, "1", "2", "3")
    laptop.keyboard.type("one word could be missing")
    press(laptop, "Control+Enter")
    thanked(laptop)
    start(phone, links[1])
    picture(phone, "candidates")
    for reply in "CDE":
        # One screen and a half for each reply, with the dialogue above it.
        assert phone.evaluate("document.querySelector('.panel:not([hidden])').offsetHeight") <= 844 * 1.5
        for option in ("Appropriate", "Contextualized", "Not listening", "Not correct"):
            phone.get_by_role("radio", name=option, exact=True).tap()
        phone.get_by_role("checkbox", name="Something is said twice.").tap()
        if reply != "E":
            phone.get_by_role("button", name="Next reply").tap()
    picture(phone, "candidates-explained")
    phone.get_by_role("button", name="Submit").tap()
    thanked(phone)
    generic = {"reasons": ["generic"]}
    words = {"words": "it answers something else"}, {"words": "one word could be missing"}
    by_key: dict[str, list[Any]] = {
        "C": [1, (0, generic), 1, 1],
        "D": [1, 1, 1, 1],
        "E": [(0, words[0]), 1, 0, (2, words[1])],
    }
    assert candidates(0) == {letter: cells(given) for letter, given in by_key.items()}
    twice = cells([1, 1, 0, (0, {"reasons": ["repetition"]})])
    assert candidates(1) == dict.fromkeys("CDE", twice)


def cells(given: list[Any]) -> dict[str, Any]:
    """The cells of a reply, from their codes, or codes with explanations."""
    names = ("appropriateness", "contextualization", "listening", "correctness")
    return {
        name: {"choice": one[0], "explanation": one[1]} if isinstance(one, tuple) else {"choice": one}
        for name, one in zip(names, given, strict=True)
    }


def candidates(rater: int) -> dict[str, Any]:
    """What was stored of a rater's grid, by the letters that this rater saw: A and B are those who talk."""
    from labelwright.server.rating.actions.task_page import get_task
    from labelwright.server.store.models import Assignment

    order = get_task(Assignment.objects.order_by("id")[rater].pk).items[0].order
    whole = next(value for _, question, value, _ in stored(rater) if question == "quality")
    return {letter: whole[f"c{index}"] for letter, index in zip("CDE", order, strict=True)}


# -- snippets ---------------------------------------------------------------------


def passage_of(page: Page) -> str:
    return str(page.locator(".passage").first.text_content())


def test_paragraph_spans(shipped: Open, laptop: Page, phone: Page):
    links = shipped("snippets", **one_task(plain("snippets")))
    start(laptop, links[0])
    text = passage_of(laptop)
    press(laptop, "Tab", "ArrowRight", "Shift+ArrowRight", "Enter", "End", "Enter")
    picture(laptop, "snippets")
    press(laptop, "Control+Enter")
    thanked(laptop)
    first, second = stored(0)[0][2]
    assert text[slice(*first)] == " ".join(text.split()[1:3])
    assert text[slice(*second)] == text.split()[-1].rstrip(".")
    start(phone, links[1])
    text = passage_of(phone)
    words = text.split()
    tap_words(phone, words[2], words[5])
    phone.get_by_role("button", name="Mark", exact=True).tap()
    picture(phone, "snippets")
    phone.get_by_role("button", name="Submit").tap()
    thanked(phone)
    (span,) = stored(1)[0][2]
    assert text[slice(*span)] == " ".join(words[2:6]).rstrip(".,;:")


def test_sentences_are_chosen(shipped: Open, laptop: Page, phone: Page):
    links = shipped("snippets/sentences", **one_task(plain("snippets/sentences")))
    start(laptop, links[0])
    press(laptop, "Tab", "Space", "ArrowDown", "ArrowDown", "Space")
    picture(laptop, "sentences")
    press(laptop, "Control+Enter")
    thanked(laptop)
    assert stored(0)[0][2]["chosen"] == [0, 2]
    start(phone, links[1])
    picture(phone, "sentences")
    phone.get_by_text("None of them").tap()
    phone.get_by_role("button", name="Submit").tap()
    thanked(phone)
    assert stored(1)[0][2]["chosen"] == []


def test_chosen_sentences_are_marked_in_a_second_stage(shipped: Open, laptop: Page, phone: Page):
    from labelwright.server.store.models import ItemRow, StudyRow
    from labelwright.server.studies.actions.stages import advance

    (link, other) = shipped("snippets/sentences", redundancy=1, items={"kind": "query", "sample": 1})
    start(laptop, link)
    press(laptop, "Tab", "Space", "Control+Enter")
    thanked(laptop)
    (done,) = advance(StudyRow.objects.get(), datetime.now(UTC))
    assert (done.items, done.waiting) == (1, 0)
    start(phone, other)
    made = ItemRow.objects.get(payload__has_key="parent")
    whole = ItemRow.objects.get(key=made.payload["parent"]).payload["passage"]["text"]
    assert made.payload["passage"]["text"] == whole[slice(*made.payload["span"])]
    expect(phone.locator(".passage")).to_have_text(made.payload["passage"]["text"])
    picture(phone, "sentences-second")
    phone.get_by_text("Nothing here answers it").tap()
    phone.get_by_role("button", name="Submit").tap()
    thanked(phone)
    assert stored(1)[0][1:3] == ("parts", [])


# -- context ---------------------------------------------------------------------

CONTEXTS = ("C0", "C3", "C7", "heu", "llm", "sum")


@pytest.fixture
def model() -> Iterator[str]:
    """A language model's address; what it says is always the same."""

    def say(body: dict[str, Any], _before: int) -> Any:
        return completion("The user wants a movie for tonight and liked “The Lantern Keeper”.")

    with LlmEmulator(say) as emulator:
        yield emulator.address


@pytest.mark.parametrize("context", CONTEXTS)
def test_relevance_and_usefulness_under_every_context(
    shipped: Open, laptop: Page, phone: Page, model: str, context: str
):
    data = plain("context")
    both = {name: made for name, made in data["conditions"].items() if name.endswith(f"_{context}")}
    asked = {"name": "m", "address": model, "per_minute": 60_000, "burst": 1000}
    links = shipped(
        "context",
        conditions=both,
        context={"model": asked, "summary_checks": {"entity_share": 0, "length_share": 0.9}},
        demographics=[],
        **one_task(data),
    )
    if context in ("llm", "sum"):
        from labelwright.server.contexts.jobs import generate
        from labelwright.server.store.models import StudyVersion

        version = StudyVersion.objects.latest("id").pk
        agree(version)
        generate(version)
    for n, (page, press_or_tap) in enumerate(((laptop, by_key), (phone, by_tap))):
        start(page, links[n])
        picture(page, f"context-{context}")
        relevance = page.locator("[data-question=recommends]").count() > 0
        if relevance:
            # The second question stands there only once the first says that there is something to judge.
            expect(page.locator("[data-question=fits]")).to_be_hidden()
            press_or_tap(page, "recommends", "Yes", 1)
            press_or_tap(page, "fits", "No", 2)
        else:
            press_or_tap(page, "useful", "High usefulness", 3)
        for name in ("turns", "movie"):
            if page.locator(f"[data-question={name}]").count():
                option = page.locator(f"[data-question={name}] .nm").first.inner_text()
                key = page.locator(f"[data-question={name}] kbd").first.text_content()
                press_or_tap(page, name, option, int(key or 1))
        page.locator("#submit").tap() if page is phone else press(page, "Control+Enter")
        if page.locator("#step").count():
            page.locator("#submit").tap() if page is phone else press(page, "Control+Enter")
        thanked(page)
        codes = {question: code for _, question, _, code in stored(n)}
        assert codes["relevance"] == 1 if relevance else codes["useful"] == 3


def by_key(page: Page, question: str, _option: str, number: int) -> None:
    expect(page.locator(f".q[data-active][data-question={question}]")).to_be_visible()
    press(page, str(number))


def by_tap(page: Page, question: str, option: str, _number: int) -> None:
    page.locator(f"[data-question={question}] .nm").get_by_text(option, exact=True).tap()
