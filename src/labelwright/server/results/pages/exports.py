"""What the page of exports is given: the files of a study in words."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.release import Format
from labelwright.server.store.models import PreparedExport
from labelwright.server.web.desk import Context

NAMES = {Format.CSV: "CSV", Format.PARQUET: "Parquet", Format.JSONL: "JSON Lines"}
State = PreparedExport.State
STATES = {
    State.WAITING: "Waiting",
    State.WRITING: "Writing",
    State.READY: "Ready",
    State.FAILED: "Failed",
}


def exports(files: Sequence[PreparedExport]) -> Context:
    """The files, and the formats that can be prepared; the page refreshes while a file is under way."""
    return {
        "forms": [{"value": form.value, "name": name} for form, name in NAMES.items()],
        "files": [_line(file) for file in files],
        "under_way": any(file.state in (State.WAITING, State.WRITING) for file in files),
    }


def _line(file: PreparedExport) -> Context:
    return {
        "id": file.pk,
        "name": NAMES[Format(file.form)],
        "state": STATES[State(file.state)],
        "ready": file.state == State.READY,
        "writing": file.state == State.WRITING,
        "written": file.written,
        "total": max(file.total, file.written, 1),
        "bytes": file.bytes,
        "asked_at": file.asked_at,
        "expires_at": file.expires_at,
    }
