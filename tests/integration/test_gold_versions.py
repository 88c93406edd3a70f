"""Gold in a study that changes: other gold keeps every rating, and nobody meets a gold item twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from labelwright.corpus import ItemsPart, make_items
from tests.integration.test_gold import check_everyone_met_gold, flag_all, judge, shown, work_through
from tests.integration.test_versions import File, check_consistency, instructions, visitors
from tests.rows import rows
from tests.studies import dialogues

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]


def keys_of(count: int) -> list[str]:
    return [item.key for item in make_items(dialogues(count), ItemsPart(per_dialogue=1), 7)]


def mixed_in(keys: list[str], one_in: int = 4, answer: int = 3, **tasks: Any) -> Any:
    """An edit of the study file: these items are gold."""
    return lambda data: data.update(
        gold={key: {"useful": answer} for key in keys}, tasks={"gold_one_in": one_in, **tasks}
    )


def without_gold(data: dict[str, Any]) -> None:
    del data["gold"], data["tasks"]


def standing() -> list[tuple[Any, ...]]:
    """The gold tasks that raters can meet, by key and condition, with the version of their batch."""
    return rows(
        """SELECT i.key, p.condition, v.n FROM place p JOIN task_item x ON x.task_id = p.task_id
           JOIN item i ON i.id = x.item_id JOIN batch b ON b.id = p.batch_id
           JOIN study_version v ON v.id = b.version_id WHERE p.state = 'on_demand' ORDER BY 1, 2"""
    )


@pytest.mark.parametrize("tasks", [{}, {"items_per_task": 3}])
def test_other_gold_keeps_every_task_and_rating(tasks: dict[str, int]):
    file = File(mixed_in(keys_of(24)[-6:], **tasks), items=24)
    first, second = visitors(file.load(), 2)
    for _ in range(4):
        judge(first)
    flag_all()
    ratings = rows("SELECT count(*) FROM place WHERE state = 'filled' AND NOT gold")[0][0]
    places = rows("SELECT id, task_id, batch_id, state FROM place WHERE NOT gold ORDER BY id")
    # Other reference answers, one gold item less and two that the corpus gains.
    file.corpus = dialogues(26)
    new = [key for key in keys_of(26) if key not in keys_of(24)]
    known = keys_of(24)[-5:] + new
    edit = mixed_in(known, answer=2, one_in=3, **tasks)
    # The item that is no longer gold is one like the others from now on.
    dropped = keys_of(24)[-6]
    change = file.load(edit).change
    assert change.lines[0].startswith(f"{ratings} ratings stay; 2 new tasks.")
    assert "How often raters meet gold changed; this keeps every rating." in change.lines
    assert "The reference answers changed; this keeps every rating." in change.lines
    assert change.left == []
    # Single gold tasks are paid on top: one along with two ratings, in each of the two conditions.
    paid = sum(each.open // 2 for each in change.conditions)
    told = f"; about {paid} gold tasks on top, USD {paid * 0.40:.2f}."
    assert change.lines[-1].endswith(told) == (not tasks)
    kept = rows("SELECT id, task_id, batch_id, state FROM place WHERE NOT gold ORDER BY id")
    assert kept[: len(places)] == places
    last = places[-1][0]
    made = f"""SELECT DISTINCT i.key FROM place p JOIN task_item x ON x.task_id = p.task_id
               JOIN item i ON i.id = x.item_id WHERE NOT p.gold AND p.id > {last}"""
    assert rows(made) == [(dropped,)]
    assert standing() == [(key, name, 2) for key in sorted(known) for name in ("SECRET0", "SECRET3")]
    # The next version changes nothing about gold, and so makes no place.
    gold = rows("SELECT id, state FROM place WHERE gold ORDER BY id")
    file.load(instructions)
    assert rows("SELECT id, state FROM place WHERE gold ORDER BY id") == gold
    work_through([first, second])
    flag_all()
    check_consistency()
    met = shown()
    assert all(max(Counter(key for key, _ in items).values()) == 1 for items in met.values())
    assert any(key in new for key, role in met[second.number] if role == "gold")
    # An item is the same one in every task, whatever gold items stood beside it.
    assert set(rows("SELECT sum(n)::int FROM item_tally WHERE question = 'useful' GROUP BY item_id")) <= {
        (1,),
        (2,),
    }
    assert len(rows("SELECT DISTINCT item_id FROM item_tally")) == 26 - len(known)


def test_an_item_that_becomes_gold_keeps_its_ratings_apart_from_gold_answers():
    file = File(items=12)
    raters = visitors(file.load(), 3)
    for _ in range(12):
        judge(raters[0])
    flag_all()
    known = keys_of(12)[:4]
    change = file.load(mixed_in(known, one_in=3)).change
    # Each item was rated once, in one of the two conditions.
    assert change.stay == 8
    assert sum(each.ratings for each in change.left) == 4
    for rater in raters[1:]:
        for _ in range(9):
            judge(rater)
    flag_all()
    check_everyone_met_gold_since(raters[1:])
    counted = rows(
        """SELECT i.key, sum(y.n)::int FROM item_tally y JOIN item i ON i.id = y.item_id
           WHERE i.key = ANY(ARRAY['{}']) GROUP BY 1 ORDER BY 1""".format("','".join(known))
    )
    assert counted == [(key, 1) for key in sorted(known)]
    # The rater who has rated these items meets none of them as gold.
    while judge(raters[0]):
        pass
    assert {role for _, role in shown()[raters[0].number]} == {"item"}
    # They become items like the others again, and the ratings that they had come back.
    back = file.load(without_gold).change
    assert sum(each.new_tasks for each in back.conditions) == 0
    assert standing() == []
    check_consistency()


def check_everyone_met_gold_since(raters: list[Any]) -> None:
    for rater in raters:
        roles = [role for _, role in shown()[rater.number]]
        assert [roles[n : n + 3].count("gold") for n in range(0, 9, 3)] == [1, 1, 1]


def test_changed_rules_hold_for_raters_who_met_gold_beside_the_items():
    file = File(
        mixed_in(keys_of(10)[-4:], one_in=3, items_per_task=3),
        lambda data: data.update(assignment={"same_item": "other_condition"}),
        items=10,
    )
    (rater,) = visitors(file.load(), 1)
    for _ in range(2):
        judge(rater)
    check_everyone_met_gold(3)
    file.load(lambda data: data.update(assignment={"same_item": "never"}))
    # Six items in two tasks, which the rater has seen; nothing is left in the other condition.
    assert not judge(rater)
