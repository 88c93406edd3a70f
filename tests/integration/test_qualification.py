"""Qualification at the size of the snippet study: 15 of 20 applicants are let in, and all learn why."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from labelwright.corpus import OnError, make_items, read_dialogues
from labelwright.crowd import AssignmentState
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

KEYS = [f"d{n}#4" for n in range(10)]
APPLICANTS, BEST = 20, 15


def qualifying(**changes: Any) -> dict[str, Any]:
    """The parts of a study file with a pool of applicants and one of those who qualified."""
    part = {"design": "reply", "measure": "percentage", "rule": {"best": BEST}}
    return {
        "gold": {
            key: {"useful": {"answer": 1 + n % 3, "reason": f"reason-{n}"}} for n, key in enumerate(KEYS)
        },
        "pools": {
            "applicants": {
                "platform": "link",
                "raters": APPLICANTS,
                "pay": {"cents": 25},
                "qualification": part | changes,
            },
            "experts": {"platform": "link", "requires": ["applicants"], "pay": {"cents": 40}},
        },
    }


def load(**changes: Any) -> Any:
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", "a long password of a test")
    text = study_text(items={"per_dialogue": 1, "turns_before": 3}, **changes)
    return load_study(parse(text), text, dialogues(16), NOW, owner, opened=True)


def links_of(study: Any, pool: str, wanted: int = 0) -> list[tuple[str, str]]:
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool

    made = make_links(study, get_pool(study, pool), wanted, 60, NOW)
    return [(link.pseudonym, link.token) for link in made]


def work(token: str, answer: Any, minutes: int = 1) -> int:
    """Works until nothing is offered; `answer` gives the code by the key of the item. How many tasks."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import TaskItem

    done = 0
    while True:
        now = NOW + timedelta(minutes=minutes, seconds=done)
        offered = offer(get_visitor(token, now), now)
        if not hasattr(offered, "token"):
            return done
        key = TaskItem.objects.get(task__assignment=offered.assignment).item.key
        submit(offered.token, {"0": {"useful": answer(key)}}, now)
        done += 1


def answers_with_mistakes(mistakes: int) -> Any:
    """The reference, but for the first so many items."""

    def answer(key: str) -> int:
        n = KEYS.index(key)
        return 1 + (n + (n < mistakes)) % 3

    return answer


