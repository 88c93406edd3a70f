"""Jobs of the editor: rehearsals."""

from __future__ import annotations

from labelwright.server.editor.actions.rehearsals import run_rehearsal
from labelwright.server.store.queue import REHEARSALS, app, defer_once


@app.task(name="rehearse_study", queue=REHEARSALS)
def rehearse(study: int) -> None:
    """Rehearses the study file for which somebody asked."""
    if run_rehearsal(study):
        defer_once("rehearse_study", REHEARSALS, f"rehearsal/{study}", study=study)
