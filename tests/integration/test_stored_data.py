"""What is stored about people: all of it is described, and all of it can be deleted, on request or when it is old."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from labelwright.server.store.inventory import ALL, STORED, WITHOUT_PERSONAL_DATA, About, Kept, is_key
from tests.integration.test_people import load, rater_of, tokens  # noqa: F401  a fixture
from tests.integration.test_requester import PASSWORD, login
from tests.processes import Process, Server
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

MARK = "Ada Lovelace of Marylebone"
LIBRARIES = ("auth_", "axes_", "django_", "mfa_", "account_", "procrastinate_", "user_account_")
OF_THE_RATER = {
    "rater_id": "rater_id = %(rater)s",
    "assignment_id": "assignment_id IN (SELECT id FROM assignment WHERE rater_id = %(rater)s)",
}
STRUCTURAL = {"question", "aspect", "author"}
"""Names from the study file, and the names of requesters."""


def columns() -> Iterator[tuple[str, str, bool]]:
    """Every column of the database with its table, and whether a long text or JSON fits into it."""
    yield from rows(
        """SELECT table_name, column_name,
                  data_type = 'jsonb' OR data_type IN ('text', 'character varying')
                  AND coalesce(character_maximum_length, 1000) >= 64
           FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, 2"""
    )


def undescribed() -> list[str]:
    """Columns that nobody has described."""
    listed = [*(data.where for data in STORED), WITHOUT_PERSONAL_DATA]
    named = {(table, column) for where in listed for table, each in where.items() for column in each}
    return [
        f"{table}.{column}"
        for table, column, _ in columns()
        if not {(table, column), (table, *ALL)} & named and not (is_key(column) and _has_line(table))
    ]


def _has_line(table: str) -> bool:
    return table in WITHOUT_PERSONAL_DATA or any(table in data.where for data in STORED)


def test_every_column_is_described_or_declared_free_of_personal_data():
    from django.db import connection, transaction

    assert undescribed() == []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE rater ADD COLUMN nickname text; CREATE TABLE extra (id int)")
        assert undescribed() == ["extra.id", "rater.nickname"]
        transaction.set_rollback(True)
    described = [(data.where, table) for data in STORED for table in data.where]
    free = [(WITHOUT_PERSONAL_DATA, table) for table in WITHOUT_PERSONAL_DATA]
    # A line that names a whole table would hide a new column; only tables of libraries have such lines.
    whole = [table for where, table in [*described, *free] if where[table] == ALL]
    assert [table for table in whole if not table.startswith(LIBRARIES)] == []
    there = {(table, column) for table, column, _ in columns()}
    named = [
        (table, column) for where, table in [*described, *free] for column in where[table] if column != "*"
    ]
    assert [each for each in named if each not in there] == []
    assert len(named) == len(set(named))


def at_work(study: Any, token: str, now: datetime) -> Any:
    """A rater of whom there is something in every table that holds something of raters."""
    from labelwright.crowd import DataUse, MemberState
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions import messages, roster
    from labelwright.server.people.actions.addresses import change_address
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.profiles.actions.standing import set_member_state
    from labelwright.server.rating.actions.answers import save, submit
    from labelwright.server.rating.actions.consent import record_consent
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import (
        GoldResult,
        Mail,
        Rater,
        RaterFinding,
        RaterSheet,
        TextPrint,
        TypingRecord,
    )

    visitor = get_visitor(token, now)
    record_consent(visitor, now)
    rater = Rater.objects.get(pk=visitor.rater)
    change_address(visitor, f"ada{rater.pk}@example.org", now)
    messages.write_as_rater(visitor, MARK, now)
    sent = messages.write_to_rater(study, "me", rater, MARK, now)
    roster.add_note(study, rater, "me", MARK, now)
    version = study.versions.latest("n")
    sheet = {"study": study, "version": version, "rater": rater, "part": "demographics"}
    RaterSheet.objects.create(**sheet, answers={"home": MARK}, answered_at=now)
    for message in (sent, None):
        Mail.objects.create(study=study, rater=rater, message=message, state="sent", made_at=now)
    offered = offer(visitor, now)
    save(offered.token, {"0": {"comment": MARK}}, "a", 0, now)
    submit(offered.token, {"0": {"useful": 1, "comment": MARK}}, now + timedelta(seconds=5))
    while flag_block(now):
        pass
    decide(offered.assignment, pay=True, data_use=DataUse.USED, reason=MARK, author="me", now=now)
    gold = {"study": study, "assignment_id": offered.assignment, "position": 0, "question": "useful"}
    GoldResult.objects.create(**gold, right=True)
    work = {"study": study, "assignment_id": offered.assignment}
    TypingRecord.objects.create(**work, facts={})
    TextPrint.objects.create(**work, rater=rater, place="0:comment", fingerprint="")
    RaterFinding.objects.create(study=study, rater=rater, kind="random", figures={}, found_at=now)
    save(offer(visitor, now).token, {"0": {"comment": MARK}}, "b", 0, now)
    for state in (MemberState.PAUSED, MemberState.ACTIVE):
        set_member_state(study, get_pool(study, "own"), rater, state, "me", MARK, now)
    return rater


def plant(rater: int) -> set[tuple[str, str]]:
    """Writes the mark into every long column about raters that a deletion must empty; the columns with their tables."""
    gone = (Kept.PERSONAL_DATA, Kept.DRAFTS, Kept.VISITS, Kept.MAILS, Kept.ANSWERS)
    wanted = {
        (table, column)
        for data in STORED
        if data.about is About.RATERS and data.kept in gone
        for table, named in data.where.items()
        for column in named
    }
    long = {(table, column) for table, column, is_long in columns() if is_long}
    planted = {each for each in wanted & long if each[1] not in STRUCTURAL}
    everywhere = [(table, column) for table, column, _ in columns()]
    for table, column in planted:
        key = next(key for key in OF_THE_RATER if (table, key) in everywhere)
        value = "to_jsonb(%(mark)s::text)" if rows(
            "SELECT 1 FROM information_schema.columns WHERE table_name = %s AND column_name = %s AND data_type = 'jsonb'",
            [table, column],
        ) else "%(mark)s"  # fmt: skip
        rows(
            f"UPDATE {table} SET {column} = {value} WHERE {OF_THE_RATER[key]}", {"mark": MARK, "rater": rater}
        )
    return planted


def marked() -> set[str]:
    """The tables in which the mark can be read."""
    tables = {table for table, _, _ in columns()}
    return {
        table
        for table in tables
        if rows(f'SELECT 1 FROM "{table}" t WHERE t::text LIKE %s LIMIT 1', [f"%{MARK}%"])
    }


@pytest.mark.parametrize(
    ("policy", "left"), [("keep", {"answer", "flag", "rater_finding", "text_print"}), ("delete", set())]
)
def test_nothing_of_a_person_is_left_after_deletion(
    load: Callable[..., Any],
    policy: str,
    left: set[str],
):
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.store.models import Note, Person, Rater

    study = load(consent={"answers_on_deletion": policy})
    (leaving,) = tokens(study, 1)
    rater = at_work(study, leaving, NOW)
    planted = plant(rater.pk)
    assert {("draft", "answers"), ("verdict", "reason"), ("message", "text"), ("flag", "evidence")} <= planted
    assert {
        "answer",
        "audit",
        "draft",
        "flag",
        "message",
        "rater_sheet",
        "typing_record",
        "verdict",
    } <= marked()
    delete_personal_data(study, Rater.objects.get(pk=rater.pk), "me", NOW)
    assert marked() == left
    # What is encrypted cannot be searched.
    assert (Person.objects.count(), Note.objects.count()) == (0, 0)


def test_a_worker_deletes_what_the_policy_says_and_keeps_receipts_and_pay(
    load: Callable[..., Any],
    tmp_path: Path,
):
    from procrastinate.contrib.django import app

    from labelwright.crowd import DataUse
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.profiles.actions.retention import apply_retention
    from labelwright.server.rating.actions.answers import save
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment, Audit, Draft, Mail, Person, Rater, Visit
    from labelwright.server.tallies.actions import get_owed

    now = datetime.now(UTC)
    old = now - timedelta(days=10)
    retention = {"visits": 1, "drafts": 1, "mails": 1, "log": 1, "personal_data": 5}
    study = load(retention=retention, pools={"own": {"platform": "link", "raters": 4, "pay": {"cents": 40}}})
    inactive, active = tokens(study, 2)
    rows("UPDATE member SET joined_at = %s", [old])
    gone, stays = at_work(study, inactive, old), at_work(study, active, now)
    # Late answers of the active rater, on whose pay nobody has decided.
    late = offer(get_visitor(active, now), now)
    save(late.token, {"0": {"comment": "late"}}, "c", 1, now)
    rows("UPDATE draft SET saved_at = %s WHERE assignment_id = %s", [old, late.assignment])
    rows("UPDATE assignment SET state = 'expired_answered' WHERE id = %s", [late.assignment])
    owed, answers = get_owed(study.pk), len(list(get_answers(study)))
    assert (owed[0].cents, answers) == (80, 4)

    old_lines = Audit.objects.filter(at__lt=now - timedelta(days=1)).count()
    app.configure_task("apply_retention").defer(timestamp=0)
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        deadline = time.monotonic() + 60
        while not Audit.objects.filter(what="retention").exists():
            assert time.monotonic() < deadline, (tmp_path / "worker.log").read_text()
            time.sleep(0.2)
    finally:
        worker.stop()
    (line,) = Audit.objects.filter(what="retention")
    # The visit and the draft of the submitted task; those of the open task go with their rater. Two mails; in the log,
    # the address, a message, a note, a verdict and two changes of state, at least.
    assert line.after == {"visits": 1, "drafts": 1, "mails": 2, "log": old_lines, "personal_data": 1}
    assert line.who == "retention"
    assert Rater.objects.get(pk=gone.pk).forgotten_at is not None
    assert Rater.objects.get(pk=stays.pk).forgotten_at is None
    assert Person.objects.count() == 1
    for model in (Visit, Draft):
        assert set(model.objects.values_list("assignment__rater", flat=True)) == {stays.pk}
    assert set(Mail.objects.values_list("rater", flat=True)) == {stays.pk}
    # Pay, submissions and answers of the one who is gone are all there.
    assert get_owed(study.pk) == owed
    assert Assignment.objects.filter(rater=gone.pk, submitted_at__isnull=False).count() == 1
    assert len(list(get_answers(study))) == answers
    assert apply_retention(now) == 0
    decide(late.assignment, pay=True, data_use=None, reason="", author="me", now=now)
    assert apply_retention(now) == 1
    assert DataUse.USED in set(Assignment.objects.values_list("data_use", flat=True))


def test_a_later_version_cannot_keep_personal_data_for_longer(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.profiles.actions.retention import apply_retention
    from labelwright.server.rating.actions.consent import record_consent
    from labelwright.server.store.models import Rater
    from labelwright.server.studies.actions.loading import load_study

    study = load(retention={"personal_data": 10})
    early, late = tokens(study, 2)
    record_consent(get_visitor(early, NOW), NOW)
    text = study_text(items={"per_dialogue": 1, "turns_before": 3})
    load_study(parse(text), text, dialogues(4), NOW)
    record_consent(get_visitor(late, NOW), NOW)
    apply_retention(NOW + timedelta(days=9))
    assert not Rater.objects.exclude(forgotten_at=None).exists()
    promised = rater_of(early).pk
    apply_retention(NOW + timedelta(days=11))
    assert list(Rater.objects.exclude(forgotten_at=None).values_list("pk", flat=True)) == [promised]


def test_the_page_for_ethics_boards_shows_the_policy_of_the_study(
    load: Callable[..., Any],
    server: Server,
):
    from labelwright.server.access.actions.users import add_user

    study = load(retention={"visits": 7, "personal_data": 365}, consent={"answers_on_deletion": "delete"})
    study.owner, _ = add_user("ethics@example.org", PASSWORD)
    study.save()
    with closing(login(server, "ethics@example.org")) as me:
        page = me.get(f"/studies/{study.public_id}/stored-data").text
    assert "7 days after the page was opened" in page
    assert "at the most 365 days after the rater’s last activity" in page
    assert "90 days after the mail" in page
    assert "as long as the study, or until the rater" in page
