"""Offer, save, submit, return and expire on a real PostgreSQL."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from labelwright.errors import LabelwrightError
from tests.at_once import at_once
from tests.studies import NOW, dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

ANSWERS = {"0": {"useful": 3, "comment": "clear"}}


def load(items: int = 2, **changes: Any) -> Any:
    from labelwright.server.studies.actions.loading import load_study

    changes.setdefault("items", {"per_dialogue": 1})
    text = study_text(**changes)
    return load_study(parse(text), text, dialogues(items), NOW, opened=True)


def visitors(loaded: Any, count: int) -> list[Any]:
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool

    links = make_links(loaded.study, Pool.objects.get(), count, 60, NOW)
    return [get_visitor(link.token, NOW) for link in links]


def test_one_rater_works_through_all_items_and_meets_none_twice():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Answer, Exposure

    (rater,) = visitors(load(items=5), 1)
    for _ in range(5):
        submit(offer(rater, NOW).token, ANSWERS, NOW)
    # Two conditions of five items, but no item comes twice: five tasks and then none.
    assert offer(rater, NOW) is NoWork.NONE_LEFT
    assert Answer.objects.filter(question="useful").count() == 5
    assert Exposure.objects.count() == 5


def test_a_rater_who_comes_back_gets_the_same_work_and_the_older_visit_turns_read_only():
    from labelwright.server.offering.actions.leases import NewerVisit, offer
    from labelwright.server.rating.actions.answers import save

    (rater,) = visitors(load(), 1)
    first, second = offer(rater, NOW), offer(rater, NOW)
    assert first.assignment == second.assignment
    with pytest.raises(NewerVisit):
        save(first.token, ANSWERS, "a", 0, NOW)
    assert save(second.token, ANSWERS, "a", 0, NOW).revision == 1


def test_a_repeated_save_changes_nothing_and_a_stale_one_is_told_what_is_saved():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import StaleRevision, save

    (rater,) = visitors(load(), 1)
    token = offer(rater, NOW).token
    assert save(token, {"0": {"useful": 1}}, "a", 0, NOW).revision == 1
    assert save(token, {"0": {"useful": 1}}, "a", 0, NOW).revision == 1
    with pytest.raises(StaleRevision) as stale:
        save(token, {"0": {"useful": 2}}, "b", 0, NOW)
    assert stale.value.saved.answers == {"0": {"useful": 1}}
    assert save(token, {"0": {"useful": 2}}, "b", 1, NOW).revision == 2


def test_submitting_twice_gives_one_row_and_the_same_receipt():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Answer, Place

    (rater,) = visitors(load(), 1)
    token = offer(rater, NOW).token
    assert submit(token, ANSWERS, NOW) == submit(token, {"0": {"useful": 1}}, NOW)
    assert [(a.question, a.value) for a in Answer.objects.order_by("question")] == [
        ("comment", "clear"),
        ("useful", 3),
    ]
    assert Place.objects.filter(state="filled").count() == 1


def test_a_lapsed_place_goes_to_another_rater_and_the_slow_one_is_told():
    from labelwright.server.offering.actions.leases import expire_leases, offer
    from labelwright.server.rating.actions.answers import PlaceGone, submit
    from labelwright.server.store.models import Answer, Assignment, Draft

    slow, quick = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 2)
    late = NOW + timedelta(minutes=31)
    held = offer(slow, NOW)
    assert expire_leases(late) == 1
    assert submit(offer(quick, late).token, ANSWERS, late)
    with pytest.raises(PlaceGone):
        submit(held.token, {"0": {"useful": 1}}, late)
    assert Assignment.objects.get(pk=held.assignment).state == "expired_answered"
    assert Draft.objects.get().answers == {"0": {"useful": 1}}
    assert Answer.objects.filter(question="useful").count() == 1


def test_the_slow_finisher_may_submit_as_long_as_the_place_is_free():
    from labelwright.server.offering.actions.leases import expire_leases, offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Answer, Place, RaterCount

    (slow,) = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 1)
    held = offer(slow, NOW)
    late = NOW + timedelta(hours=2)
    expire_leases(late)
    assert submit(held.token, ANSWERS, late)
    assert Place.objects.get().state == "filled"
    assert Answer.objects.count() == 2
    assert RaterCount.objects.get(scope="tasks").n == 1


def test_after_the_lease_ran_out_the_same_work_is_offered_again_with_its_draft():
    from labelwright.server.offering.actions.leases import expire_leases, offer
    from labelwright.server.rating.actions.answers import get_saved, save

    (rater,) = visitors(load(), 1)
    held = offer(rater, NOW)
    save(held.token, ANSWERS, "a", 0, NOW)
    late = NOW + timedelta(hours=2)
    expire_leases(late)
    again = offer(rater, late)
    assert again.assignment == held.assignment
    assert get_saved(again.token)[1].answers == ANSWERS
    assert expire_leases(late) == 0


def test_returned_work_is_offered_to_somebody_else():
    from labelwright.server.offering.actions.leases import offer, return_work
    from labelwright.server.offering.actions.search import NoWork

    first, second = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 2)
    return_work(offer(first, NOW).token)
    assert offer(first, NOW) is NoWork.NONE_LEFT
    assert offer(second, NOW) is not NoWork.NONE_LEFT


def test_conditions_stay_balanced_at_every_offer():
    from labelwright.server.offering.actions.leases import offer
    from tests.rows import rows

    raters = visitors(load(items=6), 8)
    for rater in raters:
        offer(rater, NOW)
        counts = [n for (n,) in rows("SELECT sum(n)::int FROM offered GROUP BY condition")]
        assert max(counts) - min(counts) <= 1


def test_the_database_refuses_what_a_cap_forbids_under_twenty_parallel_claims():

    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, RaterCount

    (rater,) = visitors(load(items=30, pools=pool(caps={"tasks": 10})), 1)

    def work() -> None:
        # Another claim can make a visit an old one.
        with suppress(LabelwrightError):
            for _ in range(3):
                got = offer(rater, NOW)
                if isinstance(got, Offer):
                    submit(got.token, ANSWERS, NOW)

    at_once(20, work)
    assert Assignment.objects.count() <= 10
    assert RaterCount.objects.get(scope="tasks").n == Assignment.objects.exclude(state="expired").count()


def test_a_changed_file_is_a_new_version_and_answers_keep_theirs():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, Batch

    (rater,) = visitors(load(), 1)
    held = offer(rater, NOW)
    again = load(title="Another title")
    assert (again.version, again.changed) == (2, True)
    assert load(title="Another title").changed is False
    submit(held.token, ANSWERS, NOW)
    assert Assignment.objects.get().version.n == 1
    new = offer(rater, NOW)
    assert Assignment.objects.get(pk=new.assignment).version.n == 2
    assert Batch.objects.filter(state="open").count() == 1


def test_a_page_that_is_reloaded_without_end_leaves_few_rows_and_old_tabs_are_told():
    from labelwright.server.offering.actions.leases import NewerVisit, UnknownVisit, offer
    from labelwright.server.offering.queries.offers import MOST_VISITS
    from labelwright.server.rating.actions.answers import get_saved, save, submit
    from labelwright.server.store.models import Visit

    first, other = visitors(load(), 2)
    elsewhere = offer(other, NOW).token
    tokens = [offer(first, NOW + timedelta(seconds=n)).token for n in range(MOST_VISITS + 2)]
    assert Visit.objects.count() == MOST_VISITS + 1
    for known in tokens[2:-1]:
        with pytest.raises(NewerVisit):
            save(known, ANSWERS, "a", 0, NOW)
    for forgotten in tokens[:2]:
        with pytest.raises(UnknownVisit):
            save(forgotten, ANSWERS, "a", 0, NOW)
    # The page that is open, and the work of others, are what they were.
    assert submit(tokens[-1], ANSWERS, NOW) == submit(tokens[2], ANSWERS, NOW)
    assert get_saved(elsewhere)[0].newest


def test_submissions_are_flagged_and_tallied_in_blocks():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Flag, ItemTally, Tally

    slow, quick = visitors(load(items=1, conditions={"C": {}}), 2)
    submit(offer(slow, NOW).token, {"0": {"useful": 2}}, NOW + timedelta(seconds=40))
    submit(offer(quick, NOW).token, {"0": {"useful": 3}}, NOW + timedelta(seconds=4))
    assert flag_block(NOW) == 2
    assert flag_block(NOW) == 0
    assert Flag.objects.get().evidence == {"seconds": 4.0, "at_least": 15.0}
    assert sorted(Tally.objects.values_list("code", "n")) == [(2, 1), (3, 1)]
    assert sorted(ItemTally.objects.values_list("code", "n")) == [(2, 1), (3, 1)]