def test_fifteen_of_twenty_qualify_and_do_the_work(database: str):
    from labelwright.server.people.actions.qualification import get_ranking, let_rule_decide
    from labelwright.server.people.actions.qualification_result import get_result
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.store.models import Audit, Message, Place, Rater
    from labelwright.server.tallies.actions import get_owed

    loaded = load(**qualifying())
    study = loaded.study
    # 16 dialogues give an item each, ten are the qualification's: 6 items x 2 conditions x 3 ratings.
    assert loaded.wanted == 36
    applicants = links_of(study, "applicants", APPLICANTS)
    # Applicant n makes n // 2 mistakes; one of two equals finished earlier, and each did all ten.
    for n, (_, token) in enumerate(applicants):
        assert work(token, answers_with_mistakes(n // 2), minutes=n) == 10
    assert not Place.objects.filter(pool__name="applicants").exclude(state="filled").exists()

    ranking = get_ranking(study, "applicants")
    assert [a.pseudonym for a in ranking.applicants] == [pseudonym for pseudonym, _ in applicants]
    assert [round(a.scored.value, 9) for a in ranking.applicants] == [(10 - n // 2) / 10 for n in range(20)]
    assert [a.picked for a in ranking.applicants] == [True] * 15 + [False] * 5
    assert links_of(study, "experts", 99) == []

    assert let_rule_decide(study, "applicants", "me", NOW) == ["experts"]
    experts = links_of(study, "experts")
    assert [pseudonym for pseudonym, _ in experts] == [pseudonym for pseudonym, _ in applicants[:15]]
    assert Audit.objects.filter(what="qualify").count() == 20
    assert Message.objects.filter(text__startswith="The result of your qualification is ready.").count() == 20
    # Deciding again finds nobody to decide on.
    assert let_rule_decide(study, "applicants", "me", NOW) == []

    # The worst applicant reads where they went wrong and why.
    told = get_result(study, "applicants", Rater.objects.get(pseudonym=applicants[-1][0]).pk)
    wrong = [line for line in told if not line.right]
    assert len(told) == 10
    assert len(wrong) == 9
    assert {line.reason for line in wrong} == {f"reason-{n}" for n in range(9)}
    assert all(line.own != line.reference for line in wrong)

    # The experts do the study's work, and no reference item among it.
    assert sum(work(token, lambda key: 2) for _, token in experts) == 36
    assert measure_overview(study).wanted == 36
    exported = list(get_answers(study))
    assert len([row for row in exported if row["condition"] == "qualification:applicants"]) == 200
    assert not {row["item"] for row in exported if not row["condition"].startswith("q")} & set(KEYS)
    # 200 tasks at 25 cents and 36 at 40.
    assert [pay.cents for pay in get_owed(study.pk)] == [200 * 25 + 36 * 40]


def test_a_requester_picks_by_hand_and_only_among_those_who_have_finished(database: str):
    from labelwright.server.people.actions.qualification import (
        NotAQualification,
        NotFinished,
        decide_qualification,
        get_ranking,
        let_rule_decide,
    )
    from labelwright.server.store.models import Member

    study = load(**qualifying(rule=None, measure="cohen_kappa_quadratic")).study
    (good, one), (bad, two), (idle, _) = links_of(study, "applicants", 3)
    work(one, answers_with_mistakes(0))
    # Always the same answer: kappa is 0, not undefined, because the reference varies.
    work(two, lambda key: 2)
    ranking = get_ranking(study, "applicants")
    assert [(a.pseudonym, a.place) for a in ranking.applicants] == [(good, 1), (bad, 2), (idle, None)]
    assert ranking.applicants[0].scored.value == 1
    assert ranking.applicants[1].scored.value == 0
    with pytest.raises(NotAQualification):
        let_rule_decide(study, "applicants", "me", NOW)
    with pytest.raises(NotFinished):
        decide_qualification(study, "applicants", [idle], "me", NOW)
    decide_qualification(study, "applicants", [bad], "me", NOW)
    assert dict(
        Member.objects.filter(pool__name="applicants").values_list("rater__pseudonym", "qualified")
    ) == {
        good: False,
        bad: True,
        idle: None,
    }
    assert [pseudonym for pseudonym, _ in links_of(study, "experts")] == [bad]


def test_a_rule_leaves_room_for_those_who_finish_later(database: str):
    from labelwright.server.people.actions.qualification import get_ranking, let_rule_decide

    study = load(**qualifying(rule={"best": 2, "at_least": 0.7})).study
    applicants = links_of(study, "applicants", 4)
    for (_, token), mistakes in zip(applicants[:2], (4, 1), strict=True):
        work(token, answers_with_mistakes(mistakes))
    let_rule_decide(study, "applicants", "me", NOW)
    assert [name for name, _ in links_of(study, "experts")] == [applicants[1][0]]
    for (_, token), mistakes in zip(applicants[2:], (0, 1), strict=True):
        work(token, answers_with_mistakes(mistakes))
    assert [a.pseudonym for a in get_ranking(study, "applicants").applicants if a.picked] == [
        applicants[2][0]
    ]
    let_rule_decide(study, "applicants", "me", NOW)
    assert [name for name, _ in links_of(study, "experts")] == [applicants[1][0], applicants[2][0]]


def test_who_takes_no_further_part_takes_nobodys_room(database: str):
    from labelwright.crowd import DataUse, MemberState
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.qualification import let_rule_decide
    from labelwright.server.people.actions.roster import get_rater
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.profiles.actions.standing import set_member_state
    from labelwright.server.rating.actions.withdrawal import withdraw

    study = load(**qualifying(rule={"best": 1})).study
    applicants = links_of(study, "applicants", 4)
    for (_, token), mistakes in zip(applicants, (0, 0, 0, 1), strict=True):
        work(token, answers_with_mistakes(mistakes))
    (forgotten, _), (_, withdrawn), (excluded, _), (stays, _) = applicants
    delete_personal_data(study, get_rater(study, forgotten), "me", NOW)
    withdraw(get_visitor(withdrawn, NOW), DataUse.USED, NOW)
    pool = get_pool(study, "applicants")
    set_member_state(study, pool, get_rater(study, excluded), MemberState.EXCLUDED, "me", "", NOW)
    let_rule_decide(study, "applicants", "me", NOW)
    assert [name for name, _ in links_of(study, "experts")] == [stays]


def test_an_item_that_the_corpus_does_not_give_is_named(database: str):
    from labelwright.server.studies.actions.qualifications import NoSuchItem

    with pytest.raises(NoSuchItem, match="d99#4"):
        load(gold={"d99#4": {"useful": 1}}, pools=qualifying()["pools"])


def test_an_answer_that_was_left_out_counts_as_wrong(database: str):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.qualification import get_ranking
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment

    parts = qualifying()
    parts["gold"] = {"d0#4": {"useful": 1, "comment": "fine"}}
    study = load(**parts).study
    ((_, token),) = links_of(study, "applicants", 1)
    offered = offer(get_visitor(token, NOW), NOW)
    submit(offered.token, {"0": {"useful": 1}}, NOW)
    assert Assignment.objects.get().state == AssignmentState.SUBMITTED
    (applicant,) = get_ranking(study, "applicants").applicants
    assert applicant.scored.value == 0.5


def test_marked_parts_are_scored_by_what_they_cover_and_told_as_text(database: str):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.qualification import get_ranking, let_rule_decide
    from labelwright.server.people.actions.qualification_result import get_result
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Rater
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.server.studies.actions.qualifications import NoSuchItem

    folder = Path(__file__).parents[2] / "studies" / "snippets"
    data = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))
    study = parse(yaml.safe_dump(data))
    corpus, _ = read_dialogues(study.corpus, folder, OnError.STOP)
    key, passage = next(
        (item.key, item.payload["passage"]["text"]) for item in make_items(corpus, study.items, study.seed)
    )
    data["pools"] = {
        "applicants": {
            "platform": "link",
            "raters": 2,
            "qualification": {"design": "paragraph", "measure": "f1", "rule": {"best": 1}},
        },
        "experts": {"platform": "link", "requires": ["applicants"]},
    }
    data["gold"] = {key: {"snippets": {"answer": [[0, 8]], "reason": "It is all there is."}}}
    text = yaml.safe_dump(data)
    row = load_study(parse(text), text, corpus, NOW, opened=True).study
    applicants = links_of(row, "applicants", 2)
    # Half of the right piece and nothing else: precision 1, recall 1/2, F1 2/3.
    for (_, token), spans in zip(applicants, ([[0, 4]], [[0, 8]]), strict=True):
        offered = offer(get_visitor(token, NOW), NOW)
        submit(offered.token, {"0": {"snippets": spans}}, NOW)
    ranking = get_ranking(row, "applicants")
    assert [round(a.scored.value, 3) for a in ranking.applicants] == [1, 0.667]
    let_rule_decide(row, "applicants", "me", NOW)
    (told,) = get_result(row, "applicants", Rater.objects.get(pseudonym=applicants[0][0]).pk)
    (own,), (reference,) = told.own, told.reference
    assert (own.said, reference.said) == ([f"“{passage[:4]}”"], [f"“{passage[:8]}”"])

    data["gold"][key]["snippets"]["answer"] = [[0, len(passage) + 1]]
    beyond = yaml.safe_dump(data)
    with pytest.raises(NoSuchItem, match="rejects the answer"):
        load_study(parse(beyond), beyond, corpus, NOW)


@pytest.mark.usefixtures("database")
def test_a_qualification_goes_on_in_a_version_that_changes_only_instructions():
    from labelwright.server.store.models import StudyVersion
    from labelwright.server.studies.actions.loading import load_study
    from tests.rows import rows

    study = load(**qualifying()).study
    ((_, token), *_) = links_of(study, "applicants", APPLICANTS)
    done = work(token, lambda _: 3)
    assert done
    before = rows("SELECT id, batch_id, state FROM place ORDER BY id")
    text = StudyVersion.objects.get().text.replace("Read the conversation.", "Read it all.")
    loaded = load_study(parse(text), text, dialogues(16), NOW, opened=True)
    assert loaded.change.lines[0] == f"{done} ratings stay; 0 new tasks."
    assert rows("SELECT id, batch_id, state FROM place ORDER BY id") == before
    assert work(token, lambda _: 3) == 0
