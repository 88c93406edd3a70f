"""Benchmark of the ledger: time per line of a million lines; the last tenth must cost what the first does."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from bench.harness import SMALL, main, within
from bench.server import database
from tests.studies import dialogues, parse, pool, study_text

RATERS = 500
LINES_PER_PAYMENT = 4
"""Planned, authorised, sent, confirmed."""
IN_A_RUN = 500 if SMALL else 25_000


def measure(lines: int) -> None:
    """Pays bonuses run by run, until the ledger has this many lines, and checks that it balances."""
    with database():
        from labelwright.server.config.startup import migrate, set_up

        set_up()
        migrate()
        pay_runs(lines // LINES_PER_PAYMENT // IN_A_RUN)


def pay_runs(runs: int) -> None:
    """Payment runs one after the other, in a database that is set up."""
    from labelwright.server.paying.actions.budgets import BudgetOf, Scope, set_budget
    from labelwright.server.paying.actions.confirmations import get_imbalances
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import LedgerLine, Pool, Rater
    from labelwright.server.studies.actions.loading import load_study

    now = datetime.now(UTC)
    text = study_text(pools=pool(pay={"cents": 40, "fee_percent": 20}, raters=RATERS))
    study = load_study(parse(text), text, dialogues(2), now, opened=True).study
    make_links(study, Pool.objects.get(study=study), RATERS, 60, now)
    raters = list(Rater.objects.filter(study=study).values_list("pk", flat=True))
    set_budget(study, BudgetOf(Scope.STUDY), 10**12, "bench", now)
    set_budget(study, BudgetOf(Scope.RATER), 10**10, "bench", now)
    times = [pay_run(study, raters, number) for number in range(runs)]
    tenth = max(1, runs // 10)
    per_line = [seconds / (IN_A_RUN * LINES_PER_PAYMENT) * 1e6 for seconds in times]
    first, last = sum(per_line[:tenth]) / tenth, sum(per_line[-tenth:]) / tenth
    count = LedgerLine.objects.count()
    within(
        f"ledger of {count:,} lines: a line at the end, against 1.5 times one at the start",
        last,
        1.5 * first,
        "µs",
    )
    start = time.perf_counter()
    assert get_imbalances(study) == []
    within("ledger: checking that every line, payment and budget agree", time.perf_counter() - start, 60, "s")


def pay_run(study: object, raters: list[int], number: int) -> float:
    """The seconds of one run, from the plan to the confirmation."""
    from labelwright.crowd import PaymentKind
    from labelwright.server.paying.actions import confirm
    from labelwright.server.paying.actions.runs import hand_out, release
    from labelwright.server.paying.queries.ledger import NewPayment, add_payments
    from labelwright.server.store.models import Payment, StudyRow

    assert isinstance(study, StudyRow)
    now, start = datetime.now(UTC), time.perf_counter()
    made = [
        NewPayment(
            f"bonus|{number}-{n}",
            PaymentKind.BONUS,
            raters[n % RATERS],
            None,
            None,
            "link",
            40,
            8,
            "USD",
            "Thanks.",
        )
        for n in range(IN_A_RUN)
    ]
    for block in range(0, IN_A_RUN, 1000):
        add_payments(study.pk, made[block : block + 1000], "bench", now)
    (released,) = release(study, "bench", now)
    assert released.run is not None
    hand_out(study, released.run, "bench", now)
    sent = list(Payment.objects.filter(study=study, run__number=released.run).values_list("pk", flat=True))
    confirm(study.pk, sent, "bench", "confirmed by the pay list", now)
    return time.perf_counter() - start


if __name__ == "__main__":
    main({"small": lambda: measure(100_000), "large": lambda: measure(1_000_000)})
