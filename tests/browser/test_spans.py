"""Spans and sentences in a real browser: what is marked on the page is what is stored, in any writing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from labelwright.corpus import Dialogue, Turn
from tests.browser.conftest import PHONE, begin, picture, ready
from tests.browser.drivers import press, span_of, tap_words
from tests.browser.test_question_types import no_violation
from tests.studies import pool

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

Load = Callable[..., list[str]]

BUS = (
    "The Harbour Loop (line 14) links the ferry pier, the fish market and the old customs house every twelve "
    "minutes. Each bus has a folding rack for two bicycles at the front; the driver lowers it on request. From 7 "
    "to 9 in the morning the rack stays folded. At all other times bicycles travel free of charge. The last bus "
    "leaves the pier at 23:40."
)
ASTRAL = "Ships 🚢🚢 pass 𝔱𝔥𝔢 light 👩‍🚀👩🏽‍🚀 at night.\r\nNa\u0308he 🇺🇳 flags 🇺🇳🇪🇺 wave; e\u0301nd."
ARABIC = "كانت المنارة 🗼 في الإسكندرية، وكانت تسمى Pharos عند البحارة. ثم انتهت بزلزال كبير."
SPANS = {"name": "parts", "type": "spans", "text": "Mark every part that answers the question."}
NONE = {"none": "Nothing here answers it"}


def load(study: Load, passage: str, *questions: dict[str, Any], **changes: Any) -> str:
    """The link of a rater who is asked these questions about a passage."""
    design = {
        "title": "Passages",
        "lead": "Read the passage.",
        "instructions": "Read.",
        "questions": list(questions),
    }
    turn = Turn(
        "user",
        "Can I take my bike?",
        meta={"turn_id": "t_1", "passages": [{"id": "p", "text": passage, "level": 1}]},
    )
    parts = {
        "corpus": [Dialogue("d0", (turn,))],
        "items": {"kind": "query"},
        "designs": {"only": design},
        "conditions": {"one": {"context": {"turns_before": 3}}},
        "pools": pool(caps={"tasks": 1}),
        "redundancy": 1,
    }
    (link, *_) = study(raters=1, **(parts | changes))
    return link


def edge(page: Page, text: str, *, end: bool, within: str = "#passage-0") -> tuple[float, float]:
    """A point just inside the first or the last letter of a stretch of the text."""
    x, y = page.evaluate(
        """([within, text, end]) => {
            const element = document.querySelector(within), start = element.firstChild.data.indexOf(text);
            const range = document.createRange();
            range.setStart(element.firstChild, start);
            range.setEnd(element.firstChild, start + text.length);
            const boxes = range.getClientRects(), box = end ? boxes[boxes.length - 1] : boxes[0];
            return [end ? box.right - 1 : box.left + 1, box.top + box.height / 2];
        }""",
        [within, text, end],
    )
    return x, y


def drag(page: Page, text: str, within: str = "#passage-0") -> None:
    """Selects a stretch with the mouse."""
    page.mouse.move(*edge(page, text, end=False, within=within))
    page.mouse.down()
    page.mouse.move(*edge(page, text, end=True, within=within), steps=4)
    page.mouse.up()


def click(page: Page, text: str) -> None:
    page.mouse.click(*edge(page, text, end=False))


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def listed(page: Page) -> list[str]:
    return page.locator(".marks p").all_inner_texts()


def submit(page: Page) -> dict[str, Any]:
    """Hands the task in; the stored answers by question."""
    from labelwright.server.store.models import Answer

    button(page, "Submit").or_(page.locator("#submit")).first.click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    return {answer.question: answer.value for answer in Answer.objects.all()}


def test_marking_by_mouse_with_overlap_refused_replaced_resized_and_removed(page: Page, study: Load):
    begin(page, load(study, BUS, SPANS | NONE | {"max_spans": 2}))
    drag(page, "ach bus has a folding rac")
    button(page, "Mark").click()
    assert listed(page) == ["Each bus has a folding rack"]
    expect(page.get_by_label("Nothing here answers it")).to_be_disabled()

    drag(page, "rack for two bicycles")
    expect(page.get_by_role("alert")).to_have_text(
        "This overlaps part 1. Remove that one first, or mark less."
    )
    expect(button(page, "Mark")).to_be_hidden()
    page.keyboard.press("Enter")
    assert listed(page) == ["Each bus has a folding rack"]
    picture(page, "overlap-1280")
    no_violation(page)
    button(page, "Replace it").click()
    assert listed(page) == ["rack for two bicycles"]

    # A click on what is marked picks it; its ends move by words.
    click(page, "for two")
    button(page, "Start part 1 earlier").click()
    button(page, "End part 1 later").click()
    button(page, "End part 1 later").click()
    button(page, "End part 1 earlier").click()
    picture(page, "change-1280")
    no_violation(page)
    button(page, "Done").click()
    assert listed(page) == ["folding rack for two bicycles at"]

    # Two clicks choose all between them, in any order; Enter marks.
    click(page, "charge")
    click(page, "free")
    page.keyboard.press("Enter")
    assert listed(page) == ["folding rack for two bicycles at", "free of charge"]
    drag(page, "The last bus")
    expect(page.get_by_role("alert")).to_have_text("At most 2 parts can be marked. Remove one first.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove part 1").click()
    assert page.evaluate("document.getElementById('passage-0').childNodes.length") == 1
    assert submit(page) == {"parts": [span_of("free of charge", BUS)], "parts.found": True}


def test_resizing_stops_at_the_next_part_and_at_the_last_word(page: Page, study: Load):
    begin(page, load(study, BUS, SPANS))
    heard = page.locator("[data-say]")
    press(page, "Tab", "ArrowRight")
    expect(heard).to_have_text("Harbour")
    press(page, "Shift+ArrowRight")
    expect(heard).to_have_text("Chosen: Harbour Loop")
    press(page, "Escape", "Home", "Enter")
    expect(heard).to_have_text("Part 1 marked: The")
    # Two words that touch: the first cannot be made longer.
    press(page, "ArrowRight", "Enter", "ArrowLeft", "Shift+ArrowRight")
    expect(page.locator(".told")).to_have_text("This overlaps part 2. Remove that one first, or mark less.")
    press(
        page,
        "ArrowRight",
        "Shift+ArrowRight",
        "Shift+ArrowRight",
        "Shift+ArrowLeft",
        "Control+Shift+ArrowRight",
    )
    assert listed(page) == ["The", "Loop"]
    press(page, "Control+Shift+ArrowRight")
    expect(page.locator(".told")).to_have_text("It cannot be moved further.")
    # On another line, and away again by Delete.
    press(page, "ArrowDown", "Enter", "Delete", "ArrowUp", "Home", "Delete")
    expect(heard).to_have_text("Part 1 removed.")
    assert listed(page) == ["Loop"]
    assert submit(page)["parts"] == [span_of("Loop", BUS)]


@pytest.mark.parametrize("unit", ["word", "character"])
def test_emoji_and_letters_beyond_the_first_plane_are_counted_as_code_points(
    page: Page, study: Load, unit: str
):
    begin(page, load(study, ASTRAL, SPANS | {"unit": unit}))
    wanted = ["𝔱𝔥𝔢 light 👩‍🚀👩🏽‍🚀", "🇺🇳 flags"] if unit == "word" else ["𝔥𝔢", "👩🏽‍🚀", "e\u0301n"]
    for text in wanted:
        drag(page, text)
        button(page, "Mark").click()
    assert listed(page) == wanted
    expect(page.get_by_text("Saved just now")).to_be_visible()
    expect(page.locator("#saved-text")).not_to_have_text(re.compile("^Saving"))
    page.reload()
    ready(page)
    assert listed(page) == wanted
    assert submit(page)["parts"] == [span_of(text, ASTRAL) for text in wanted]


def test_right_to_left_text_runs_the_other_way_and_is_stored_in_its_own_order(page: Page, study: Load):
    begin(page, load(study, ARABIC, SPANS | NONE))
    # The second word lies to the left of the first; the emoji is a word.
    press(page, "Tab", "ArrowLeft", "Shift+ArrowLeft", "Enter")
    assert listed(page) == ["المنارة 🗼"]
    page.mouse.click(*edge(page, "Pharos", end=False))
    page.mouse.click(*edge(page, "البحارة", end=False))
    button(page, "Mark").click()
    picture(page, "rtl-1280")
    assert submit(page)["parts"] == [span_of("المنارة 🗼", ARABIC), span_of("Pharos عند البحارة", ARABIC)]


def test_kinds_are_given_by_number_and_changed_in_the_list(browser: Browser, study: Load):
    kinds = [
        {"name": "yes", "label": "Allows it"},
        {"name": "no", "label": "Forbids it"},
        {"name": "when", "label": "Says when"},
    ]
    link = load(study, BUS, SPANS | NONE | {"kinds": kinds, "max_characters": 40})
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme="dark", reduced_motion="reduce"
    )
    page = context.new_page()
    begin(page, link)
    press(page, "Tab", "Shift+ArrowRight", "2", "ArrowDown", "Shift+ArrowRight", "3", "ArrowDown", "3", "1")
    page.get_by_label("Kind of part 1").select_option("Says when")
    drag(page, "other times bicycles travel free of charge")
    expect(page.get_by_role("alert")).to_have_text("This is too long: mark at most 40 characters at a time.")
    drag(page, "free of charge")
    picture(page, "kinds-1280-dark")
    no_violation(page)
    page.set_viewport_size({"width": 320, "height": 640})
    page.wait_for_function("document.documentElement.scrollWidth <= 320")
    picture(page, "kinds-320-dark")
    button(page, "Allows it").click()
    stored = submit(page)["parts"]
    assert [kind for *_, kind in stored] == ["when", "when", "yes", "yes"]
    assert stored[0] == [*span_of("The Harbour", BUS), "when"]
    context.close()


def test_nothing_can_be_said_and_taken_back(page: Page, study: Load):
    begin(page, load(study, BUS, SPANS | NONE))
    picture(page, "empty-1280")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Mark at least one part of the text, or say that there is none.")).to_be_visible()
    # What is wrong gets the focus where the work begins; 0 ticks "nothing" there, and marking takes it back.
    press(page, "0")
    expect(page.get_by_label("Nothing here answers it")).to_be_checked()
    press(page, "Enter")
    expect(page.get_by_label("Nothing here answers it")).not_to_be_checked()
    press(page, "Delete", "0")
    assert submit(page) == {"parts": [], "parts.found": False}


def test_a_reply_is_marked_like_a_passage_also_without_highlights(page: Page, study: Load):
    page.add_init_script("delete CSS.highlights")
    reply = "Take line 14. It has a rack 🚲 for bicycles."
    turns = (Turn("user", "My bike?"), Turn("system", reply, "alpha"), Turn("user", "Thanks."))
    begin(page, load(study, "", SPANS, corpus=[Dialogue("d0", turns)], items={"kind": "exchange"}))
    drag(page, "rack 🚲", within=".target p")
    button(page, "Mark").click()
    assert listed(page) == ["rack 🚲"]
    assert submit(page)["parts"] == [span_of("rack 🚲", reply)]


def test_a_phone_marks_by_two_taps_and_by_the_handles_of_the_system(browser: Browser, study: Load):
    link = load(study, BUS, SPANS | NONE)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")
    page = context.new_page()
    begin(page, link)
    tap_words(page, "Each", "rack")
    picture(page, "pending-390-dark")
    for name in ("Mark", "Do not mark this"):
        box = button(page, name).bounding_box()
        assert box is not None
        assert box["height"] >= 44
    button(page, "Mark").tap()
    # A selection made by handles needs no click.
    page.evaluate(
        """text => {
            const node = document.getElementById("passage-0").firstChild, start = node.data.indexOf(text);
            getSelection().setBaseAndExtent(node, start, node, start + text.length);
        }""",
        "all other tim",
    )
    button(page, "Mark").tap()
    assert listed(page) == ["Each bus has a folding rack", "all other times"]
    tap_words(page, "bus has")
    picture(page, "change-390-dark")
    no_violation(page)
    button(page, "Start part 1 later").tap()
    button(page, "Done").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert submit(page)["parts"] == [
        span_of("bus has a folding rack", BUS),
        span_of("all other times", BUS),
    ]
    context.close()


def test_sentences_are_chosen_in_the_passage_too_and_one_too_many_is_refused(page: Page, study: Load):
    question = {
        "name": "sentences",
        "type": "sentences",
        "text": "Which sentences answer it?",
        "max_sentences": 2,
        **NONE,
    }
    begin(page, load(study, ASTRAL + " " + BUS, question))
    click(page, "Each bus has")
    click(page, "flags")
    press(page, "1")
    expect(page.get_by_text("At most 2 sentences can be chosen. Leave one out first.")).to_be_visible()
    picture(page, "sentences-mouse-1280")
    stored = submit(page)
    text = ASTRAL + " " + BUS
    chosen = [text[slice(*stored["sentences"]["sentences"][n])] for n in stored["sentences"]["chosen"]]
    assert [sentence[:8] for sentence in chosen] == ["Na\u0308he 🇺🇳", "Each bus"]
    codes = [stored.get(f"sentences.s{n}") for n in range(len(stored) - 1)]
    assert codes == stored["sentences"]["sentences"]


def random_texts() -> list[str]:
    """Any characters that can be stored, and mixtures of those that are counted wrong most easily."""
    random = np.random.default_rng(11)
    drawn = random.choice([*range(1, 0xD800), *range(0xE000, 0x110000)], size=(150, 24))
    odd = list("a 🚢\u200d\u0301ع\n𝔱🇺\r\x0b<&") * 40
    return ["".join(map(chr, row)) for row in drawn] + [
        "".join(random.permutation(odd)[:30]) for _ in range(150)
    ]


def test_offsets_and_texts_of_the_browser_are_those_of_python(page: Page, study: Load):
    from django.templatetags.static import static

    from labelwright.server.web.verbatim import verbatim

    page.goto(load(study, BUS, SPANS))
    texts = random_texts()
    read, counted = page.evaluate(
        """async ([path, pages]) => {
            const { toPoints, toUnits } = await import(path);
            const texts = pages.map(html => new DOMParser().parseFromString(html, "text/html").querySelector("p").textContent);
            const all = text => [...Array([...text].length + 1).keys()];
            return [texts, texts.map(text => all(text).map(n => [toUnits(text, n), toPoints(text, toUnits(text, n))]))];
        }""",
        [static("questions/shared/passage.js"), [f"<p>{verbatim(text)}</p>" for text in texts]],
    )
    assert read == texts
    assert counted == [
        [[len(text[:n].encode("utf-16-le")) // 2, n] for n in range(len(text) + 1)] for text in texts
    ]


def test_several_passages_and_two_questions_on_one_text_keep_apart(page: Page, study: Load):
    from labelwright.server.store.models import Answer

    choosing = {"name": "sentences", "type": "sentences", "text": "Which sentences answer it?"}
    passages: list[dict[str, Any]] = [{"id": f"p{n}", "text": f"{n} 🚲 {BUS}", "level": 1} for n in range(2)]
    turn = Turn("user", "Can I take my bike?", meta={"turn_id": "t_1", "passages": passages})
    link = load(study, "", SPANS, choosing, corpus=[Dialogue("d0", (turn,))], tasks={"items_per_task": 2})
    begin(page, link)
    for position in range(2):
        within = f"#passage-{position}"
        # A click means the question that is active: words for the first, a sentence for the second.
        page.mouse.click(*edge(page, "Harbour", end=False, within=within))
        page.keyboard.press("Enter")
        page.locator(f'.q[data-position="{position}"] .sents input').last.focus()
        page.mouse.click(*edge(page, "bicycles travel", end=False, within=within))
        if position == 0:
            page.keyboard.press("Control+Enter")
    expect(page.locator(".marks:visible p")).to_have_text("Harbour")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    stored: dict[tuple[int, str], Any] = {
        (answer.position, answer.question): answer.value for answer in Answer.objects.all()
    }
    for position in range(2):
        text = passages[position]["text"]
        assert [text[slice(*span)] for span in stored[(position, "parts")]] == ["Harbour"]
        value = stored[(position, "sentences")]
        assert [text[slice(*value["sentences"][n])] for n in value["chosen"]] == [
            "At all other times bicycles travel free of charge."
        ]


def test_a_worked_example_shows_what_is_marked_and_lets_nobody_change_it(page: Page, study: Load):
    choosing = {"name": "sentences", "type": "sentences", "text": "Which sentences answer it?", **NONE}
    item = {"kind": "query", "turns": [{"speaker": "user", "text": "My bike?"}], "passage": BUS}
    answers = {
        "parts": {
            "answer": [span_of("two bicycles", BUS), span_of("free of charge", BUS)],
            "reason": "Both say it.",
        },
        "sentences": {"answer": {"chosen": [1, 3]}, "reason": "These two."},
    }
    design = {
        "title": "Passages",
        "lead": "Read the passage.",
        "instructions": "Read.",
        "questions": [SPANS | NONE, choosing],
        "examples": [{"item": item, "answers": answers}],
    }
    page.goto(load(study, BUS, SPANS, designs={"only": design}))
    page.wait_for_selector("html[data-worked]")
    assert listed(page) == ["two bicycles", "free of charge"]
    assert page.get_by_role("checkbox", checked=True).count() == 2
    passage = "#passage-x0"
    page.locator(passage).scroll_into_view_if_needed()
    page.mouse.click(*edge(page, "Harbour", end=False, within=passage))
    page.mouse.click(*edge(page, "two bicycles", end=False, within=passage))
    assert page.locator(".pop:visible").count() == 0
    assert page.get_by_role("checkbox", name="The Harbour").is_disabled()
    picture(page, "worked-1280")
    no_violation(page)
