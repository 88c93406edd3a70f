"""Payments in the database: planned once, kept within budgets, stopped by verdicts, and confirmed once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.at_once import at_once
from tests.commands import run as command
from tests.desk import anyones_reviewer, client_of
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

LATER = NOW + timedelta(hours=1)
ME = "owner@example.org"
REASON = "The answers were the same on every task."


def loaded(items: int = 3, **changes: Any) -> Any:
    """A study in which every task pays 0.40."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import User
    from labelwright.server.studies.actions.loading import load_study

    pay = {"cents": 40} | changes.pop("pay", {})
    own = {"platform": "link", "raters": 60, "pay": pay} | changes.pop("pool", {})
    text = study_text(
        **{
            "items": {"per_dialogue": 1}, "redundancy": 1, "conditions": {"one": {}}, "quality": [],
            "pools": {"own": own}, **changes,
        }
    )  # fmt: skip
    owner = User.objects.filter(username=ME).first() or add_user(ME)[0]
    return load_study(parse(text), text, dialogues(items), NOW, owner, opened=True).study


def work(study: Any, raters: int = 1, seconds: float = 30, tasks: int = 99) -> None:
    """Every rater does their tasks, and the jobs run."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.rating.actions.answers import submit

    for link in make_links(study, get_pool(study, "own"), raters, 60, NOW):
        for _ in range(tasks):
            held = offer(get_visitor(link.token, NOW), NOW)
            if not hasattr(held, "token"):
                break
            submit(held.token, {"0": {"useful": 2}}, NOW + timedelta(seconds=seconds))
    run_jobs()


def run_jobs() -> None:
    """Checks submitted work, and fills the review queue."""
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.review.actions.queue import queue_marked_work

    while flag_block(NOW):
        pass
    while queue_marked_work():
        pass


def release(study: Any, **more: Any) -> Any:
    """The only run of a release."""
    from labelwright.server.paying.actions.runs import release

    (released,) = release(study, ME, LATER, **more)
    return released


def states(study: Any) -> dict[str, int]:
    """How many payments are in each state."""
    return Counter(state for (state,) in rows("SELECT state FROM payment WHERE study_id = %s", [study.pk]))


def check_balance(study: Any) -> None:
    from labelwright.server.paying.actions.confirmations import get_imbalances

    assert get_imbalances(study) == []


def decide(study: Any, choice: str, assignment: int | None = None, reason: str = REASON) -> Any:
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import Assignment, User

    user = User.objects.get(username=anyones_reviewer())
    one = assignment or Assignment.objects.filter(study=study).order_by("id")[0].pk
    return decide_as_reviewer(user, study.public_id, one, VerdictChoice(choice), reason, LATER)


def test_work_is_planned_with_its_check_released_listed_and_confirmed_once():
    from labelwright.server.paying.actions.confirmations import read_confirmations, reconcile
    from labelwright.server.paying.actions.runs import hand_out
    from labelwright.server.store.models import Assignment
    from labelwright.server.tallies.actions import get_owed

    study = loaded(pay={"fee_percent": 25})
    work(study)
    assert states(study) == {"planned": 3}
    run_jobs()
    released = release(study)
    # 3 tasks of 0.40 with a fee of a quarter: 3 × 0.50.
    assert (released.payments, released.cents, released.over_budget) == (3, 150, 0)
    lines = hand_out(study, released.run, ME, LATER)
    assert states(study) == {"sent": 3}
    assert hand_out(study, released.run, ME, LATER) == lines
    assert {line.amount for line in lines} == {"0.40"}
    assert all(len(line.receipt) == 9 for line in lines)
    listed = "".join(f"{line.payment},paid,{line.amount}\n" for line in lines[:2])
    failed = f"{lines[2].payment},failed,\n"
    said = read_confirmations("payment,status,amount\n" + listed + failed)
    first = reconcile(study, said, ME, LATER)
    assert (first.confirmed, first.failed, first.differences) == (2, 1, [])
    again = reconcile(study, said, ME, LATER)
    assert (again.confirmed, again.failed, again.repeated) == (0, 0, 3)
    assert states(study) == {"confirmed": 2, "planned": 1}
    assert Counter(Assignment.objects.values_list("paid_state", flat=True)) == {"paid": 2, "owed": 1}
    assert [pay.cents for pay in get_owed(study.pk)] == [40]
    check_balance(study)


def test_confirmations_that_do_not_agree_change_nothing_and_are_named():
    from labelwright.server.paying.actions.confirmations import Confirmation, reconcile
    from labelwright.server.paying.actions.runs import hand_out

    study = loaded(items=2)
    work(study)
    lines = hand_out(study, release(study).run, ME, LATER)
    work(loaded(items=1, name="other"))
    ((elsewhere,),) = rows(
        "SELECT p.code FROM payment p JOIN study s ON s.id = p.study_id WHERE s.name = 'other'"
    )
    said = [
        Confirmation(lines[0].payment, True, "4.00"),
        Confirmation(elsewhere, True),
        Confirmation("X", True),
    ]
    found = reconcile(study, said, ME, LATER)
    assert (found.confirmed, len(found.differences)) == (0, 3)
    assert "4.00" in found.differences[0]
    assert states(study) == {"sent": 2}


def test_a_budget_for_ten_lets_exactly_ten_of_fifty_parallel_approvals_through():
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
    from labelwright.server.store.models import Payment

    study = loaded(items=50, pay={"fee_percent": 20})
    work(study)
    # A task costs 0.40 and 0.08 of fees; 4.87 are enough for ten and one cent is missing for nothing more.
    set_budget(study, BudgetOf(Scope.STUDY), 487, ME, LATER)
    ids = list(Payment.objects.values_list("pk", flat=True))
    assert len(ids) == 50
    at_once(50, lambda: release(study, only=[ids.pop()]))
    assert states(study) == {"authorised": 10, "planned": 40}
    assert rows("SELECT committed_cents FROM payment_budget WHERE scope = 'study'") == [(480,)]
    check_balance(study)


def test_budgets_of_batches_and_raters_are_kept_too_and_cannot_be_set_below_what_is_released():
    from labelwright.server.paying.actions.budgets import BadBudget, BudgetOf, Scope, set_budget

    study = loaded(items=6)
    work(study, raters=2, tasks=3)
    set_budget(study, BudgetOf(Scope.RATER), 80, ME, LATER)
    assert release(study).payments == 4
    set_budget(study, BudgetOf(Scope.RATER), None, ME, LATER)
    set_budget(study, BudgetOf(Scope.BATCH), 200, ME, LATER)
    assert (release(study).payments, states(study)["planned"]) == (1, 1)
    for scope in Scope:
        with pytest.raises(BadBudget):
            set_budget(study, BudgetOf(scope), 79, ME, LATER)
    check_balance(study)


def test_the_database_itself_refuses_to_exceed_a_budget_and_to_change_the_ledger():
    from django.db import DatabaseError, IntegrityError, connection, transaction

    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget

    study = loaded(items=1)
    work(study)
    set_budget(study, BudgetOf(Scope.STUDY), 40, ME, LATER)
    release(study)
    refused = (
        "UPDATE payment_budget SET committed_cents = 41 WHERE scope = 'study'",
        "UPDATE ledger_line SET cents = 1",
        "DELETE FROM ledger_line",
        """INSERT INTO ledger_line (study_id, payment_id, state, cents, fee_cents, currency, who, why, at)
           SELECT study_id, id, 'reversed', cents, 0, currency, '', '', now() FROM payment""",
        """INSERT INTO payment (study_id, key, code, kind, rater_id, assignment_id, platform, cents, fee_cents, currency,
                                reason, state, round, made_at, changed_at)
           SELECT study_id, 'x', 'x', 'task', rater_id, assignment_id, 'link', cents, 0, currency, '', 'planned', 0, now(),
                  now() FROM payment""",
    )
    for statement in refused:
        with (
            pytest.raises((IntegrityError, DatabaseError)),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_flagged_work_is_held_until_a_verdict_which_pays_or_stops_it():
    study = loaded(items=3, quality=[{"rule": "too_fast", "seconds": 15, "then": "propose"}])
    work(study, seconds=5)
    assert release(study).payments == 0
    fine, left_out, rejected = (pk for (pk,) in rows("SELECT id FROM assignment ORDER BY id"))
    decide(study, "fine", fine, "")
    decide(study, "leave_out", left_out)
    decide(study, "reject", rejected)
    # Excluding the data never touches the pay.
    assert states(study) == {"planned": 2, "reversed": 1}
    assert release(study).payments == 2
    assert rows("SELECT who, why FROM ledger_line WHERE state = 'reversed'") == [
        (anyones_reviewer(), "rejected in review")
    ]
    check_balance(study)


def test_a_verdict_stops_released_pay_until_the_list_is_handed_out_and_can_be_taken_back():
    from labelwright.server.paying.actions import OnItsWay
    from labelwright.server.paying.actions.runs import hand_out
    from labelwright.server.review.actions.verdicts import take_back
    from labelwright.server.store.models import User

    study = loaded(items=2, quality=[{"rule": "too_fast", "seconds": 15, "then": "propose"}])
    work(study, seconds=5)
    first, second = (pk for (pk,) in rows("SELECT id FROM assignment ORDER BY id"))
    made = decide(study, "fine", first, "")
    decide(study, "fine", second, "")
    run = release(study).run
    user = User.objects.get(username=anyones_reviewer())
    take_back(user, study.public_id, made.decision, LATER)
    # The case is open again, so the released pay is planned again and held.
    assert states(study) == {"planned": 1, "authorised": 1}
    decide(study, "reject", first)
    assert states(study) == {"reversed": 1, "authorised": 1}
    hand_out(study, run, ME, LATER)
    with pytest.raises(OnItsWay):
        decide(study, "reject", second)
    assert states(study) == {"reversed": 1, "sent": 1}
    check_balance(study)


def test_a_rejection_needs_a_person_and_a_reason_whatever_the_way():
    from labelwright.crowd import DataUse
    from labelwright.server.review.actions.verdicts import NoReason, NotAPerson
    from labelwright.server.review.actions.verdicts import decide as decide_as

    study = loaded(items=1)
    work(study)
    ((assignment,),) = rows("SELECT id FROM assignment")
    with pytest.raises(NoReason):
        decide(study, "reject", assignment, " ")
    for author in ("automatic", "command line", ""):
        with pytest.raises(NotAPerson):
            decide_as(
                assignment, pay=False, data_use=DataUse.LEFT_OUT, reason=REASON, author=author, now=LATER
            )
    assert states(study) == {"planned": 1}


def test_a_run_can_be_taken_back_until_its_list_is_handed_out():
    from labelwright.server.paying.actions.runs import RunListed, hand_out, withdraw_run

    study = loaded(items=2)
    work(study)
    first = release(study).run
    assert withdraw_run(study, first, ME, LATER) == 2
    assert states(study) == {"planned": 2}
    second = release(study).run
    hand_out(study, second, ME, LATER)
    with pytest.raises(RunListed):
        withdraw_run(study, second, ME, LATER)
    assert (first, second) == (1, 2)
    check_balance(study)


def test_bonuses_for_a_batch_and_of_a_person_are_given_once():
    from labelwright.server.paying.actions.planning import BadBonus, give_bonus, plan_payments
    from labelwright.server.store.models import Rater

    study = loaded(items=2, pay={"batch_bonus": {"cents": 200}, "fee_percent": 20})
    work(study)
    first, again = plan_payments(study, LATER), plan_payments(study, LATER)
    assert (first.batch_bonuses, again.batch_bonuses) == (1, 0)
    at_once(8, lambda: plan_payments(study, LATER))
    rater, mine = Rater.objects.get(study=study), uuid4()
    at_once(8, lambda: give_bonus(study, rater, 150, "Very helpful comments.", mine, ME, LATER))
    with pytest.raises(BadBonus):
        give_bonus(study, rater, 151, "Very helpful comments.", mine, ME, LATER)
    with pytest.raises(BadBonus):
        give_bonus(study, rater, 150, " ", UUID(int=1), ME, LATER)
    # 2 tasks of 0.48, a batch bonus of 2.40 and a bonus of 1.80, fees included.
    assert release(study).cents == 96 + 240 + 180
    check_balance(study)


def test_a_batch_that_took_too_long_earns_no_bonus():
    from labelwright.server.paying.actions.planning import plan_payments

    study = loaded(items=2, pay={"batch_bonus": {"cents": 200, "within_hours": 0.01}})
    # 0.01 hours are 36 seconds.
    work(study, seconds=37)
    assert plan_payments(study, LATER).batch_bonuses == 0


def test_owed_work_of_an_earlier_release_is_planned_by_the_next_run():
    from labelwright.server.store.models import Payment

    study = loaded(items=3)
    work(study)
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL labelwright.ledger = 'removable'")
        cursor.execute("DELETE FROM ledger_line; DELETE FROM payment")
    assert not Payment.objects.exists()
    assert release(study).payments == 3


def test_a_pay_list_is_safe_for_spreadsheets_and_names_nobody():
    study = loaded(items=1)
    work(study)
    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.store.models import Rater

    give_bonus(study, Rater.objects.get(study=study), 100, "=HYPERLINK(1)", uuid4(), ME, LATER)
    client = client_of(ME)
    page = f"/studies/{study.public_id}/money"
    assert client.post(page, {"do": "run"}).status_code == 303
    answer = client.post(page, {"do": "list", "run": "1"})
    found = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert {row["reason"] for row in found} == {"", "'=HYPERLINK(1)"}
    assert {row["kind"] for row in found} == {"task", "bonus"}


def test_a_person_settles_a_payment_that_nobody_confirmed():
    from labelwright.server.paying.actions.confirmations import BadConfirmations, settle
    from labelwright.server.paying.actions.money import get_money
    from labelwright.server.paying.actions.runs import hand_out

    study = loaded(items=2)
    work(study)
    first, second = hand_out(study, release(study).run, ME, LATER)
    from django.http import QueryDict

    open_now = get_money(study, QueryDict(), LATER + timedelta(days=4)).unresolved
    assert {payment.code for payment in open_now} == {first.payment, second.payment}
    settle(study, first.payment, paid=True, who=ME, now=LATER)
    settle(study, second.payment, paid=False, who=ME, now=LATER)
    with pytest.raises(BadConfirmations):
        settle(study, first.payment, paid=False, who=ME, now=LATER)
    assert states(study) == {"confirmed": 1, "planned": 1}
    check_balance(study)


def test_the_parts_of_the_bar_add_up_to_the_budget():
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
    from labelwright.server.paying.actions.money import get_parts

    study = loaded(items=5, pay={"fee_percent": 25})
    work(study, tasks=2)
    set_budget(study, BudgetOf(Scope.STUDY), 1000, ME, LATER)
    release(study)
    (parts,) = get_parts(study)
    # Two tasks of 0.50 are released, three are open.
    assert (parts.approved, parts.open, parts.left) == (100, 150, 750)


def test_the_page_shows_every_part_and_forms_only_to_those_who_pay():
    study = loaded(items=2, pay={"hourly_minimum_cents": 1200})
    work(study, seconds=300)
    owner, other = client_of(ME), client_of(anyones_reviewer())
    page = f"/studies/{study.public_id}/money"
    text = owner.get(page).content.decode()
    # 0.40 for 5 minutes is 4.80 an hour; for 12.00 it would have to be 1.00.
    assert "$4.80" in text
    assert "A pay of $1.00" in text
    assert "Release $0.80" in text
    assert other.get(page).status_code == 200
    assert owner.post(page, {"do": "budget", "limit": "1.2.3"}).status_code == 400
    assert owner.get(f"/studies/{study.public_id}/payments.csv").content.decode().count("planned") == 2


def test_the_commands_do_the_same_and_write_lines(tmp_path: Any):
    from labelwright.server.store.models import Rater

    study = loaded(items=2, pay={"fee_percent": 25})
    work(study)
    name = Rater.objects.get(study=study).pseudonym

    def said(*words: str) -> str:
        result = command("pay", *words)
        assert result.exit_code == 0, result.output
        return str(result.output)

    assert "Planned 0 tasks" in said("plan", "tiny")
    assert "1.20" in said("budget", "tiny", "1.20")
    said("bonus", "tiny", name, "1.00", "--reason", "Helpful comments.")
    # Two tasks of 0.50 fit a budget of 1.20; a bonus of 1.25 does not.
    assert "Run 1: 2 payments, 1.00 USD" in said("run", "tiny")
    out = tmp_path / "list.csv"
    said("list", "tiny", "1", "--out", str(out))
    lines = list(csv.DictReader(out.read_text().splitlines()))
    out.write_text("payment,status\n" + "".join(f"{line['payment']},paid\n" for line in lines))
    assert "2 confirmed" in said("reconcile", "tiny", "--confirmations", str(out))
    assert "paid\t1.00 USD" in said("status", "tiny")
    assert {what for (what,) in rows("SELECT what FROM audit")} >= {
        "budget", "bonus", "pay_run", "pay_list", "pay_reconcile",
    }  # fmt: skip


def test_a_study_with_a_bonus_cannot_be_deleted_and_one_with_rejected_work_can():
    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.store.models import Rater
    from labelwright.server.studies.actions.deletion import delete_rows, withdraw_study

    unpaid = loaded(items=1, name="unpaid", pay={"cents": 0})
    work(unpaid)
    give_bonus(unpaid, Rater.objects.get(study=unpaid), 100, "Helpful comments.", uuid4(), ME, LATER)
    with pytest.raises(Exception, match="paid"):
        withdraw_study(unpaid, ME, LATER)
    study = loaded(items=1)
    work(study)
    decide(study, "reject")
    withdraw_study(study, ME, LATER)
    list(delete_rows(study.pk))
    assert rows("SELECT count(*)::int FROM ledger_line WHERE study_id = %s", [study.pk]) == [(0,)]
