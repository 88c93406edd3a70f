"""The preview of a study file without a database, served on this machine only."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from labelwright.corpus import Dialogue
from labelwright.server.config.startup import set_up
from labelwright.study import Study


def write_preview(study: Study, dialogues: Sequence[Dialogue], folder: Path, tasks: int) -> int:
    """Writes the pages of a preview into a folder; returns how many tasks it shows."""
    # Only templates and texts are needed, so placeholders for the database and the keys are enough.
    os.environ.setdefault("DATABASE_URL", "postgresql:///none")
    os.environ.setdefault("LABELWRIGHT_DEMO", "1")
    set_up()
    from labelwright.server.preview.pages import write_pages  # noqa: PLC0415  needs `set_up`

    return write_pages(study, dialogues, folder, tasks)


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Logs nothing."""


@contextmanager
def served(folder: Path, port: int) -> Iterator[ThreadingHTTPServer]:
    """Serves the folder, on this machine only."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Silent, directory=str(folder))) as server:
        yield server
