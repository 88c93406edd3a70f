"""Payment runs, pay lists and confirmations killed with -9 at random moments: everything is paid once, to the cent."""

from __future__ import annotations

import csv
import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Process
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.parallel]

PAYMENTS, KILLS = 20_000, 3


def owing() -> Any:
    """A study that owes many bonuses of one cent to one hundred."""
    from labelwright.crowd import PaymentKind
    from labelwright.server.paying.queries.ledger import NewPayment, add_payments
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Rater
    from labelwright.server.studies.actions.loading import load_study

    text = study_text()
    study = load_study(parse(text), text, dialogues(1), NOW, opened=True).study
    make_links(study, get_pool(study, "own"), 3, 60, NOW)
    raters = list(Rater.objects.values_list("pk", flat=True))
    made = [
        NewPayment(
            f"bonus|{n}",
            PaymentKind.BONUS,
            raters[n % 3],
            None,
            None,
            "link",
            n % 100 + 1,
            1,
            "USD",
            "Thanks.",
        )
        for n in range(PAYMENTS)
    ]
    add_payments(study.pk, made, "owner", NOW)
    return study


def killed_then_done(log: Path, seed: int, *command: str) -> None:
    """Runs a command, kills it a few times on its way, and lets it end at last."""
    chance = random.Random(seed)
    for _ in range(KILLS):
        process = Process("pay", *command, log=log)
        process.start()
        time.sleep(chance.uniform(0.8, 3))
        process.kill()
    process = Process("pay", *command, log=log)
    process.start()
    assert process.process is not None
    assert process.process.wait(120) == 0, log.read_text()


def states() -> dict[str, int]:
    return dict(rows("SELECT state, count(*)::int FROM payment GROUP BY 1"))


def test_everything_is_released_listed_and_confirmed_once(database: str, tmp_path: Path):
    from labelwright.server.paying.actions.confirmations import get_imbalances

    study, log = owing(), tmp_path / "pay.log"
    # Payments of 1 to 100 cents with a fee of one cent each.
    total = sum(n % 100 + 2 for n in range(PAYMENTS))
    killed_then_done(log, 1, "run", "tiny")
    assert states() == {"authorised": PAYMENTS}
    assert rows("SELECT committed_cents FROM payment_budget WHERE scope = 'study'") == [(total,)]
    runs = [number for (number,) in rows("SELECT number FROM payment_run ORDER BY 1")]
    codes: list[str] = []
    for number in runs:
        out = tmp_path / f"list-{number}.csv"
        killed_then_done(log, number, "list", "tiny", str(number), "--out", str(out))
        codes += [line["payment"] for line in csv.DictReader(out.read_text().splitlines())]
    assert len(codes) == len(set(codes)) == PAYMENTS
    said = tmp_path / "said.csv"
    said.write_text("payment,status\n" + "".join(f"{code},paid\n" for code in codes))
    killed_then_done(log, 3, "reconcile", "tiny", "--confirmations", str(said))
    assert states() == {"confirmed": PAYMENTS}
    lines = dict(rows("SELECT state, count(*)::int FROM ledger_line GROUP BY 1"))
    assert lines == dict.fromkeys(("planned", "authorised", "sent", "confirmed"), PAYMENTS)
    assert get_imbalances(study) == []
