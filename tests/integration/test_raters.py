"""Raters as requesters see them: names, the list with its numbers, agreement with the others, and bulk actions."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from datetime import timedelta
from itertools import count
from statistics import median
from typing import Any
from urllib.parse import quote

import pytest
from django.http import QueryDict

from labelwright.release import draw_pseudonyms
from labelwright.release.pseudonyms import PAIRS
from labelwright.server.web.desk.drawings import coefficient
from labelwright.simulate import Timeline, crowd
from tests.at_once import at_once
from tests.desk import anyones_reviewer, client_of, get, post
from tests.integration.test_recount import CASES, GOLD, USEFUL, design, work_through
from tests.integration.test_rehearsal import CORPUS, MIX, leaving
from tests.rows import rows
from tests.studies import NOW, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

APPLICANTS = {
    "platform": "link",
    "raters": 8,
    "pay": {"cents": 40},
    "qualification": {"design": "only", "items": list(GOLD)},
}


def loaded(**changes: Any) -> Any:
    """A small study, open."""
    from labelwright.server.studies.actions.loading import load_study

    text = study_text(items={"per_dialogue": 1}, **changes)
    return load_study(parse(text), text, CORPUS[:6], NOW, opened=True).study


def loaded_with_two_doors() -> Any:
    """The same with two pools that people can be invited to."""
    works = {"platform": "link", "requires": ["first", "second"]}
    return loaded(
        designs={"only": design(USEFUL, version=1)},
        gold=GOLD,
        pools={"first": APPLICANTS, "second": APPLICANTS, "own": works},
    )


def pool_of(study: Any, name: str = "own") -> Any:
    from labelwright.server.people.actions.pools import get_pool

    return get_pool(study, name)


def links(study: Any, n: int, pool: str = "own") -> list[Any]:
    from labelwright.server.people.actions.joining import make_links

    return make_links(study, pool_of(study, pool), n, 60, NOW)


def count_raters() -> None:
    """Runs the job until nothing is left."""
    from labelwright.server.tallies.actions.raters import count_marked_raters

    while count_marked_raters():
        pass


def drawn(study: Any, rater: str) -> list[str]:
    """The names that a rater may get: all pairs, and the first two numbers."""
    from django.conf import settings

    names = draw_pseudonyms(settings.PSEUDONYM_KEY.encode(), study.public_id, "link", rater)
    return [next(names) for _ in range(PAIRS + 2)]


def test_a_name_that_is_taken_gives_way_to_the_next_pair_and_at_last_to_a_number():
    from labelwright.server.store.models import Rater

    study = loaded()
    names = drawn(study, "own/1")
    (first,) = links(study, 1)
    assert first.pseudonym == drawn(study, "own/0")[0]
    Rater.objects.update(pseudonym=names[0])
    assert [link.pseudonym for link in links(study, 2)] == [names[0], names[1]]

    other = loaded(name="full")
    names = drawn(other, "own/0")
    taken = [
        Rater(study=other, pseudonym=name, nonce=name, link_expires_at=NOW) for name in names[: PAIRS + 1]
    ]
    Rater.objects.bulk_create(taken)
    assert [link.pseudonym for link in links(other, 1)] == [names[PAIRS + 1]] == [f"{names[0]}-3"]


def test_existing_names_stay_and_other_studies_do_not_share_them():
    from labelwright.server.store.models import Rater

    study, other = loaded(), loaded(name="other")
    links(study, 1)
    # As an earlier release stored it.
    Rater.objects.update(pseudonym="rkd4ayf34zq5h2m7c")
    again = [link.pseudonym for link in links(study, 3)]
    assert again[0] == "rkd4ayf34zq5h2m7c"
    assert again[1:] == [drawn(study, f"own/{number}")[0] for number in (1, 2)]
    assert not set(again) & {link.pseudonym for link in links(other, 3)}


def test_two_who_join_two_pools_at_once_never_get_the_same_name():
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.joining import join, make_open_link
    from labelwright.server.store.models import Rater

    study = loaded_with_two_doors()
    # A study in which the first raters of both pools draw the same pair: one in 65,536 is.
    for number in count():
        study.public_id = f"collision{number}"
        if drawn(study, "first/0")[0] == drawn(study, "second/0")[0]:
            break
    study.save()
    wanted = drawn(study, "first/0")[0]
    doors = [
        open_address(study, make_open_link(study, pool_of(study, pool), "me", 20, 14, NOW)).rsplit("/", 1)[1]
        for pool in ("first", "second")
    ]
    turns = iter(doors)
    at_once(2, lambda: join(next(turns), NOW, "192.0.2.7/32"))
    names = set(Rater.objects.values_list("pseudonym", flat=True))
    assert wanted in names
    assert len(names) == 2


def recounted(row: Any) -> dict[str, dict[str, Any]]:
    """The lines of a study from its rows alone, without the statement of the job."""
    from labelwright.server.store.models import Answer, Assignment, Flag, GoldResult, Member, Rater
    from labelwright.server.store.versions import study_of

    lines = {}
    for rater in Rater.objects.filter(study=row, kind="person", person=None):
        work = list(
            Assignment.objects.filter(rater=rater)
            .select_related("place__pool")
            .order_by("submitted_at", "id")
        )
        done = [each for each in work if each.submitted_at]
        seconds = [each.seconds for each in done if each.seconds is not None]
        flags = Flag.objects.filter(assignment__rater=rater).exclude(then="nothing")
        owed: Counter[str] = Counter()
        for each in work:
            if each.paid_state == "owed":
                pay = study_of(each.version_id).pool_of(each.place.pool.name).pay
                owed[pay.currency] += pay.cents
        checks = [
            answer.code == 1
            for each in done
            if not each.place.condition.startswith("qualification")
            for answer in Answer.objects.filter(assignment=each)
            if answer.question in study_of(each.version_id).design(each.place.condition).attention_checks
        ]
        gold = list(GoldResult.objects.filter(assignment__rater=rater).values_list("right", flat=True))
        seen = [at for each in work for at in (each.offered_at, each.submitted_at) if at]
        lines[rater.pseudonym] = {
            "pools": sorted(Member.objects.filter(rater=rater).values_list("pool__name", flat=True)),
            "tasks": len(done),
            "pace": median(seconds) if seconds else None,
            "recent": seconds[::-1][:8],
            "gold": (sum(gold), len(gold)),
            "attention": (sum(checks), len(checks)),
            "flags": (flags.count(), flags.filter(assignment__state="submitted").count()),
            "owed": [[cents, currency] for currency, cents in sorted(owed.items()) if cents],
            "last_seen": max([*seen, *([rater.consented_at] if rater.consented_at else [])], default=None),
        }
    return lines


def stored_lines(row: Any) -> dict[str, dict[str, Any]]:
    """The same, as the list shows them."""
    from labelwright.server.store.models import RaterLine

    return {
        line.name: {
            "pools": line.pools,
            "tasks": line.tasks,
            "pace": None if line.pace is None else pytest.approx(line.pace),
            "recent": line.recent,
            "gold": (line.gold_right, line.gold_answered),
            "attention": (line.attention_right, line.attention_answered),
            "flags": (line.flags, line.undecided),
            "owed": line.owed,
            "last_seen": line.last_seen,
        }
        for line in RaterLine.objects.filter(study=row)
    }


@pytest.mark.parametrize("name", ["gold", "qualified"])
def test_the_lines_of_raters_equal_a_full_recount(name: str):
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.changes import note_changed_work
    from labelwright.server.store.models import Assignment, Flag

    row = work_through(CASES[name])
    count_raters()
    lines = stored_lines(row)
    assert lines == recounted(row)
    assert sum(line["tasks"] for line in lines.values()) > 50
    work = Assignment.objects.filter(study=row, state="submitted", rater__kind="person").order_by("id")[:9]
    Flag.objects.bulk_create(
        Flag(study=row, assignment=each, rule="too_fast", then=then, evidence={}, found_at=NOW)
        for each, then in zip(work, ("propose", "propose", "nothing") * 3, strict=True)
    )
    note_changed_work([each.pk for each in work])
    decide(work[0].pk, pay=False, data_use=None, reason="Random.", author=anyones_reviewer(), now=NOW)
    count_raters()
    lines = stored_lines(row)
    assert lines == recounted(row)
    assert any(line["flags"][0] > line["flags"][1] for line in lines.values())
    if name == "gold":
        assert any(line["gold"][1] for line in lines.values())
        assert any(line["attention"][1] for line in lines.values())
    else:
        assert ["applicants", "experts"] in [line["pools"] for line in lines.values()]


def rehearsed(**changes: Any) -> Any:
    """A study that five raters worked through: 15 items in one condition, five ratings each; and the end of the work."""
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic

    text = study_text(
        items={"per_dialogue": 1},
        conditions={"one": {}},
        redundancy=5,
        pools=pool(raters=5, pay={"cents": 40}),
        **changes,
    )
    opened = open_rehearsal(text, CORPUS, 5, NOW)
    life = Timeline(crowd(5, MIX, 3, leaving(0.0)), NOW)
    live_fast(life, opened)
    run_periodic(life.worked[-1].ended)
    count_raters()
    return opened


def test_the_agreement_of_raters_averages_to_that_of_the_study():
    from labelwright.server.results.actions.overview import compare_raters, measure_overview
    from labelwright.server.store.models import RaterLine
    from labelwright.server.tallies.actions.comparison import FEWEST_ITEMS, RaterComparison, get_trend

    row = rehearsed().row
    measured = measure_overview(row)
    compared = RaterComparison(**(compare_raters(measured) or {}))
    lines = list(RaterLine.objects.filter(study=row))
    # Krippendorff's observed disagreement is the mean over ratings of their distance to the others of the same item. So
    # the mean over raters, weighted by their ratings, is his alpha.
    ratings = sum(line.agreement_items for line in lines)
    assert ratings == 15 * 5
    alpha = measured.questions[0].overall.value
    assert sum((line.agreement or 0) * line.agreement_items for line in lines) / ratings == pytest.approx(
        alpha
    )
    assert compared.agreement == alpha
    assert all(line.agreement_items >= FEWEST_ITEMS for line in lines)
    limits = RaterLine.objects.values_list("agreement_low", "agreement", "agreement_high")
    assert all(sorted(each) == list(each) for each in limits)
    # The blocks are all tasks of a rater, in order; the last one takes the task that is too few for one of its own.
    blocks = get_trend(row.pk, compared, [lines[0].rater_id])
    assert [(block.first, block.last) for block in blocks] == [(1, 7), (8, 15)]
    mean = sum(block.agreement.value * block.agreement.items for block in blocks) / 15
    assert mean == pytest.approx(lines[0].agreement)


def test_a_rater_with_few_shared_items_has_no_agreement_and_one_without_variation_no_value():
    from labelwright.agreement import ChanceDistance, agreement_with_others
    from labelwright.server.results.actions.overview import compare_raters, measure_overview
    from labelwright.server.store.models import RaterLine

    row = work_through(CASES["gold"])
    count_raters()
    compare_raters(measure_overview(row))
    # 30 places for 16 raters: nobody shares eight items with others.
    assert set(RaterLine.objects.values_list("agreement", "agreement_items")) == {(None, 0)}
    alike = ChanceDistance.of_totals({1: 12, 2: 0}, ordinal=True)
    assert agreement_with_others([0.0] * 9, alike).undefined


@pytest.fixture
def desk() -> tuple[Any, Any]:
    """A study with an owner and three raters, of whom one has done a task, and the owner's browser."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rehearsal.actions import run_periodic

    study = loaded()
    study.owner, _ = add_user("owner@example.org")
    study.save()
    worker, *_ = links(study, 3)
    work = offer(get_visitor(worker.token, NOW), NOW)
    submit(work.token, {"0": {"useful": 1}}, NOW + timedelta(seconds=5))
    run_periodic(NOW)
    count_raters()
    return study, client_of("owner@example.org")


