"""Rehearsals on a real PostgreSQL: through the actions, through the pages, and from the command line."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from labelwright.corpus import Dialogue, Turn
from labelwright.simulate import Behaviour, End, RehearsalOutcome, Timeline, crowd, default_behaviour
from tests.processes import LABELWRIGHT, Server
from tests.studies import NOW, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

# Replies that differ, so that each has a truth of its own.
CORPUS = [
    Dialogue(
        f"d{n}", (Turn("user", f"A film like number {n}?"), Turn("system", f"Try number {n * n}.", "alpha"))
    )
    for n in range(15)
]
RATERS = 20
MIX = {"careful": 70, "hasty": 15, "straightliner": 10, "random": 5}


def rehearse(
    name: str = "tiny",
    mix: Mapping[str, float] = MIX,
    behaviour: Behaviour | None = None,
    seed: int = 1,
    **changes: Any,
) -> tuple[RehearsalOutcome, Timeline, Any]:
    from labelwright.server.rehearsal.actions import get_outcome, live_fast, open_rehearsal, run_periodic

    changes.setdefault("pools", pool(pay={"cents": 40}))
    text = study_text(name=name, items={"per_dialogue": 1}, **changes)
    people = crowd(RATERS, mix, seed, behaviour)
    opened = open_rehearsal(text, CORPUS, RATERS, NOW)
    life = Timeline(people, NOW)
    live_fast(life, opened)
    run_periodic(life.worked[-1].ended)
    return get_outcome(opened, people, life, timed=True)[0], life, opened


def leaving(share: float) -> Behaviour:
    """Careful raters of whom many close the page and never come back."""
    return default_behaviour().steady(share).model_copy(update={"vanishes": 1.0})


def test_cost_is_what_is_owed_and_every_place_is_filled_once(database: str):
    from labelwright.server.tallies.actions import get_owed
    from tests.rows import rows

    outcome, life, opened = rehearse()
    # 15 items, 2 conditions, 3 ratings.
    assert (outcome.wanted, outcome.stored, outcome.complete) == (90, 90, True)
    assert outcome.cents == 90 * 40 == sum(pay.cents for pay in get_owed(opened.row.pk))
    assert sum(outcome.earned.values()) == outcome.cents
    assert sum(kind.stored for kind in outcome.kinds) == 90
    assert rows("SELECT count(*) FROM assignment WHERE paid_state = 'owed'") == [(90,)]
    # The store measured the simulated time, not ours.
    seconds = {round(work.seconds, 2) for work in life.worked if work.end is End.STORED}
    assert {
        round(row[0], 2) for row in rows("SELECT seconds FROM assignment WHERE seconds IS NOT NULL")
    } == seconds
    assert outcome.took(1.0) == max(w.ended for w in life.worked if w.end is End.STORED) - NOW
    # A task takes two minutes and pays 40 cents: 12.00 an hour for a careful rater, give or take.
    assert 700 < next(kind.hourly_cents for kind in outcome.kinds if kind.kind == "careful") < 1800


def test_careful_raters_agree_more_than_random_ones(database: str):
    careful, _, _ = rehearse("careful", {"careful": 1})
    random, _, _ = rehearse("random", {"random": 1})
    for condition in ("SECRET0", "SECRET3"):
        high, low = (
            each.agreement.get("alpha_ordinal", question="useful", condition=condition)
            for each in (careful, random)
        )
        assert high.value > low.value + 0.2
        assert high.interval.low < high.value < high.interval.high


def test_who_drops_out_loses_the_place_to_another(database: str):
    from tests.rows import rows

    outcome, life, _ = rehearse(mix={"careful": 1}, behaviour=leaving(0.1))
    left = Counter(work.end for work in life.worked)[End.VANISHED]
    assert left >= 3
    assert outcome.complete
    assert rows("SELECT count(*) FROM assignment WHERE state = 'expired'") == [(left,)]
    # Nobody was offered a place that somebody else still held.
    assert rows(
        """SELECT count(*) FROM assignment a JOIN assignment b ON b.place_id = a.place_id AND b.id > a.id
           WHERE b.offered_at < a.lease_until"""
    ) == [(0,)]


def test_batches_are_released_in_simulated_time(database: str):
    from tests.rows import rows

    # Three batches of five items, three days apart; a rater may do two tasks a day.
    opens = [f"{NOW + timedelta(days=n):%Y-%m-%d} 15:00" for n in (0, 3, 6)]
    calendar = [{"items": 5, "opens": opens[0]}, {"items": 5, "opens": opens[1]}, {"opens": opens[2]}]
    caps = pool(raters=RATERS, caps={"tasks_per_day": 2})
    outcome, _, _ = rehearse(batches={"calendar": calendar}, pools=caps)
    assert outcome.complete
    assert timedelta(days=6) < outcome.took(1.0) < timedelta(days=9)
    early = "SELECT count(*) FROM assignment a JOIN place p ON p.id = a.place_id JOIN batch b ON b.id = p.batch_id"
    assert rows(f"{early} WHERE a.offered_at < b.opens_at") == [(0,)]
    assert rows(
        """SELECT max(n) FROM (SELECT count(*) n FROM assignment WHERE state = 'submitted'
                               GROUP BY rater_id, date_trunc('day', offered_at)) x"""
    ) == [(2,)]


def test_who_qualifies_does_the_work(database: str):
    gold = {f"d{n}#1": {"useful": 1 + n % 3} for n in range(10)}
    applicants = {
        "platform": "link",
        "raters": RATERS,
        "pay": {"cents": 25},
        "qualification": {"design": "reply", "items": list(gold), "rule": {"best": 8}},
    }
    experts = {"platform": "link", "requires": ["applicants"], "pay": {"cents": 40}}
    pools = {"applicants": applicants, "experts": experts}
    half = {"careful": 50, "random": 50}
    outcome, life, _ = rehearse(mix=half, behaviour=leaving(0.0), gold=gold, pools=pools)
    # Everybody applies with ten items; the other five are done, 3 times in 2 conditions, by the best eight.
    assert (outcome.applied, outcome.wanted, outcome.stored) == (10 * RATERS, 30, 30)
    assert outcome.cents == 10 * RATERS * 25 + 30 * 40 == sum(outcome.earned.values())
    at_work = {number for number, cents in outcome.earned.items() if cents > 250}
    assert 0 < len(at_work) <= 8
    assert {life.raters[number].kind for number in at_work} == {"careful"}


def test_pages_and_actions_give_the_same_counts(database: str, server: Server):
    from labelwright.outside.crowd import Clockwork, live
    from labelwright.outside.pages import StudyPages
    from labelwright.server.rehearsal.actions import get_outcome, is_over, join_rehearsal, lapse

    behaviour = leaving(0.05)
    fast, life, opened = rehearse("fast", {"careful": 1}, behaviour)
    text = study_text(name="pages", items={"per_dialogue": 1}, pools=pool(pay={"cents": 40}))
    from labelwright.server.studies.actions.loading import load_study

    load_study(opened.study.model_copy(update={"name": "pages"}), text, CORPUS, NOW, opened=True)
    joined = join_rehearsal("pages", RATERS, NOW)
    links = [f"{server.root}/w/{link.rsplit('/', 1)[1]}" for link in joined.links]
    again = Timeline(crowd(RATERS, {"careful": 1}, 1, behaviour), NOW)
    clockwork = Clockwork(lapse, lambda: is_over(joined.pool, NOW))
    live(again, links, StudyPages(joined.study, CORPUS), clockwork, at_once=4)
    slow, _ = get_outcome(joined, again.raters, again, timed=False)
    assert slow.stored == fast.stored == 90
    assert slow.cents == fast.cents
    assert Counter(work.end for work in again.worked) == Counter(work.end for work in life.worked)


def simulate(folder: Path, study: str, out: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [LABELWRIGHT, "simulate", study, "--fast", "--raters", "12", "--out", out],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | environment,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(study_text(items={"per_dialogue": 1}, pools=pool(pay={"cents": 5})))
    with (tmp_path / "dialogues.jsonl").open("w") as file:
        for dialogue in CORPUS[:8]:
            messages = [
                {"role": "user" if turn.speaker == "user" else "assistant", "content": turn.text}
                for turn in dialogue.turns
            ]
            file.write(json.dumps({"id": dialogue.key, "messages": messages}) + "\n")
    return tmp_path


def test_the_same_seed_gives_the_same_labels_costs_and_times(database: str, folder: Path):
    loaded = subprocess.run([LABELWRIGHT, "study", "load", "study.yaml"], cwd=folder, check=False)
    assert loaded.returncode == 0
    # Once from the file, and once from the database that it is loaded in, which stays as it is.
    runs = [simulate(folder, "study.yaml", "one"), simulate(folder, "tiny", "two", DATABASE_URL=database)]
    told = [run.communicate(timeout=200) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], told
    for file in ("rehearsal.json", "labels.jsonl", "rehearsal.svg"):
        assert (folder / "one" / file).read_text() == (folder / "two" / file).read_text()
    # 8 items, 2 conditions, 3 ratings; 5 cents for two minutes are 1.50 an hour.
    assert len((folder / "one" / "labels.jsonl").read_text().splitlines()) == 48
    assert "48 of 48 needed" in told[0][0]
    assert "would earn less than USD 8.00 per hour" in told[0][0]
    from tests.rows import rows

    assert rows("SELECT count(*) FROM assignment") == [(0,)]


def test_another_seed_is_another_crowd(database: str):
    one, two = (rehearse(f"seed{seed}", seed=seed)[0].record() for seed in (1, 2))
    assert one["wanted"] == two["wanted"] == one["stored"] == two["stored"]
    assert one["owed"] == two["owed"]
    assert one["hours"] != two["hours"]
    assert one["agreement"] != two["agreement"]


def test_raters_of_the_demo_worked_in_the_last_days_and_stored_simulated_times(database: str):
    from labelwright.corpus import read_dialogues
    from labelwright.server.operations.demo import demo_study
    from labelwright.server.operations.demo_raters import DAYS, simulate_past
    from labelwright.server.results.actions.figures import get_page
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.study import read_study
    from tests.rows import rows

    study, text = read_study(demo_study())
    dialogues, _ = read_dialogues(study.corpus, demo_study().parent)
    opened = NOW - timedelta(days=DAYS)
    row = load_study(study, text, dialogues, opened, opened=True).study
    counted: list[int] = []
    assert simulate_past("demo", 12, NOW, counted.append) == 12 * 3 == max(counted)
    work = rows("SELECT submitted_at, seconds, extract(epoch FROM submitted_at - offered_at) FROM assignment")
    assert all(opened < at <= NOW for at, _, _ in work)
    assert len({at.date() for at, _, _ in work}) >= 4
    assert all(abs(seconds - float(between)) < 0.001 for _, seconds, between in work)
    # A task takes a careful rater a minute and a half, and nobody reads one in a second.
    assert 45 < sorted(seconds for _, seconds, _ in work)[18] < 150
    assert min(seconds for _, seconds, _ in work) > 5
    # 40 cents at the median time: between 9.60 and 32.00 an hour.
    page = get_page(row.pk, "overview")
    assert "$14.40" in str(page), "36 tasks at 40 cents"
