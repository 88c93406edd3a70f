"""The page Judge in a real browser: a model is started, and its figures are read, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.browser.conftest import picture
from tests.browser.test_requester import log_in
from tests.desk import PASSWORD
from tests.integration.test_model_raters import load, people_rate, rate, start
from tests.processes import Server
from tests.studies import pool

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [pytest.mark.postgres, pytest.mark.browser]


def often_right(body: dict[str, Any], _before: int) -> EndpointReply:
    """Answers by the number in the dialogue, as people do, except for every fourth."""
    number = int(body["messages"][1]["content"].split("number ")[1].split(".")[0])
    code = 1 + (number + (number % 4 == 0)) % 3
    return completion(f'{{"item_1": {{"useful": {code}, "comment": null}}}}')


def corpus(size: int) -> list[Any]:
    from labelwright.corpus import Dialogue, Turn

    return [
        Dialogue(
            f"d{n:03}",
            (
                Turn("user", f"Which boat goes to the island, number {n}."),
                Turn(
                    "system", "The white one, from the old pier. " * (1 + n % 3), "fern" if n % 2 else "gorse"
                ),
            ),
        )
        for n in range(size)
    ]


def test_a_model_is_started_and_compared_with_people(browser: Browser, server: Server, database: str):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.figures import measure_judge
    from labelwright.server.judges.jobs import try_out

    owner, _ = add_user("mine@example.org", PASSWORD)
    with LlmEmulator(often_right) as endpoint:
        study = load(
            endpoint.address,
            corpus=corpus(80),
            name="ferry",
            title="Ferry assistant",
            conditions={"one": {}},
            items={"per_dialogue": 1},
            pools=pool(pay={"cents": 25, "currency": "USD"}),
            model={
                "name": "harrier-70b",
                "cents_per_million_in": 20,
                "budget_cents": 500,
                "own_systems": ["fern"],
            },
        )
        study.owner = owner
        study.save()
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        log_in(page, server)
        page.goto(f"{server.root}/studies/{study.public_id}/judge")
        page.get_by_role("button", name="Start rating").click()
        expect(page.get_by_role("heading", name="Have harrier-70b rate 80 tasks?")).to_be_visible()
        expect(page.get_by_text("Maximum cost")).to_be_visible()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_text("harrier-70b; 0 of 80 tasks rated")).to_be_visible()
        people_rate(study, 3, 60)
        # The browser has an event loop, so that no worker can run here.
        model = find_model(study, None).pk
        assert rate(model) == "none_left"
        measure_judge(model, datetime.now(UTC))
        ask_for_probes_and_versions(page, lambda: try_out(model))
    page.reload()
    check_probes_and_versions(page)
    expect(page.locator("[data-conclusion]")).to_contain_text("more human labels")
    # 8 labels of 3 ratings at 25 cents.
    expect(page.locator("[data-conclusion]")).to_contain_text(
        "Their pay would be $6.00, without bonuses and fees."
    )
    check_charts(page)
    check_certainty(page)
    # A head that stays in view would hide rows of a table in a picture of the whole page.
    page.evaluate("scrollTo(0, 0)")
    assert look(page, "judge-1280") == []
    phone = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme="dark",
        storage_state=page.context.storage_state(),
    ).new_page()
    phone.goto(page.url)
    assert look(phone, "judge-390-dark") == []


def ask_for_probes_and_versions(page: Page, work: Callable[[], str]) -> None:
    """Starts two probes, tries two versions, and opens the held-out items of one; `work` is what the worker does."""
    page.reload()
    for probe in ("Length", "Scale position"):
        page.get_by_label("Probe", exact=True).select_option(probe)
        page.get_by_role("button", name="Show the cost").first.click()
        expect(page.get_by_text("each judged twice, find a bias of")).to_be_visible()
        page.get_by_role("button", name="Start the probe").click()
    expect(page.get_by_text("Being asked: Length, Scale position.")).to_be_visible()
    assert work() == "none_left"
    for change, instructions in (("As raters see it", ""), ("Asks for care", "Be careful.")):
        page.reload()
        page.get_by_text("New version").click()
        page.get_by_label("What is new, in a few words").fill(change)
        page.get_by_label("Instructions for the model").fill(instructions)
        page.get_by_role("button", name="Show the cost").last.click()
        page.get_by_role("button", name="Try this version").click()
        expect(page.get_by_text("is tried when the worker has a free slot")).to_be_visible()
        assert work() == "none_left"
    page.reload()
    page.get_by_role("button", name="Open held-out items for version 2").click()
    expect(page.get_by_text("They are opened once for each version")).to_be_visible()
    page.get_by_role("button", name="Open them once").click()
    expect(page.get_by_text("The held-out items are opened for version 2.")).to_be_visible()
    assert work() == "none_left"


def check_probes_and_versions(page: Page) -> None:
    """What the page says of them."""
    probes = page.get_by_role("table", name="Bias probes")
    for probe in ("Length", "Scale position", "Verbosity", "Own family"):
        expect(probes).to_contain_text(probe)
    versions = page.get_by_role("table", name="Versions, How useful is the marked reply?")
    expect(versions.get_by_role("row", name="Version 2")).to_contain_text("Asks for care")
    expect(versions.get_by_role("row", name="Version 1")).to_contain_text("not opened")
    expect(page.get_by_text("mine@example.org opened the held-out items for version 2")).to_be_visible()
    expect(page.get_by_role("button", name="Open held-out items for version 2")).to_have_count(0)
    page.get_by_text("Version 2 differs from most people on").click()
    expect(page.get_by_text("; model").first).to_be_visible()


def check_charts(page: Page) -> None:
    """Every row draws all its values: people hollow, the judge as a diamond, and what counts as a dot."""
    for table, rows, shapes in (
        ("Agreement per question", 1, "rect, circle"),
        ("Stand-in test by rater, How useful is the marked reply?", 3, "circle"),
        ("Mean score per system, How useful is the marked reply?", 2, "rect, path, circle"),
        ("Differences of systems, How useful is the marked reply?", 1, "rect, path, circle"),
        ("Versions, How useful is the marked reply?", 2, "rect"),
    ):
        drawn = page.get_by_role("table", name=table).locator("tbody svg")
        expect(drawn.locator(shapes)).to_have_count(rows * len(shapes.split(",")))
        boxes = [each.bounding_box() for each in drawn.locator(shapes).all()]
        unseen = [box for box in boxes if box is None or box["width"] < 5]
        assert not unseen, table
    expect(page.locator(".tally .un i")).to_have_count(3)
    expect(page.get_by_role("row", name="Version 1")).to_contain_text("in use")
    expect(page.get_by_text("Its order of the systems differs from people’s: gorse, fern.")).to_be_visible()


def check_certainty(page: Page) -> None:
    """A wide interval is certain enough, and a narrow one needs more than is left."""
    reaches = page.get_by_label("A score is certain enough if its interval reaches at most")
    expect(reaches).to_have_value("0.05")
    reaches.fill("0.5")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(
        page.get_by_text("All scores are certain enough. People need not rate more items.")
    ).to_be_visible()
    reaches.fill("0.02")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("Add dialogues, or accept a wider interval.")).to_be_visible()
    # People rate everything in this study, so there is nothing to draw from.
    expect(page.get_by_role("button", name="Draw further items for people")).to_have_count(0)
    table = page.get_by_role("table", name="Certainty, How useful is the marked reply?")
    expect(table.get_by_role("row", name="All items")).to_contain_text("More than the 20 that are left")


def test_further_items_are_drawn_for_people(browser: Browser, server: Server, database: str):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.judges.actions.figures import measure_judge
    from labelwright.server.judges.jobs import draw_items
    from labelwright.server.store.models import ItemRow

    owner, _ = add_user("mine@example.org", PASSWORD)
    with LlmEmulator(often_right) as endpoint:
        study = load(
            endpoint.address,
            corpus=corpus(120),
            conditions={"one": {}},
            items={"per_dialogue": 1},
            people_share=0.4,
            redundancy=1,
        )
        study.owner = owner
        study.save()
        model = start(study)
        people_rate(study, 2, 120)
        assert rate(model) == "none_left"
    measure_judge(model, datetime.now(UTC))
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    log_in(page, server)
    page.goto(f"{server.root}/studies/{study.public_id}/judge?wanted=0.18")
    page.get_by_role("button", name="Draw further items for people").click()
    expect(page.get_by_role("heading", name="Draw further items for people?")).to_be_visible()
    expect(page.get_by_text("all chances are recorded")).to_be_visible()
    assert look(page, "judge-draw") == []
    page.get_by_role("button", name="Draw them").click()
    expect(page.get_by_text("The items are being drawn.")).to_be_visible()
    # The browser has an event loop, so that no worker can run here.
    draw_items(model, "useful", 0.18, 20)
    drawn = ItemRow.objects.filter(study=study, drawn=True).count()
    assert drawn > 0
    page.goto(f"{server.root}/studies/{study.public_id}/judge?wanted=0.18")
    expect(page.get_by_text(f"{drawn} items were drawn for people besides their share")).to_be_visible()
    page.get_by_role("button", name="Draw further items for people").click()
    expect(
        page.get_by_text("People have not rated all items that were drawn for them so far.")
    ).to_be_visible()
    assert look(page, "judge-refused") == []
    people_rate(study, 2, 120)
    measure_judge(model, datetime.now(UTC))
    page.goto(f"{server.root}/studies/{study.public_id}/judge?wanted=0.18")
    expect(page.get_by_text("Items count by the inverse of the probability").first).to_be_visible()
    assert look(page, "judge-drawn") == []


def test_many_systems_and_raters_fit_on_every_screen(browser: Browser, server: Server, database: str):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import ModelBudget

    owner, _ = add_user("mine@example.org", PASSWORD)
    with LlmEmulator(often_right) as endpoint:
        study = load(endpoint.address, corpus=corpus(4), conditions={"one": {}}, items={"per_dialogue": 1})
    study.owner = owner
    study.save()
    start(study)
    ModelBudget.objects.update(figures={"questions": [MANY]}, figures_at=datetime.now(UTC))
    page = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark").new_page()
    log_in(page, server)
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, storage_state=page.context.storage_state()
    ).new_page()
    for each in (page, phone):
        each.goto(f"{server.root}/studies/{study.public_id}/judge")
        # The raters for whom the judge is worst come last, and all can be seen.
        each.get_by_text("12 further raters").click()
        expect(each.get_by_role("row", name="rater-23")).to_contain_text("Lose")
        each.get_by_text("15 differences of systems").click()
        expect(each.get_by_role("row", name="<b>bold</b> - ivy").first).to_be_visible()
    expect(phone.get_by_text("Lines from 2.5 to 4.5")).to_be_visible()
    expect(page.get_by_text("Lines from 2.5 to 4.5")).to_be_hidden()
    assert look(page, "judge-many-1280-dark") == []
    assert look(phone, "judge-many-390") == []


def score_row(name: str, mean: float) -> dict[str, Any]:
    def ends(value: float, half: float) -> dict[str, float]:
        return {"value": value, "low": value - half, "high": value + half}

    row: dict[str, Any] = {"name": name, "labelled": 40, "items": 160, "worth": 9}
    return row | {
        "people": ends(mean, 0.3),
        "model": ends(mean + 0.3, 0.05),
        "combined": ends(mean, 0.2),
        "excess": ends(0.3, 0.15),
    }


SYSTEMS = ("fern", "gorse", "heath", "a system with a rather long name, version 2.4.1", "<b>bold</b>", "ivy")
MANY: dict[str, Any] = {
    "question": "Is all that the reply says about prices, times and places correct, as far as you can tell?",
    "name": "correct",
    "items": 240,
    "people": {"value": 0.6, "low": 0.5, "high": 0.7},
    "judge": {"value": -0.2, "low": -0.4, "high": 0.0},
    "difference": {"value": -0.8, "low": None, "high": None},
    "compared": "worse",
    "verdict": "may not stand in",
    "refused": "",
    "explanation": "",
    "winning_rate": 1 / 3,
    "wins": 8,
    "undecided": 8,
    "loses": 8,
    "raters": [
        {
            "name": f"rater-{n}",
            "items": 40,
            "value": 0.2 - 0.02 * n,
            "low": 0.1 - 0.02 * n,
            "high": 0.3 - 0.02 * n,
            "result": ("win", "undecided", "lose")[n // 8],
        }
        for n in range(24)
    ],
    "range": [1, 5],
    "overall": score_row("All items", 3.5),
    "scores": [score_row(name, 3 + 0.2 * n) for n, name in enumerate(SYSTEMS)],
    "differences": [
        score_row(f"{one} - {other}", 0.2 * (SYSTEMS.index(one) - SYSTEMS.index(other)))
        for one, other in combinations(SYSTEMS, 2)
    ],
    "worth": 54,
    "ratings_per_label": 3.0,
    "sentence": "judge is worth 54 more human labels.",
    "notes": [],
    "probes": [],
}
"""Stored figures of a study with more systems and raters than a page can show at once."""


def look(page: Page, name: str) -> list[str]:
    """What is wrong with a page that is open."""
    page.wait_for_load_state("networkidle")
    picture(page, name, whole=True)
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return ["wider than the window"] * wide + [v["id"] for v in Axe().run(page).response["violations"]]