def states(study: Any) -> list[str]:
    from labelwright.server.store.models import Member

    return list(Member.objects.filter(study=study).order_by("number").values_list("state", flat=True))


def test_a_bulk_action_says_what_it_does_and_is_undone(desk: tuple[Any, Any]):
    from labelwright.server.store.models import RaterLine

    study, client = desk
    page = f"/studies/{study.public_id}/raters"
    names = [link.pseudonym for link in links(study, 3)]
    first = post(client, page, do="exclude", pick=names[:2])
    asked = first.content.decode()
    assert "Exclude 2 raters" in asked
    assert "None of them has a task open now." in asked
    assert "$0.40 stays owed. 1 flag still needs a review." in asked
    assert states(study) == ["active"] * 3
    done = post(client, page, do="exclude", pick=names[:2], sure="yes", reason="Random answers")
    assert done.status_code == 303
    assert states(study) == ["excluded", "excluded", "active"]
    shown = get(client, page)
    assert "2 raters are excluded." in shown
    count_raters()
    assert dict(RaterLine.objects.values_list("name", "state")) == {
        names[0]: "excluded", names[1]: "excluded", names[2]: "invited"
    }  # fmt: skip
    was = [html.unescape(found) for found in re.findall(r'name="was" value="([^"]+)"', shown)]
    assert len(was) == 2
    post(client, page, do="restore", was=was)
    assert states(study) == ["active"] * 3
    assert "Undone: 2 raters have the state from before." in get(client, page)


