"""Publications on Prolific's emulator: previewed, published once, read, refilled to exactly what is needed, compared."""

from __future__ import annotations

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
from tests.integration.test_prolific import FAULTS, POINTS, REASON, STEPS, Emulated, die, emulated, send_all
from tests.rows import rows

__all__ = ["emulated"]
pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


def study_for_prolific(items: int = 4, tasks: int = 1, cents: int = 150, **changes: Any) -> Any:
    """A study whose people come from Prolific, with codes that are made when it is published."""
    panel = {"name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID"}
    own = {"platform": "prolific", "panel": panel, "caps": {"tasks": tasks}}
    return loaded(items=items, pool=own, pay={"cents": cents, "currency": "GBP"}, **changes)


def preview_of(study: Any) -> Any:
    from labelwright.server.publishing.actions.connection import get_cost
    from labelwright.server.publishing.actions.orders import get_preview

    preview = get_preview(study, "own")
    return preview, get_cost(preview)


def publish(study: Any, emulated: Emulated) -> Any:
    """Publishes the pool, as the sender and the reader do it between them."""
    from labelwright.server.publishing.actions.publications import carry_on, publish

    now = datetime.now(UTC)
    made = publish(*preview_of(study), ME, now)
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


@pytest.mark.parametrize("seed", [1, 2, 3])
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
def test_a_killed_sender_makes_opens_and_changes_one_study(emulated: Emulated, point: str):
    study = study_for_prolific()
    for step, writes in STEPS.items():
        plan_step(study, step)
        die(emulated, point, writes)
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
