"""Pictures of the task: screenshots by a browser of the machine, or the pages themselves if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from labelwright.release.personal_data import Cleaner
from labelwright.server.preview.actions import PreviewItem, get_first_task
from labelwright.server.preview.pages import write_task_pages
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZES = {"laptop": (1280, 1000), "phone": (390, 1400)}
LONGEST_SECONDS = 60
MOST_CONDITIONS = 12
NO_PICTURES = "no task was there to be shown"
PAGES = "the pages of the task under each condition, as HTML"
SCREENSHOTS = "pictures of the task under each condition, and its pages as HTML"


def write_pictures(row: StudyRow, folder: Path, cleaner: Cleaner, now: datetime) -> str:
    """Writes the first task under each condition, without personal data; returns what the pictures are."""
    study = study_of(row.versions.latest("n").pk)
    items = [_cleaned(item, cleaner) for item in get_first_task(row)]
    if not items:
        return NO_PICTURES
    folder.mkdir()
    names = write_task_pages(study, items, folder, list(study.conditions)[:MOST_CONDITIONS], now)
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    done = browser is not None and _photograph(browser, folder, names)
    _make_relative(folder, names)
    return SCREENSHOTS if done else PAGES


def _cleaned(item: PreviewItem, cleaner: Cleaner) -> PreviewItem:
    stored = replace(
        item.item, turns=cleaner.value(list(item.item.turns)), payload=cleaner.value(item.item.payload)
    )
    return PreviewItem(stored, {kind: cleaner.text(text) for kind, text in item.texts.items()})


def _photograph(browser: str, folder: Path, names: list[str]) -> bool:
    """Takes a picture of each page in each size; False if the browser fails, which is no reason to fail a release."""
    with _served(folder) as root, tempfile.TemporaryDirectory(prefix="release-browser-") as profile:
        for name in names:
            for size, (width, height) in SIZES.items():
                picture = folder / f"{name}-{size}.png"
                command = [
                    browser, "--headless=new", "--hide-scrollbars", "--disable-gpu", "--no-first-run",
                    *(["--no-sandbox"] if os.geteuid() == 0 else []),
                    f"--user-data-dir={profile}", f"--window-size={width},{height}", "--virtual-time-budget=2000",
                    f"--screenshot={picture}", f"{root}/{name}.html",
                ]  # fmt: skip
                try:
                    subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_SECONDS)
                except (OSError, subprocess.SubprocessError):
                    return False
    return all((folder / f"{name}-{size}.png").exists() for name in names for size in SIZES)


class _SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Logs nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of the folder, on this machine only."""
    handler = partial(_SilentHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def _make_relative(folder: Path, names: list[str]) -> None:
    """Pages that can be opened from the folder, without a server."""
    for name in names:
        page = folder / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('="/static/', '="static/'), encoding="utf-8")
