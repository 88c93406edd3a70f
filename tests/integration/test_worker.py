"""The worker on a bad day: the database restarts, models and mail servers hang, somebody stops it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from labelwright.server.operations.laptop import LaptopPostgres
from labelwright.server.store.rows import run
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.integration.test_assignment import ANSWERS, visitors
from tests.integration.test_generation import NEED, contexts, load
from tests.machine import patience
from tests.processes import Process
from tests.rows import rows
from tests.smtp import MailServer

pytest.importorskip("openai", reason="the extra `llm` is not installed")
pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

HANGING_SECONDS = 60


def wait_until(happened: Callable[[], bool], worker: Process, seconds: float = 180) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert worker.process is not None
        assert worker.process.poll() is None, f"the worker ended: {worker.log.read_text()}"
        assert time.monotonic() < until, worker.log.read_text()
        time.sleep(0.1)


@pytest.fixture
def raters(database: str) -> Callable[[int], list[Any]]:
    """The raters of the newest version; each has an address."""

    def join(version: int) -> list[Any]:
        from types import SimpleNamespace

        from labelwright.server.people.actions.addresses import change_address
        from labelwright.server.store.models import StudyVersion

        study = StudyVersion.objects.get(pk=version).study
        found = visitors(SimpleNamespace(study=study), 3)
        for n, visitor in enumerate(found):
            change_address(visitor, f"r{n}@example.org", datetime.now(UTC))
        return found

    return join


class Chores:
    """A lapsed lease, a submission without flags and a waiting mail: the usual work of a worker."""

    def __init__(self, rater: Any) -> None:
        from labelwright.server.offering.actions.leases import offer
        from labelwright.server.people.actions.mail import defer_mails
        from labelwright.server.rating.actions.answers import submit
        from labelwright.server.store.models import Mail, Pool

        now, yesterday = datetime.now(UTC), datetime.now(UTC) - timedelta(days=1)
        submit(offer(rater, now).token, ANSWERS, now)
        offer(rater, now)
        run("UPDATE assignment SET lease_until = %s WHERE state = 'open'", [yesterday])
        Mail.objects.create(study_id=rater.study, rater_id=rater.rater, pool=Pool.objects.get(), made_at=now)
        defer_mails()

    def are_done(self) -> bool:
        return rows(
            """SELECT (SELECT count(*) FROM assignment WHERE state = 'open'),
                      (SELECT count(*) FROM assignment WHERE unflagged AND state = 'submitted'),
                      (SELECT count(*) FROM mail WHERE state = 'waiting')"""
        ) == [(0, 0, 0)]


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def test_a_worker_outlives_restarts_of_the_database(
    postgres: LaptopPostgres, mail_server: MailServer, tmp_path: Path, raters: Callable[[int], list[Any]]
):
    def slowly(_body: dict[str, Any], _before: int) -> EndpointReply:
        time.sleep(0.5)
        return completion(NEED)

    worker = Process(
        "worker",
        log=tmp_path / "worker.log",
        LABELWRIGHT_MAIL_URL=f"smtp+plain://127.0.0.1:{mail_server.port}",
        LABELWRIGHT_MAIL_FROM="study@example.org",
    )
    with LlmEmulator(slowly) as emulator:
        version = load(emulator.address, 20)
        first, *others = raters(version)
        worker.start()
        try:
            wait_until(Chores(first).are_done, worker)
            for rater, how in zip(others, ("fast", "immediate"), strict=True):
                # In the middle of the worker's own statements, and of a text that is being written.
                postgres.stop(how)
                time.sleep(4)
                postgres.start()
                connections.close_all()
                wait_until(Chores(rater).are_done, worker)
            wait_until(lambda: all(context.state == "made" for context in contexts(version)), worker)
            assert len(mail_server.mails) == 3
            assert max(emulator.asked.values()) == 1
            _check_that_it_fails_without_its_tables(worker)
        finally:
            worker.stop()


def _check_that_it_fails_without_its_tables(worker: Process) -> None:
    run("ALTER TABLE procrastinate_jobs RENAME TO jobs_away")
    try:
        assert worker.process
        assert worker.process.wait(60) == 1, worker.log.read_text()
        assert "the database has no job queue. Run `labelwright migrate`." in worker.log.read_text()
    finally:
        run("ALTER TABLE jobs_away RENAME TO procrastinate_jobs")


def test_hanging_models_starve_no_other_queue_and_do_not_keep_the_worker_from_ending(
    mail_server: MailServer, tmp_path: Path, raters: Callable[[int], list[Any]]
):
    from labelwright.server.store.queue import CONTEXTS, app, queue_limits
    from labelwright.server.store.worker import LONGEST_STOP_SECONDS

    answers = threading.Event()

    def hanging(_body: dict[str, Any], _before: int) -> EndpointReply:
        answers.wait(HANGING_SECONDS)
        return completion(NEED)

    slots = queue_limits()[CONTEXTS].slots
    worker = Process(
        "worker",
        log=tmp_path / "worker.log",
        LABELWRIGHT_MAIL_URL=f"smtp+plain://127.0.0.1:{mail_server.port}",
        LABELWRIGHT_MAIL_FROM="study@example.org",
    )
    with LlmEmulator(hanging) as emulator:
        version = load(emulator.address, 3 * slots, timeout_seconds=HANGING_SECONDS)
        first, *_ = raters(version)
        for _ in range(2 * slots):
            app.configure_task("make_contexts").defer(version=version)
        worker.start()
        try:
            wait_until(lambda: len(emulator.bodies) == slots, worker)
            wait_until(Chores(first).are_done, worker)
            assert worker.process
            asked_to_end = time.monotonic()
            worker.process.terminate()
            assert worker.process.wait(HANGING_SECONDS) == 0, worker.log.read_text()
            assert time.monotonic() - asked_to_end < LONGEST_STOP_SECONDS * patience()
            # Each slot lost the text that it was waiting for, and no more; the jobs wait for the next worker.
            assert [c.attempts for c in contexts(version)] == [1] * slots + [0] * 2 * slots
            states = rows(
                "SELECT DISTINCT status::text FROM procrastinate_jobs WHERE queue_name = 'contexts'"
            )
            assert states == [("todo",)]
            answers.set()
            worker.start()
            wait_until(lambda: all(context.state == "made" for context in contexts(version)), worker)
            assert max(emulator.asked.values()) == 1
        finally:
            answers.set()
            worker.stop()


def test_slots_are_given_by_queue():
    from labelwright.server.store.worker import BadSlots, choose_slots

    chosen = choose_slots(["contexts=9", "mail=0"])
    assert (chosen["contexts"], chosen["mail"]) == (9, 0)
    # Each periodic job has a slot: leases, flags, calendar, stages, joins and the sweeper.
    assert chosen["periodic"] >= 6
    for wrong in ("nowhere=1", "contexts", "contexts=-1", "contexts=many"):
        with pytest.raises(BadSlots, match="one of contexts, default, exports, figures, mail"):
            choose_slots([wrong])
    with pytest.raises(BadSlots, match="do nothing"):
        choose_slots([f"{queue}=0" for queue in chosen])
