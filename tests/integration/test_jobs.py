"""The worker's jobs on a real queue."""

from __future__ import annotations

import ast
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

import labelwright.server
from labelwright.server.store.rows import run
from tests.processes import Process
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]


def test_a_job_whose_worker_died_is_run_again():
    from procrastinate.contrib.django import app

    from labelwright.server.operations.jobs import STALLED_SECONDS

    # Not a periodic job: a worker may queue that again before the sweeper gets to the stalled one.
    stalled = app.configure_task("send_mails").defer()
    dead = rows(
        "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - make_interval(secs => %s)) RETURNING id",
        [STALLED_SECONDS + 5],
    )[0][0]
    run("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s WHERE id = %s", [dead, stalled])
    app.configure_task("sweep_stalled_jobs").defer(timestamp=0)
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, delete_jobs="never", install_signal_handlers=False, listen_notify=False)
        app.run_worker(wait=False, delete_jobs="never", install_signal_handlers=False, listen_notify=False)
    assert rows("SELECT status::text FROM procrastinate_jobs WHERE id = %s", [stalled]) == [("succeeded",)]


def test_a_stalled_job_that_is_queued_again_does_not_stop_the_sweeper():
    from procrastinate.contrib.django import app

    first = app.configure_task("expire_leases").defer(timestamp=0)
    dead = rows(
        "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour') RETURNING id"
    )[0][0]
    run("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s WHERE id = %s", [dead, first])
    second = app.configure_task("expire_leases").defer(timestamp=1)
    sweep = app.configure_task("sweep_stalled_jobs", priority=1).defer(timestamp=0)
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, delete_jobs="never", install_signal_handlers=False, listen_notify=False)
    states = dict(
        rows("SELECT id, status::text FROM procrastinate_jobs WHERE id = ANY(%s)", [[first, second, sweep]])
    )
    assert states == {second: "succeeded", sweep: "succeeded"}


def test_periodic_jobs_are_due_every_few_seconds_of_every_minute():
    from datetime import UTC, datetime

    from croniter import croniter

    from labelwright.server.flagging import jobs as flagging
    from labelwright.server.offering import jobs as offering
    from labelwright.server.operations import jobs as operations
    from labelwright.server.studies import jobs as studies

    odd_minute = datetime(2026, 11, 15, 3, 59, 1, tzinfo=UTC)
    for cron, seconds in (
        (flagging.EVERY_2_SECONDS, [2, 4, 6]),
        (offering.EVERY_5_SECONDS, [5, 10, 15]),
        (operations.EVERY_15_SECONDS, [15, 30, 45]),
        (studies.EVERY_10_SECONDS, [10, 20, 30]),
    ):
        due = croniter(cron, odd_minute)
        assert [(at.minute, at.second) for at in (due.get_next(datetime) for _ in range(3))] == [
            (59, second) for second in seconds
        ]


def _jobs_in_the_source() -> set[str]:
    """The names under which `jobs` modules register functions, read from their text."""
    server = Path(labelwright.server.__file__).parent
    calls = [
        node
        for path in server.glob("*/jobs.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("periodic", "app.task")
    ]
    return {
        str(value.value)
        for call in calls
        for value in (*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "name"))
        if isinstance(value, ast.Constant)
    }


def test_every_job_that_exists_is_registered_and_every_deferred_job_exists():
    from procrastinate.contrib.django import app

    app.perform_import_paths()
    ours = {name for name in app.tasks if "procrastinate" not in name}
    assert ours == _jobs_in_the_source()
    assert {"advance_stages", "update_calendar", "expire_leases", "flag_block"} <= ours
    source = "\n".join(path.read_text() for path in Path(labelwright.server.__file__).parent.rglob("*.py"))
    assert set(re.findall(r'(?:configure_task|defer_once)\("(\w+)"', source)) <= ours


def test_a_rehearsal_does_all_periodic_work_of_the_worker():
    from procrastinate.contrib.django import app

    from labelwright.server.store.queue import periodic_work

    # Asked first, because it imports the modules of all jobs.
    work = set(periodic_work())
    due = {task.task.name for task in app.periodic_registry.periodic_tasks.values()}
    # Jobs of dead workers are the queue's own business; no simulated worker dies.
    assert work == due - {"sweep_stalled_jobs"}


def test_a_real_worker_runs_every_periodic_job(tmp_path: Path):
    from procrastinate.contrib.django import app

    app.perform_import_paths()
    names = sorted({task.task.name for task in app.periodic_registry.periodic_tasks.values()})
    jobs = [app.configure_task(name).defer(timestamp=0) for name in names]
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        # A job that succeeds is deleted, one that fails stays.
        left = "SELECT task_name, status::text FROM procrastinate_jobs WHERE id = ANY(%s)"
        deadline = time.monotonic() + 60
        while (found := rows(left, [jobs])) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert found == [], worker.log.read_text()
    finally:
        worker.stop()


def test_the_worker_releases_a_batch_whose_time_has_come():
    from datetime import UTC, datetime, timedelta

    from procrastinate.contrib.django import app
    from procrastinate.exceptions import AlreadyEnqueued

    from labelwright.server.store.models import Batch
    from tests.integration.test_assignment import load

    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    load(items=2, batches={"calendar": [{"items": 1, "opens": soon}, {"opens": soon}]})
    Batch.objects.filter(number=0).update(opens_at=datetime.now(UTC) - timedelta(minutes=5))
    for _ in range(2):
        # The worker's own timer may have been faster; then the job that waits is the one that runs.
        with suppress(AlreadyEnqueued):
            app.configure_task("update_calendar").defer(timestamp=0)
        with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
            app.run_worker(
                wait=False, delete_jobs="never", install_signal_handlers=False, listen_notify=False
            )
    assert list(Batch.objects.order_by("number").values_list("state", flat=True)) == ["open", "planned"]


def test_a_deferred_job_is_gone_with_the_transaction_that_wanted_it():
    from django.db import transaction
    from procrastinate.contrib.django import app

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        app.configure_task("expire_leases").defer(timestamp=0)
        1 / 0  # noqa: B018
    assert rows("SELECT count(*) FROM procrastinate_jobs") == [(0,)]
