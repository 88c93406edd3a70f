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
from pathlib import Path

import httpx
import pytest

from labelwright.outside.rater_browser import read_page
from labelwright.server.operations.laptop import LaptopPostgres
from tests.integration.test_commands import labelwright
from tests.processes import LABELWRIGHT, Process, Server, free_port

pytestmark = pytest.mark.postgres


def wait_for(log: Path, text: str, seconds: float = 180) -> str:
    until = time.monotonic() + seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
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
    httpx.post(f"{link[1]}/consent", data={"agree": "yes"})
    page = read_page(httpx.get(link[1]).text)
    assert page.task is not None
    headers = {"X-Labelwright-Visit": page.task["visit"]}
    answers = {"0": {"useful": 3}}
    reply = httpx.post(f"http://127.0.0.1:{demo.port}/t/submit", json={"answers": answers}, headers=headers)
    assert reply.status_code == 200
    # From the command to the first judgment, on a machine with nothing else to do.
    crowded = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert time.monotonic() - started < 60 * crowded
    assert httpx.get(f"http://127.0.0.1:{demo.port}/readyz").json() == {"ready": True}
    assert "Stopped." in demo.stop()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", demo.port)) != 0
    again = demo.start("--simulate", "3")
    assert "3 simulated raters judged 9 replies." in again
    assert re.search(r"Rater +(\S+)", again)[1] == link[1]  # type: ignore[index]
    assert re.search(r"password (\S+)", again)[1] == re.search(r"password (\S+)", told)[1]  # type: ignore[index]
    assert "2</b> of 3" in httpx.get(link[1]).text
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


def test_metrics_are_right_across_processes(database: str, tmp_path: Path, study: Callable[..., list[str]]):
    """Two server processes count together; the gauges come from the database."""
    shared = {"LABELWRIGHT_METRICS_DIR": str(tmp_path / "metrics")}
    servers = [Server(tmp_path / f"s{n}.log", **shared) for n in range(2)]
    port = free_port()
    metrics = Process("metrics", "--port", str(port), log=tmp_path / "metrics.log", **shared)
    try:
        for process in (*servers, metrics):
            process.start()
        links = study(raters=2)
        for server, link in zip(servers, links, strict=True):
            mine = server.root + link[link.index("/w/") :]
            httpx.post(f"{mine}/consent", data={"agree": "yes"})
            task = read_page(httpx.get(mine).text).task
            assert task is not None
            headers = {"X-Labelwright-Visit": task["visit"]}
            httpx.post(f"{server.root}/t/submit", json={"answers": {"0": {"useful": 1}}}, headers=headers)
        httpx.get(mine)
        wait_for(tmp_path / "metrics.log", "Metrics at")
        text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=20).text
    finally:
        for process in (*servers, metrics):
            process.stop()
    figures = dict(re.findall(r"^(labelwright_\w+) ([\d.]+)$", text, re.MULTILINE))
    assert float(figures["labelwright_offers_total"]) == 3
    assert float(figures["labelwright_submissions_total"]) == 2
    assert float(figures["labelwright_leases_open"]) == 1
    assert float(figures["labelwright_submissions_unflagged"]) == 2
    assert {"labelwright_job_lag_seconds", "labelwright_leases_lapsed", "labelwright_workers_alive"} <= set(
        figures
    )


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
