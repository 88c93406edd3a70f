"""A study is the shard: every key holds it, tables can be divided by it, and it can be copied and deleted as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from labelwright.server.operations.laptop import LaptopPostgres
from tests.processes import LABELWRIGHT
from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ANSWERS = {"0": {"useful": 3, "comment": "clear"}}

WITHOUT_STUDY = """
SELECT x.indexrelid::regclass::text FROM pg_index x
JOIN pg_attribute s ON s.attrelid = x.indrelid AND s.attname = 'study_id' AND NOT s.attisdropped
JOIN pg_class t ON t.oid = x.indrelid AND t.relnamespace = 'public'::regnamespace
WHERE x.indisunique AND NOT s.attnum = ANY(x.indkey)
UNION ALL
SELECT k.conname FROM pg_constraint k
JOIN pg_attribute s ON s.attrelid = k.conrelid AND s.attname = 'study_id' AND NOT s.attisdropped
JOIN pg_attribute r ON r.attrelid = k.confrelid AND r.attname = 'study_id' AND NOT r.attisdropped
WHERE k.contype = 'f' AND NOT (s.attnum = ANY(k.conkey) AND r.attnum = ANY(k.confkey))"""

# An index serves a foreign key if its first columns are those of the key, in any order; it may lack empty ones. A
# study has few pools and versions, so a search for what points to them may read all rows of the study.
WITHOUT_INDEX = """
SELECT k.conrelid::regclass || ' ' || k.conname FROM pg_constraint k
WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND cardinality(k.conkey) > 1
  AND k.confrelid NOT IN ('pool'::regclass, 'study_version'::regclass) AND NOT EXISTS (
  SELECT 1 FROM pg_index x WHERE x.indrelid = k.conrelid
    AND coalesce(pg_get_expr(x.indpred, x.indrelid), 'IS NOT NULL') LIKE '%IS NOT NULL%'
    AND (x.indkey[0] = k.conkey[1] OR (x.indkey[0] = k.conkey[2] AND x.indkey[1] = k.conkey[1])))
ORDER BY 1"""


def load(name: str = "tiny", items: int = 2, **changes: Any) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    changes.setdefault("items", {"per_dialogue": 1})
    text = study_text(name=name, **changes)
    return load_study(parse(text), text, dialogues(items), NOW, opened=True)


def links_of(loaded: Any, count: int) -> list[str]:
    from labelwright.server.people.actions.joining import make_links

    pool = loaded.study.pool_set.get()
    return [link.token for link in make_links(loaded.study, pool, count, 60, NOW)]


def rate(tokens: list[str], each: int) -> list[str]:
    """The receipts of raters who do this many tasks each."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import save, submit

    receipts = []
    for token in tokens:
        for _ in range(each):
            visit = offer(get_visitor(token, NOW), NOW).token
            save(visit, {"0": {"useful": 2}}, "first", 0, NOW)
            save(visit, {"0": {"useful": 3}}, "second", 1, NOW)
            receipts.append(submit(visit, ANSWERS, NOW + timedelta(minutes=1)))
    return receipts


def count_all() -> None:
    from labelwright.server.flagging.actions.blocks import flag_block

    while flag_block(NOW + timedelta(minutes=2)):
        pass


def run_sql(statement: str) -> list[Any]:
    from labelwright.server.store.rows import column

    return column(statement)


def test_every_key_of_a_study_holds_it():
    assert run_sql(WITHOUT_STUDY) == []


def test_every_foreign_key_inside_a_study_has_an_index():
    assert run_sql(WITHOUT_INDEX) == []


def test_a_study_in_divided_tables_is_loaded_rated_and_read():
    from django.db import transaction

    from labelwright.server.operations.partitions import divide_by_study
    from labelwright.server.store.models import Assignment
    from labelwright.server.store.rows import run
    from labelwright.server.studies.actions.deletion import delete_withdrawn, withdraw_study

    before = load("before", pools=pool(pay={"cents": 0}))
    rate(links_of(before, 1), 1)
    # Everything happens in one transaction that is rolled back, so that other tests find the tables whole.
    with transaction.atomic():
        divide_by_study(4)
        after = load("after", items=3)
        receipts = rate(links_of(after, 2), 3)
        rate(links_of(before, 1), 1)
        count_all()
        run("SET CONSTRAINTS ALL IMMEDIATE")
        assert len(set(receipts)) == 6
        for study, wanted in ((before.study, 2), (after.study, 6)):
            assert Assignment.objects.filter(study=study).count() == wanted
            useful = f"SELECT count(*)::int FROM counted_answer WHERE study_id = {study.pk} AND question = 'useful'"
            assert run_sql(useful) == [wanted]
            # All rows of a study lie in the same part, and a search that names the study reads no other.
            for table in ("place", "assignment", "answer"):
                statement = (
                    f"SELECT DISTINCT tableoid::regclass::text FROM {table} WHERE study_id = {study.pk}"
                )
                (part,) = run_sql(statement)
                plan = "\n".join(run_sql("EXPLAIN " + statement))
                assert f" on {part} " in plan
                assert plan.count(f" on {table}_") == 1
            assert run_sql(f"SELECT sum(n)::int FROM tally WHERE study_id = {study.pk}") == [wanted]
        withdraw_study(before.study, "me", NOW)
        delete_withdrawn()
        run("SET CONSTRAINTS ALL IMMEDIATE")
        assert Assignment.objects.count() == 6
        transaction.set_rollback(True)


