"""What a rater's page promises whatever it asks: weight, first paint, zoom, contrast, motion, language, network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from labelwright.task.questions import QUESTION_TYPES
from tests.browser.conftest import begin, ready
from tests.browser.test_rater import Load, saved_answers, stored
from tests.studies import example_study, pool

pytestmark = [pytest.mark.postgres, pytest.mark.browser]

STYLESHEET = Path(__file__).parents[2] / "src/labelwright/server/web/static/labelwright.css"
MOST_BYTES = 80_000
ROUND_TRIP = 300
"""Milliseconds of a slow phone network."""


def test_a_page_is_light_and_asks_nobody_else(context: BrowserContext, study: Load):
    """All that the first task sends over the wire, headers left out, with thirty items in it."""
    (link, *_) = study(size=30, tasks={"items_per_task": 30}, pools=pool(caps={"tasks": 1}))
    page = context.new_page()
    begin(page, link)
    # A browser that has never been here.
    fresh = context.browser.new_context()
    page = fresh.new_page()
    session = fresh.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[int] = []
    hosts: set[str] = set()
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.on("request", lambda request: hosts.add(re.split("[/?]", request.url)[2]))
    page.goto(link)
    ready(page)
    page.wait_for_load_state("networkidle")
    fresh.close()
    assert len(sizes) >= 4
    assert sum(sizes) <= MOST_BYTES, sizes
    assert len(hosts) == 1


def test_a_task_can_be_read_after_one_round_trip(context: BrowserContext, study: Load):
    """On a network with a round trip of 300 ms: the start page has brought all that a task needs besides itself."""
    (link, *_) = study(pools=pool(caps={"tasks": 1}))
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ROUND_TRIP, "downloadThroughput": 200_000, "uploadThroughput": 100_000},
    )
    page.goto(link)
    page.wait_for_load_state("networkidle")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    ready(page)
    # The browser reports a paint some time after it.
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    facts = page.evaluate(
        """() => { const [n] = performance.getEntriesByType('navigation');
           const resources = performance.getEntriesByType('resource');
           return {answered: n.responseEnd, paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
                   fetched: resources.filter((r) => r.transferSize > 0).map((r) => r.name)}; }"""
    )
    assert facts["fetched"] == []
    assert facts["paint"] <= facts["answered"] + ROUND_TRIP


def test_two_minutes_without_network_lose_nothing_and_double_nothing(
    context: BrowserContext, page: Page, study: Load
):
    page.clock.install()
    (link, *_) = study(size=3, tasks={"items_per_task": 3}, pools=pool(caps={"tasks": 1}))
    begin(page, link)
    page.keyboard.press("1")
    page.clock.run_for(2000)
    context.set_offline(True)
    for answer in ("2", "3"):
        page.keyboard.press("Control+Enter")
        page.keyboard.press(answer)
        page.clock.run_for(60_000)
    expect(page.locator("#saved-text")).to_contain_text("Offline, kept here")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Your answers are kept on this page")
    context.set_offline(False)
    page.clock.run_for(20_000)
    while len(saved_answers() or {}) < 3:
        page.wait_for_timeout(100)
        page.clock.run_for(5000)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert [value for _, value in stored()] == [1, 2, 3]


def test_one_request_for_an_answer_and_one_for_a_task(page: Page, study: Load):
    (link, *_) = study()
    begin(page, link)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(f"{request.method} {request.url.rsplit('/', 2)[-2]}"))
    page.keyboard.press("2")
    expect(page.locator("#saved-text")).to_contain_text("Saved")
    assert calls == ["PUT t"]
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".prog")).to_contain_text("2 of 4")
    assert calls[:2] == ["PUT t", "POST t"]


def test_target_question_and_submit_are_seen_together(page: Page, study: Load):
    (link, *_) = study(
        items={"per_dialogue": 1, "turns_before": 3},
        conditions={"SECRET": {"context": {"turns_before": 2, "next_turn": True}}},
    )
    begin(page, link)
    assert page.locator(".turn").count() == 5
    for selector in ("#target-0", ".q", "#submit"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800


def test_text_twice_as_large_loses_nothing(browser: Browser, study: Load):
    (link, *_) = study(pools=pool(caps={"tasks": 1}))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    begin(page, link)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    cut = page.evaluate(
        """() => [...document.querySelectorAll('p, .nm, legend span, button, .facts span')]
             .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === 'hidden'
                            && !e.closest('.vh')).map((e) => e.textContent)"""
    )
    assert cut == []
    page.get_by_text("Very useful").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    context.close()


def test_nothing_moves_for_those_who_asked_for_it(browser: Browser, study: Load):
    (link, *_) = study()
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    begin(page, link)
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter((e) => {
             const s = getComputedStyle(e);
             return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none'; }).length"""
    )
    assert moving == 0
    context.close()


def test_tab_goes_round_and_is_never_caught(page: Page, study: Load):
    (link, *_) = study(size=3, tasks={"items_per_task": 3})
    begin(page, link)
    met = []
    for _ in range(20):
        page.keyboard.press("Tab")
        met.append(page.evaluate("document.activeElement.outerHTML.slice(0, 120)"))
    # Out of the page at its end and in again at its beginning.
    assert any(place.startswith("<body") for place in met)
    assert len(set(met)) >= 8
    assert page.evaluate("document.activeElement.matches('.q *, button, body')")


