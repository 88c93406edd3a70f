"""Gold on a real PostgreSQL: every rater meets one in so many, paid like other work and outside every figure."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from labelwright.corpus import ItemsPart, make_items
from labelwright.crowd import DataUse, GoldSchedule
from labelwright.errors import LabelwrightError
from tests.at_once import at_once
from tests.integration.test_assignment import visitors
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ANSWERS = {"useful": 3}
CENTS = 40


def keys_of(count: int) -> list[str]:
    """The items of so many dialogues, two of each."""
    return [item.key for item in make_items(dialogues(count), ItemsPart(), 7)]


def load(
    size: int,
    gold: int | list[str],
    one_in: int = 10,
    tasks: dict[str, Any] | None = None,
    **changes: Any,
) -> Any:
    """A study of so many dialogues, with these gold items, or so many of the last ones."""
    from labelwright.server.studies.actions.loading import load_study

    known = keys_of(size)[-gold:] if isinstance(gold, int) else gold
    changes.setdefault("pools", pool(raters=17, pay={"cents": CENTS}))
    text = study_text(
        gold={key: {"useful": 3} for key in known}, tasks={"gold_one_in": one_in, **(tasks or {})}, **changes
    )
    return load_study(parse(text), text, dialogues(size), NOW, opened=True)


def take(visitor: Any, now: Any = NOW) -> Any:
    from labelwright.server.offering.actions.leases import offer

    return offer(visitor, now)


def judge(visitor: Any, now: Any = NOW) -> bool:
    """One task from offer to submission; whether there was one."""
    from labelwright.server.offering.actions.leases import Offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment

    got = take(visitor, now)
    if not isinstance(got, Offer):
        return False
    items = Assignment.objects.select_related("task").get(pk=got.assignment).task.items
    submit(got.token, {str(position): ANSWERS for position in range(items)}, now)
    return True


def work_through(raters: list[Any], seed: int = 1) -> None:
    """The raters come in random order until there is nothing left for anybody."""
    chosen, active = random.Random(seed), list(raters)
    while active:
        rater = chosen.choice(active)
        if not judge(rater):
            active.remove(rater)


def flag_all() -> None:
    from labelwright.server.flagging.actions.blocks import flag_block

    while flag_block(NOW):
        pass


def shown() -> dict[int, list[tuple[str, str]]]:
    """Key and role of every item that each rater was shown, in order, by the rater's number."""
    found: dict[int, list[tuple[str, str]]] = {}
    for number, key, role in rows(
        """SELECT m.number, i.key, x.role FROM assignment s JOIN member m ON m.rater_id = s.rater_id
           JOIN task_item x ON x.task_id = s.task_id JOIN item i ON i.id = x.item_id ORDER BY s.id, x.position"""
    ):
        found.setdefault(number, []).append((key, role))
    return found


