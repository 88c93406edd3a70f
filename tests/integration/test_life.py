"""The life of a study: draft, open, paused, closed, archived, deleted; and what raters and requesters see of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from labelwright.crowd import StudyState, StudyVerb
from tests.integration.test_messages import settings_of_mail  # noqa: F401  a fixture
from tests.integration.test_requester import me, mine  # noqa: F401  fixtures
from tests.rows import rows
from tests.smtp import MailServer
from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ANSWERS = {"0": {"useful": 3, "comment": "clear"}}
Load = Callable[..., list[str]]


def load(*, opened: bool = True, size: int = 2, **changes: Any) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    changes.setdefault("items", {"per_dialogue": 1})
    text = study_text(**changes)
    return load_study(parse(text), text, dialogues(size), NOW, opened=opened).study


def visitors(study: Any, count: int = 2) -> list[Any]:
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.joining import make_links

    return [get_visitor(link.token, NOW) for link in make_links(study, study.pool_set.get(), count, 60, NOW)]


def change(study: Any, *verbs: str) -> None:
    from labelwright.server.studies.actions.life import change_state

    for verb in verbs:
        assert change_state(study, StudyVerb(verb), "me", NOW)


def offer(visitor: Any, minutes: int = 0) -> Any:
    from labelwright.server.offering.actions import leases

    return leases.offer(visitor, NOW + timedelta(minutes=minutes))


def submit(token: str, minutes: int = 1) -> str:
    from labelwright.server.rating.actions import answers

    return answers.submit(token, ANSWERS, NOW + timedelta(minutes=minutes))


# -- states ---------------------------------------------------------------------------------------


def test_a_loaded_study_is_a_draft_and_keeps_its_state_when_it_is_loaded_again():
    study = load(opened=False)
    (rater, _) = visitors(study)
    assert study.state == StudyState.DRAFT
    assert offer(rater) == "not_started"
    change(study, "open")
    assert offer(rater).token
    change(study, "pause")
    assert load(size=3).state == StudyState.PAUSED


@pytest.mark.parametrize("verb", ["pause", "close"])
def test_work_that_has_begun_can_be_submitted_and_nothing_new_is_offered(verb: str):
    study = load()
    held, waits = visitors(study)
    token = offer(held).token
    change(study, verb)
    assert offer(waits) == {"pause": "study_paused", "close": "study_closed"}[verb]
    # Who comes back to the link finds the task again.
    token = offer(held, 1).token
    assert submit(token, 2)
    assert offer(held, 3) == {"pause": "study_paused", "close": "study_closed"}[verb]


def test_lapsed_work_comes_back_in_a_pause_but_not_after_the_end():
    from labelwright.server.offering.actions.leases import expire_leases
    from labelwright.server.rating.actions.answers import PlaceGone

    study = load()
    one, two = visitors(study)
    tokens = [offer(rater).token for rater in (one, two)]
    change(study, "pause")
    assert expire_leases(NOW + timedelta(minutes=31)) == 2
    assert submit(tokens[0], 32)
    change(study, "close")
    with pytest.raises(PlaceGone):
        submit(tokens[1], 33)


def test_batches_and_deadlines_are_separate_from_the_state_of_the_study():
    from labelwright.server.store.models import Batch
    from labelwright.server.studies.actions.calendar import update_calendar

    closes, opens = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    calendar = [{"items": 1, "closes": closes.isoformat()}, {"opens": opens.isoformat()}]
    study = load(batches={"calendar": calendar})
    change(study, "pause", "close")
    assert list(Batch.objects.order_by("number").values_list("state", "closed_at")) == [
        ("open", None),
        ("planned", None),
    ]
    update_calendar(NOW + timedelta(hours=3))
    study.refresh_from_db()
    # The deadline has closed one batch and the calendar has opened the other; the study stays closed.
    assert list(Batch.objects.order_by("number").values_list("state", flat=True)) == ["closed", "open"]
    assert study.state == StudyState.CLOSED


def test_a_verb_is_refused_where_it_makes_no_sense_and_changes_nothing_where_it_is_done():
    from labelwright.server.studies.actions.life import WrongState, change_state

    study = load(opened=False)
    with pytest.raises(WrongState, match='the study "tiny" is a draft, so you cannot pause it'):
        change(study, "pause")
    change(study, "open")
    assert change_state(study, StudyVerb.RESUME, "me", NOW) is False
    with pytest.raises(WrongState, match="Close it first"):
        change(study, "archive")
    change(study, "close", "archive", "restore")
    study.refresh_from_db()
    assert study.state == StudyState.CLOSED
    logged = "SELECT before->>'state', after->>'state' FROM audit WHERE what = 'study_state' ORDER BY id"
    assert rows(logged) == [
        ("draft", "open"),
        ("open", "closed"),
        ("closed", "archived"),
        ("archived", "closed"),
    ]


def in_thread(work: Callable[[], object]) -> threading.Thread:
    from django.db import connections

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_pause_waits_for_offers_that_have_begun():
    from django.db import transaction

    study = load()
    (rater, _) = visitors(study)
    with transaction.atomic():
        assert offer(rater).token
        pausing = in_thread(lambda: change(study, "pause"))
        pausing.join(0.5)
        assert pausing.is_alive()
    pausing.join(20)
    study.refresh_from_db()
    assert study.state == StudyState.PAUSED


def test_an_offer_waits_for_a_pause_that_has_begun_and_then_gives_no_place():
    from django.db import transaction

    study = load()
    (rater, _) = visitors(study)
    got: list[Any] = []
    with transaction.atomic():
        change(study, "pause")
        asking = in_thread(lambda: got.append(offer(rater)))
        asking.join(0.5)
        assert not got
    asking.join(20)
    assert got == ["study_paused"]
    assert rows("SELECT count(*)::int FROM assignment") == [(0,)]


def test_pages_say_review_when_every_place_is_taken_and_flagged_work_is_undecided():
    from labelwright.crowd import DataUse
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment
    from labelwright.server.studies.queries.life import shown_state

    study = load(size=1, redundancy=1, conditions={"A": {"design": "reply"}})
    (rater, _) = visitors(study)
    token = offer(rater).token
    assert shown_state(study.pk) == "open"
    # In no time at all, which a rule of the study flags.
    submit(token, 0)
    flag_block(NOW)
    assert shown_state(study.pk) == "review"
    work = Assignment.objects.get().pk
    decide(work, pay=True, data_use=DataUse.USED, reason="", author="me", now=NOW)
    assert shown_state(study.pk) == "open"


# -- the end --------------------------------------------------------------------------------------


def test_a_study_with_payments_is_never_deleted():
    from labelwright.server.studies.actions.deletion import HasPayments, withdraw_study

    study = load(pools=pool(pay={"cents": 40}))
    (rater, _) = visitors(study)
    token = offer(rater).token
    submit(token)
    with pytest.raises(HasPayments, match="Close and archive it instead"):
        withdraw_study(study, "me", NOW)
    study.refresh_from_db()
    assert study.deleted_at is None
    # Work that is not paid is no payment.
    rows("UPDATE assignment SET paid_state = 'none'")
    withdraw_study(study, "me", NOW)


def test_the_audit_log_outlives_its_study_without_reasons_about_people():
    from labelwright.server.access.actions.audit import log_change
    from labelwright.server.studies.actions.deletion import delete_withdrawn, withdraw_study

    study = load(pools=pool(pay={"cents": 0}))
    log_change(study.pk, "me", "exclude", "r1", NOW, after={"state": "excluded", "reason": "was rude"})
    change(study, "pause")
    withdraw_study(study, "me", NOW)
    assert delete_withdrawn() > 1
    assert rows("SELECT count(*)::int FROM study") == [(0,)]
    lines = (
        f"SELECT what, subject, after FROM audit WHERE study_id = {study.pk} AND what <> 'load' ORDER BY id"
    )
    assert rows(lines) == [
        ("exclude", "r1", '{"state": "excluded"}'),
        ("study_state", "tiny", '{"state": "paused"}'),
        ("delete_study", "tiny", "{}"),
    ]


# -- commands and pages ---------------------------------------------------------------------------


def test_commands_change_the_state():
    from labelwright.cli import register_commands

    load(opened=False)

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(register_commands(), ["study", *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert run("list") == "tiny\tDraft\tversion 1\t\n"
    assert run("open", "tiny") == '"tiny" is open. Raters get tasks from now on.\n'
    assert run("list") == "tiny\tCollecting\tversion 1\t\n"
    for verb in ("pause", "resume", "close", "archive"):
        assert '"tiny" is ' in run(verb, "tiny")
    assert "No studies yet" in run("list")
    assert run("list", "--archived") == "tiny\tArchived\tversion 1\t\n"
    assert "already archived" in run("archive", "tiny")
    assert "stays closed" in run("restore", "tiny")
    assert '"tiny" is deleted.' in run("delete", "tiny", "--yes")


def test_a_requester_changes_the_state_on_its_page(me: httpx.Client, mine: Any):
    page = f"/studies/{mine.public_id}/state"

    def send(**fields: str) -> str:
        fields["csrfmiddlewaretoken"] = me.cookies["csrftoken"]
        return me.post(page, data=fields, headers={"Referer": f"{me.base_url}{page}"}).text

    shown = me.get(page).text
    assert "Collecting" in shown
    assert all(f'value="{verb}"' in shown for verb in ("pause", "close"))
    assert 'value="archive"' not in shown
    shown = send(do="pause")
    assert "Paused" in shown
    assert 'value="resume"' in shown
    assert "Close it first" in send(do="archive")
    assert 'value="archive"' in send(do="close")
    batches = me.get(f"/studies/{mine.public_id}/batches").text
    assert ">Closed</span>" in batches
    assert ">Open</span>" not in batches
    assert "that is not its name" in send(do="delete", name="tiny?")
    assert "it holds the record of what its raters are paid" in send(do="delete", name="tiny")
    mine.refresh_from_db()
    assert mine.state == StudyState.CLOSED


# -- what raters see ------------------------------------------------------------------------------


@pytest.fixture
def rater_http(server: Any) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("verbs", "said"),
    [(["pause"], "This study is paused"), (["close"], "This study is closed"), ([], "All tasks are taken.")],
)
def test_nobody_agrees_to_a_study_without_tasks(
    verbs: list[str], said: str, rater_http: httpx.Client, study: Load
):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.store.models import Rater, StudyRow

    (link, *_) = study(pools=pool(pay={"cents": 40}))
    row = StudyRow.objects.get()
    door = (
        "/j/" + open_address(row, make_open_link(row, row.pool_set.get(), "me", 5, 9, NOW)).rsplit("/", 1)[1]
    )
    assert "$" in rater_http.get(link).text
    change(row, *verbs)
    if not verbs:
        rows("UPDATE place SET state = 'filled'")
    people = Rater.objects.count()
    for address, agree in ((link, f"{link}/consent"), (door, door)):
        page = rater_http.get(address).text
        assert said in page
        assert 'name="agree"' not in page
        assert "$" not in page
        rater_http.post(agree, data={"agree": "yes"})
    assert Rater.objects.exclude(consented_at=None).count() == 0
    assert Rater.objects.count() == people


def test_who_did_nothing_is_not_debriefed(rater_http: httpx.Client, study: Load):
    from labelwright.server.store.models import Rater, StudyRow

    first, second = study(debriefing="It was about **context**.")
    for link in (first, second):
        rater_http.post(f"{link}/consent", data={"agree": "yes"})
    token = offer(visitors(StudyRow.objects.get())[0]).token
    submit(token)
    change(StudyRow.objects.get(), "close")
    assert "What this study was about" in rater_http.get(first).text
    assert "The study is closed" in rater_http.get(second).text
    assert "What this study was about" not in rater_http.get(second).text
    rater_http.post(f"{second}/withdraw", data={"data_use": "used"})
    assert "What this study was about" not in rater_http.get(second).text
    assert Rater.objects.exclude(consented_at=None).count() == 2


def test_who_leaves_an_address_is_written_to_once_and_forgotten(settings_of_mail: Any):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.joining import get_door, make_open_link
    from labelwright.server.people.actions.waiting import leave_address, remove_address, write_to_waiting
    from labelwright.server.people.jobs import send_mails
    from labelwright.server.store.models import WaitingAddress

    study = load(size=1, redundancy=1)
    (rater, _) = visitors(study)
    link = open_address(study, make_open_link(study, study.pool_set.get(), "me", 5, 90, NOW))
    door = get_door(link.rsplit("/", 1)[1], NOW)
    rows("UPDATE place SET state = 'filled'")
    leave_address(rater, "Ana@example.org", "net", NOW)
    leave_address(door, "ben@example.org", "net", NOW)
    leave_address(door, "ben@example.org", "net", NOW)
    leave_address(door, "eve@example.org", "net", NOW)
    remove_address(door, "eve@example.org")
    assert WaitingAddress.objects.count() == 2
    stored = b"".join(bytes(row.address_sealed) for row in WaitingAddress.objects.all())
    assert b"example.org" not in stored
    assert write_to_waiting(NOW) == 0
    # One place opens again, so the first is written to; nobody while the study is paused.
    rows("UPDATE place SET state = 'open' WHERE id = (SELECT min(id) FROM place)")
    change(study, "pause")
    assert write_to_waiting(NOW) == 0
    change(study, "resume")
    assert write_to_waiting(NOW) == 1
    with MailServer() as server:
        settings_of_mail.EMAIL_PORT = server.port
        send_mails()
    (sent,) = server.mails
    assert sent["To"] == "ana@example.org"
    assert "/w/" in sent.get_payload()
    assert WaitingAddress.objects.count() == 1
    change(study, "close", "archive")
    assert WaitingAddress.objects.count() == 0


def test_an_address_is_deleted_with_the_rater_or_when_it_is_old():
    from labelwright.server.people.actions.waiting import leave_address
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.profiles.actions.retention import apply_retention
    from labelwright.server.store.models import Rater, WaitingAddress

    study = load()
    one, two = visitors(study)
    leave_address(one, "ana@example.org", "net", NOW)
    leave_address(two, "ben@example.org", "net", NOW)
    delete_personal_data(study, Rater.objects.get(pk=one.rater), "me", NOW)
    assert [row.rater_id for row in WaitingAddress.objects.all()] == [two.rater]
    apply_retention(NOW + timedelta(days=89))
    assert WaitingAddress.objects.count() == 1
    apply_retention(NOW + timedelta(days=91))
    assert WaitingAddress.objects.count() == 0
