"""Takes the screenshots for the documentation: starts the demo with simulated raters and captures its pages.

The browser tests of the published studies capture their tasks.

Usage: .venv/bin/python scripts/pictures.py [studies|reports]   (writes docs/pictures; with a word only those)
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SIZES = {"1280": {"width": 1280, "height": 800}, "390": {"width": 390, "height": 844}}
PORT = 8123
COLOURS = 64
REPORT_PICTURES = {"report-light-1280": 1300, "themes-light-1280": 800}
"""The height that is kept of each."""


def main() -> None:
    """Takes every screenshot, or only those of the studies or of reports."""
    parts = {"demo": demo_pictures, "studies": study_pictures, "reports": report_pictures}
    for name in [name for name in parts if name in sys.argv] or parts:
        parts[name]()


def study_pictures() -> None:
    """Captures each study's task in its browser test, with few colours to keep the files small."""
    folder = PICTURES / "studies"
    folder.mkdir(parents=True, exist_ok=True)
    capture("tests/browser/test_studies.py", folder)
    for path in folder.glob("*.png"):
        save_small(Image.open(path), path)


def report_pictures() -> None:
    """Captures the report of a complete simulated study and the pages around it, as far as a first look goes."""
    with tempfile.TemporaryDirectory(prefix="lw-pictures-") as made:
        folder = Path(made)
        capture("tests/browser/test_report_pages.py", folder)
        for name, height in REPORT_PICTURES.items():
            picture = Image.open(folder / f"{name}.png")
            save_small(
                picture.crop((0, 0, picture.width, min(height, picture.height))), PICTURES / f"{name}.png"
            )


def capture(test: str, folder: Path) -> None:
    """Runs a browser test that keeps its screenshots in a folder."""
    # As in production, the server's files belong to this user and its database to another.
    pytest = Path(sys.executable).parent / "pytest"
    environment = os.environ | {"LABELWRIGHT_SCREENSHOTS": str(folder)}
    subprocess.run([pytest, "-q", test], cwd=ROOT, env=environment, check=True)


def save_small(picture: Image.Image, path: Path) -> None:
    """Saves a picture with few colours, to keep the file small."""
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def demo_pictures() -> None:
    """Starts the demo in a temporary folder and takes its screenshots."""
    folder = Path(tempfile.mkdtemp(prefix="lw-pictures-"))
    folder.chmod(0o755)
    PICTURES.mkdir(parents=True, exist_ok=True)
    labelwright = Path(sys.executable).parent / "labelwright"
    rehearsal_picture(labelwright, folder)
    log = folder / "log"
    with log.open("wb") as out:
        demo = subprocess.Popen(
            [labelwright, "demo", "--port", str(PORT), "--simulate", "25"], cwd=folder, stdout=out, stderr=out
        )
    try:
        told = wait_for(log, "Press Ctrl-C to stop")
        link = re.search(r"Rater +(\S+)", told)
        password = re.search(r"password (\S+)", told)
        assert link
        assert password
        # The worker counts the last submissions within a few seconds.
        time.sleep(6)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            for name, size in SIZES.items():
                rater_pictures(browser, name, size, link[1])
                requester_pictures(browser, name, size, password[1])
            browser.close()
    finally:
        demo.send_signal(signal.SIGTERM)
        demo.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def rehearsal_picture(labelwright: Path, folder: Path) -> None:
    """The chart of docs/how-to/rehearse-a-study.md."""
    study = ROOT / "studies" / "demo" / "study.yaml"
    out = folder / "rehearsal"
    subprocess.run(
        [labelwright, "simulate", study, "--fast", "--raters", "40", "--out", out], check=True, timeout=300
    )
    shutil.copy(out / "rehearsal.svg", PICTURES / "rehearsal.svg")


def rater_pictures(browser: Browser, name: str, size: dict[str, int], link: str) -> None:
    """The rater's start page, and the first reply with answers."""
    page = browser.new_context(viewport=size).new_page()
    page.goto(link)
    if page.locator("input[name=agree]").count():
        page.screenshot(path=PICTURES / f"rater-start-{name}.png")
        page.check("input[name=agree]")
        page.click("button[type=submit]")
    if page.locator("#f").count():
        page.wait_for_selector("html[data-ready]")
        page.get_by_text("Somewhat useful").click()
        page.get_by_text("Saved just now").wait_for()
    page.screenshot(path=PICTURES / f"rater-{name}.png")
    page.context.close()


def requester_pictures(browser: Browser, name: str, size: dict[str, int], password: str) -> None:
    """The study with the simulated raters, and one of its items."""
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"http://127.0.0.1:{PORT}/studies")
    page.fill("#id_login", "demo@labelwright.example")
    page.fill("#id_password", password)
    page.click("button[type=submit]")
    page.click("tbody th a")
    # The worker computes the figures when the page is first opened.
    page.wait_for_selector("#draw-over-time svg")
    page.wait_for_timeout(300)
    page.screenshot(path=PICTURES / f"study-{name}.png", full_page=True)
    address = page.url
    page.goto(f"{address}/items")
    page.locator("tbody th a").nth(2).click()
    page.screenshot(path=PICTURES / f"item-{name}.png")
    page.context.close()


def wait_for(log: Path, text: str) -> str:
    """The demo's output once it contains `text`."""
    until = time.monotonic() + 120
    while text not in log.read_text():
        if time.monotonic() > until:
            raise SystemExit(f"the demo did not start:\n{log.read_text()}")
        time.sleep(0.2)
    return log.read_text()


if __name__ == "__main__":
    main()
