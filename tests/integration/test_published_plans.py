"""The plans of published studies, worked through by simulated raters who do all they may, through the actions."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

from labelwright.corpus import Dialogue
from tests.integration.test_assignment import visitors
from tests.studies import NOW, dialogues, parse, pool, study_text
from tests.unit.crowd.test_planner import context_study, plan

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

ANSWERS = {"0": {"useful": 2}}


def load(text: str, corpus: list[Dialogue]) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    return load_study(parse(text), text, corpus, NOW, opened=True)


def work(raters: list[Any], now: Any = NOW) -> int:
    """Raters come back in any order until nobody gets anything; how far apart conditions of a batch ever were."""
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.rating.actions.answers import submit
    from tests.rows import rows

    draw, active, furthest = random.Random(3), list(raters), 0
    while active:
        rater = draw.choice(active)
        got = offer(rater, now)
        if isinstance(got, NoWork):
            active.remove(rater)
            continue
        submit(got.token, ANSWERS, now)
        apart = rows(
            """SELECT max(n) - min(n) FROM (SELECT batch_id, rater_group, condition, sum(n) AS n FROM offered
               GROUP BY 1, 2, 3) x GROUP BY batch_id, rater_group"""
        )
        furthest = max(furthest, *(int(n) for (n,) in apart))
    return furthest


def test_the_context_study_completes_in_four_batches_as_planned():
    """40 items x 6 contexts x 2 aspects x 3 ratings, 10 tasks a batch, 3 conditions a rater, 78 raters."""
    from tests.rows import rows

    text = context_study(batches=4)
    made = plan(text)
    assert made.completes
    loaded = load(text, dialogues(40))
    assert (loaded.wanted, loaded.batches) == (1440, 4)
    furthest = work(visitors(loaded, 78))
    assert furthest <= made.drift
    assert rows("SELECT state, count(*) FROM place GROUP BY 1") == [("filled", 1440)]
    most = dict(rows("SELECT scope, max(n) FROM rater_count GROUP BY 1"))
    assert most["batch"] <= 10
    assert most["conditions"] <= 3


def test_lets_gos_three_groups_of_16_rate_two_sets_of_30():
    """Each group rates each dialogue of both sets once per rater, 30 dialogues to a task."""
    from tests.rows import rows

    groups = {name: {"raters": 16, "sets": ["one", "two"], "redundancy": 16} for name in ("a", "b", "c")}
    text = study_text(
        items={"kind": "dialogue"},
        tasks={"items_per_task": 30},
        conditions={"C": {}},
        sets={"one": {"items": 30}, "two": {"items": 30}},
        pools=pool(raters=48, groups=groups),
    )
    loaded = load(text, dialogues(70))
    assert loaded.plan.completes
    # 2 tasks of 30 dialogues x 3 groups x 16 raters.
    assert loaded.wanted == 96
    raters = visitors(loaded, 48)
    assert [rater.group for rater in raters] == ["a"] * 16 + ["b"] * 16 + ["c"] * 16
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.rating.actions.answers import submit

    for rater in raters:
        for _ in range(2):
            submit(offer(rater, NOW).token, {str(n): {"useful": 2} for n in range(30)}, NOW)
        assert offer(rater, NOW) is NoWork.NONE_LEFT
    found = rows(
        """SELECT m.rater_group, x.item_id, count(*) FROM answer a JOIN assignment s ON s.id = a.assignment_id
           JOIN member m ON m.rater_id = s.rater_id JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position
           GROUP BY 1, 2"""
    )
    assert len(found) == 3 * 60
    assert {n for _, _, n in found} == {16}


def test_the_snippet_studys_topics_come_one_a_day_to_three_raters():
    """About 46 items a topic, each rated by 3; a whole topic within 24 hours earns the bonus."""
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.store.models import Batch, Rater
    from labelwright.server.studies.actions.calendar import update_calendar
    from labelwright.server.studies.actions.completions import get_completions
    from tests.rows import rows

    corpus = [
        Dialogue(d.key, d.turns, {"topic": f"topic-{n // 46}"}) for n, d in enumerate(dialogues(3 * 46))
    ]
    text = study_text(
        items={"per_dialogue": 1},
        conditions={"C": {}},
        batches={
            "topic": "topic",
            "daily": {"first_day": "2026-11-15", "at": "12:00", "close_after_hours": 48},
        },
        pools=pool(raters=3),
    )
    loaded = load(text, corpus)
    assert loaded.plan.completes
    # Every rater does every item: 3 topics x 46 items x 3 raters.
    assert (loaded.batches, loaded.wanted) == (3, 414)
    raters = visitors(loaded, 3)
    for day in range(3):
        update_calendar(NOW + timedelta(days=day))
        # The last rater comes when the day is over.
        for rater, hour in zip(raters, (1, 10, 30), strict=True):
            work([rater], NOW + timedelta(days=day, hours=hour))
    while flag_block(NOW):
        pass
    assert rows("SELECT state, count(*) FROM place GROUP BY 1") == [("filled", 414)]
    names = dict(Rater.objects.values_list("pk", "pseudonym"))
    for batch in Batch.objects.order_by("number"):
        assert [(c.of.rater, c.in_time) for c in get_completions(batch.study, batch.pk)] == [
            (names[rater.rater], in_time) for rater, in_time in zip(raters, (True, True, False), strict=True)
        ]
