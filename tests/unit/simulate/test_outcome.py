"""What a rehearsal came to, from a handful of pieces of work counted by hand."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from labelwright.crowd import Pay
from labelwright.simulate import End, SimulatedRater
from labelwright.simulate.charts import draw_rehearsal
from labelwright.simulate.outcome import RehearsalOutcome, StoredWork, make_outcome
from labelwright.simulate.timeline import WorkRecord
from tests.studies import NOW, parse, study_text


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def worked(rater: int, began: float, ended: float, end: End = End.STORED) -> WorkRecord:
    return WorkRecord(rater, at(began), at(ended), end)


RATERS = [SimulatedRater(kind, str(n), 1) for n, kind in enumerate(("careful", "hasty", "hasty"))]
# Rater 0: 10 minutes, stored. Rater 1: 2 and 4 minutes stored, 6 refused. Rater 2 leaves after 3 minutes.
WORKED = [
    worked(0, 0, 10),
    worked(1, 0, 2),
    worked(1, 2, 6),
    worked(1, 6, 12, End.REFUSED),
    worked(2, 0, 3, End.VANISHED),
]
STORED = [StoredWork(0, 40, False), StoredWork(1, 40, True), StoredWork(1, 40, False)]


def answers() -> list[dict[str, Any]]:
    given = [("a", "x", 1), ("a", "y", 1), ("b", "x", 2), ("b", "y", 3)]
    rows = [
        {"question": "useful", "item": i, "rater": r, "label": label, "condition": "SECRET0"}
        for i, r, label in given
    ]
    return [*rows, {"question": "comment", "item": "a", "rater": "x", "label": None, "condition": "SECRET0"}]


def outcome(stored: list[StoredWork] = STORED, wanted: int = 4) -> RehearsalOutcome:
    owed = [Pay(cents=sum(work.cents for work in stored))]
    return make_outcome(parse(study_text()), RATERS, NOW, WORKED, stored, answers(), owed, wanted)


def test_gold_tasks_are_paid_but_are_not_ratings():
    # The first submission of rater 1, after 2 minutes, is a gold task.
    found = outcome([STORED[0], StoredWork(1, 40, True, gold=True), STORED[2]])
    assert (found.stored, found.gold, found.cents) == (2, 1, 120)
    assert found.over_time == [(at(6), 1), (at(10), 2)]


def test_time_is_told_up_to_shares_of_what_is_wanted():
    found = outcome()
    assert [n for _, n in found.over_time] == [1, 2, 3]
    # Handed in after 2, 6 and 10 minutes; half of four is two; four were never reached.
    assert (found.took(0.25), found.took(0.5), found.took(0.75)) == tuple(
        timedelta(minutes=n) for n in (2, 6, 10)
    )
    assert found.took(1.0) is None
    assert (found.complete, outcome(wanted=3).complete) == (False, True)
    assert found.record()["hours"] == {"50%": 0.1, "90%": None, "100%": None}


def test_an_hour_pays_by_all_the_time_that_was_worked():
    found = outcome()
    # 40 cents in 10 minutes; 80 in 12, the refused ones included; nothing in 3.
    assert found.hourly == pytest.approx({0: 240, 1: 400, 2: 0})
    assert (found.median_hourly, found.below(240), found.below(240.01)) == (pytest.approx(240), 1, 2)
    assert (found.earned, found.cents, found.lost) == ({0: 40, 1: 80}, 120, 2)
    assert found.work_hours == pytest.approx(25 / 60)


def test_kinds_are_told_apart():
    careful, hasty = outcome().kinds
    assert (careful.kind, careful.raters, careful.stored, careful.seconds, careful.flagged) == (
        "careful",
        1,
        1,
        600,
        0,
    )
    # Stored tasks took 2 and 4 minutes; one left, one came too late, one is flagged; 400 and 0 an hour.
    assert (hasty.raters, hasty.stored, hasty.seconds, hasty.hourly_cents) == (2, 2, 180, pytest.approx(200))
    assert (hasty.left, hasty.refused, hasty.flagged) == (1, 1, 1)
    unknown = outcome([StoredWork(0, 40, None)])
    assert [kind.flagged for kind in unknown.kinds] == [None, None]


def test_work_done_to_qualify_is_paid_and_no_rating():
    found = outcome([StoredWork(1, 40, False, applied=True), *STORED[:2]])
    assert (found.stored, found.applied, [n for _, n in found.over_time]) == (2, 1, [1, 2])
    assert found.over_time[0][0] == at(6)


def test_agreement_is_that_of_the_questions_that_are_counted():
    found = outcome().agreement
    [row] = found.rows
    assert row.where == {"question": "useful", "condition": "SECRET0"}
    # The scale has an order; of two items one is agreed upon.
    assert list(row.estimates) == ["percentage", "alpha_ordinal"]
    assert found.get("percentage").value == 0.5


def test_the_chart_leaves_out_what_has_no_figures():
    full = draw_rehearsal(outcome(), minimum_cents=1000).to_dict()
    assert [panel.get("title") for panel in full["vconcat"]][:2] == [
        "Submitted tasks, and the target (dashed)",
        "Pay per hour of work, USD; dashed: minimum of 10.00",
    ]
    assert len(full["vconcat"]) == 3
    nothing = make_outcome(parse(study_text()), RATERS, NOW, [], [], [], [], 4)
    assert (nothing.median_hourly, nothing.over_time, nothing.cents) == (None, [], 0)
    assert nothing.kinds[0].hourly_cents is None
