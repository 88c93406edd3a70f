"""Figures are computed by a job and only read by pages, and nothing that requesters do holds up raters."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest

from tests.figures import compute_all
from tests.integration.test_requester import PASSWORD, login, mine  # noqa: F401  a fixture
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW

pytestmark = pytest.mark.postgres

FIRST_TIME = "being computed for the first time"
NEWER = "Newer answers are being counted."


@pytest.fixture
def page(server: Server, mine: Any) -> Iterator[Callable[..., httpx.Response]]:
    """Loads a page of the study, whose figures nobody has computed yet."""
    rows("DELETE FROM study_figures")
    # A worker that seems alive however long the test takes; its jobs are run by hand.
    rows("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() + interval '1 hour')")
    with closing(login(server, "mine@example.org", PASSWORD)) as client:

        def load(path: str = "", **headers: str) -> httpx.Response:
            return client.get(f"/studies/{mine.public_id}{path}", headers=headers)

        yield load


def stamp_of(answer: httpx.Response) -> str:
    return answer.text.split('data-live="')[1].split('" ')[0].replace("&quot;", '"')


def judge_once_more(study: Any) -> None:
    """One more submission, flagged and tallied."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool

    token = make_links(study, Pool.objects.get(), 5, 60, NOW)[4].token
    submit(offer(get_visitor(token, NOW), NOW).token, {"0": {"useful": 2}}, NOW + timedelta(seconds=20))
    flag_block(NOW)


def waiting_jobs() -> list[Any]:
    return rows(
        "SELECT scheduled_at FROM procrastinate_jobs WHERE task_name = 'update_figures' AND status = 'todo'"
    )


def test_pages_show_figures_that_a_job_computed_and_say_how_old_they_are(
    page: Callable[..., httpx.Response], mine: Any
):
    from labelwright.server.store.worker import run_waiting

    for path in ("", "/versions", ""):
        first = page(path)
        assert FIRST_TIME in first.text
        assert "[0." not in first.text
    # However many pages are open, one job computes the figures of all of them, at once.
    assert waiting_jobs() == [(None,)]
    run_waiting("figures")
    shown = page()
    assert 'data-figure="stored">24<' in shown.text
    assert "</time>, with 24 judgments counted." in shown.text
    assert NEWER not in shown.text
    assert "Submissions under it" in page("/versions").text
    assert waiting_jobs() == []
    # An open page that shows them is told so, and gets no page.
    assert (page(**{"If-None-Match": stamp_of(shown)}).status_code, FIRST_TIME in shown.text) == (304, False)

    # On a slow machine, the interval must not end while the test runs.
    rows("UPDATE study_figures SET started_at = now(), took_seconds = 30")
    judge_once_more(mine)
    later = page(**{"If-None-Match": stamp_of(shown)})
    assert later.status_code == 200
    assert NEWER in later.text
    assert 'data-figure="stored">24<' in later.text
    [(at,)] = waiting_jobs()
    assert at > datetime.now(UTC)
    # A worker that comes early finds that it is too early, and one that comes in time computes.
    rows("UPDATE procrastinate_jobs SET scheduled_at = NULL")
    run_waiting("figures")
    assert 'data-figure="stored">24<' in page().text
    rows("UPDATE study_figures SET started_at = started_at - interval '1 hour'")
    rows("UPDATE procrastinate_jobs SET scheduled_at = NULL")
    run_waiting("figures")
    assert 'data-figure="stored">25<' in page().text


def test_a_study_is_computed_at_most_once_per_interval(mine: Any):
    from labelwright.server.results.actions.figures import begin_figures
    from labelwright.server.store.changes import note_change
    from labelwright.server.store.models import StudyFigures

    stored = StudyFigures.objects.filter(study=mine)
    now = stored.get().started_at
    assert begin_figures(mine.pk, now + timedelta(hours=1)) is None
    note_change(mine.pk)
    # Twenty times as long as it took, up to the 30 s of the setting, but at least five times as long.
    for took, seconds in ((0.1, 2), (1, 20), (4, 30), (60, 300)):
        stored.update(started_at=now, took_seconds=took)
        assert begin_figures(mine.pk, now + timedelta(seconds=seconds - 0.1)) is None, took
        assert begin_figures(mine.pk, now + timedelta(seconds=seconds)), took


def test_a_change_while_figures_are_computed_is_not_forgotten(mine: Any):
    from labelwright.server.results.actions.figures import begin_figures, record_figures, request_figures
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.actions.summary import summarize
    from labelwright.server.store.changes import note_change

    def store(begun: Any, now: datetime) -> str:
        rows("DELETE FROM procrastinate_jobs")
        record_figures(mine.pk, begun, {}, summarize(measure_overview(mine), None, now), now)
        return request_figures(mine.pk, now).progress

    note_change(mine.pk)
    now = datetime.now(UTC) + timedelta(hours=1)
    begun = begin_figures(mine.pk, now)
    note_change(mine.pk)
    assert store(begun, now) == "updating"
    later = now + timedelta(hours=1)
    assert store(begin_figures(mine.pk, later), later) == "current"


