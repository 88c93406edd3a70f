"""Publications on Prolific's emulator: previewed, published once, read, refilled to exactly what is needed, compared."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from labelwright.outside.emulators.prolific.model import StudyStatus
from tests.at_once import at_once
from tests.desk import anyones_reviewer, client_of
from tests.integration.test_panel import work_off
from tests.integration.test_payments import ME, loaded, run_jobs
from tests.integration.test_prolific import (
    FAULTS,
    PEOPLE,
    REASON,
    STEPS,
    Emulated,
    die,
    emulated,
    send_all,
)
from tests.rows import rows
from tests.senders import POINTS, DoomedSenders

__all__ = ["emulated"]
pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


def study_for_prolific(items: int = 4, tasks: int = 1, cents: int = 150, **changes: Any) -> Any:
    """A study whose people come from Prolific, with codes that are made when it is published."""
    panel = {"name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID"}
    own = {"platform": "prolific", "panel": panel, "caps": {"tasks": tasks}}
    return loaded(items=items, pool=own, pay={"cents": cents, "currency": "GBP"}, **changes)


def preview_of(study: Any) -> tuple[Any, Any]:
    from labelwright.server.publishing.actions.connection import get_cost
    from labelwright.server.publishing.actions.orders import get_preview

    preview = get_preview(study, "own")
    return preview, get_cost(preview)


def publish(study: Any, emulated: Emulated, given: tuple[Any, Any] | None = None) -> Any:
    """Publishes the pool, as the sender and the reader do it between them."""
    from labelwright.server.publishing.actions.publications import carry_on, publish

    now = datetime.now(UTC)
    made = publish(*(given or preview_of(study)), ME, now)
    send_all(now)
    assert carry_on(now) == 1
    send_all(now)
    emulated.prolific.control("clock", seconds=1)
    made.refresh_from_db()
    return made


def read(after: timedelta = timedelta()) -> None:
    """Reads every publication now, and sends what follows from it."""
    from labelwright.server.publishing.jobs import read_next

    now = datetime.now(UTC) + after
    rows("UPDATE publication SET next_at = made_at WHERE next_at IS NOT NULL RETURNING id")
    while read_next(now, clock=lambda: now):
        pass
    send_now()


def send_now() -> None:
    """Sends everything that is due now."""
    from labelwright.server.paying.jobs import send_next

    now = datetime.now(UTC)
    while send_next(now, clock=partial(_same, now)):
        pass


def _same(at: datetime) -> datetime:
    return at


def there(emulated: Emulated) -> Any:
    """The only study there."""
    (found,) = emulated.emulator.state.studies.values()
    return found


def enter(emulated: Emulated, person: str) -> tuple[str, str]:
    """Somebody reserves a place and comes here; their submission and personal link."""
    submission, address = emulated.prolific.start(there(emulated).id, person)
    return submission, client_of().get(address.partition("/p/")[1] + address.partition("/p/")[2])["Location"]


def finish(emulated: Emulated, person: str, link: str) -> None:
    """Does every task, and goes back by the code of the last page."""
    page = work_off(link)
    code = page.partition("/submissions/complete?cc=")[2][:10]
    emulated.prolific.complete(person, code)


def test_a_preview_plans_nothing_and_costs_are_the_platforms_own(emulated: Emulated):
    study = study_for_prolific(items=6, tasks=2)
    preview, cost = preview_of(study)
    # 6 ratings at 2 a visit are 3 visits of 3.00; the fee is 33.3% of it (1.00), with 20% VAT on the fee (0.20).
    assert (preview.order.places, preview.order.pay.cents) == (3, 300)
    assert (cost.pay_cents, cost.fee_cents, cost.total_cents) == (900, 360, 1260)
    assert rows("SELECT * FROM platform_call") == []
    assert emulated.emulator.state.studies == {}


def test_publishing_is_one_study_with_codes_of_its_own(emulated: Emulated):
    study = study_for_prolific()
    made = publish(study, emulated)
    found = there(emulated)
    assert (found.id, found.status, found.places) == (made.external_id, StudyStatus.ACTIVE, 4)
    assert sorted(each["code_type"] for each in found.codes.values()) == [
        "COMPLETED",
        "OTHER",
        "SCREENED_OUT",
    ]
    (person,) = emulated.prolific.people()
    submission, link = enter(emulated, person)
    assert not any(code in client_of().get(link).content.decode() for code in found.codes)
    finish(emulated, person, link)
    read()
    assert (
        found.codes[emulated.emulator.state.submissions[submission].entered_code]["code_type"] == "COMPLETED"
    )
    assert rows("SELECT state, code FROM platform_visit") == [("submitted", "completed")]


@pytest.mark.parametrize("why", ["pay", "budget", "token", "balance", "currency", "twice", "cap"])
def test_publishing_is_refused_with_the_reason(emulated: Emulated, why: str, monkeypatch: pytest.MonkeyPatch):
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
    from labelwright.server.publishing.actions.orders import CannotPublish, get_preview
    from labelwright.server.publishing.actions.publications import publish as plan

    now = datetime.now(UTC)
    # A task takes 2 minutes, and Prolific demands 6.00 an hour: 0.20 a task.
    study = study_for_prolific(cents=19 if why == "pay" else 150)
    if why == "budget":
        # 4 visits of 1.50 with a fee of 0.50 and 0.10 VAT are 8.40.
        set_budget(study, BudgetOf(Scope.STUDY), 839, ME, now)
    if why == "cap":
        with pytest.raises(CannotPublish, match=r"caps\.tasks"):
            get_preview(loaded(name="x", pool=_without_cap()), "own")
        return
    preview, cost = preview_of(study)
    if why == "token":
        monkeypatch.delenv("LABELWRIGHT_PROLIFIC_TOKEN")
    if why in ("balance", "currency"):
        from dataclasses import replace

        cost = replace(cost, balance_cents=839) if why == "balance" else replace(cost, currency="USD")
    if why == "twice":
        plan(preview, cost, ME, now)
        preview = get_preview(study, "own")
    said = {"pay": "0.20 GBP", "budget": "8.40", "token": "LABELWRIGHT_PROLIFIC_TOKEN", "balance": "8.40",
            "currency": "USD", "twice": "already published"}[why]  # fmt: skip
    with pytest.raises(CannotPublish, match=said):
        plan(preview, cost, ME, now)
    assert rows("SELECT count(*)::int FROM platform_call") == [(int(why == "twice"),)]


def _without_cap() -> dict[str, Any]:
    return {"platform": "prolific", "panel": {"name": "P", "person": "PID", "session": "SID"}}


def test_it_is_paused_resumed_and_stopped_any_number_of_times(emulated: Emulated):
    from labelwright.server.publishing.actions.publications import NotPublished, pause, resume, stop

    study = study_for_prolific()
    publish(study, emulated)
    for _ in range(2):
        pause(study, "own", ME, datetime.now(UTC))
        send_now()
        assert there(emulated).status is StudyStatus.PAUSED
        read()
        resume(study, "own", ME, datetime.now(UTC))
        send_now()
        assert there(emulated).status is StudyStatus.ACTIVE
    stop(study, "own", ME, datetime.now(UTC))
    send_now()
    assert there(emulated).stopped
    with pytest.raises(NotPublished):
        resume(study, "own", ME, datetime.now(UTC))


@pytest.mark.parametrize("seed", [1, 2])
def test_collection_ends_at_exactly_n_ratings_per_item_whatever_people_do(emulated: Emulated, seed: int):
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import Assignment, User

    chance, items, redundancy = random.Random(seed), 5, 2
    study = study_for_prolific(items=items, tasks=1, redundancy=redundancy)
    publish(study, emulated)
    reviewer = User.objects.get(username=anyones_reviewer())
    # The limit of rejections is not what is tested here.
    object.__setattr__(emulated.emulator.state.settings, "rejection_share", 10.0)
    turned_away = 0
    for person in emulated.prolific.people(60):
        read()
        found = there(emulated)
        if found.status is not StudyStatus.ACTIVE or emulated.emulator.state.taken(found.id) >= found.places:
            if not rows("SELECT 1 FROM place WHERE state <> 'filled'"):
                break
            _let_the_platform_settle(emulated)
            continue
        submission, link = enter(emulated, person)
        fate = chance.choice(["work"] * 4 + ["return", "time out", "leave", "reject", "exclude", "no code"])
        if fate == "return":
            client_of().post(f"{link}/consent", {"agree": "yes"})
            client_of().get(link)
            emulated.prolific.visitor(person).post(f"/submissions/{submission}/return")
        elif fate in ("time out", "leave"):
            if fate == "time out":
                client_of().post(f"{link}/consent", {"agree": "yes"})
                client_of().get(link)
            emulated.prolific.control("clock", seconds=3600)
        elif fate == "no code":
            work_off(link)
            emulated.prolific.visitor(person).post(f"/submissions/{submission}/finish")
        else:
            before = set(Assignment.objects.values_list("pk", flat=True))
            page = work_off(link)
            turned_away += (
                "There are no more tasks" in page
                and not set(Assignment.objects.values_list("pk", flat=True)) - before
            )
            finish(emulated, person, link)
            run_jobs()
            if fate in ("reject", "exclude"):
                choice = VerdictChoice.REJECT if fate == "reject" else VerdictChoice.LEAVE_OUT
                for pk in set(Assignment.objects.values_list("pk", flat=True)) - before:
                    decide_as_reviewer(reviewer, study.public_id, pk, choice, REASON, datetime.now(UTC))
                _release_all(study)
    usable = rows(
        """SELECT t.item_id, count(*)::int FROM assignment a JOIN task_item t ON t.task_id = a.task_id
           WHERE a.data_use = 'used' GROUP BY 1"""
    )
    assert Counter(dict(usable)) == {item: redundancy for item, _ in usable}
    assert len(usable) == items
    assert turned_away == 0
    # Nobody holds a place there for nothing: every taken place has a rating that is used, or was paid and left out.
    excluded = rows(
        "SELECT count(*)::int FROM assignment WHERE data_use = 'left_out' AND state <> 'rejected'"
    )[0][0]
    taken = emulated.emulator.state.taken(there(emulated).id)
    assert taken == items * redundancy + excluded
    assert there(emulated).places == taken


def _release_all(study: Any) -> None:
    from labelwright.server.paying.actions.runs import release

    release(study, ME, datetime.now(UTC))
    send_all()


def _let_the_platform_settle(emulated: Emulated) -> None:
    emulated.prolific.control("clock", seconds=1)


def plan_step(study: Any, step: str) -> None:
    """Plans one change of the publication."""
    from labelwright.server.publishing.actions import publications
    from labelwright.server.store.models import Publication

    now = datetime.now(UTC)
    if step == "create":
        publications.publish(*preview_of(study), ME, now)
    elif step == "open":
        assert publications.carry_on(now) == 1
    elif step == "places":
        publications.raise_places(Publication.objects.get(), 9, now)
    else:
        getattr(publications, step)(study, "own", ME, now)
    assert rows("SELECT kind FROM platform_call WHERE settled_at IS NULL") == [(step,)]


def check_step(emulated: Emulated, step: str) -> None:
    """One study there, in the state that the step leads to, by one request; and we know it."""
    emulated.prolific.control("clock", seconds=1)
    found = there(emulated)
    status = {"create": StudyStatus.UNPUBLISHED, "pause": StudyStatus.PAUSED, "stop": StudyStatus.COMPLETED}
    assert found.status is status.get(step, StudyStatus.ACTIVE)
    assert found.places == (9 if step in ("places", "stop") else 4)
    assert set(rows("SELECT state FROM platform_call")) == {("confirmed",)}
    assert rows("SELECT kind FROM platform_call ORDER BY id DESC LIMIT 1") == [(step,)]


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_sender_makes_opens_and_changes_one_study(
    emulated: Emulated, senders: DoomedSenders, point: str
):
    study = study_for_prolific()
    for step, writes in STEPS.items():
        plan_step(study, step)
        die(senders, emulated, point, writes)
        assert len(emulated.emulator.state.studies) <= 1
        send_all(datetime.now(UTC) + timedelta(minutes=5))
        check_step(emulated, step)
    # Each change was made by one request that the platform accepted.
    accepted = Counter(
        each["body"][:25]
        for each in emulated.emulator.requests
        if each["method"] in ("POST", "PATCH")
        and "/studies/" in each["path"]
        and each["status"] in (200, 201)
    )
    assert set(accepted.values()) == {1}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_leave_one_study_in_the_wanted_state(emulated: Emulated, fault: str):
    study = study_for_prolific()
    for step, (method, path) in STEPS.items():
        plan_step(study, step)
        # An unknown status is met by whoever reads, the others by whoever changes something.
        hit = {"path": "/studies/"} if fault == "unknown status" else {"path": path, "method": method}
        emulated.fail(**FAULTS[fault], **hit)
        send_all()
        check_step(emulated, step)


def test_two_people_publish_and_four_senders_send_at_once(emulated: Emulated):
    from labelwright.server.publishing.actions.orders import CannotPublish
    from labelwright.server.publishing.actions.publications import NotPublished, publish

    study = study_for_prolific()
    given = preview_of(study)
    refused = []

    def try_it() -> None:
        try:
            publish(*given, ME, datetime.now(UTC))
        except (CannotPublish, NotPublished):
            refused.append(1)

    at_once(3, try_it)
    assert len(refused) == 2
    at_once(4, send_now)
    check_step(emulated, "create")


def kinds(study: Any) -> list[str]:
    """The differences of a study that wait for a person."""
    from labelwright.server.publishing.actions.differences import get_differences

    return sorted(each.kind for each in get_differences(study))


def test_every_difference_with_the_platform_is_named_and_settled_by_a_person(emulated: Emulated):
    from labelwright.server.publishing.actions.differences import get_differences, settle_visit

    study = study_for_prolific(items=6)
    publish(study, emulated)
    people = emulated.prolific.people(6)
    came = [enter(emulated, person) for person in people]
    # The first submits there without working here.
    emulated.prolific.visitor(people[0]).post(f"/submissions/{came[0][0]}/finish")
    # The second and third work here; one returns the visit, and one runs out of time.
    for place in (1, 2):
        work_off(came[place][1])
    emulated.prolific.visitor(people[1]).post(f"/submissions/{came[1][0]}/return")
    # The fourth has no code, which is fine, because the answers are here.
    work_off(came[3][1])
    emulated.prolific.visitor(people[3]).post(f"/submissions/{came[3][0]}/finish")
    # The fifth is rejected on the platform's own page, the sixth is in a state that nobody knows.
    for place in (4, 5):
        finish(emulated, people[place], came[place][1])
    emulated.prolific.reject(came[4][0], REASON)
    emulated.prolific.control("clock", seconds=3600)
    read()
    assert kinds(study) == ["no_data", "rejected_there", "returned", "timed_out"]
    emulated.fail(r"/submissions/$", "rename")
    read()
    assert kinds(study) == ["unknown_state"] * 6
    read()
    assert kinds(study) == ["no_data", "rejected_there", "returned", "timed_out"]
    first = get_differences(study)[0]
    settle_visit(study, first.id, ME, datetime.now(UTC))
    read()
    assert len(kinds(study)) == 3
    page = client_of(ME).get(f"/studies/{study.public_id}/publication").content.decode()
    assert page.count("data-kind=") == 3
    file = client_of(ME).get(f"/studies/{study.public_id}/reconciliation.csv").content.decode()
    # The settled one is still in the file, and no id of the platform is anywhere.
    assert file.count("visit-") == 4
    assert not any(one in page + file for one in (*people, *(submission for submission, _ in came)))


def test_work_is_released_when_its_visit_ends_there(emulated: Emulated):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit

    study = study_for_prolific(items=2)
    publish(study, emulated)
    people = emulated.prolific.people(2)
    came = [enter(emulated, person) for person in people]
    held = []
    for _, link in came:
        client_of().post(f"{link}/consent", {"agree": "yes"})
        held.append(offer(get_visitor(link.rsplit("/", 1)[1], datetime.now(UTC)), datetime.now(UTC)))
    assert rows("SELECT count(*)::int FROM place WHERE state = 'leased'") == [(2,)]
    emulated.prolific.visitor(people[0]).post(f"/submissions/{came[0][0]}/return")
    emulated.prolific.control("clock", seconds=3600)
    read()
    assert rows("SELECT state FROM assignment ORDER BY id") == [("returned",), ("expired",)]
    assert rows("SELECT count(*)::int FROM place WHERE state = 'open'") == [(2,)]
    # Somebody who is late may still submit, because the platform would still take them.
    submit(held[1].token, {"0": {"useful": 2}}, datetime.now(UTC))
    emulated.prolific.visitor(people[1]).post(f"/submissions/{came[1][0]}/finish")
    read()
    assert kinds(study) == []


SECRET = "test-secret"
BODY = b'{"resource_id":"s1","event_type":"submission.status.change","participant_id":"p1","status":"AWAITING REVIEW"}'


def event(name: str, at: int, body: bytes = BODY, sign: str = SECRET, signature: str | None = None) -> int:
    """The status of the answer to an event of the platform."""
    from labelwright.outside.platforms.prolific.events import signature_of

    answer = client_of().post(
        "/hooks/prolific",
        body,
        content_type="application/json",
        headers={
            "X-Prolific-Request-Timestamp": str(at),
            "X-Prolific-Request-Signature": signature_of(sign, str(at), body)
            if signature is None
            else signature,
            "X-Event-ID": name,
        },
    )
    return int(answer.status_code)


def test_events_are_heard_once_in_any_order_and_never_believed(
    emulated: Emulated, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LABELWRIGHT_PROLIFIC_WEBHOOK_SECRET", SECRET)
    now = int(datetime.now(UTC).timestamp())
    study = study_for_prolific()
    made = publish(study, emulated)
    read()

    def is_due() -> bool:
        return rows("SELECT next_at <= now() FROM publication") == [(True,)]

    assert not is_due()
    # The vector of the specification, old and new: a platform repeats events for hours after an outage.
    assert event("e1", 1700000000, signature="ODhP4xLRBvP2yB9fD6sayogXwI5U6CZazJKH7jZQato=") == 200
    assert is_due()
    read()
    # Nothing that the event said is stored: the platform lists no visit.
    assert rows("SELECT count(*)::int FROM platform_visit") == [(0,)]
    # Again: an old one is refused, a fresh one changes nothing.
    assert event("e1", 1700000000) == 403
    assert event("e1", now) == 200
    assert not is_due()
    # Forged, or not for us.
    assert event("e2", now, sign="other") == 403
    assert event("e2", now, signature="") == 403
    assert event("", now) == 403
    elsewhere = b'{"resource_id":"another","event_type":"study.status.change","status":"ACTIVE"}'
    assert event("e3", now, elsewhere) == 200
    assert not is_due()
    ours = (
        b'{"resource_id":"%s","event_type":"study.status.change","status":"PAUSED"}'
        % made.external_id.encode()
    )
    assert event("e4", now, ours) == 200
    assert is_due()
    read()
    assert rows("SELECT state, is_open FROM publication") == [("open", True)]
    monkeypatch.delenv("LABELWRIGHT_PROLIFIC_WEBHOOK_SECRET")
    assert event("e5", now, sign="") == 403


def test_an_event_that_comes_first_is_as_good_as_the_reader(
    emulated: Emulated, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LABELWRIGHT_PROLIFIC_WEBHOOK_SECRET", SECRET)
    study = study_for_prolific()
    publish(study, emulated)
    (person,) = emulated.prolific.people()
    _, link = enter(emulated, person)
    # The event comes before the person has finished here, and once more afterwards.
    now = int(datetime.now(UTC).timestamp())
    assert event("later", now) == 200
    read()
    assert rows("SELECT state FROM platform_visit") == [("at_work",)]
    finish(emulated, person, link)
    assert event("earlier", now - 60) == 200
    read()
    assert rows("SELECT state FROM platform_visit") == [("submitted",)]


def test_the_command_line_previews_publishes_and_stops(emulated: Emulated):
    from tests.commands import run as command

    study = study_for_prolific(items=2)
    shown = command("publish", "preview", study.name, "own")
    # Two visits of 1.50, each with a fee of 0.50 and 0.10 VAT.
    assert "total\t4.20 GBP" in shown.stdout
    assert rows("SELECT * FROM platform_call") == []
    command("publish", "start", study.name, "own", "--yes")
    send_all()
    assert "state\tmade" in command("publish", "status", study.name, "own").stdout
    from labelwright.server.publishing.actions.publications import carry_on

    carry_on(datetime.now(UTC))
    send_all()
    emulated.prolific.control("clock", seconds=1)
    command("publish", "pause", study.name, "own")
    send_now()
    assert there(emulated).status is StudyStatus.PAUSED
    command("publish", "resume", study.name, "own")
    command("publish", "stop", study.name, "own")
    send_now()
    assert there(emulated).stopped


def test_the_page_shows_the_cost_and_publishes_for_that_cost_only(emulated: Emulated):
    study = study_for_prolific(items=2)
    address = f"/studies/{study.public_id}/publication"
    owner = client_of(ME)
    assert "Ask Prolific for the cost" in owner.get(address).content.decode()
    assert "Publish for £4.20" in owner.get(address, {"cost": "own"}).content.decode()
    assert emulated.emulator.state.studies == {}
    refused = owner.post(address, {"do": "publish", "pool": "own", "cents": "400"})
    assert (refused.status_code, "has changed since" in refused.content.decode()) == (400, True)
    assert owner.post(address, {"do": "publish", "pool": "own", "cents": "420"}).status_code == 303
    assert "Being made" in owner.get(address).content.decode()
    emulated.fail("cost-calculator", "refuse", status=502)
    other = study_for_prolific(items=1, name="other")
    silent = owner.get(f"/studies/{other.public_id}/publication", {"cost": "own"})
    assert "Prolific answered with status 502" in silent.content.decode()


def test_a_refused_request_waits_for_a_person_who_sends_it_again(emulated: Emulated):
    from labelwright.server.publishing.actions.differences import get_differences, settle_call

    study = study_for_prolific(items=2)
    given = preview_of(study)
    object.__setattr__(emulated.emulator.state.settings, "balance_cents", 1)
    publish(study, emulated, given)
    assert (there(emulated).status, kinds(study)) == (StudyStatus.UNPUBLISHED, ["refused_call"])
    object.__setattr__(emulated.emulator.state.settings, "balance_cents", 10_000)
    settle_call(study, get_differences(study)[0].id, happened=False, who=ME, now=datetime.now(UTC))
    send_now()
    emulated.prolific.control("clock", seconds=1)
    assert (there(emulated).status, kinds(study)) == (StudyStatus.ACTIVE, [])


def plan_for_person(study: Any, step: str) -> None:
    """Plans a call about the only person."""
    from labelwright.server.paying.actions.calls import plan_call
    from labelwright.server.publishing.actions import participants
    from labelwright.server.store.models import PlatformVisitRow, Pool

    now = datetime.now(UTC)
    entry = f"visit-{PlatformVisitRow.objects.get().pk}"
    if step == "group":
        key = f"group|{Pool.objects.get(study=study).pk}"
        plan_call(study.pk, "prolific", "group", key, {"name": "qualified"}, now)
    elif step == "grant":
        assert participants.grant_members(now) == 1
        assert participants.grant_members(now) == 0
    elif step == "ask_return":
        participants.ask_return(study, entry, "No answers came.", ME, now)
    else:
        participants.write(study, entry, "Please return the visit.", ME, now)


def effects_on(emulated: Emulated, person: str, step: str) -> int:
    """How often a call about a person took effect there."""
    state = emulated.emulator.state
    return {
        "group": len(state.groups),
        "grant": sum(group.members.count(person) for group in state.groups.values()),
        "ask_return": sum(one.return_requested is not None for one in state.submissions.values()),
        "message": len([one for one in state.messages if one["to"] == person]),
    }[step]


def with_a_visit(emulated: Emulated) -> tuple[Any, str]:
    """A published study, and somebody who came and did nothing."""
    study = study_for_prolific()
    publish(study, emulated)
    (person,) = emulated.prolific.people()
    enter(emulated, person)
    read()
    return study, person


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_sender_writes_and_groups_once(emulated: Emulated, senders: DoomedSenders, point: str):
    from labelwright.server.publishing.actions.differences import get_differences, settle_call

    study, person = with_a_visit(emulated)
    for step, writes in PEOPLE.items():
        plan_for_person(study, step)
        die(senders, emulated, point, writes)
        send_all(datetime.now(UTC) + timedelta(minutes=5))
        happened = point != "before_call" or step != "message"
        assert effects_on(emulated, person, step) == int(happened)
    # Nobody can read whether a message arrived, so a person decides, and it is sent once more only then.
    (unknown,) = get_differences(study)
    assert unknown.kind == "unknown_call"
    settle_call(study, unknown.id, happened=happened, who=ME, now=datetime.now(UTC))
    send_now()
    assert effects_on(emulated, person, "message") == 1
    assert get_differences(study) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_have_one_effect_on_people_at_most(emulated: Emulated, fault: str):
    study, person = with_a_visit(emulated)
    for step, (method, path) in PEOPLE.items():
        plan_for_person(study, step)
        emulated.fail(**FAULTS[fault], path=path, method=method)
        send_all()
        unsure = step == "message" and fault == "502"
        assert effects_on(emulated, person, step) == int(not unsure)


def test_a_pool_for_qualified_raters_is_open_to_their_group_only(emulated: Emulated):
    from labelwright.server.publishing.actions.orders import CannotPublish, get_preview
    from labelwright.server.publishing.actions.participants import make_group
    from labelwright.server.store.models import Member, Pool, Rater

    panel = {"name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID"}
    pay = {"cents": 150, "currency": "GBP"}
    entry = {
        "platform": "prolific", "panel": panel, "raters": 5, "caps": {"tasks": 1}, "pay": pay,
        "qualification": {"design": "reply", "measure": "percentage", "rule": {"best": 1}},
    }  # fmt: skip
    own = {"platform": "prolific", "panel": panel, "requires": ["entry"], "caps": {"tasks": 1}, "pay": pay}
    gold = {"d0#2": {"useful": {"answer": 1, "reason": "Because."}}}
    study = loaded(items=3, pools={"entry": entry, "own": own}, gold=gold)
    with pytest.raises(CannotPublish, match="Create the group first"):
        get_preview(study, "own")
    make_group(study, "own", ME, datetime.now(UTC))
    send_all()
    qualified, stranger = emulated.prolific.people(2)
    # Somebody came for the qualification, and passed it.
    address = f"/p/{study.public_id}/entry"
    client_of().get(address, {"PROLIFIC_PID": qualified, "SESSION_ID": "first"})
    Member.objects.create(
        study=study,
        pool=Pool.objects.get(name="own"),
        rater=Rater.objects.get(),
        number=1,
        joined_at=datetime.now(UTC),
    )
    from labelwright.server.publishing.actions.participants import grant_members

    grant_members(datetime.now(UTC))
    publish(study, emulated)
    refused = emulated.prolific.visitor(stranger).post(f"/studies/{there(emulated).id}/reserve")
    assert refused.status_code == 400
    _, link = enter(emulated, qualified)
    # The same person is the same rater here.
    assert rows("SELECT count(*)::int FROM rater") == [(1,)]
    assert link


def test_the_api_previews_publishes_for_that_total_and_stops(emulated: Emulated):
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.publishing.actions.publications import carry_on
    from labelwright.server.store.models import User
    from labelwright.server.team.actions.tokens import create_token

    study = study_for_prolific(items=2)
    token = create_token(
        User.objects.get(username=ME), "all", [Permission.PAY, Permission.SEE_RATERS], 9, datetime.now(UTC)
    )
    where = f"/api/v1/studies/{study.public_id}/pools/own/publication"

    def call(method: str, path: str = where, **sent: Any) -> Any:
        return client_of().generic(
            method,
            path,
            json.dumps(sent) if sent else "",
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )

    assert call("GET", f"{where}/cost").json()["total_cents"] == 420
    assert call("POST", do="start", total_cents=419).status_code == 400
    assert call("POST", do="start", total_cents=420).json()["state"] == "made"
    send_now()
    carry_on(datetime.now(UTC))
    send_now()
    emulated.prolific.control("clock", seconds=1)
    assert call("POST", do="stop").json()["state"] == "stopped"
    send_now()
    assert there(emulated).stopped
    assert call("GET").json()["publication"] == 1
