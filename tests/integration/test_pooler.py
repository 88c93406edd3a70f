"""pgbouncer in transaction mode: refused by default, and served with the setting for it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest

from labelwright.server.operations.laptop import LaptopPostgres
from tests.integration.test_commands import labelwright
from tests.processes import Server, free_port

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(not PGBOUNCER, reason="the Debian package pgbouncer is not installed"),
]
SESSIONS = 2


@pytest.fixture
def pooled(database: str, postgres: LaptopPostgres) -> Iterator[str]:
    """The address of the tests' database through pgbouncer."""
    folder, port = Path(tempfile.mkdtemp(prefix="lw-pooler-")), free_port()
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    (folder / "pgbouncer.ini").write_text(
        f"""[databases]
labelwright_test = host={postgres.socket} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {SESSIONS}
"""
    )
    folder.chmod(0o755)
    assert PGBOUNCER
    process = subprocess.Popen([PGBOUNCER, "-q", "-u", user, str(folder / "pgbouncer.ini")])
    yield f"postgresql://postgres@127.0.0.1:{port}/labelwright_test"
    process.terminate()
    process.wait(10)
    shutil.rmtree(folder)


def wait_for_database(address: str) -> None:
    for _ in range(100):
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.OperationalError:
            continue
        return
    raise AssertionError("pgbouncer did not start")


def test_a_pooler_is_refused_without_the_setting_and_works_with_it(
    pooled: str, study: Callable[..., list[str]], tmp_path: Path
):
    links = study(raters=12)
    wait_for_database(pooled)

    refused = labelwright("serve", "--port", str(free_port()), DATABASE_URL=pooled)
    assert refused.returncode == 1
    assert "Set LABELWRIGHT_TRANSACTION_POOLER=1" in refused.stderr

    server = Server(tmp_path / "server.log", DATABASE_URL=pooled, LABELWRIGHT_TRANSACTION_POOLER="1")
    server.start()
    try:
        pages = [server.root + "/w/" + link.rsplit("/", 1)[1] for link in links]
        # More clients than sessions, several rounds: prepared statements would meet sessions that lack them.
        with ThreadPoolExecutor(8) as clients:
            statuses = set(clients.map(lambda page: httpx.get(page, timeout=60).status_code, pages * 4))
        assert statuses == {200}, (tmp_path / "server.log").read_text()
    finally:
        server.stop()
