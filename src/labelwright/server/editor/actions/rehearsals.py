"""Rehearsals of a study file: the worker runs `labelwright simulate` on a copy, in a database of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from django.db import connection, transaction

from labelwright.corpus.dialogue_lines import write_lines
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_any_study
from labelwright.server.editor.actions.checks import FILE_NAME, check_all
from labelwright.server.editor.actions.corpus import get_dialogues
from labelwright.server.editor.actions.edits import lock_study, read_file
from labelwright.server.editor.actions.publication import NotReady
from labelwright.server.store.models import StudyRehearsal, StudyRow, User
from labelwright.server.store.queue import REHEARSALS, defer_once, is_ending
from labelwright.study import check_study

State = StudyRehearsal.State
MOST_RATINGS = 5_000
"""Larger studies are rehearsed by the command line."""
LONGEST_SECONDS = 900
LOOK_SECONDS = 1.0
STOPPING_SECONDS = 6
"""Less than a worker has before it gives up on its jobs."""
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH", "SYSTEMROOT", "COVERAGE_PROCESS_START")
"""The environment of a rehearsal, which must not know the database or the keys of this installation."""


class TooLarge(LabelwrightError):
    """A study that takes too long to rehearse here."""

    code: ClassVar[str] = "too_large_to_rehearse"


class Interrupted(Exception):
    """The worker was told to stop during a rehearsal."""


class RehearsalFailed(LabelwrightError):
    """A rehearsal that ended without figures."""

    code: ClassVar[str] = "rehearsal_failed"


@transaction.atomic
def request_rehearsal(user: User, public_id: str, now: datetime) -> StudyRehearsal:
    """Asks the worker to rehearse the study file as it is saved, for editors; one that is under way goes on.

    Raises NotReady and TooLarge. Locks the study, so that two requests ask for one rehearsal.
    """
    row = lock_study(access_any_study(user, public_id, Permission.EDIT))
    found = get_rehearsal(row)
    if found and found.state in (State.WAITING, State.RUNNING):
        return found
    text = read_file(row).text
    _, planned, problems = check_all(row, text)
    if planned is None:
        raise NotReady(problems)
    if planned.plan.ratings > MOST_RATINGS:
        raise TooLarge(
            f"{planned.plan.ratings:,} ratings take too long to rehearse here.",
            do="Rehearse the study with `labelwright simulate --fast` on your computer.",
        )
    values = {
        "state": State.WAITING, "text": text, "asked_by": user.get_username(), "asked_at": now,
        "wanted": planned.plan.ratings, "done": 0, "figures": {}, "error": "",
    }  # fmt: skip
    made, _ = StudyRehearsal.objects.update_or_create(study=row, defaults=values)
    log_change(row.pk, user.get_username(), "rehearse", row.name, now)
    defer_once("rehearse_study", REHEARSALS, f"rehearsal/{row.pk}", study=row.pk)
    return made


def get_rehearsal(study: StudyRow) -> StudyRehearsal | None:
    """The newest rehearsal of a study."""
    return StudyRehearsal.objects.filter(study=study).first()


def run_rehearsal(study: int) -> bool:
    """Rehearses the stored text of a rehearsal and stores its figures; returns whether somebody has to do it again.

    Run twice, it rehearses again, with the same result. It ends early if the worker is told to stop.
    """
    waiting = StudyRehearsal.objects.filter(study_id=study, state__in=[State.WAITING, State.RUNNING])
    found = waiting.select_related("study").first()
    if found is None:
        return False
    waiting.update(state=State.RUNNING, done=0)

    def report(done: int) -> None:
        waiting.update(done=done)

    try:
        figures = _rehearse(found.study, found.text, report)
    except Interrupted:
        waiting.update(state=State.WAITING, done=0)
        return True
    except LabelwrightError as error:
        waiting.update(state=State.FAILED, error=str(error))
        return False
    except Exception:
        # The worker logs the error; the page says that there are no figures.
        waiting.update(state=State.FAILED, error="Something went wrong on our side. Try again later.")
        raise
    waiting.update(state=State.READY, figures=figures)
    return False


def _rehearse(row: StudyRow, text: str, report: Callable[[int], None]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="labelwright-rehearsal-") as made:
        folder = Path(made)
        study, _ = check_study(text)
        assert study is not None, "the text was checked before it was stored"
        (folder / FILE_NAME).write_text(text, encoding="utf-8")
        (folder / "drawn").write_text(write_lines(get_dialogues(row, study)), encoding="utf-8")
        command = [
            sys.executable, "-m", "labelwright", "simulate", str(folder / FILE_NAME), "--fast",
            "--drawn", str(folder / "drawn"), "--out", str(folder / "out"), "--progress", str(folder / "progress"),
        ]  # fmt: skip
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        with (folder / "log").open("wb") as log:
            # In a session of its own, so that Ctrl-C reaches it only through the worker.
            running = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=passed_on,
                start_new_session=True,
            )
            _wait(running, folder / "progress", report)
        result = folder / "out" / "rehearsal.json"
        if running.returncode or not result.exists():
            said = (folder / "log").read_text("utf-8", "replace").strip().splitlines()
            raise RehearsalFailed("the rehearsal ended early.", do=said[-1][:500] if said else "")
        figures: dict[str, Any] = json.loads(result.read_text("utf-8"))
        return figures


def _wait(running: subprocess.Popen[bytes], progress: Path, report: Callable[[int], None]) -> None:
    """Waits for the rehearsal, and reports how far it is."""
    until, reported = time.monotonic() + LONGEST_SECONDS, 0
    while running.poll() is None:
        if is_ending():
            _stop(running)
            raise Interrupted
        if time.monotonic() > until:
            _stop(running)
            raise RehearsalFailed(
                f"the rehearsal took longer than {LONGEST_SECONDS // 60} minutes.",
                do="Rehearse the study with `labelwright simulate --fast` on your computer.",
            )
        done = progress.read_text() if progress.exists() else ""
        if done.isdecimal() and int(done) != reported:
            reported = int(done)
            report(reported)
        # Others need the connection more than a job that waits.
        connection.close()
        time.sleep(LOOK_SECONDS)


def _stop(running: subprocess.Popen[bytes]) -> None:
    """Ends a rehearsal, which stops its database first."""
    running.terminate()
    try:
        running.wait(STOPPING_SECONDS)
    except subprocess.TimeoutExpired:
        running.kill()
