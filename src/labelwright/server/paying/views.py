"""The page Money: the budget and what became of it, payment runs, pay lists and confirmations."""

from __future__ import annotations

from dataclasses import astuple
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.errors import LabelwrightError
from labelwright.release import spreadsheet_text
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.paying.actions.amounts import read_amount
from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
from labelwright.server.paying.actions.confirmations import (
    read_confirmations,
    reconcile,
    settle,
)
from labelwright.server.paying.actions.money import get_money
from labelwright.server.paying.actions.planning import BadBonus, give_bonus
from labelwright.server.paying.actions.runs import (
    HEADINGS,
    NoSuchRun,
    PayLine,
    get_payments,
    hand_out,
    release,
    withdraw_run,
)
from labelwright.server.paying.pages import money as pages
from labelwright.server.people.actions.roster import get_rater
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.forms import SentForm, form_page, run_form
from labelwright.server.web.money import money as amount
from labelwright.server.web.requests import number, user_of

MOST_RUNS = 1_000_000


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page; a POST is one of its forms, or hands out a pay list."""
    user = user_of(request)
    sends = request.method == "POST"
    study = access_study(user, public_id, Permission.PAY if sends else Permission.SEE_RATERS)
    asked = SentForm(request, study, user.get_username(), datetime.now(UTC))
    if asked.field("do") == "list" and (found := _list(asked)):
        return found
    error, done = run_form(
        request,
        {
            "list": partial(_refuse_list, asked),
            "run": partial(_run, asked),
            "withdraw": partial(_withdraw, asked),
            "budget": partial(_budget, asked),
            "bonus": partial(_bonus, asked),
            "confirm": partial(_confirm, asked),
            "paid": partial(_settle, asked, paid=True),
            "again": partial(_settle, asked, paid=False),
        },
    )
    if done:
        return done
    context = frame(public_id, study.title, "money") | pages.page(get_money(study, request.GET, asked.now))
    context["may_pay"] = Permission.PAY in get_permissions(user, study)
    return form_page(request, "paying/money.html", context, error)


@require_safe
@login_required
def payments(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every payment of a study as a file. It is no pay list, and nothing is marked as sent."""
    study = access_study(user_of(request), public_id, Permission.SEE_RATERS)
    return _file(get_payments(study), f"{study.name}-payments.csv")


def _file(lines: list[PayLine], name: str) -> HttpResponse:
    return HttpResponse(
        spreadsheet_text(HEADINGS, map(astuple, lines)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _list(asked: SentForm) -> HttpResponse | None:
    """The pay list as a file; None if there is no such list."""
    wanted = number(asked.field("run"), MOST_RUNS, otherwise=0)
    try:
        lines = hand_out(asked.study, wanted, asked.who, asked.now, with_ids=bool(asked.field("ids")))
    except NoSuchRun:
        return None
    return _file(lines, f"{asked.study.name}-pay-list-{wanted}.csv")


def _refuse_list(asked: SentForm) -> None:
    raise NoSuchRun(number(asked.field("run"), MOST_RUNS, otherwise=0))


def _run(asked: SentForm) -> Done:
    released = release(asked.study, asked.who, asked.now)
    over = sum(each.over_budget for each in released)
    left = f" {over:,} payments do not fit the budget and stay planned." if over else ""
    made = [each for each in released if each.run is not None]
    if not made:
        raise LabelwrightError(
            f"nothing could be released.{left}", do="Work under review is paid after the verdict."
        )
    said = " and ".join(f"{amount(each.cents, each.currency)} in run {each.run}" for each in made)
    undo = Undo("withdraw", {"run": [str(each.run) for each in made]}, name="Take back")
    return Done(f"Released {said}.{left}", undo)


def _withdraw(asked: SentForm) -> Done:
    runs = [number(each, MOST_RUNS, otherwise=0) for each in asked.request.POST.getlist("run")]
    given = sum(withdraw_run(asked.study, each, asked.who, asked.now) for each in runs)
    return Done(f"{given:,} payment{' is' if given == 1 else 's are'} planned again.")


def _budget(asked: SentForm) -> Done:
    limit = asked.field("limit")
    scope = Scope(asked.field("scope")) if asked.field("scope") in Scope.values else Scope.STUDY
    set_budget(asked.study, BudgetOf(scope), read_amount(limit) if limit else None, asked.who, asked.now)
    return Done("The budget is changed." if limit else "The limit is removed.")


def _bonus(asked: SentForm) -> Done:
    try:
        bonus = UUID(asked.field("bonus"))
    except ValueError as error:
        raise BadBonus("the form is incomplete.", do="Reload the page.") from error
    rater = get_rater(asked.study, asked.field("rater"))
    given = give_bonus(
        asked.study,
        rater,
        read_amount(asked.field("amount")),
        asked.field("reason"),
        bonus,
        asked.who,
        asked.now,
    )
    said = amount(given.cents, given.currency)
    return Done(f"A bonus of {said} for {rater.pseudonym} is planned. It is paid with the next payment run.")


def _confirm(asked: SentForm) -> Done:
    found = reconcile(asked.study, read_confirmations(asked.field("text")), asked.who, asked.now)
    said = f"{found.confirmed:,} confirmed, {found.failed:,} not paid and planned again, {found.repeated:,} known before."
    if found.differences:
        listed = " ".join(found.differences[:5])
        said += f" {len(found.differences):,} lines do not agree and changed nothing: {listed}"
    return Done(said)


def _settle(asked: SentForm, *, paid: bool) -> Done:
    settle(asked.study, asked.field("payment"), paid=paid, who=asked.who, now=asked.now)
    return Done(
        "The payment counts as paid." if paid else "The payment is planned again, for the next payment run."
    )
