"""Running it: what goes wrong ends with one clear sentence, and the demo goes on where it was."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.db import connections

from labelwright.outside.rater_browser import read_page
from labelwright.server.operations.laptop import LaptopPostgres
from tests.at_once import at_once
from tests.integration.test_commands import labelwright
from tests.machine import patience
from tests.processes import LABELWRIGHT, Process, Server, free_port

pytestmark = [pytest.mark.postgres, pytest.mark.once]


def wait_for(log: Path, text: str, seconds: float = 180) -> str:
    until = time.monotonic() + seconds * patience()
    while text not in log.read_text():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)
    return log.read_text()


class Demo:
    """`labelwright demo` or `labelwright up`, as a person starts and stops it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.log = folder / "demo.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str, command: str = "demo") -> str:
        self.log.write_text("")
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "LABELWRIGHT_DEMO")}
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [LABELWRIGHT, command, "--port", str(self.port), *options],
                cwd=self.folder,
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,
            )
        return wait_for(self.log, "Press Ctrl-C to stop")

    def stop(self) -> str:
        assert self.process
        self.process.send_signal(signal.SIGINT)
        self.process.wait(120)
        return self.log.read_text()


@pytest.fixture
def demo() -> Iterator[Demo]:
    folder = Path(tempfile.mkdtemp(prefix="lw-demo-"))
    folder.chmod(0o755)
    running = Demo(folder, free_port())
    yield running
    if running.process and running.process.poll() is None:
        running.process.send_signal(signal.SIGTERM)
        running.process.wait(30)
    shutil.rmtree(folder, ignore_errors=True)


def test_the_demo_starts_stops_and_goes_on_where_it_was(demo: Demo):
    started = time.monotonic()
    told = demo.start()
    link = re.search(r"Rater +(\S+)", told)
    assert link
    httpx.post(f"{link[1]}/consent", data={"agree": "yes"}, timeout=60)
    page = read_page(httpx.get(link[1], timeout=60).text)
    assert page.task is not None
    headers = {"X-Labelwright-Visit": page.task["visit"]}
    answers = {"0": {"useful": 3}}
    reply = httpx.post(
        f"http://127.0.0.1:{demo.port}/t/submit", json={"answers": answers}, headers=headers, timeout=60
    )
    assert reply.status_code == 200
    # From the command to the first judgment.
    assert time.monotonic() - started < 60 * patience()
    assert httpx.get(f"http://127.0.0.1:{demo.port}/readyz", timeout=60).json() == {"ready": True}
    assert "Stopped." in demo.stop()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", demo.port)) != 0
    again = demo.start("--simulate", "3")
    assert "3 simulated raters judged 9 replies in the last 5 days." in again
    assert re.search(r"Rater +(\S+)", again)[1] == link[1]  # type: ignore[index]
    assert re.search(r"password (\S+)", again)[1] == re.search(r"password (\S+)", told)[1]  # type: ignore[index]
    assert "2</b> of 3" in httpx.get(link[1], timeout=60).text
    demo.stop()


def test_a_study_runs_on_a_laptop_and_goes_on_where_it_was(demo: Demo):
    study = demo.folder / "my-study"
    shutil.copytree(Path(__file__).parents[2] / "studies" / "demo", study)
    # The settings of another server do not concern this one.
    (demo.folder / "labelwright.env").write_text("LABELWRIGHT_ALLOWED_HOSTS=eval.example.org\n")
    (demo.folder / "labelwright.env").chmod(0o600)
    told = demo.start("my-study/study.yaml", command="up")
    assert '"demo" version 1: 12 items in 2 conditions' in told
    link = re.search(r"Rater +(\S+)", told)
    assert link
    assert httpx.get(link[1], timeout=60).status_code == 200
    settings = study / ".labelwright" / "labelwright.env"
    assert settings.stat().st_mode & 0o777 == 0o600
    links = labelwright(
        "--settings", str(settings), "study", "links", "demo", unset=("DATABASE_URL", "LABELWRIGHT_DEMO")
    )
    assert link[1] in links.stdout
    assert "Stopped." in demo.stop()
    again = demo.start("my-study/study.yaml", command="up")
    assert '"demo" is unchanged (version 1).' in again
    assert re.search(r"Rater +(\S+)", again)[1] == link[1]  # type: ignore[index]
    demo.stop()


