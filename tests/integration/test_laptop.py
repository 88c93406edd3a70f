"""PostgreSQL on a laptop: killed half-way, started twice, left behind, and with others on the same machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from labelwright.server.operations import laptop
from labelwright.server.operations.laptop import LaptopPostgres, NoPostgres, private_folder
from tests.conftest import postgres_binaries

pytestmark = [pytest.mark.postgres, pytest.mark.once]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that PostgreSQL's user can reach; not in pytest's own, which is private."""
    folder = Path(tempfile.mkdtemp(prefix="lw-laptop-"))
    folder.chmod(0o755)
    yield folder / "cluster"
    shutil.rmtree(folder, ignore_errors=True)


def cluster(place: Path) -> LaptopPostgres:
    return LaptopPostgres(place, postgres_binaries(), {"fsync": "off"})


def answers(server: LaptopPostgres) -> bool:
    try:
        psycopg.connect(server.url()).close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_kill_during_initdb_is_recovered_from(place: Path):
    first = cluster(place)
    child = os.fork()
    if child == 0:
        first.start()
        os._exit(0)
    while not any(place.glob("data.*/PG_VERSION")):
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    again = cluster(place)
    again.start()
    assert answers(again)
    again.stop()
    assert list(place.glob("data.*")) == []


def test_the_last_of_two_users_stops_the_server_also_one_that_was_left_behind(place: Path):
    left_behind = cluster(place)
    child = os.fork()
    if child == 0:
        left_behind.start()
        os._exit(0)  # as if killed: nobody stops the server
    os.waitpid(child, 0)
    assert answers(left_behind)
    one, other = cluster(place), cluster(place)
    one.start()
    other.start()
    assert one.create("same") == other.create("same")
    one.stop()
    assert answers(other)
    other.stop()
    assert not answers(other)


def test_a_mark_of_a_process_that_is_not_postgres_does_not_stop_the_start(place: Path):
    server = cluster(place)
    server.start()
    mark = server.data / "postmaster.pid"
    lines = mark.read_text().split("\n")
    server.stop("immediate")
    # After the machine crashed, another program has the process id.
    sleeper = subprocess.Popen(["sleep", "60"])
    mark.write_text("\n".join([str(sleeper.pid), *lines[1:]]))
    try:
        server.start()
        assert answers(server)
        server.stop("immediate")
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_link_or_a_folder_of_somebody_else_is_not_used(tmp_path: Path):
    target = tmp_path / "target"
    target.mkdir(mode=0o755)
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(NoPostgres, match="belongs to somebody else, or is a link"):
        private_folder(link)
    assert target.stat().st_mode & 0o777 == 0o755
    if os.geteuid() == 0:
        os.chown(target, 65534, 65534)
        with pytest.raises(NoPostgres, match="belongs to somebody else, or is a link"):
            private_folder(target)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root lends PostgreSQL another user")
def test_root_uses_no_predictable_path_in_a_shared_temporary_folder(tmp_path: Path):
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    long = LaptopPostgres(Path("/srv") / ("x" * 90), Path("/nowhere"))
    for used in (laptop.reachable_folder(private / "demo"), long.socket, laptop.ROOT_FOLDER):
        shared = [parent for parent in used.parents if parent.exists() and parent.stat().st_mode & 0o002]
        assert shared == []
