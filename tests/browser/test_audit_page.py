"""The page of an audit: readable on a desktop and on a phone, with a visible plot per finding, and nothing loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from labelwright.analysis.audit import ExpectedDesign, audit
from tests.browser.conftest import DESKTOP, PHONE
from tests.unit.analysis.audit_files import Design, sound_file, write
from tests.unit.analysis.audit_mutations import MUTATIONS

pytestmark = pytest.mark.browser
PLANTED = {"reversed rater", "scale reversed in a condition", "free text among codes", "duplicate rows"}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page about a file with several errors, whose busiest rater has a hostile name."""
    columns = sound_file(Design(items=100, conditions=2, times=True), 3)
    for planted in MUTATIONS:
        if planted.name in PLANTED:
            columns = planted.change(columns, planted.strengths[0], np.random.default_rng(5))
    busiest = max(set(columns["rater"]), key=columns["rater"].count)
    hostile = "<img src=x onerror=document.title='run'>"
    columns["rater"] = [hostile if name == busiest else name for name in columns["rater"]]
    folder = tmp_path_factory.mktemp("audit")
    found = audit([write(columns, folder / "labels.csv")], design=ExpectedDesign(ratings_per_item=4))
    (folder / "report.html").write_text(found.html("Audit of labels.csv"), encoding="utf-8")
    return folder / "report.html"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_the_page_is_readable_and_loads_nothing(page: Page, report: Path, size: dict[str, int]) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    page.goto(report.as_uri())
    assert asked == [report.as_uri()]
    assert page.title() == "Audit of labels.csv"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    plots = page.locator("article svg")
    assert plots.count() == page.locator("article").count() > 5
    for plot in plots.all():
        box = plot.bounding_box()
        assert box
        assert box["width"] > 200
        assert box["x"] + box["width"] <= size["width"]
    assert Axe().run(page).response["violations"] == []