def test_a_port_in_use_is_told(demo: Demo):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", demo.port))
        taken.listen()
        done = subprocess.run(
            [LABELWRIGHT, "demo", "--port", str(demo.port)],
            cwd=demo.folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    expected = f"port {demo.port} on 127.0.0.1 cannot be used: Address already in use."
    assert expected in done.stderr
    assert "choose another port with --port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_told():
    # Not in pytest's own folder, which is private: the demo would go to another.
    small = Path(tempfile.mkdtemp(prefix="lw-small-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m,mode=0777", "tmpfs", small], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("this user may not mount a small file system")
    try:
        done = subprocess.run(
            [LABELWRIGHT, "demo", "--port", str(free_port())],
            cwd=small,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        subprocess.run(["umount", small], check=True)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Free disk space" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("django_ready")
def test_an_old_schema_and_a_wrong_address_are_told(postgres: LaptopPostgres):
    empty = postgres.create("empty")
    for command in (("serve", "--port", str(free_port())), ("worker",), ("metrics",)):
        old = labelwright(*command, DATABASE_URL=empty)
        assert old.returncode == 1
        assert old.stderr.strip().endswith("the database schema is out of date. Run `labelwright migrate`.")
        wrong = labelwright(*command, DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
        assert wrong.returncode == 1
        assert "Check that PostgreSQL is running and that DATABASE_URL is right." in wrong.stderr
        assert "Traceback" not in wrong.stderr
    load = labelwright("study", "links", "any", DATABASE_URL=empty)
    assert "Run `labelwright migrate`." in load.stderr


def test_the_demos_keys_serve_this_machine_only(database: str):
    told = labelwright("serve", "--host", "0.0.0.0", "--port", str(free_port()))
    assert told.returncode == 1
    assert "serves this machine only" in told.stderr


def test_the_doctor_says_what_is_wrong_and_what_to_do(database: str):
    sick = labelwright("doctor", DATABASE_URL="")
    assert sick.returncode == 1
    assert "wrong Settings: DATABASE_URL is missing" in sick.stdout
    here = labelwright("doctor")
    assert "ok    Database: PostgreSQL" in here.stdout
    assert "wrong Worker: No worker is running" in here.stdout
    # The tests' own cluster is not durable, and the doctor sees it.
    assert "wrong Durability" in here.stdout
    insecure = labelwright("doctor", LABELWRIGHT_BASE_URL="http://eval.example.org")
    assert "wrong Address: Add eval.example.org to LABELWRIGHT_ALLOWED_HOSTS." in insecure.stdout
    assert "wrong Encryption" in insecure.stdout


@pytest.fixture
def change_keys(database: str) -> Iterator[Callable[..., None]]:
    """Gives the installation other keys, until the end of the test."""
    from django.conf import settings

    from labelwright.server.store.secrets import _fernet

    before = (settings.ENVIRONMENT, settings.PSEUDONYM_KEY)

    def change(**keys: Any) -> None:
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, **keys)
        settings.PSEUDONYM_KEY = settings.ENVIRONMENT.pseudonym_key
        _fernet.cache_clear()

    yield change
    settings.ENVIRONMENT, settings.PSEUDONYM_KEY = before
    _fernet.cache_clear()


def found_by_the_doctor() -> dict[str, str]:
    from labelwright.server.operations.doctor import examine

    return {found.name: "" if found.good else found.message for found in examine()}


def test_the_doctor_notices_a_starving_queue_and_so_do_the_metrics(database: str):
    from prometheus_client import generate_latest

    from labelwright.server.operations.metrics import registry
    from labelwright.server.store.queue import app
    from labelwright.server.store.rows import run

    job = app.configure_task("send_mails").defer()
    assert found_by_the_doctor()["Queues"] == ""
    run("UPDATE procrastinate_events SET at = now() - interval '1 hour' WHERE job_id = %s", [job])
    assert "Jobs have been waiting too long in mail (60 min)." in found_by_the_doctor()["Queues"]
    text = generate_latest(registry()).decode()
    assert 'labelwright_queue_starving{queue="mail"} 1.0' in text
    assert 'labelwright_queue_starving{queue="periodic"} 0.0' in text


def test_the_doctor_notices_wrong_keys(change_keys: Callable[..., None]):
    from datetime import UTC, datetime

    from labelwright.server.store.key_checks import accept_keys, record_keys
    from labelwright.server.store.models import Person
    from labelwright.server.store.secrets import seal

    now = datetime.now(UTC)
    record_keys(now)
    Person.objects.create(platform="mail", id_hmac=b"1", id_sealed=seal("ada@example.org"))
    found = found_by_the_doctor()
    assert (found["Keys"], found["Addresses"]) == ("", "")
    change_keys(link_key="another-link-key-of-forty-characters-abc")
    # A server that starts with it changes nothing.
    record_keys(now)
    found = found_by_the_doctor()
    assert found["Keys"].startswith(
        "This database was used with another LABELWRIGHT_LINK_KEY: links do not work"
    )
    assert found["Addresses"] == ""
    change_keys(pseudonym_key="another-pseudonym-key-of-forty-characters")
    assert "LABELWRIGHT_PSEUDONYM_KEY" in found_by_the_doctor()["Keys"]
    accept_keys(now)
    found = found_by_the_doctor()
    assert found["Keys"] == ""
    assert found["Addresses"].startswith("1 stored mail addresses cannot be read.")


def test_the_doctor_notices_a_database_without_an_encoding(postgres: LaptopPostgres, django_ready: str):
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS ascii")
        connection.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
    told = labelwright("doctor", DATABASE_URL=postgres.url("ascii"))
    assert "wrong Encoding: The database has the encoding SQL_ASCII" in told.stdout
    assert "wrong Schema: the database schema is out of date. Run `labelwright migrate`." in told.stdout


class Metrics:
    """Two server processes and `labelwright metrics`, which share a folder."""

    def __init__(self, folder: Path) -> None:
        shared = {"LABELWRIGHT_METRICS_DIR": str(folder / "metrics")}
        self.servers = [Server(folder / f"s{n}.log", **shared) for n in range(2)]
        self.address = f"http://127.0.0.1:{(port := free_port())}/metrics"
        self.exporter = Process("metrics", "--port", str(port), log=folder / "metrics.log", **shared)
        self.processes = (*self.servers, self.exporter)

    def read(self) -> dict[str, float]:
        """The present figures, by name with labels."""
        text = httpx.get(self.address, timeout=40).raise_for_status().text
        return {
            name: float(figure)
            for name, figure in re.findall(r"^(labelwright_\S+) (\S+)$", text, re.MULTILINE)
        }


@pytest.fixture(scope="module")
def metrics(django_ready: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Metrics]:
    folder = tmp_path_factory.mktemp("metrics")
    running = Metrics(folder)
    try:
        for process in running.processes:
            process.start()
        wait_for(folder / "metrics.log", "Metrics at")
        yield running
    finally:
        for process in running.processes:
            process.stop()


def test_metrics_are_right_across_processes(metrics: Metrics, study: Callable[..., list[str]]):
    """Two server processes count together; the gauges come from the database."""
    before = metrics.read()
    links = study(raters=2)
    for server, link in zip(metrics.servers, links, strict=True):
        mine = server.root + link[link.index("/w/") :]
        httpx.post(f"{mine}/consent", data={"agree": "yes"})
        task = read_page(httpx.get(mine).text).task
        assert task is not None
        headers = {"X-Labelwright-Visit": task["visit"]}
        httpx.post(f"{server.root}/t/submit", json={"answers": {"0": {"useful": 1}}}, headers=headers)
        httpx.get(f"{server.root}/studies")
    httpx.get(mine)
    figures = metrics.read()

    def counted(name: str) -> float:
        return figures[name] - before.get(name, 0)

    assert counted("labelwright_offers_total") == 3
    assert counted("labelwright_submissions_total") == 2
    assert counted('labelwright_request_seconds_count{audience="rater",route="task-submit"}') == 2
    assert counted('labelwright_request_seconds_count{audience="requester",route="studies"}') == 2
    assert figures["labelwright_leases_open"] == 1
    assert figures["labelwright_submissions_unflagged"] == 2
    assert figures['labelwright_job_lag_seconds{queue="contexts"}'] == 0
    assert {"labelwright_leases_lapsed", "labelwright_workers_alive"} <= set(figures)


def test_a_restart_of_the_database_breaks_neither_pages_nor_metrics(
    postgres: LaptopPostgres, metrics: Metrics, study: Callable[..., list[str]]
):
    (link,) = study(raters=1)
    page = metrics.servers[0].root + link[link.index("/w/") :]
    errors = 'labelwright_server_errors_total{audience="rater",route="rater",status="503"}'

    def statuses(count: int) -> list[int]:
        found: list[int] = []
        at_once(count, lambda: found.append(httpx.get(page, timeout=40).status_code))
        return found

    # As many as the server has threads, so that as many connections break.
    assert statuses(8) == [200] * 8
    before = metrics.read()
    assert before["labelwright_database_up"] == 1
    # What earlier tests wrote would be recovered at the start.
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    postgres.stop("immediate")
    postgres.start()
    assert statuses(1) + statuses(8) == [200] * 9
    postgres.stop("fast")
    try:
        assert statuses(1) == [503]
        away = metrics.read()
    finally:
        postgres.start()
        connections.close_all()
    assert away["labelwright_database_up"] == 0
    assert away[errors] - before.get(errors, 0) == 1
    assert statuses(1) + statuses(8) == [200] * 9
    again = metrics.read()
    assert again["labelwright_database_up"] == 1
    assert again[errors] == away[errors]


def test_logs_name_no_link_and_no_token(database: str, tmp_path: Path, study: Callable[..., list[str]]):
    log = tmp_path / "server.log"
    server = Server(log, LABELWRIGHT_LOG_LEVEL="DEBUG")
    server.start()
    try:
        (link, *_) = study(raters=1)
        mine = server.root + link[link.index("/w/") :]
        httpx.post(f"{mine}/consent", data={"agree": "yes"})
        task = read_page(httpx.get(mine).text).task
        assert task is not None
        httpx.post(f"{server.root}/t/submit", content=b"{", headers={"X-Labelwright-Visit": task["visit"]})
    finally:
        server.stop()
    text = log.read_text()
    assert link.rsplit(".", 1)[1] not in text
    assert task["visit"] not in text
