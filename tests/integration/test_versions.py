"""A changed study file keeps the tasks that it still asks for, with their places and ratings."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from labelwright.corpus import Dialogue, Turn
from tests.at_once import at_once
from tests.rows import rows
from tests.studies import NOW, dialogue, dialogues, parse, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ANSWERS = {"0": {"useful": 3, "comment": "clear"}}
Edit = Callable[[dict[str, Any]], None]


class File:
    """A study file that is edited and loaded, version after version. 4 items in 2 conditions, 3 ratings each."""

    def __init__(self, *edits: Edit, items: int = 4, corpus: Any = None) -> None:
        self.data = copy.deepcopy(study_data(items={"per_dialogue": 1}))
        self.data["pools"]["own"]["raters"] = 8
        self.corpus = corpus or dialogues(items)
        self.edit(*edits)

    def edit(self, *edits: Edit) -> File:
        for edit in edits:
            edit(self.data)
        return self

    @property
    def text(self) -> str:
        return yaml.safe_dump(self.data, sort_keys=False)

    def load(self, *edits: Edit, minutes: int = 0, **declared: Any) -> Any:
        from labelwright.server.studies.actions.contents import Declared
        from labelwright.server.studies.actions.loading import load_study, plan_change

        self.edit(*edits)
        declaration = Declared(**declared)
        foretold = plan_change(parse(self.text), self.text, self.corpus, declaration)
        loaded = load_study(
            parse(self.text),
            self.text,
            self.corpus,
            NOW + timedelta(minutes=minutes),
            None,
            declaration,
            opened=True,
        )
        # What is said before is what happens.
        assert (foretold.lines if foretold else None) == (loaded.change.lines if loaded.change else None)
        check_consistency()
        return loaded


def check_consistency() -> None:
    """Tallies, offers and wanted ratings equal a recount of the places, and only the newest version offers work."""
    tallied = "SELECT version_id, condition, question, code, left_out, n FROM tally WHERE n <> 0 ORDER BY 1, 2, 3, 4, 5"
    assert rows(tallied) == rows(
        """SELECT version_id, condition, question, code, left_out, count(*) FROM counted_answer
           WHERE code IS NOT NULL AND NOT unflagged GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5"""
    )
    assert rows(
        "SELECT batch_id, condition, sum(n) FROM offered GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY 1, 2"
    ) == rows(
        """SELECT batch_id, condition, count(*) FROM place
           WHERE state IN ('leased', 'filled') AND NOT gold GROUP BY 1, 2 ORDER BY 1, 2"""
    )
    newest = "SELECT id FROM study_version ORDER BY n DESC LIMIT 1"
    assert rows(f"SELECT id, wanted FROM batch WHERE version_id = ({newest}) ORDER BY 1") == rows(
        f"""SELECT p.batch_id, count(*) FROM place p JOIN batch b ON b.id = p.batch_id
            WHERE p.state <> 'closed' AND NOT p.gold AND b.version_id = ({newest}) GROUP BY 1 ORDER BY 1"""
    )
    assert rows(
        f"""SELECT count(*) FROM place p JOIN batch b ON b.id = p.batch_id
            WHERE p.state IN ('open', 'on_demand') AND b.version_id <> ({newest})"""
    ) == [(0,)]


def visitors(loaded: Any, count: int) -> list[Any]:
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool

    pool = Pool.objects.get(study=loaded.study, name="own")
    return [get_visitor(link.token, NOW) for link in make_links(loaded.study, pool, count, 60, NOW)]


def rate(visitor: Any, tasks: int = 1, answers: dict[str, Any] | None = None, minutes: int = 0) -> None:
    """Submits so many tasks of a rater, and has them counted."""
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit

    now = NOW + timedelta(minutes=minutes)
    for _ in range(tasks):
        held = offer(visitor, now)
        assert isinstance(held, Offer), held
        submit(held.token, answers or ANSWERS, now + timedelta(seconds=30))
    flag_block(now)


def states() -> dict[str, int]:
    return dict(rows("SELECT state, count(*) FROM place GROUP BY 1"))


def instructions(data: dict[str, Any]) -> None:
    data["designs"]["reply"]["instructions"] += " Take your time."


def fourth_point_and_instructions(data: dict[str, Any]) -> None:
    fourth_point(data)
    instructions(data)


def fourth_point(data: dict[str, Any]) -> None:
    data["scales"]["useful"]["points"].append({"code": 4, "name": "Perfect", "score": 1})


def test_a_changed_instruction_keeps_every_rating_and_reaches_raters_at_once():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, Batch

    file = File()
    raters = visitors(file.load(), 3)
    for rater in raters[:2]:
        rate(rater, 3)
    held = offer(raters[2], NOW)
    before = rows("SELECT id, batch_id, state, rank FROM place ORDER BY id")
    loaded = file.load(instructions)
    assert loaded.change.lines == [
        "6 ratings stay; 0 new tasks.",
        'The instructions of design "reply" changed; this keeps every rating.',
        "Still to collect: 18 ratings, USD 7.20.",
    ]
    assert rows("SELECT id, batch_id, state, rank FROM place ORDER BY id") == before
    assert Batch.objects.get().version.n == 2
    submit(held.token, ANSWERS, NOW + timedelta(seconds=30))
    assert Assignment.objects.latest("id").version.n == 1
    rate(raters[2])
    assert Assignment.objects.latest("id").version.n == 2


def test_an_unchanged_file_changes_nothing():
    file = File()
    file.load()
    assert (file.load().version, file.load().changed) == (1, False)
    # A comment is not a change either.
    from labelwright.server.studies.actions.loading import load_study

    text = "# a note\n" + file.text
    assert load_study(parse(text), text, file.corpus, NOW).changed is False


def test_more_ratings_open_places_and_fewer_close_open_ones_only():
    from labelwright.server.offering.actions.leases import offer, return_work

    file = File()
    raters = visitors(file.load(), 6)
    rate(raters[0], 2)
    more = file.load(lambda d: d.update(redundancy=5))
    assert more.change.lines[:3] == [
        "2 ratings stay; 0 new tasks.",
        'Condition "SECRET0" has another number of ratings: 8 more ratings of existing tasks, USD 3.20.',
        'Condition "SECRET3" has another number of ratings: 8 more ratings of existing tasks, USD 3.20.',
    ]
    assert more.wanted == 40
    assert states() == {"open": 38, "filled": 2}
    holds = [offer(rater, NOW) for rater in raters[1:4]]
    fewer = file.load(lambda d: d.update(redundancy=1))
    # 8 tasks want one rating each; the two rated ones and the leased ones need no other.
    assert states()["filled"] == 2
    assert states()["leased"] == 3
    assert fewer.change.stay == 2
    left = 8 - len(rows("SELECT DISTINCT task_id FROM place WHERE state IN ('filled', 'leased')"))
    assert states()["open"] == left
    closed = states()["closed"]
    # A leased place beyond the wanted number closes when it is returned.
    surplus = rows("SELECT count(*) FROM place WHERE closing AND state = 'leased'")[0][0]
    for held in holds:
        return_work(held.token)
    assert states()["closed"] == closed + surplus
    # More again: closed places come first.
    file.load(lambda d: d.update(redundancy=3))
    assert rows("SELECT count(*) FROM place") == [(40,)]
    assert states() == {"open": 22, "filled": 2, "closed": 16}


def test_a_changed_scale_makes_every_task_new_and_leased_work_may_finish():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment

    file = File()
    raters = visitors(file.load(), 3)
    for rater in raters[:2]:
        rate(rater, 3)
    held = offer(raters[2], NOW)
    loaded = file.load(fourth_point_and_instructions)
    lines = loaded.change.lines
    # What changed besides keeps no rating that the scale leaves behind.
    assert 'The instructions of design "reply" changed.' in lines
    assert lines[0] == "0 of 6 ratings stay; 8 new tasks."
    assert lines[1].startswith(
        'Condition "SECRET0" is new because scale "useful" changed: 4 tasks new, 12 ratings to collect, USD 4.80; '
    )
    assert lines[1].endswith("3 ratings count only under version 1.")
    assert lines[-2:] == [
        "1 task that raters are working on can still be submitted.",
        "Still to collect: 24 ratings, USD 9.60.",
    ]
    assert loaded.wanted == 24
    assert states() == {"open": 24, "leased": 1, "filled": 6, "closed": 17}
    submit(held.token, ANSWERS, NOW + timedelta(seconds=30))
    (late,) = Assignment.objects.filter(state="submitted").order_by("-id")[:1]
    assert late.version.n == 1
    # Raters do not meet an item twice, also under another scale.
    assert rows(
        "SELECT count(*) FROM (SELECT rater_id, spoil_key FROM exposure GROUP BY 1, 2 HAVING count(*) > 1) x"
    ) == [(0,)]


def test_one_changed_condition_leaves_the_others_alone_and_coming_back_brings_its_ratings_back():
    from labelwright.server.store.models import Batch

    file = File()
    raters = visitors(file.load(), 4)
    for rater in raters:
        rate(rater, 3)
    given = dict(rows("SELECT condition, count(*) FROM place WHERE state = 'filled' GROUP BY 1"))
    changed = file.load(lambda d: d["conditions"]["SECRET3"].update(context="C1"))
    assert changed.change.stay == given["SECRET0"]
    assert any(
        line.startswith('Condition "SECRET3" shows other text: 4 tasks new, 12 ratings to collect, USD 4.80;')
        and line.endswith(f"{given['SECRET3']} ratings count only under version 1.")
        for line in changed.change.lines
    )
    current = Batch.objects.get(version__n=2)
    here = "SELECT condition, count(*) FROM place WHERE batch_id = %s AND state = 'filled' GROUP BY 1"
    assert rows(here, [current.pk]) == [("SECRET0", given["SECRET0"])]
    assert (current.wanted, current.condition_wanted) == (24, {"SECRET0": 12, "SECRET3": 12})
    back = file.load(
        lambda d: d["conditions"]["SECRET3"].update(context={"turns_before": 3, "next_turn": True})
    )
    assert back.change.stay == 12
    assert back.change.new_tasks == 0
    assert rows(
        "SELECT sum(wanted) FROM batch b JOIN study_version v ON v.id = b.version_id WHERE v.n = 3"
    ) == [(24,)]


def test_other_wording_with_the_same_meaning_is_recorded_and_more_than_wording_is_refused():
    from labelwright.server.store.models import StudyVersion
    from labelwright.server.studies.actions.contents import NotTheSameMeaning

    file = File()
    raters = visitors(file.load(), 2)
    rate(raters[0], 3)
    first_text = file.text

    def reword(data: dict[str, Any]) -> None:
        data["designs"]["reply"]["questions"][0]["text"] = "How useful is this reply?"

    loaded = file.load(reword, same_meaning="“this” is the marked reply")
    assert (loaded.change.stay, loaded.change.new_tasks) == (3, 0)
    assert "Declared to have the same meaning: “this” is the marked reply" in loaded.change.lines
    assert StudyVersion.objects.get(n=2).same_meaning == "“this” is the marked reply"
    # The old wording has the same meaning too, without saying so again.
    file.data = yaml.safe_load(first_text)
    assert (file.load().change.stay, file.load().changed) == (3, False)
    with pytest.raises(NotTheSameMeaning, match='scale "useful" changed'):
        file.load(fourth_point, same_meaning="it is the same")


def test_fresh_starts_anew_and_the_next_change_goes_on_from_there():
    file = File()
    (rater, other, *_) = visitors(file.load(), 3)
    rate(rater, 3)
    fresh = file.load(fresh=True)
    assert (fresh.change.stay, fresh.change.new_tasks, fresh.version) == (0, 8, 2)
    rate(other, 2)
    assert file.load(instructions).change.lines[0] == "2 ratings stay; 0 new tasks."


def test_items_come_and_go_and_changed_text_is_another_item():
    file = File(items=4)
    raters = visitors(file.load(), 3)
    for rater in raters:
        rate(rater, 4)
    kept = rows(
        """SELECT count(*) FROM place p JOIN task_item x ON x.task_id = p.task_id JOIN item i ON i.id = x.item_id
           WHERE p.state = 'filled' AND i.key LIKE 'd1#%' OR p.state = 'filled' AND i.key LIKE 'd2#%'"""
    )[0][0]
    # d0 is removed, d3 has another text, d4 is new.
    file.corpus = [dialogue("d1"), dialogue("d2"), dialogue("d3", exchanges=2), dialogue("d4")]
    loaded = file.load()
    assert (loaded.change.stay, loaded.change.new_tasks, loaded.wanted) == (kept, 4, 24)
    left = sum(each.ratings for each in loaded.change.left)
    assert left == 12 - kept


def two_candidates(first: str) -> list[Any]:
    shown = [{"text": first, "system": "alpha"}, {"text": "I am well.", "system": "beta"}]
    return [Dialogue("d0", (Turn("user", "How are you?"),), {"candidates": shown})]


def test_a_changed_candidate_is_another_item_although_its_dialogue_is_the_same():
    from django.apps import apps
    from django.db import connection

    file = File(lambda d: d.update(items={"kind": "candidates"}), corpus=two_candidates("Fine."))
    rate(visitors(file.load(), 1)[0], 1)
    assert file.load().change is None
    # As a release left it that did not look at candidates: the migration finds the tasks again.
    rows("UPDATE dialogue SET sha256 = 'of the turns alone'")
    rows("UPDATE task SET content = left(content, 32) || 'of the turns alone'")
    migration = import_module("labelwright.server.store.migrations.0005_candidate_hashes")
    migration.rehash(apps, SimpleNamespace(connection=connection))
    assert file.load(instructions).change.lines[0] == "1 rating stays; 0 new tasks."
    file.corpus = two_candidates("Great.")
    assert file.load().change.lines[0].startswith("0 of 1 rating stay")


def test_groups_of_items_stay_and_only_new_items_are_grouped():
    file = File(lambda d: d.update(tasks={"items_per_task": 2}), items=4)
    raters = visitors(file.load(), 2)
    answers = {"0": {"useful": 3}, "1": {"useful": 2}}
    rate(raters[0], 1, answers)
    groups = rows("SELECT task_id, array_agg(item_id ORDER BY position) FROM task_item GROUP BY 1 ORDER BY 1")
    file.corpus = dialogues(7)
    grown = file.load()
    # Three new items make two new groups, in two conditions.
    assert (grown.change.stay, grown.change.new_tasks) == (1, 4)
    after = rows("SELECT task_id, array_agg(item_id ORDER BY position) FROM task_item GROUP BY 1 ORDER BY 1")
    assert after[: len(groups)] == groups
    # An item is removed: the group that it was in ends, and the item that is left is grouped anew.
    file.corpus = [each for each in file.corpus if each.key != "d0"]
    shrunk = file.load()
    assert shrunk.change.new_tasks == 2
    assert sum(each.tasks for each in shrunk.change.left) == 2


def test_a_new_calendar_moves_open_places_and_leaves_finished_work_where_it_was_done():
    from labelwright.server.store.models import Batch

    file = File(items=6)
    raters = visitors(file.load(), 2)
    rate(raters[0], 4)
    calendar = {
        "calendar": [{"items": 2}, {"items": 4, "opens": f"{NOW + timedelta(days=2):%Y-%m-%d} 09:00"}]
    }
    loaded = file.load(lambda d: d.update(batches=calendar))
    assert (loaded.change.stay, loaded.change.new_tasks) == (4, 0)
    batches = list(Batch.objects.filter(version__n=2).order_by("number"))
    assert sorted(batch.state for batch in batches) == ["open", "planned"]
    assert sum(batch.wanted for batch in batches) == 36
    # A deadline that the requester moved stays when something else changes.
    Batch.objects.filter(pk=batches[0].pk).update(closes_at=NOW + timedelta(days=9))
    file.load(instructions)
    assert Batch.objects.get(pk=batches[0].pk).closes_at == NOW + timedelta(days=9)


def test_two_people_who_load_at_once_make_two_versions():
    from labelwright.server.store.models import StudyVersion
    from labelwright.server.studies.actions.loading import load_study

    file = File()
    rate(visitors(file.load(), 1)[0], 2)
    titles = iter([f"Title {n}" for n in range(4)])

    def load() -> None:
        data = file.data | {"title": next(titles)}
        text = yaml.safe_dump(data, sort_keys=False)
        load_study(parse(text), text, file.corpus, NOW)

    at_once(4, load)
    assert sorted(StudyVersion.objects.values_list("n", flat=True)) == [1, 2, 3, 4, 5]
    assert states() == {"open": 22, "filled": 2}
    check_consistency()


def test_raters_who_work_while_a_version_is_loaded_lose_nothing():
    file = File(items=12)
    raters = iter(visitors(file.load(), 8))
    edits = [instructions, lambda d: d.update(redundancy=4), fourth_point, instructions]

    def work() -> None:
        from labelwright.server.offering.actions.leases import Offer, offer
        from labelwright.server.rating.actions.answers import submit

        rater = next(raters, None)
        if rater is None:
            for edit in edits:
                from labelwright.server.studies.actions.loading import load_study

                file.edit(edit)
                load_study(parse(file.text), file.text, file.corpus, NOW)
            return
        for _ in range(10):
            held = offer(rater, NOW)
            if isinstance(held, Offer):
                submit(held.token, ANSWERS, NOW + timedelta(seconds=30))

    at_once(9, work)
    from labelwright.server.flagging.actions.blocks import flag_block

    flag_block(NOW)
    check_consistency()
    assert rows("SELECT count(*) FROM assignment WHERE state <> 'submitted'") == [(0,)]
    assert rows("SELECT count(*) FROM place WHERE state = 'filled'") == rows(
        "SELECT count(*) FROM assignment WHERE state = 'submitted'"
    )


def test_a_study_of_an_earlier_release_keeps_its_ratings_too():
    from labelwright.server.store.models import StudyVersion

    file = File()
    rate(visitors(file.load(), 1)[0], 3)
    # As the migration leaves them.
    rows("UPDATE task SET content = 'legacy:' || id")
    StudyVersion.objects.update(contents={})
    assert file.load(instructions).change.lines[0] == "3 ratings stay; 0 new tasks."


def test_changed_assignment_rules_hold_for_raters_who_have_seen_the_items():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.offering.actions.search import NoWork

    file = File(lambda d: d.update(assignment={"same_item": "other_condition"}), items=2)
    (rater,) = visitors(file.load(), 1)
    rate(rater, 2)
    file.load(lambda d: d.update(assignment={"same_item": "never"}))
    assert offer(rater, NOW) == NoWork.NONE_LEFT


def test_the_pages_and_the_export_split_versions_join_them_and_mark_the_change():
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.results.actions.export import get_answers, get_scales
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.actions.versions import measure_history
    from labelwright.server.results.pages import overview, versions

    file = File()
    loaded = file.load()
    raters = visitors(loaded, 4)
    for rater in raters[:2]:
        rate(rater, 4)
    file.load(instructions, minutes=10)
    for rater in raters[2:]:
        rate(rater, 4, {"0": {"useful": 1}}, minutes=20)
    owner, _ = add_user("owner@example.org", "a long password of a test")
    loaded.study.owner = owner
    loaded.study.save()
    history = measure_history(loaded.study)
    # 8 submissions at 40 cents under each version, and all of them count.
    assert [(line.n, line.submitted, line.counted, line.owed[0].cents) for line in history.versions] == [
        (2, 8, 8, 320),
        (1, 8, 8, 320),
    ]
    (labels,) = history.labels
    assert labels.counts == {1: {3: 8}, 2: {1: 8}}
    assert labels.movement is not None
    # Every rating before the change is a 3, and every rating after it a 1.
    assert labels.movement.test.p_holm < 0.05
    (shown,) = versions.versions(history)["questions"]
    assert shown["moved"].startswith("Labels moved between versions (p")
    assert [row[0] for row in shown["rows"]] == ["Version 1", "Version 2", "All versions together"]
    drawn = overview.overview(measure_overview(loaded.study))["over_time"]["specs"]["light"]
    assert '"version 2"' in json.dumps(drawn)
    assert {answer["version"] for answer in get_answers(loaded.study)} == {1, 2}
    assert {answer["version"] for answer in get_answers(loaded.study, 2)} == {2}
    first, second = get_scales(loaded.study)["versions"]
    assert first["contents"] == second["contents"]
    assert second["changes"][0] == "8 ratings stay; 0 new tasks."