def test_changes_of_a_study_never_wait_for_each_other(mine: Any, database: str):
    from labelwright.server.store.changes import note_change

    with psycopg.connect(database) as other:
        note_change(mine.pk)
        other.execute("SELECT * FROM study_change FOR UPDATE")
        rows("SET lock_timeout = '1s'")
        note_change(mine.pk)
        rows("RESET lock_timeout")
    assert rows("SELECT count(*) FROM study_change") == [(2,)]
    note_change(mine.pk)
    assert rows("SELECT count(*) FROM study_change") == [(1,)]


def test_a_page_says_that_no_worker_has_begun(page: Callable[..., httpx.Response]):
    page()
    rows("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '2 minutes'")
    assert "The worker is not running, so newer answers are not counted yet." in page().text
    assert "The worker is not running." in page("/export").text
    rows("UPDATE procrastinate_workers SET last_heartbeat = now()")
    assert all("The worker is not running" not in page(path).text for path in ("", "/export"))
    rows("UPDATE procrastinate_jobs SET scheduled_at = now() - interval '2 minutes'")
    assert "The update is late: the worker has not begun it yet." in page().text


@contextmanager
def held_up(database: str) -> Iterator[None]:
    """Every page of figures waits for the database until the block ends."""
    with psycopg.connect(database) as connection:
        connection.execute("LOCK TABLE study_figures IN ACCESS EXCLUSIVE MODE")
        yield


def test_raters_never_wait_for_requesters(page: Callable[..., httpx.Response], server: Server, database: str):
    answers: list[httpx.Response] = []
    # More than the server has threads for.
    pages = [threading.Thread(target=lambda: answers.append(page())) for _ in range(24)]
    with held_up(database):
        for each in pages:
            each.start()
        time.sleep(1)
        began = time.perf_counter()
        assert httpx.get(f"{server.root}/w/none", timeout=5).status_code == 410
        assert httpx.get(f"{server.root}/healthz", timeout=5).status_code == 200
        assert time.perf_counter() - began < 5
        time.sleep(2)
    for each in pages:
        each.join()
    refused = [answer for answer in answers if answer.status_code == 503]
    assert {answer.status_code for answer in answers} == {200, 503}
    assert len(refused) >= 24 - 2 - 6
    assert {(answer.headers["retry-after"], answer.headers["refresh"]) for answer in refused} == {("2", "2")}


def test_statements_of_requesters_are_planned_for_their_own_values(database: str):
    from django.http import HttpRequest, HttpResponse
    from django.test import RequestFactory

    from labelwright.server.store.rows import value
    from labelwright.server.web.middleware import Lanes

    def answer(request: HttpRequest) -> HttpResponse:
        for n in range(3):
            value("SELECT %s::int AS asked_again", [n])
        prepared = (
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int AS asked_again'"
        )
        return HttpResponse(str(rows(prepared)[0][0]))

    lanes, make = Lanes(answer), RequestFactory()
    assert lanes(make.get("/studies")).content == b"0"
    assert lanes(make.get("/w/token")).content == b"1"


def test_a_form_that_finds_no_room_says_that_nothing_was_changed(
    database: str, monkeypatch: pytest.MonkeyPatch
):
    from django.http import HttpRequest, HttpResponse
    from django.test import RequestFactory

    from labelwright.server.web import middleware

    monkeypatch.setattr(middleware, "WAITING_SECONDS_OF_FORMS", 0.01)
    make, inside, done = RequestFactory(), threading.Barrier(3), threading.Event()

    def answer(request: HttpRequest) -> HttpResponse:
        inside.wait(10)
        done.wait(10)
        return HttpResponse()

    share = middleware.Lanes(answer)
    held = [threading.Thread(target=share, args=[make.get("/studies")]) for _ in range(2)]
    for each in held:
        each.start()
    inside.wait(10)
    refused = share(make.post("/studies/x/flagged"))
    done.set()
    for each in held:
        each.join()
    assert (refused.status_code, "refresh" in refused.headers) == (503, False)
    assert "Nothing was changed" in refused.content.decode()


def test_stored_pages_are_those_that_were_computed(mine: Any):
    from labelwright.server.results.actions.figures import get_page
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview

    compute_all()
    stored, computed = get_page(mine.pk, "overview"), overview(measure_overview(mine))
    assert stored
    # The forecast depends on the time.
    assert stored | {"forecast": None} == computed | {"forecast": None}