def test_a_message_reaches_all_selected_raters_and_nobody_else(desk: tuple[Any, Any]):
    from labelwright.server.store.models import Message

    study, client = desk
    page = f"/studies/{study.public_id}/raters"
    names = [link.pseudonym for link in links(study, 3)]
    assert (
        "A message cannot be taken back."
        in post(client, page, do="message-many", pick=names[1:]).content.decode()
    )
    post(client, page, do="message-many", pick=names[1:], sure="yes", text="Read <b>slowly</b>.")
    assert "The message is sent to 2 raters." in get(client, page)
    assert set(Message.objects.values_list("rater__pseudonym", "text")) == {
        (name, "Read <b>slowly</b>.") for name in names[1:]
    }
    assert post(client, page, do="message-many", pick=names, sure="yes", text=" ").status_code == 400


def test_one_person_is_listed_once_under_the_oldest_name(desk: tuple[Any, Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.addresses import change_address
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import RaterLine

    study, client = desk
    page = f"/studies/{study.public_id}/raters"
    first, second, third = links(study, 3)
    for link in (second, first):
        change_address(get_visitor(link.token, NOW), "ada@example.org", NOW)
    count_raters()
    assert set(RaterLine.objects.values_list("name", "tasks")) == {(first.pseudonym, 1), (third.pseudonym, 0)}
    listed = get(client, page)
    assert f"also {second.pseudonym}" in listed
    assert "1 to 2 of 2" in listed
    # Either name finds them, and both lead to one page; the export keeps the name under which an answer was given.
    assert first.pseudonym in get(client, f"{page}?q={second.pseudonym}")
    assert client.get(f"{page}/{second.pseudonym}").url == f"{page}/{first.pseudonym}"
    assert f"same address as {second.pseudonym}" in get(client, f"{page}/{first.pseudonym}")
    assert {row["rater"] for row in get_answers(study)} == {first.pseudonym}
    # A bulk action concerns all that a person is.
    post(client, page, do="pause", pick=[first.pseudonym], sure="yes")
    assert states(study) == ["paused", "paused", "active"]
    change_address(get_visitor(second.token, NOW), "", NOW)
    count_raters()
    assert RaterLine.objects.count() == 3


def test_an_invitation_to_another_pool_keeps_the_name():
    from labelwright.server.people.actions.joining import AlreadyInPool, invite
    from labelwright.server.store.models import Member, Rater, RaterLine

    study = loaded_with_two_doors()
    first, second = (pool_of(study, name) for name in ("first", "second"))
    invite(study, second, "me", NOW, "other@example.org")
    made = invite(study, first, "me", NOW, "ada@example.org")
    again = invite(study, second, "me", NOW, "Ada@Example.org ")
    assert again.pseudonym == made.pseudonym
    assert again.address != made.address
    assert set(
        Member.objects.filter(rater__pseudonym=made.pseudonym).values_list("pool__name", flat=True)
    ) == {
        "first",
        "second",
    }
    with pytest.raises(AlreadyInPool, match=made.pseudonym):
        invite(study, first, "me", NOW, "ada@example.org")
    count_raters()
    assert RaterLine.objects.get(name=made.pseudonym).pools == ["first", "second"]
    assert RaterLine.objects.count() == Rater.objects.count() == 2


HOSTILE = ["nobody", "a" * 500, "'; DROP TABLE rater;--", "../../etc", "<script>alert(1)</script>", "%", "🦊"]


def test_names_that_no_rater_has_change_nothing(desk: tuple[Any, Any]):
    study, client = desk
    page = f"/studies/{study.public_id}/raters"
    before = states(study)
    for name in HOSTILE:
        assert client.get(f"{page}/{quote(name, safe='')}").status_code == 404
        assert post(client, page, do="exclude", pick=[name]).status_code == 404
        post(client, page, do="exclude", pick=[name], sure="yes")
        for was in (
            name,
            json.dumps([name, "own", "excluded"]),
            json.dumps([name]),
            json.dumps({"a": name}),
            "null",
        ):
            assert post(client, page, do="restore", was=[was]).status_code == 303
        found = client.get(page, {"q": name, "state": name, "pool": name, "sort": name, "page": name})
        assert found.status_code == 200
        assert "<script>alert" not in found.content.decode()
    post(client, page, do="restore", was=[json.dumps(["\x00", "\x00", "excluded"])])
    assert states(study) == before


def test_the_list_filters_sorts_and_finds(desk: tuple[Any, Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.profiles.actions.raters import RATERS

    study, client = desk
    page = f"/studies/{study.public_id}/raters"
    worker, idle, busy = (link.pseudonym for link in links(study, 3))
    offer(get_visitor(links(study, 3)[2].token, NOW), NOW)

    def listed(**asked: str) -> list[str]:
        return re.findall(r'aria-label="Select ([\w-]+)"', client.get(page, asked).content.decode())

    assert listed(state="at_work") == [busy]
    assert listed(state="invited") == [idle]
    assert listed(state="active") == [worker]
    assert listed(q=idle[2:9].upper()) == [idle]
    assert listed()[0] == worker
    for column in RATERS.columns:
        if column.sort:
            assert set(listed(sort=column.key)) == set(listed(sort=f"-{column.key}")) == {worker, idle, busy}
    assert listed(sort="-tasks")[0] == worker
    text = get(client, page)
    assert "3 in 1 pool; 1 at work" in text
    assert "now</td>" in text


def test_a_page_of_the_list_reads_a_page_of_lines(desk: tuple[Any, Any]):
    from labelwright.server.profiles.actions.raters import RATERS
    from labelwright.server.store.models import Rater, RaterLine

    study, client = desk
    made = Rater.objects.bulk_create(
        Rater(study=study, pseudonym=f"filler-{n}", nonce="x", link_expires_at=NOW) for n in range(2000)
    )
    RaterLine.objects.bulk_create(
        RaterLine(
            study=study, rater=rater, name=rater.pseudonym, state="active", last_seen=NOW - timedelta(hours=n)
        )
        for n, rater in enumerate(made)
    )
    rows("ANALYZE rater_line")
    query = RATERS.read(QueryDict())
    plan = "\n".join(
        line
        for (line,) in rows(
            f"EXPLAIN SELECT t.* FROM rater_line t WHERE t.study_id = {study.pk} {query.order_by}"
        )
    )
    assert "rater_line_last_seen" in plan
    assert "Sort" not in plan
    assert "1 to 50 of 2,003" in get(client, f"/studies/{study.public_id}/raters")


def test_a_rater_page_shows_the_work_in_words():
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import RaterLine

    opened = rehearsed()
    row = opened.row
    row.owner, _ = add_user("owner@example.org")
    row.save()
    compute_figures(row)
    client, line = client_of("owner@example.org"), RaterLine.objects.get(name=opened.pseudonyms[0])
    agreement = f"{coefficient(line.agreement or 0)} <"
    listed = get(client, f"/studies/{row.public_id}/raters")
    shown = get(client, f"/studies/{row.public_id}/raters/{line.name}")
    for text in ("How useful is the marked reply?", "15", "$6.00"):
        assert text in listed
        assert text in shown
    for text in ("1 to 7", "8 to 15", "Pay, use data", "no flag", "Time per task over 15 tasks"):
        assert text in shown
    assert agreement in shown
    assert agreement in listed
