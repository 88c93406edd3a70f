"""Failures around a running server: clients that stop half-way, a database that is away, full, read-only or locked."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from labelwright.server.operations.laptop import LaptopPostgres
from tests.machine import patience
from tests.processes import LABELWRIGHT, Server
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once]


def status_within(url: str, seconds: float) -> int:
    """The status of a page that answers in time."""
    begun = time.monotonic()
    status = httpx.get(url, timeout=60).status_code
    assert time.monotonic() - begun < seconds * patience()
    return status


def test_half_sent_bodies_hold_up_nobody(study: Callable[..., list[str]], server: Server):
    (link,) = study(raters=1)
    half = b"POST /t/submit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
    with ExitStack() as opened:
        # Twice as many as the server has threads.
        addresses = [("127.0.0.1", server.port)] * 16
        senders = [opened.enter_context(socket.create_connection(one, 60)) for one in addresses]
        for sender in senders:
            sender.sendall(half)
        time.sleep(0.5)
        assert status_within(f"{server.root}/healthz", 1) == 200
        assert status_within(link, 3) == 200
        # After the deadline of 20 seconds, they hold nothing any more.
        assert [sender.recv(100)[:12] for sender in senders] == [b"HTTP/1.1 408"] * 16


def test_half_a_form_is_not_taken_for_a_whole_one(study: Callable[..., list[str]], server: Server):
    (link,) = study(raters=1)
    path = link[link.index("/w/") :]
    form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nagree=yes"
    with socket.create_connection(("127.0.0.1", server.port), 60) as sender:
        sender.sendall(f"POST {path}/consent HTTP/1.1\r\nHost: 127.0.0.1\r\n{form}".encode())
        time.sleep(0.3)
    time.sleep(0.5)
    assert 'name="agree"' in httpx.get(link, timeout=60).text


class Wire:
    """A second address of PostgreSQL that a test can cut, while the tests themselves stay connected."""

    def __init__(self, postgres: LaptopPostgres) -> None:
        self._postgres = postgres
        self._folder = Path(tempfile.mkdtemp(prefix="lw-wire-"))
        self._link = self._folder / ".s.PGSQL.5432"
        self.url = f"postgresql://postgres@/labelwright_test?host={self._folder}&application_name=wire"

    def join(self) -> None:
        self._link.symlink_to(self._postgres.socket / self._link.name)

    def cut(self) -> None:
        self._link.unlink()
        with psycopg.connect(self._postgres.url()) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'wire'"
            )


def test_with_the_database_away_answers_are_quick_and_the_server_recovers(
    study: Callable[..., list[str]], postgres: LaptopPostgres, tmp_path: Path
):
    (link,) = study(raters=1)
    wire = Wire(postgres)
    wire.join()
    server = Server(tmp_path / "server.log", DATABASE_URL=wire.url)
    server.start()
    try:
        page = server.root + link[link.index("/w/") :]
        assert status_within(page, 60) == 200
        wire.cut()
        for _ in range(2):
            assert status_within(page, 4.0) == 503
            assert status_within(f"{server.root}/healthz", 1.0) == 200
        ready = httpx.get(f"{server.root}/readyz", timeout=60)
        assert (ready.status_code, ready.json()["why"]) == (503, "the database is not responding")
        wire.join()
        until = time.monotonic() + 15 * patience()
        while status_within(page, 4) != 200:
            assert time.monotonic() < until
            time.sleep(0.2)
    finally:
        server.stop()


def test_a_lock_that_another_keeps_ends_in_a_503(study: Callable[..., list[str]], database: str):
    (link,) = study(raters=1)
    with psycopg.connect(database) as keeper:
        keeper.execute("LOCK TABLE rater")
        # The limit is 5 seconds.
        assert status_within(link, 9) == 503


def test_every_connection_has_time_limits(database: str):
    from labelwright.server.config.environment import Environment
    from labelwright.server.store.rows import column

    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    assert [column(f"SHOW {name}") for name in names] == [["1h"], ["1min"], ["10min"]]
    pages = Environment.read(os.environ | {"LABELWRIGHT_PAGES": "1"}).limits
    assert (pages.statement_seconds, pages.lock_seconds, pages.idle_seconds) == (30, 5, 60)


def ready() -> tuple[int, bytes]:
    from django.test import RequestFactory

    from labelwright.server.operations.views import readyz

    response = readyz(RequestFactory().get("/readyz"))
    return response.status_code, response.content


def test_a_read_only_database_is_not_ready(database: str):
    from django.db import connection

    assert ready() == (200, b'{"ready": true}')
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        assert ready() == (503, b'{"ready": false, "why": "the database is read-only"}')
        cursor.execute("RESET default_transaction_read_only")


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A very small file system that PostgreSQL may write to."""
    place = Path(tempfile.mkdtemp(prefix="lw-full-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=0755", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this user may not mount a small file system")
    inside = place / "tablespace"
    inside.mkdir()
    shutil.chown(inside, *pwd.getpwnam("postgres")[2:4])
    place.chmod(0o755)
    yield inside
    subprocess.run(["umount", place], check=True)
    place.rmdir()


def test_a_full_disk_is_not_ready(database: str, small_disk: Path):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
        cursor.execute("SET temp_tablespaces = small")
        assert ready() == (503, b'{"ready": false, "why": "the disk of the database is full"}')
        cursor.execute("RESET temp_tablespaces")
        assert ready()[0] == 200
        cursor.execute("DROP TABLESPACE small")
        # Otherwise a later test that kills the database would recover the tablespace on a disk that is gone.
        cursor.execute("CHECKPOINT")


def test_several_processes_can_migrate_at_once(postgres: LaptopPostgres):
    environment = os.environ | {"DATABASE_URL": postgres.create("migrated_at_once"), "LABELWRIGHT_DEMO": "1"}
    started = [
        subprocess.Popen([LABELWRIGHT, "migrate"], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    ended = [(process.communicate(timeout=250)[1], process.returncode) for process in started]
    assert ended == [("", 0)] * 3


def test_a_clock_that_was_set_back_stores_no_negative_time(database: str):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, Pool
    from labelwright.server.studies.actions.loading import load_study
    from tests.studies import dialogues, parse, study_text

    text = study_text(items={"per_dialogue": 1})
    loaded = load_study(parse(text), text, dialogues(2), NOW, opened=True)
    (link,) = make_links(loaded.study, Pool.objects.get(), 1, 60, NOW)
    held = offer(get_visitor(link.token, NOW), NOW)
    submit(held.token, {"0": {"useful": 1}}, NOW - timedelta(minutes=5))
    stored = Assignment.objects.get()
    assert (stored.seconds, stored.submitted_at) == (0.0, stored.offered_at)


CONTROLS = ("a\x00b", "a\x01b", "a\x7fb")


@pytest.mark.parametrize("text", CONTROLS)
def test_control_characters_are_refused_with_a_reason(database: str, text: str):
    from django.test import Client

    from labelwright.server.access.actions.users import add_user

    client: Any = Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)
    sent = {"login": text, "password": text}
    answers = [client.post("/accounts/login/", sent), client.get("/studies", {"q": text})]
    user, _ = add_user("ana@example.org", "a long password of hers")
    client.force_login(user, "allauth.account.auth_backends.AuthenticationBackend")
    answers += [
        client.post("/accounts/password/change/", {"oldpassword": text}),
        client.post("/studies/none/flagged", {"do": "decide", "reason": text}),
        client.get(f"/studies/{text}/items"),
    ]
    assert [answer.status_code for answer in answers] == [400] * 5
    assert all(b"characters that cannot be stored" in answer.content for answer in answers)
    # Line breaks and tabs are text.
    assert client.post("/accounts/password/change/", {"oldpassword": "a\r\n\tb"}).status_code == 200