def expected(number: int, count: int, one_in: int = 10) -> list[bool]:
    """Whether each item that a rater was shown should be gold; `study_text` has the seed 7."""
    schedule = GoldSchedule(7, number, one_in)
    return [met % one_in == schedule.position(met // one_in) for met in range(count)]


def check_everyone_met_gold(one_in: int = 10) -> None:
    for number, items in shown().items():
        assert [role == "gold" for _, role in items] == expected(number, len(items), one_in)
        assert max(Counter(key for key, _ in items).values()) == 1


def test_every_rater_meets_one_gold_task_in_ten_and_no_figure_counts_it():
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.store.models import Batch, StudyRow, Tally
    from labelwright.server.tallies.actions import get_owed

    loaded = load(66, gold=12, redundancy=1)
    # 120 items that are not gold, in two conditions: the batch wants these ratings and no others.
    assert (loaded.wanted, Batch.objects.get().items) == (240, 120)
    raters = visitors(loaded, 17)
    work_through(raters)
    flag_all()
    check_everyone_met_gold()
    met = {n: sum(role == "gold" for _, role in items) for n, items in shown().items()}
    assert len(met) == 17
    assert all(met[n] >= len(items) // 10 for n, items in shown().items())
    gold = sum(met.values())
    assert gold > 12
    # Wanted ratings and balance are as they would be without gold.
    assert rows("SELECT count(*) FROM place WHERE state = 'filled' AND NOT gold") == [(240,)]
    assert rows("SELECT sum(n)::int FROM offered GROUP BY condition") == [(120,), (120,)]
    assert sum(Tally.objects.filter(question="useful", left_out="").values_list("n", flat=True)) == 240
    assert rows(
        "SELECT count(*) FROM item_tally y JOIN task_item x USING (item_id) WHERE x.role = 'gold'"
    ) == [(0,)]
    admin, _ = add_user("owner@example.org", "a long password of a test")
    StudyRow.objects.update(owner=admin)
    overview = measure_overview(loaded.study)
    assert (overview.stored, overview.wanted, overview.over_time[-1][1]) == (240, 240, 240)
    # Pay counts it, and the export says what it is.
    assert [pay.cents for pay in get_owed(loaded.study.pk)] == [(240 + gold) * CENTS]
    roles = Counter(row["role"] for row in get_answers(loaded.study) if row["question"] == "useful")
    assert roles == {"item": 240, "gold": gold}


def test_tasks_of_several_items_have_one_gold_item_in_ten():
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import Tally

    loaded = load(66, gold=12, tasks={"items_per_task": 7}, redundancy=2)
    # 120 items in 18 tasks of at most seven, in two conditions, twice.
    assert loaded.wanted == 18 * 2 * 2
    work_through(visitors(loaded, 6))
    flag_all()
    check_everyone_met_gold()
    assert rows("SELECT count(*) FROM place WHERE state = 'filled' AND NOT gold") == [(72,)]
    assert rows("SELECT sum(n)::int FROM offered GROUP BY condition") == [(36,), (36,)]
    # Each of 120 items twice in two conditions, whatever stood beside it.
    assert sum(Tally.objects.filter(question="useful", left_out="").values_list("n", flat=True)) == 480
    assert set(
        rows("SELECT sum(n)::int FROM item_tally WHERE question = 'useful' GROUP BY item_id, condition")
    ) == {(2,)}
    answers = [row for row in get_answers(loaded.study) if row["question"] == "useful"]
    gold = set(keys_of(66)[-12:])
    assert all((row["item"] in gold) == (row["role"] == "gold") for row in answers)
    assert len({(row["item"], row["rater"]) for row in answers}) == len(answers)
    assert rows('SELECT count(*) FROM gold_result WHERE "right"') == [
        (sum(r["role"] == "gold" for r in answers),)
    ]


def test_a_rater_who_has_met_all_gold_is_shown_no_more_and_it_is_reported():
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.profiles.queries import gold_answers
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview
    from labelwright.server.store.models import StudyRow

    loaded = load(30, gold=2, redundancy=1, one_in=5)
    rater, other = visitors(loaded, 2)
    for _ in range(20):
        judge(rater)
    judge(other)
    flag_all()
    due = [n for n, is_due in enumerate(expected(rater.number, 40, 5)) if is_due]
    assert [n for n, (_, role) in enumerate(shown()[rater.number]) if role == "gold"] == due[:2]
    admin, _ = add_user("owner@example.org", "a long password of a test")
    StudyRow.objects.update(owner=admin)
    found = gold_answers(rater.rater)
    assert (found.right, found.answered, found.all_met) == (2, 2, True)
    assert not gold_answers(other.rater).all_met
    needs = [need["text"] for need in overview(measure_overview(loaded.study))["needs"]]
    assert "1 rater has met every gold item: add gold items to go on checking" in needs
    # New gold items are met in the next blocks, without making up for those that had none.
    seen = {key for key, _ in shown()[rater.number]}
    load(30, gold=[key for key in keys_of(30) if key not in seen][:5], redundancy=1, one_in=5)
    for _ in range(20):
        judge(rater)
    assert [n for n, (_, role) in enumerate(shown()[rater.number]) if role == "gold"] == due[:2] + due[4:]
    assert not gold_answers(rater.rater).all_met


def gold_due(rater: Any) -> Any:
    """Works until a gold task is offered; the offer."""
    from labelwright.server.store.models import Place

    for _ in range(12):
        got = take(rater)
        if Place.objects.filter(assignment=got.assignment, gold=True).exists():
            return got
        judge(rater)
    raise AssertionError("no gold task")


def test_a_gold_task_that_comes_back_goes_to_nobody_else():
    from labelwright.server.offering.actions.leases import expire_leases, return_work
    from labelwright.server.store.models import Assignment, Place, RaterCount

    loaded = load(20, gold=5, redundancy=1)
    rater, other = visitors(loaded, 2)
    got = gold_due(rater)
    place = Place.objects.get(assignment=got.assignment)
    done = RaterCount.objects.get(rater=rater.rater, scope="tasks").n
    later = NOW + timedelta(hours=1)
    assert expire_leases(later) == 1
    place.refresh_from_db()
    assert place.state == "closed"
    # The rater gets it back, as with other work, and nobody else does.
    assert Place.objects.get(assignment=take(other, later).assignment).pk != place.pk
    again = take(rater, later)
    assert again.assignment == got.assignment
    assert Place.objects.get(pk=place.pk).state == "leased"
    return_work(again.token)
    assert Place.objects.get(pk=place.pk).state == "closed"
    assert RaterCount.objects.get(rater=rater.rater, scope="tasks").n == done - 1
    # What was met stays met: the next task is not gold, and this item never comes again.
    while judge(rater, later):
        pass
    met = shown()[rater.number]
    assert max(Counter(key for key, _ in met).values()) == 1
    assert [role == "gold" for _, role in met] == expected(rater.number, len(met))
    assert Assignment.objects.filter(place=place).count() == 1
    assert (
        sum(n for (n,) in rows("SELECT n FROM offered"))
        == rows(
            """SELECT count(*) FROM assignment a JOIN place p ON p.id = a.place_id
           WHERE NOT p.gold AND a.state IN ('open', 'submitted')"""
        )[0][0]
    )


@pytest.mark.parametrize("tasks", [{}, {"items_per_task": 12}])
def test_an_offer_that_dies_before_its_commit_leaves_nothing_behind(tasks: dict[str, int]):
    from django.db import transaction

    from labelwright.server.store.models import Place, RaterCount, Task

    def stored() -> list[Any]:
        counts = RaterCount.objects.order_by("scope", "key").values_list("scope", "key", "n")
        return [Place.objects.count(), Task.objects.count(), *counts]

    (rater,) = visitors(load(20, gold=5, redundancy=1, tasks=tasks), 1)
    # Twelve items have gold among them at once; single ones when it is due.
    for _ in range(0 if tasks else expected(rater.number, 10).index(True)):
        judge(rater)
    before = stored()
    with transaction.atomic():
        take(rater)
        assert stored()[:2] != before[:2]
        transaction.set_rollback(True)
    assert stored() == before
    judge(rater)
    assert "gold" in {role for _, role in shown()[rater.number]}
    check_everyone_met_gold()


def test_gold_waits_for_its_texts_like_other_work():
    from labelwright.server.contexts import queries
    from labelwright.server.store.models import Context, ItemRow, StudyVersion

    load(20, gold=2, redundancy=1)
    version = StudyVersion.objects.get().pk
    known = list(ItemRow.objects.filter(key__in=keys_of(20)[-2:]).order_by("key"))
    texts = [
        Context.objects.create(
            study_id=item.study_id,
            version_id=version,
            item=item,
            kind="need:llm",
            recipe="r",
            state=Context.State.WAITING,
            not_before=NOW,
        )
        for item in known
    ]
    queries.hold_places(version, {"SECRET0": ["need:llm"]})
    states = "SELECT condition, state, count(*) FROM place WHERE gold GROUP BY 1, 2 ORDER BY 1, 2"
    assert rows(states) == [("SECRET0", "waiting", 2), ("SECRET3", "on_demand", 2)]
    Context.objects.filter(pk=texts[0].pk).update(state=Context.State.MADE)
    queries.open_places(version, known[0].pk, {"SECRET0": ["need:llm"]})
    assert rows(states) == [
        ("SECRET0", "on_demand", 1),
        ("SECRET0", "waiting", 1),
        ("SECRET3", "on_demand", 2),
    ]


def test_gold_replies_of_a_dialogue_are_one_task_in_so_many():
    loaded = load(24, gold=14, one_in=4, tasks={"together": "dialogue"}, redundancy=1)
    # The last 14 items are the replies of seven dialogues; 17 others come in five blocks and a part of one.
    (rater,) = visitors(loaded, 1)
    while judge(rater):
        pass
    tasks = rows("SELECT task_id FROM assignment ORDER BY id")
    gold = {task for (task,) in rows("SELECT DISTINCT task_id FROM task_item WHERE role = 'gold'")}
    assert [task in gold for (task,) in tasks] == expected(rater.number, len(tasks), 4)
    assert len(tasks) > 20
    assert set(rows("SELECT count(*) FROM task_item WHERE role = 'gold' GROUP BY task_id")) == {(2,)}


def test_a_rehearsal_counts_gold_as_paid_work_and_not_as_ratings():
    from tests.integration.test_rehearsal import rehearse

    gold = {f"d{n}#1": {"useful": 1 + n % 3} for n in range(5)}
    outcome, _, _ = rehearse(gold=gold, tasks={"gold_one_in": 5})
    # Ten items that are not gold, in two conditions, three times.
    assert (outcome.wanted, outcome.stored, outcome.complete) == (60, 60, True)
    assert [(outcome.gold,)] == rows("SELECT count(*) FROM place WHERE gold AND state = 'filled'")
    assert outcome.gold > 0
    assert outcome.cents == (60 + outcome.gold) * CENTS
    assert outcome.over_time[-1][1] == 60
    check_everyone_met_gold(5)


def test_excluded_gold_is_not_collected_again():
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment, Place

    loaded = load(20, gold=5, redundancy=1)
    (rater,) = visitors(loaded, 1)
    got = gold_due(rater)
    judge(rater)
    offered = rows("SELECT sum(n)::int FROM offered")

    def verdict(use: DataUse) -> Any:
        return decide(got.assignment, pay=None, data_use=use, reason="No.", author="ann", now=NOW)

    assert not verdict(DataUse.LEFT_OUT).reopened
    assert Place.objects.get(assignment=got.assignment).state == "filled"
    verdict(DataUse.USED)
    assert Assignment.objects.get(pk=got.assignment).data_use == "used"
    assert rows("SELECT sum(n)::int FROM offered") == offered


def test_caps_count_gold_and_a_batch_is_complete_without_it():
    from labelwright.server.store.models import BatchWork

    loaded = load(40, gold=10, redundancy=1, pools=pool(raters=4, caps={"tasks_per_batch": 20}))
    (capped,) = visitors(loaded, 1)
    while judge(capped):
        pass
    flag_all()
    met = shown()[capped.number]
    assert (len(met), sum(role == "gold" for _, role in met)) == (20, 2)
    work = BatchWork.objects.get()
    assert (work.done, work.gold) == (20, 2)
    assert work.completed_at is not None


def test_whoever_does_every_task_completes_the_batch_with_the_last_that_is_not_gold():
    from labelwright.server.store.models import BatchWork

    (rater,) = visitors(load(11, gold=2, redundancy=1), 1)
    for _ in range(19):
        judge(rater)
    flag_all()
    # 20 items that are not gold; of 19 tasks one or two were gold, so at least one is left.
    assert BatchWork.objects.get().completed_at is None
    while judge(rater):
        pass
    flag_all()
    work = BatchWork.objects.get()
    assert work.done - work.gold == 20
    assert work.completed_at is not None


@pytest.mark.parametrize("tasks", [{}, {"items_per_task": 4}])
def test_parallel_requests_of_many_raters_meet_gold_by_the_same_schedule(tasks: dict[str, int]):
    loaded = load(25, gold=20, one_in=4, tasks=tasks, redundancy=1)
    raters = visitors(loaded, 3)
    turns = iter(raters * 2)

    def work() -> None:
        rater = next(turns)
        idle = 0
        while idle < 3:
            try:
                idle = 0 if judge(rater) else idle + 1
            except LabelwrightError:
                continue  # the other request of this rater made this visit an old one

    # Every rater with two requests at a time.
    at_once(6, work)
    check_everyone_met_gold(4)
    assert rows("SELECT count(*) FROM place WHERE state <> 'filled' AND NOT gold") == [(0,)]
    # Each gold place was made for one assignment, and no half-made one is left.
    assert rows(
        """SELECT count(*) FROM place p WHERE p.gold AND p.state <> 'on_demand' AND (p.state <> 'filled'
             OR (SELECT count(*) FROM assignment a WHERE a.place_id = p.id) <> 1)"""
    ) == [(0,)]