# -- languages -----------------------------------------------------------------

ENGLISH = re.compile(
    r"(?i)an|the|of|your?|is|are|be|was|and|this|that|its?|to|for|with|at|not|yet|what|why|all|one|tasks?|reply"
    r"|questions?|answer(s|ed)?|conversation|passage|user|system|left|next|back|submit|start|stop|here"
    r"|instructions|choose|judge|mark|parts?|remove|change|words?|sav(ed|ing)|page|study|good|know|before"
    r"|pa(y|ys|id)|receipt|withdraw|messages?|new|yes|done|end"
)
"""Words of the interface that are no Italian ones."""
KEYS = {"Shift", "UTC", "JavaScript"}
INTERFACE = """() => {
  const texts = [...(document.querySelector('#page') ? Object.values(JSON.parse(page.textContent).texts) : [])];
  const gather = (root) => {
    for (const element of root.querySelectorAll('*')) {
      for (const {name, value} of element.attributes)
        if (['aria-label', 'placeholder', 'title'].includes(name) || (/^data-(?!when)/.test(name) && / /.test(value)))
          texts.push(value);
      if (element.content) gather(element.content);
    }
    // What a study or a person wrote carries its own direction.
    root.querySelectorAll('[dir=auto], .turn > p, .passage, .reply > p, .cand > p, .text, .letter, .receipt, .mono, kbd, script, option').forEach((e) => e.remove());
    texts.push(root.textContent);
  };
  gather(document.body.cloneNode(true));
  return texts.join(' \\n ');
}"""


def _english_words(page: Page, language: str) -> list[str]:
    """What the interface says in English, shown, hidden, or kept for later."""
    # Without values, names of options inside a sentence, and the marks of what stands there for no script.
    said = re.sub(r"\{\w+\}|\u2068.*?\u2069|<[^>]*>", " ", page.evaluate(INTERFACE))
    words = re.findall(r"[^\W\d_]+", said)
    assert len(words) >= 2
    if language == "it":
        return [word for word in words if ENGLISH.fullmatch(word)]
    return [word for word in words if re.fullmatch("[A-Za-z]{2,}", word) and word not in KEYS]


def _in_language(page: Page, language: str) -> None:
    """The page speaks the language, runs in its direction, and axe finds nothing in light and dark."""
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert _english_words(page, language) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert [(v["id"], v["nodes"][0]["html"]) for v in Axe().run(page).response["violations"]] == []


def _translated(language: str, name: str) -> dict[str, Any]:
    """An example of a type in a study whose titles and options have no Latin letter."""
    kind = QUESTION_TYPES[name]
    asked = example_study(kind.EXAMPLES[0], kind=kind.EXAMPLE_ITEM, title="٣")
    for scale in asked["scales"].values():
        scale["points"] = [point | {"name": f"٠{point['code']}"} for point in scale["points"]]
    return asked | {"language": language, "title": "١"}


@pytest.mark.parametrize("language", ["it", "ar"])
@pytest.mark.parametrize("name", ["choice", "grid", "spans"])
def test_every_word_of_the_interface_is_in_the_language_of_the_study(
    page: Page, study: Load, language: str, name: str
):
    (link,) = study(raters=1, **_translated(language, name))
    page.goto(link)
    if name == "choice":
        _in_language(page, language)
    page.get_by_role("checkbox").check()
    page.locator(".agree .btn").click()
    ready(page)
    page.locator("#submit").click()
    expect(page.locator(".q .err").first).to_be_visible()
    _in_language(page, language)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("language", ["it", "ar"])
def test_the_pages_after_a_task_are_in_the_language_of_the_study(page: Page, study: Load, language: str):
    (link,) = study(raters=1, **_translated(language, "scale"))
    page.goto(link)
    page.get_by_role("checkbox").check()
    page.locator(".agree .btn").click()
    ready(page)
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".receipt")).to_be_visible()
    _in_language(page, language)
    for place in ("me", "withdraw", "instructions"):
        page.goto(f"{link}/{place}")
        _in_language(page, language)
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"{link}x")
    _in_language(page, language)


# -- contrast, computed from the tokens ----------------------------------------


def _tokens(block: str) -> dict[str, tuple[float, ...]]:
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", block)
    return {name: tuple(int(code[n : n + 2], 16) / 255 for n in (0, 2, 4)) for name, code in found}


def _luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_colours_of_both_themes_have_contrast():
    light, dark = STYLESHEET.read_text().split("/* dark */", 1)
    themes: list[dict[str, Any]] = [_tokens(light), _tokens(light) | _tokens(dark.split("/* 2 ", 1)[0])]
    assert themes[0] != themes[1]
    for theme in themes:
        for ink in ("ink", "ink-2", "ink-3"):
            for ground in ("ground", "paper", "sunk"):
                assert _contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
        for ink, ground in (
            ("accent", "paper"),
            ("accent", "ground"),
            ("on-accent", "accent"),
            ("ink", "accent-tint"),
            ("ink-2", "accent-tint"),
            ("ink", "mark"),
            ("bad", "ground"),
            ("bad", "bad-tint"),
            ("warn", "warn-tint"),
            ("good", "good-tint"),
        ):
            assert _contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
        for line in ("line-2", "accent", "mark-line"):
            assert _contrast(theme[line], theme["paper"]) >= 3, line