def test_counts_and_drafts_are_changed_without_writing_indexes_while_an_export_reads(database: str):
    from labelwright.server.store.rows import counts, run

    def changes(column: str) -> dict[str, int]:
        run("SELECT pg_stat_force_next_flush()")
        run("SELECT pg_stat_clear_snapshot()")
        return counts(f"SELECT relname, {column} FROM pg_stat_user_tables WHERE relname = ANY(%s)", [hot])

    hot = ["rater_count", "draft"]
    tokens = links_of(load(items=4, redundancy=60), 60)
    # The first task of each rater fills the pages of their counts; the next ones change them.
    rate(tokens, 1)
    before = changes("n_tup_upd"), changes("n_tup_hot_upd")
    with psycopg.connect(database) as export:
        # While somebody reads, no old row can be removed from a page, so there must be room for the new ones.
        export.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        export.execute("SELECT count(*) FROM answer")
        rate(tokens, 2)
    for table in hot:
        changed = changes("n_tup_upd")[table] - before[0][table]
        in_place = changes("n_tup_hot_upd")[table] - before[1][table]
        assert in_place >= 0.9 * changed > 0, (table, changed, in_place)


def test_a_restored_backup_gives_no_receipt_twice():
    tokens = links_of(load(items=4), 2)
    (lost,) = rate(tokens[:1], 1)
    (row,) = run_sql("SELECT max(id) FROM assignment")
    # What restoring an older backup does: the newest work is gone, and its ids are given again.
    for table in ("answer", "draft", "visit"):
        run_sql(f"DELETE FROM {table} RETURNING 1")
    run_sql(
        f"UPDATE place SET state = 'open' WHERE id = (SELECT place_id FROM assignment WHERE id = {row}) RETURNING 1"
    )
    run_sql("DELETE FROM assignment RETURNING 1")
    run_sql(f"SELECT setval(pg_get_serial_sequence('assignment', 'id'), {row}, false)")
    (new,) = rate(tokens[1:], 1)
    assert run_sql("SELECT max(id) FROM assignment") == [row]
    assert new != lost


def test_a_copied_study_goes_on_under_its_old_links(postgres: LaptopPostgres, database: str):
    # Other studies here, and ids that are taken there, so that no id is the same in both databases.
    load("other")
    tokens = links_of(load(items=4), 2)
    receipts = rate(tokens, 2)
    count_all()
    url = postgres.create("copy_of_a_study")

    def run(*command: str, on: str) -> str:
        environment = os.environ | {"DATABASE_URL": on}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=250
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(LABELWRIGHT, "migrate", on=url)
    with psycopg.connect(url) as target:
        tables = "unnest(ARRAY['rater', 'pool', 'place', 'batch', 'batch', 'batch', 'batch']) AS t"
        target.execute(f"SELECT nextval(pg_get_serial_sequence(t, 'id')) FROM {tables}")
    assert "Copied" in run(LABELWRIGHT, "study", "copy", "tiny", "--to", url, on=database)
    script = "import sys, tests.integration.test_keys as t; t.go_on(sys.argv[1:])"
    told = run(sys.executable, "-c", script, *tokens, on=url).split()
    # Four judgments before and eight after, all of them counted; the newest receipts before were the same.
    assert told == ["4", "8", "True", receipts[1], receipts[3]]


def go_on(tokens: list[str]) -> None:
    """Runs in the other installation: what the study has, and what it has after both raters went on."""
    import django

    django.setup()
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.rating.actions.task_page import get_progress
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import StudyRow

    study = StudyRow.objects.get(name="tiny")

    def useful() -> int:
        return sum(row["question"] == "useful" for row in get_answers(study, None))

    first = useful()
    receipts = [get_progress(get_visitor(token, NOW)).receipt for token in tokens]
    rate(tokens, 2)
    count_all()
    counted = "(SELECT count(*) FROM counted_answer WHERE code IS NOT NULL)"
    (same,) = run_sql(f"SELECT (SELECT sum(n) FROM tally) = {counted}")
    print(first, useful(), same, *receipts)


def test_deleting_a_study_leaves_nothing_of_it_and_everything_of_others():
    from labelwright.crowd import BadLink
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.store.models import StudyRow
    from labelwright.server.store.study_tables import study_tables
    from labelwright.server.studies.actions.deletion import delete_withdrawn, withdraw_study

    kept, gone = load("kept"), load("gone", pools=pool(pay={"cents": 0}))
    kept_links, gone_links = links_of(kept, 2), links_of(gone, 2)
    rate(kept_links, 1)
    rate(gone_links, 1)
    count_all()

    def rows(study: int) -> dict[str, int]:
        tables = [table.name for table in study_tables() if table.name != "audit"]
        return {t: run_sql(f"SELECT count(*) FROM {t} WHERE study_id = {study}")[0] for t in tables}

    before = rows(kept.study.pk)
    withdraw_study(gone.study, "me", NOW)
    with pytest.raises(BadLink):
        get_visitor(gone_links[0], NOW)
    # The name can be used again while the rows are still being deleted.
    assert not StudyRow.objects.filter(name="gone").exists()
    assert delete_withdrawn() > 20
    assert delete_withdrawn() == 0
    assert set(rows(gone.study.pk).values()) == {0}
    assert rows(kept.study.pk) == before
    rate(kept_links, 1)
