"""Quality rules on a real PostgreSQL: every rule runs, and again when the work of others arrives."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from typing import Any

import pytest

from labelwright.quality import RULES
from tests.integration.test_assignment import visitors
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, pool, study_data, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ONE = {"C0": {"context": {"turns_before": 0}}}
EASY = {"name": "easy", "type": "scale", "scale": "useful", "text": "How easy?", "aspect": "usefulness"}
MARK = {"name": "mark", "type": "spans", "text": "Mark it.", "none": "Nothing", "unit": "character"}
PICK = {"name": "pick", "type": "sentences", "text": "Which?", "none": "None"}
LONG = "It says exactly what the user wanted to know about it."


def load(size: int = 3, questions: tuple[Any, ...] = (), raters: int = 4, **changes: Any) -> list[Any]:
    """The raters of a new study in one condition, with every question optional but the first."""
    from labelwright.server.studies.actions.loading import load_study

    design = study_data()["designs"]["reply"]
    asked = [*design["questions"], *(dict(question, required=False) for question in questions)]
    changes = {
        "designs": {"reply": design | {"questions": asked}},
        "conditions": ONE,
        "items": {"per_dialogue": 1},
        "pools": pool(raters=raters),
        "redundancy": raters,
        "consent": {"answers_on_deletion": "delete"},
    } | changes
    text = study_text(**changes)
    made = [
        dialogue.__class__(**{**_fields(dialogue), "meta": {"category": "done" if n % 2 else "open"}})
        for n, dialogue in enumerate(dialogues(size))
    ]
    return visitors(load_study(parse(text), text, made, NOW, opened=True), raters)


def _fields(thing: Any) -> dict[str, Any]:
    from dataclasses import fields

    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def judge(visitor: Any, answers: Any, at: datetime = NOW, seconds: float = 60) -> int:
    """One task from offer to submission; the assignment."""
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit

    got = offer(visitor, at)
    given = answers(_key(got.assignment)) if callable(answers) else answers
    submit(got.token, {"0": given}, at + timedelta(seconds=seconds))
    return int(got.assignment)


def _key(assignment: int) -> str:
    ((key,),) = rows(
        """SELECT i.key FROM assignment a JOIN task_item x ON x.task_id = a.task_id JOIN item i ON i.id = x.item_id
           WHERE a.id = %s""",
        [assignment],
    )
    return str(key)


def flag_everything(now: datetime = NOW) -> None:
    from labelwright.server.flagging.actions.blocks import flag_block, flag_marked

    while flag_block(now) or flag_marked(now):
        pass


def flagged() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for assignment, rule in rows("SELECT assignment_id, rule FROM flag ORDER BY 1, 2"):
        found.setdefault(assignment, []).append(rule)
    return found


def evidence_of(assignment: int, rule: str) -> Any:
    ((evidence,),) = rows(
        "SELECT evidence FROM flag WHERE assignment_id = %s AND rule = %s", [assignment, rule]
    )
    return evidence if isinstance(evidence, dict) else json.loads(evidence)


def test_a_rule_that_looks_at_others_runs_again_when_they_arrive():
    rules = [{"rule": "span_overlap", "others": 2}, {"rule": "sentence_overlap", "fewest_others": 2}]
    one, two, three, four = load(size=1, questions=(MARK,), quality=rules)
    first = judge(one, {"useful": 1, "mark": [[0, 4]]})
    flag_everything()
    second = judge(two, {"useful": 1, "mark": [[6, 12]]})
    flag_everything()
    assert flagged() == {}
    third = judge(three, {"useful": 1, "mark": [[7, 9]]})
    flag_everything()
    # The first shares nothing with both others; the others overlap each other, but nobody else overlaps with both.
    assert flagged() == {n: ["span_overlap"] for n in (first, second, third)}
    assert evidence_of(first, "span_overlap")["outside"]["0:mark"]["theirs"] == [[7, 9]]
    judge(four, {"useful": 1, "mark": [[0, 9]]})
    flag_everything()
    # Now two others marked 7 to 9, and the first two raters share that with the fourth.
    assert flagged() == {first: ["span_overlap"]}
    assert evidence_of(first, "span_overlap")["outside"]["0:mark"]["raters"] == 3


def test_a_flag_on_decided_work_stays_as_it_was():
    from labelwright.crowd import DataUse
    from labelwright.server.review.actions.verdicts import decide

    one, two, three, _ = load(size=1, questions=(MARK,), quality=[{"rule": "span_overlap", "others": 1}])
    first = judge(one, {"useful": 1, "mark": [[0, 4]]})
    second = judge(two, {"useful": 1, "mark": [[6, 12]]})
    flag_everything()
    assert flagged() == {first: ["span_overlap"], second: ["span_overlap"]}
    decide(first, pay=True, data_use=DataUse.USED, reason="", author="me", now=NOW)
    before = evidence_of(first, "span_overlap")
    judge(three, {"useful": 1, "mark": [[0, 12]]})
    flag_everything()
    assert flagged() == {first: ["span_overlap"]}
    assert evidence_of(first, "span_overlap") == before


def test_flags_after_each_submission_are_those_of_a_full_run():
    """The work that a submission concerns is marked, and no other work needs to be."""
    draw = random.Random(4)
    texts = [LONG, LONG + " Really.", "Another text that has more than enough words in it."]
    rules = [
        {"rule": "span_overlap", "others": 2},
        {"rule": "sentence_overlap", "fewest_others": 1},
        {"rule": "repeated_text", "raters": 2},
    ]
    people = load(size=4, questions=(MARK, PICK), raters=5, quality=rules)
    for turn in range(20):
        start = draw.randrange(12)
        judge(
            people[turn % 5],
            {"useful": 1, "mark": [[start, start + 3]], "comment": draw.choice(texts)},
            NOW + timedelta(minutes=turn),
        )
        if draw.random() < 0.7:
            flag_everything()
    flag_everything()
    found = rows("SELECT assignment_id, rule, evidence::text FROM flag ORDER BY 1, 2")
    assert {rule for _, rule, _ in found} == {"span_overlap", "repeated_text"}
    rows("INSERT INTO rule_mark (study_id, assignment_id) SELECT study_id, id FROM assignment")
    flag_everything()
    assert rows("SELECT assignment_id, rule, evidence::text FROM flag ORDER BY 1, 2") == found


def test_history_is_bounded_and_without_gold_and_attention():
    rules = [{"rule": "identical_answers", "tasks": 3}]
    (rater,) = load(size=6, raters=1, quality=rules)
    done = [judge(rater, {"useful": code}) for code in (2, 1, 1, 1, 1, 2)]
    flag_everything()
    assert flagged() == {done[4]: ["identical_answers"]}
    assert evidence_of(done[4], "identical_answers") == {
        "tasks": 4,
        "more_than": 3,
        "answers": {"0:useful": 1},
    }


def test_categories_and_contradictions_are_found_in_the_server():
    rules = [
        {"rule": "category_mismatch", "question": "useful", "allowed": {"done": [3]}},
        {"rule": "contradiction", "questions": ["useful", "easy"], "allowed": {1: [1]}},
    ]
    (rater,) = load(size=2, questions=(EASY,), raters=1, quality=rules)
    done = [judge(rater, {"useful": 1, "easy": 3}) for _ in range(2)]
    flag_everything()
    categories = {
        n: rows(
            """SELECT d.meta->>'category' FROM assignment a JOIN task_item x ON x.task_id = a.task_id
               JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id WHERE a.id = %s""",
            [n],
        )[0][0]
        for n in done
    }
    assert sorted(categories.values()) == ["done", "open"]
    found = evidence_of(done[0], "contradiction")["items"]
    assert found == [{"position": 0, "codes": [1, 3], "answers": ["“Not useful”", "“Very useful”"]}]
    for assignment, category in categories.items():
        expected = ["category_mismatch"] if category == "done" else []
        assert flagged()[assignment] == [*expected, "contradiction"]


def test_the_same_text_is_found_in_both_places_whatever_the_item():
    one, two, three, _ = load(size=2, quality=[{"rule": "repeated_text", "fewest_words": 6}])
    first = judge(one, {"useful": 1, "comment": LONG})
    judge(three, {"useful": 1, "comment": "Something else that has enough words in it."})
    flag_everything()
    assert flagged() == {}
    second = judge(two, {"useful": 2, "comment": LONG.upper() + "!"})
    flag_everything()
    assert flagged() == {first: ["repeated_text"], second: ["repeated_text"]}
    assert evidence_of(first, "repeated_text") == {"answers": {"0:comment": 1}}


def test_early_work_is_compared_with_the_pool_once_its_pace_is_known():
    people = load(size=8, quality=[{"rule": "faster_than_pool", "share": 0.5, "fewest_tasks": 20}])
    fast = judge(people[0], {"useful": 1}, seconds=10)
    flag_everything()
    assert flagged() == {}
    for n in range(31):
        judge(people[(n + 1) % 4], {"useful": 1}, NOW + timedelta(minutes=5 * n), seconds=60)
    flag_everything()
    assert flagged() == {fast: ["faster_than_pool"]}
    found = evidence_of(fast, "faster_than_pool")
    assert (found["seconds"], found["tasks"]) == (10, 32)
    # In steps of 5%.
    assert found["median_seconds"] == pytest.approx(60, rel=0.03)


def test_raters_are_compared_by_a_job_and_their_work_is_flagged_and_released():
    from labelwright.server.flagging.actions.raters import compare_next_raters
    from labelwright.server.store.models import RaterFinding

    rules = [{"rule": "audit_finding", "kinds": ["constant", "random"]}, {"rule": "low_agreement"}]
    people = load(size=40, raters=5, quality=rules)
    truth = {key: n % 3 + 1 for n, key in enumerate(_keys())}
    lazy: list[int] = []
    for number, person in enumerate(people):
        for n in range(40):
            at = NOW + timedelta(minutes=n)
            if number:
                judge(person, lambda key: {"useful": truth[key]}, at)
            else:
                lazy.append(judge(person, {"useful": 2}, at))
    flag_everything()
    assert flagged() == {}
    assert compare_next_raters(NOW) == 1
    assert compare_next_raters(NOW) == 0
    flag_everything()
    assert set(flagged()) == set(lazy)
    assert "audit_finding" in flagged()[lazy[0]]
    assert "low_agreement" in flagged()[lazy[0]]
    # When the job finds nothing any more, the flags of undecided work go.
    RaterFinding.objects.exclude(kind="agreement").delete()
    rows("INSERT INTO rule_mark (study_id, assignment_id) SELECT study_id, id FROM assignment")
    flag_everything()
    assert flagged()[lazy[0]] == ["low_agreement"]


def _keys() -> list[str]:
    return [key for (key,) in rows("SELECT key FROM item ORDER BY key")]


def test_what_a_flag_does_depends_on_platform_and_condition():
    rules = [
        {"rule": "too_fast", "seconds": 90, "then": "propose", "then_by_condition": {"C0": "nothing"}},
        {"rule": "too_fast", "seconds": 80, "then": "propose", "then_by_platform": {"link": "review"}},
        {"rule": "too_fast", "seconds": 70, "then": "propose"},
    ]
    people = load(size=1, quality=rules)
    judge(people[0], {"useful": 1})
    flag_everything()
    found = rows("""SELECT evidence->>'at_least', "then" FROM flag ORDER BY 1""")
    assert found == [("70.0", "propose"), ("80.0", "review"), ("90.0", "nothing")]


SETTINGS: dict[str, dict[str, Any]] = {
    "contradiction": {"questions": ["useful", "easy"], "allowed": {1: [1]}},
    "category_mismatch": {"question": "useful", "allowed": {"done": [3]}},
}


def test_every_rule_that_a_study_file_may_name_runs_in_the_server(monkeypatch: pytest.MonkeyPatch):
    """Nothing is left out for want of data: each rule is asked about the work, with all that it needs."""
    from labelwright.server.flagging.actions.raters import compare_next_raters

    asked: dict[str, list[Any]] = {}
    for name, kind in RULES.items():
        find = kind.find

        def record(self: Any, work: Any, name: str = name, find: Any = find) -> Any:
            asked.setdefault(name, []).append(work)
            assert work.holds(self.needs)
            return find(self, work)

        monkeypatch.setattr(kind, "find", record)
    rules = [{"rule": name} | SETTINGS.get(name, {}) for name in RULES]
    people = load(size=2, questions=(EASY, MARK, PICK), quality=rules, record_typing=True)
    for number, person in enumerate(people):
        judge(person, {"useful": 1, "easy": 3, "mark": [[0, 3 + number]], "comment": LONG})
    flag_everything()
    compare_next_raters(NOW)
    flag_everything()
    assert set(asked) == set(RULES)
    assert {"contradiction", "repeated_text"} <= {rule for each in flagged().values() for rule in each}


def test_a_block_that_is_interrupted_is_done_again_from_the_start():
    from django.db import transaction

    from labelwright.server.flagging.actions.blocks import flag_block

    people = load(size=1, quality=[{"rule": "repeated_text"}, {"rule": "faster_than_pool"}])
    judge(people[0], {"useful": 1, "comment": LONG})
    with transaction.atomic():
        assert flag_block(NOW) == 1
        transaction.set_rollback(True)
    assert flag_block(NOW) == 1
    assert flag_block(NOW) == 0
    counted = [rows(f"SELECT count(*) FROM {table}")[0][0] for table in ("text_print", "pace_tally")]
    assert counted == [1, 1]


def test_typing_is_stored_only_for_raters_who_agreed_to_it():
    """A page that sends facts without consent, or nonsense, stores nothing and is not refused."""
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.consent import record_consent

    rules = [{"rule": "pasted_text"}, {"rule": "typing_speed"}]
    one, two, three, _ = load(size=1, quality=rules, record_typing=True)
    pasted = {"0:comment": {"keys": 2, "seconds": 0.5, "pastes": 1, "pasted": len(LONG)}}
    sent = {one: pasted, two: {"0:comment": {"keys": -1}, "9:x": {}, "0:useful": []}, three: pasted}
    done = {}
    for rater, typing in sent.items():
        if rater is not three:
            record_consent(rater, NOW)
        offered = offer(rater, NOW)
        submit(offered.token, {"0": {"useful": 1, "comment": LONG}}, NOW + timedelta(minutes=1), typing)
        done[rater] = offered.assignment
    flag_everything()
    assert rows("SELECT assignment_id FROM typing_record") == [(done[one],)]
    assert flagged() == {done[one]: ["pasted_text"]}
