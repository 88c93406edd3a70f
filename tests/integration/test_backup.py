"""A backup restored into an empty database, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg
import pytest

from labelwright.outside.rater_browser import read_page
from labelwright.server.operations.laptop import LaptopPostgres
from tests.integration.test_commands import labelwright
from tests.processes import Server

pytestmark = pytest.mark.postgres

KEYS = {
    f"LABELWRIGHT_{name}_KEY": f"{name.lower()}-key-of-the-backup-tests-only-{name.lower()}"
    for name in ("SECRET", "LINK", "PSEUDONYM")
}


@pytest.fixture
def empty(postgres: LaptopPostgres) -> str:
    """The address of a database without tables."""
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")
    return postgres.create("restored")


def test_a_restored_study_goes_on_with_its_old_links(
    study: Callable[..., list[str]], tmp_path: Path, empty: str
):
    link = study()[0]
    assert labelwright("backup", str(tmp_path / "backups")).returncode == 0
    [dump] = (tmp_path / "backups").glob("*.dump")
    assert oct(dump.stat().st_mode & 0o777) == "0o600"
    assert "demo-link-key" not in dump.with_suffix(".json").read_text()

    done = labelwright("restore", str(dump), DATABASE_URL=empty)
    assert done.returncode == 0, done.stderr
    server = Server(tmp_path / "server.log", DATABASE_URL=empty)
    server.start()
    try:
        old_address = server.root + "/w/" + link.rsplit("/", 1)[1]
        httpx.post(f"{old_address}/consent", data={"agree": "yes"})
        page = read_page(httpx.get(old_address).text)
        assert page.task, "the old link shows a task"
        reply = httpx.post(
            f"{server.root}/t/submit",
            json={"answers": {"0": {"useful": 3}}},
            headers={"X-Labelwright-Visit": page.task["visit"]},
        )
        assert reply.json()["receipt"]
    finally:
        server.stop()


def test_a_restore_is_refused_before_it_harms(database: str, tmp_path: Path, empty: str):
    assert labelwright("backup", str(tmp_path)).returncode == 0
    [dump] = tmp_path.glob("*.dump")

    full = labelwright("restore", str(dump))
    assert (full.returncode, "already has tables" in full.stderr) == (1, True)

    other = labelwright("restore", str(dump), DATABASE_URL=empty, LABELWRIGHT_DEMO="", **KEYS)
    assert (other.returncode, "LABELWRIGHT_LINK_KEY" in other.stderr) == (1, True)

    dump.write_bytes(dump.read_bytes()[:-10])
    cut = labelwright("restore", str(dump), DATABASE_URL=empty)
    assert (cut.returncode, "differs from the one that was written" in cut.stderr) == (1, True)


def test_keys_are_kept_apart_and_old_backups_are_deleted(database: str, tmp_path: Path):
    folder = tmp_path / "backups"
    inside = labelwright("backup", str(folder), "--keys", str(folder / "keys.env"))
    assert (inside.returncode, "same folder" in inside.stderr) == (1, True)

    folder.mkdir(exist_ok=True)
    for day in (1, 2):
        (folder / f"labelwright-2026010{day}T000000Z.dump").touch()
    assert (
        labelwright("backup", str(folder), "--keep", "2", "--keys", str(tmp_path / "keys.env")).returncode
        == 0
    )
    assert min(file.name[:20] for file in folder.glob("*.dump")) == "labelwright-20260102"
    keys = tmp_path / "keys.env"
    assert oct(keys.stat().st_mode & 0o777) == "0o600"
    assert "LABELWRIGHT_LINK_KEY=demo-link-key" in keys.read_text()
    [manifest] = folder.glob("*.json")
    assert set(json.loads(manifest.read_text())["rows"]) == {"study", "rater", "assignment", "answer"}
