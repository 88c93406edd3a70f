"""Takes the pictures of the reports of the published files for the documentation: `python -m scripts.report_pictures DATA`.

DATA is the folder of the published data, which is not part of the repository. The pictures show figures, never the data.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from labelwright.report import ReadingOptions, ReportInput, make_report, read_input, render_html
from tests.reproduction.test_reports import RECODINGS, SETS

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
HEIGHT = 1500


def reports(data: Path) -> dict[str, ReportInput]:
    """The input of each report."""
    from labelwright.outside.platforms.marked_texts import read_span_set

    sets = tuple(
        read_span_set(name.replace("_", " "), (data / "cast-snippets").glob(pattern))
        for name, pattern in SETS.items()
    )
    context = read_input(data / "siro-context", "Context study", options=ReadingOptions(recodings=RECODINGS))
    return {
        "report-context": context,
        "report-snippets": ReportInput("Snippet study", None, spans=sets, span_reference="Expert paragraph"),
    }


def main() -> None:
    """Draws both reports and takes a picture of page one and of the agreement."""
    given = reports(Path(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": HEIGHT})
        for name, each in given.items():
            path = Path(folder) / f"{name}.html"
            path.write_text(render_html(make_report(each, 0)), encoding="utf-8")
            page.goto(path.as_uri())
            if not each.spans:
                page.screenshot(path=PICTURES / f"{name}.png")
            part = "#spans" if each.spans else "#agreement"
            page.locator(part).scroll_into_view_if_needed()
            page.evaluate("part => document.querySelector(part).scrollIntoView()", part)
            page.screenshot(path=PICTURES / f"{name}-agreement.png")
        browser.close()


if __name__ == "__main__":
    main()
