"""The worker's jobs on a real queue."""

from __future__ import annotations

from contextlib import suppress

import pytest

from labelwright.server.store.rows import rows, run

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]


def test_a_job_whose_worker_died_is_run_again():
    from procrastinate.contrib.django import app

    from labelwright.server.jobs.sweeper import STALLED_SECONDS

    stalled = app.configure_task("expire_leases").defer(timestamp=0)
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


def test_periodic_jobs_are_due_every_few_seconds_of_every_minute():
    from datetime import UTC, datetime

    from croniter import croniter

    from labelwright.server.jobs import batches, leases, quality, sweeper

    odd_minute = datetime(2026, 11, 15, 3, 59, 1, tzinfo=UTC)
    for cron, seconds in (
        (quality.EVERY_2_SECONDS, [2, 4, 6]),
        (leases.EVERY_5_SECONDS, [5, 10, 15]),
        (sweeper.EVERY_15_SECONDS, [15, 30, 45]),
        (batches.EVERY_10_SECONDS, [10, 20, 30]),
    ):
        due = croniter(cron, odd_minute)
        assert [(at.minute, at.second) for at in (due.get_next(datetime) for _ in range(3))] == [
            (59, second) for second in seconds
        ]


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
            app.configure_task("turn_calendar").defer(timestamp=0)
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
