"""`labelwright pay`: plan, release, list and confirm payments, and set budgets."""

from __future__ import annotations

from dataclasses import astuple
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID, uuid4

import typer

if TYPE_CHECKING:
    from labelwright.server.store.models import StudyRow

WHO = "command line"
"""The actor in the audit log."""

pay = typer.Typer(no_args_is_help=True, help="Pay the raters of a study, and limit what it may cost.")

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]
Pseudonym = Annotated[str, typer.Argument(help="The pseudonym of a rater.")]
Amount = Annotated[str, typer.Argument(help="An amount in units of the currency, such as 12.40.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright pay`."""
    app.add_typer(pay, name="pay")


@pay.command("plan")
def plan(study: StudyName) -> None:
    """Plan everything that is owed: tasks, and bonuses for completed batches. Nothing is planned twice."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.planning import plan_payments

    with database_errors():
        planned = plan_payments(row, datetime.now(UTC))
    typer.echo(f"Planned {planned.tasks} tasks and {planned.batch_bonuses} bonuses for batches.")
    status(study)


@pay.command("run")
def run(study: StudyName) -> None:
    """Release everything that waits for nobody and fits the budgets."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.runs import release

    with database_errors():
        released = release(row, WHO, datetime.now(UTC))
    for each in released:
        if each.run is not None:
            typer.echo(
                f"Run {each.run}: {each.payments} payments, {_units(each.cents)} {each.currency} with fees."
            )
        if each.over_budget:
            typer.echo(f"{each.over_budget} payments do not fit the budget and stay planned.")
    if not any(each.payments for each in released):
        typer.echo("Nothing was released.")


@pay.command("list")
def pay_list(
    study: StudyName,
    run_number: Annotated[int, typer.Argument(metavar="RUN", help="The number of a payment run.")],
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: standard output.")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Add the ids that the panel knows raters by.")] = False,
) -> None:
    """Hand out the pay list of a run as CSV. Its payments count as sent from then on."""
    row = _open(study)
    from labelwright.release import spreadsheet_text
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.runs import HEADINGS, hand_out

    with database_errors():
        lines = hand_out(row, run_number, WHO, datetime.now(UTC), with_ids=ids)
    text = spreadsheet_text(HEADINGS, map(astuple, lines))
    if out is None:
        typer.echo(text, nl=False)
        return
    out.write_text(text, encoding="utf-8", newline="")
    typer.echo(f"{len(lines)} payments in {out}.")


@pay.command("status")
def status(study: StudyName) -> None:
    """Print what is paid, sent, approved, held and expected, and payments whose outcome nobody knows."""
    row = _open(study)
    from django.http import QueryDict

    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.money import get_money

    with database_errors():
        found = get_money(row, QueryDict(), datetime.now(UTC))
    for parts in found.parts:
        for name in ("paid", "sent", "approved", "held", "at_work", "open", "left"):
            cents = getattr(parts, name)
            if cents is not None:
                typer.echo(f"{name.replace('_', ' ')}\t{_units(cents)} {parts.currency}")
    for payment in found.unresolved:
        typer.echo(
            f"not confirmed\t{payment.code}\t{payment.rater}\t{_units(payment.cents)} {payment.currency}"
        )


@pay.command("reconcile")
def reconcile_list(
    study: StudyName,
    confirmations: Annotated[
        Path | None, typer.Option(help="A pay list with a column `status`: paid or failed.")
    ] = None,
    paid: Annotated[list[str] | None, typer.Option(help="A payment that you know was paid.")] = None,
    not_paid: Annotated[list[str] | None, typer.Option(help="A payment that you know was not paid.")] = None,
) -> None:
    """Take confirmations over, and check that ledger, payments and budgets agree to the cent."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.confirmations import (
        get_imbalances,
        read_confirmations,
        reconcile,
        settle,
    )

    now = datetime.now(UTC)
    with database_errors():
        if confirmations:
            text = confirmations.read_text(encoding="utf-8-sig")
            found = reconcile(row, read_confirmations(text), WHO, now)
            typer.echo(
                f"{found.confirmed} confirmed, {found.failed} not paid, {found.repeated} known before."
            )
            for difference in found.differences:
                typer.echo(difference)
        for code, was_paid in [
            *((one, True) for one in paid or ()),
            *((one, False) for one in not_paid or ()),
        ]:
            settle(row, code, paid=was_paid, who=WHO, now=now)
            typer.echo(f"{code} {'counts as paid' if was_paid else 'is planned again'}.")
        wrong = get_imbalances(row)
    for each in wrong:
        typer.echo(
            f"{each.what} {each.of}: the ledger says {each.ledger_cents}, but {each.kept_cents} is stored."
        )
    typer.echo("Ledger, payments and budgets agree." if not wrong else "Report this as a bug.")
    if wrong or (confirmations and found.differences):
        raise typer.Exit(1)


@pay.command("budget")
def budget(
    study: StudyName,
    limit: Annotated[str | None, typer.Argument(help="The limit, such as 240.00, or `none`.")] = None,
    of: Annotated[str, typer.Option(help="`study`, `batch` (each batch) or `rater` (each rater).")] = "study",
    batch: Annotated[int | None, typer.Option(help="The number of one batch.")] = None,
    rater: Annotated[str, typer.Option(help="The pseudonym of one rater.")] = "",
) -> None:
    """Print the budgets, or set one. Budgets include fees; the database refuses to exceed them."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.amounts import read_amount
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, get_budgets, set_budget

    with database_errors():
        if limit is not None:
            scope = Scope.RATER if rater else Scope.BATCH if batch is not None else of
            if scope not in Scope.values:
                raise typer.BadParameter("--of is study, batch or rater.")
            cents = None if limit == "none" else read_amount(limit)
            set_budget(row, BudgetOf(Scope(scope), batch, rater), cents, WHO, datetime.now(UTC))
        for line in get_budgets(row):
            most = "no limit" if line.limit is None else _units(line.limit)
            typer.echo(f"{line.scope} {line.of}\t{most}\t{_units(line.committed)} released\t{line.currency}")


@pay.command("bonus")
def bonus(
    study: StudyName,
    rater: Pseudonym,
    amount: Amount,
    reason: Annotated[str, typer.Option(help="The reason, which the rater reads.")],
    bonus_id: Annotated[
        UUID | None,
        typer.Option("--id", help="An id of your own, so that a repeated command gives nothing twice."),
    ] = None,
) -> None:
    """Plan a bonus for one rater. It is paid with the next payment run."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.paying.actions.amounts import read_amount
    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.people.actions.roster import get_rater

    with database_errors():
        one = get_rater(row, rater)
        given = give_bonus(row, one, read_amount(amount), reason, bonus_id or uuid4(), WHO, datetime.now(UTC))
    typer.echo(f"{given.code}\t{rater}\t{_units(given.cents)} {given.currency}")


def _units(cents: int) -> str:
    return f"{cents / 100:,.2f}"


def _open(study: str) -> StudyRow:
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        return get_study(study)
