"""A filled database of every earlier migration is upgraded, and nothing in it is lost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from labelwright.server.operations.laptop import LaptopPostgres
from tests.integration.upgrade_fixtures import FOLDER, names, statements
from tests.processes import LABELWRIGHT

pytestmark = pytest.mark.postgres

# Written out here, because the view that says what counts is itself under test.
RECOUNT = """
    SELECT p.condition, a.question, a.code, count(*)
    FROM answer a JOIN assignment s ON s.id = a.assignment_id JOIN place p ON p.id = s.place_id
    JOIN batch b ON b.id = p.batch_id AND b.purpose = 'collect'
    JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position AND x.role = 'item'
    WHERE s.data_use = 'used' AND NOT s.unflagged AND a.code IS NOT NULL AND a.aspect <> ''
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
TALLIED = """
    SELECT condition, question, code, sum(n)::bigint FROM {} GROUP BY 1, 2, 3 HAVING sum(n) > 0 ORDER BY 1, 2, 3"""
LEFT_OUT = """
    SELECT count(*) FROM answer a JOIN assignment s ON s.id = a.assignment_id
    WHERE a.code IS NOT NULL AND NOT s.unflagged AND s.data_use = 'left_out'"""

# Links of releases before this migration held internal ids, and receipts were made from the number of the assignment.
PUBLIC_IDS = "0011_keys"
OLD_LINK = """
    SELECT s.public_id || '-' || s.link_key_number, m.pool_id, r.id, extract(epoch FROM r.link_expires_at)::int, r.nonce
    FROM member m JOIN rater r ON r.id = m.rater_id JOIN study s ON s.id = r.study_id ORDER BY r.id LIMIT 1"""
OLD_SCHEMAS = """
import sys, django, psycopg; django.setup()
from django.core.management import call_command
from django.db import connection
server, chain, *names = sys.argv[1:]
for name in names:
    call_command("migrate", "store", name, verbosity=0)
    connection.close()
    connection.close_pool()
    with psycopg.connect(server, autocommit=True) as maintenance:
        maintenance.execute(f'CREATE DATABASE "upgrade_{name}" TEMPLATE "{chain}"')
"""
# One process for the upgrade and everything that people do after it, because starting one takes seconds.
USE = """
import sys, hashlib, hmac, json
from labelwright.cli import register_commands
answers, is_old, old_link = sys.argv[1:]
app = register_commands()
app(["migrate"], standalone_mode=False)
import django; django.setup()
from datetime import UTC, datetime
from django.conf import settings
from labelwright.crowd import Link, sign_link
from labelwright.server.access.actions.links import get_visitor
if is_old:
    key_id, pool, rater, expires, nonce = json.loads(old_link)
    key = hmac.digest(settings.LINK_KEYS[0].encode(), f"study|{key_id}".encode(), hashlib.sha256)
    token = sign_link(Link(pool, rater, expires, nonce), key_id, key)
    assert get_visitor(token, datetime.fromtimestamp(expires - 1, UTC)).rater == rater
app(["study", "export", "upgraded", answers], standalone_mode=False)
print("LINKS")
app(["study", "links", "upgraded"], standalone_mode=False)
"""


def upgraded_names() -> list[str]:
    """The oldest, those on both sides of the migration with most changes, and the newest two; `make upgrades`: all.

    Every upgrade repeats the migrations after its own, so all of them take minutes.
    """
    if "LABELWRIGHT_ALL_UPGRADES" in os.environ:
        return names()
    return [names()[0], max(name for name in names() if name < PUBLIC_IDS), PUBLIC_IDS, *names()[-2:]]


def run(url: str, *command: str) -> str:
    """The output of a command on a database."""
    environment = os.environ | {
        "DATABASE_URL": url,
        "LABELWRIGHT_DEMO": "1",
        "DJANGO_SETTINGS_MODULE": "labelwright.server.config.settings",
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def old_schemas(postgres: LaptopPostgres) -> None:
    """An empty database at every migration; each is a copy of one that goes through all of them."""
    url = postgres.create("upgrade_chain")
    run(url, sys.executable, "-c", OLD_SCHEMAS, postgres.url(), "upgrade_chain", *upgraded_names())


def test_every_migration_has_a_filled_database():
    assert [path.stem for path in sorted(FOLDER.glob("*.sql"))] == names()


@pytest.mark.once
@pytest.mark.usefixtures("old_schemas")
def test_a_new_database_has_the_tables_that_the_migrations_make(postgres: LaptopPostgres):
    made, new = postgres.url("upgrade_chain"), postgres.create("new_tables")
    for url in (made, new):
        run(url, LABELWRIGHT, "migrate")
    assert described(postgres, new) == described(postgres, made)


def described(postgres: LaptopPostgres, url: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The tables and the recorded migrations of a database."""
    dump = run(url, str(postgres.binaries / "pg_dump"), "--schema-only", url)
    with psycopg.connect(url) as connection:
        recorded = connection.execute("SELECT app, name FROM django_migrations ORDER BY 1, 2").fetchall()
    return [line for line in dump.splitlines() if not line.startswith("\\")], recorded


@pytest.mark.usefixtures("old_schemas")
@pytest.mark.parametrize(
    "name", [names()[0], *(pytest.param(name, marks=pytest.mark.once) for name in upgraded_names()[1:])]
)
def test_a_filled_database_is_upgraded(name: str, postgres: LaptopPostgres, tmp_path: Path):
    url = postgres.url(f"upgrade_{name}")
    rows = statements(name)
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(rows.encode())
    # A new connection, because the dump empties the search path.
    with psycopg.connect(url) as connection:
        old_link = connection.execute(OLD_LINK).fetchone()
    assert old_link is not None
    file, is_old = tmp_path / "answers.jsonl", "old" if name < PUBLIC_IDS else ""
    _, _, links = run(url, sys.executable, "-c", USE, str(file), is_old, json.dumps(old_link)).partition(
        "LINKS\n"
    )
    with psycopg.connect(url) as connection:
        # Before there were states, a study collected as long as a batch did.
        assert connection.execute("SELECT state FROM study").fetchall() == [("open",)]
        recounted = connection.execute(RECOUNT).fetchall()
        assert recounted
        for counts in ("tally WHERE left_out = ''", "item_tally"):
            assert connection.execute(TALLIED.format(counts)).fetchall() == recounted
        if name < PUBLIC_IDS:
            numbers = connection.execute("SELECT id, public_id FROM assignment").fetchall()
            assert all(public.int == number for number, public in numbers)
        excluded = "SELECT sum(n)::bigint FROM tally WHERE left_out = 'left_out'"
        assert connection.execute(excluded).fetchall() == connection.execute(LEFT_OUT).fetchall() != [(0,)]
    answers = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(answers) == len(re.findall(r"^INSERT INTO public.answer ", rows, re.MULTILINE))
    assert {answer["data_use"] for answer in answers} == {"used", "left_out"}
    pseudonyms = set(re.findall(r"^INSERT INTO public.rater .*?VALUES \(\d+, '([\w-]+)'", rows, re.MULTILINE))
    assert pseudonyms
    assert pseudonyms <= set(links.split()[::2])
