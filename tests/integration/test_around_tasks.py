"""What is asked, told and stored around tasks, over real HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from labelwright.outside.rater_browser import read_page
from tests.processes import Server
from tests.studies import pool, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.once]

Load = Callable[..., list[str]]
AGE = {"name": "age", "type": "scale", "scale": "useful", "text": "How old are you?"}
KNOWN = {"name": "known", "type": "scale", "scale": "useful", "text": "How well do you know movies?"}
QUIZ = {
    "tries": 2,
    "questions": [
        {
            "ask": {"name": "what", "type": "scale", "scale": "useful", "text": "What counts?"},
            "right": {"answer": 3, "reason": "secret-reason"},
        }
    ],
}


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20) as client:
        yield client


def token(link: str) -> str:
    return link.rsplit("/", 1)[1]


def say(http: httpx.Client, link: str, part: str, answers: Any, key: str = "") -> httpx.Response:
    return http.post("/t/before", json={"link": token(link), "part": part, "key": key, "answers": answers})


def agree(http: httpx.Client, link: str, **more: Any) -> str:
    http.post(f"{link}/consent", data={"agree": "yes", **more})
    return http.get(link).text


def hand_in(http: httpx.Client, link: str, answers: Any) -> None:
    task = read_page(http.get(link).text).task
    assert task is not None
    sent = http.post("/t/submit", json={"answers": answers}, headers={"X-Labelwright-Visit": task["visit"]})
    assert sent.status_code == 200, sent.text


def sheets() -> list[tuple[Any, ...]]:
    from labelwright.server.store.models import RaterSheet

    return list(RaterSheet.objects.order_by("id").values_list("part", "answers", "tries", "passed", "closed"))


def test_every_point_of_consent_is_ticked_or_nothing_begins(http: httpx.Client, study: Load):
    (link, _) = study(consent={"text": "We are **nice**.", "points": ["I am 18.", "I read it."]})
    start = http.get(link).text
    assert "We are <strong>nice</strong>." in start
    assert start.count('name="point"') == 2
    assert 'name="agree"' in agree(http, link)
    assert 'name="agree"' in agree(http, link, point=["0"])
    assert read_page(agree(http, link, point=["0", "1"])).task is not None


def test_questions_about_the_rater_come_once_and_apart_from_judgments(http: httpx.Client, study: Load):
    from labelwright.server.results.actions.rater_export import get_rater_answers
    from labelwright.server.store.models import Answer, StudyRow

    (link, _) = study(demographics=[AGE], pools=pool(caps={"tasks": 2}))
    assert "How old are you?" in agree(http, link)
    assert say(http, link, "demographics", {"0": {"age": 9}}).status_code == 422
    assert say(http, link, "demographics", {"0": {"age": 2}}).json()["reasons"] == []
    assert read_page(http.get(link).text).task is not None
    # The first answer stays.
    say(http, link, "demographics", {"0": {"age": 1}})
    assert sheets() == [("demographics", {"age": 2}, 1, None, True)]
    assert not Answer.objects.exists()
    (told,) = get_rater_answers(StudyRow.objects.get())
    assert (told["part"], told["question"], told["value"], told["passed"]) == (
        "demographics",
        "age",
        "2",
        None,
    )


def test_whoever_does_not_answer_goes_on(http: httpx.Client, study: Load):
    (link, _) = study(demographics=[AGE])
    agree(http, link)
    assert say(http, link, "demographics", {}).status_code == 200
    assert read_page(http.get(link).text).task is not None
    assert sheets() == [("demographics", {}, 1, None, True)]


def test_familiarity_is_asked_before_the_first_task_of_a_batch_and_not_again(http: httpx.Client, study: Load):
    from labelwright.server.store.models import Batch

    (link, other) = study(familiarity=[KNOWN])
    assert "How well do you know movies?" in agree(http, link)
    batch = str(Batch.objects.get().pk)
    assert say(http, link, "familiarity", {"0": {"known": 3}}, batch).status_code == 200
    # The same batch, written otherwise, is no other one.
    assert say(http, link, "familiarity", {"0": {"known": 1}}, f"0{batch}").status_code == 404
    hand_in(http, link, {"0": {"useful": 1}})
    assert read_page(http.get(link).text).task is not None
    # Only of a batch that one works in.
    agree(http, other)
    assert say(http, other, "familiarity", {}, "999999").status_code == 404
    assert say(http, other, "familiarity", {}, "x").status_code == 404


def test_a_quiz_explains_what_was_wrong_and_counts_the_tries(http: httpx.Client, study: Load):
    (link, other) = study(quiz=QUIZ)
    page = agree(http, link)
    assert "What counts?" in page
    assert "secret-reason" not in page
    first = say(http, link, "quiz", {"0": {"what": 1}}).json()
    assert (first["closed"], first["reasons"]) == (False, [{"position": 0, "text": "secret-reason"}])
    assert "What counts?" in http.get(link).text
    assert say(http, link, "quiz", {}).status_code == 422
    assert say(http, link, "quiz", {"0": {"what": 3}}).json()["closed"]
    assert read_page(http.get(link).text).task is not None
    agree(http, other)
    say(http, other, "quiz", {"0": {"what": 1}})
    assert say(http, other, "quiz", {"0": {"what": 2}}).json()["closed"]
    # Out of tries, this study goes on with the rater all the same, and knows it.
    assert read_page(http.get(other).text).task is not None
    assert sheets() == [("quiz", {"what": 3}, 2, True, True), ("quiz", {"what": 2}, 2, False, True)]


def test_a_study_may_go_on_only_with_those_who_passed(http: httpx.Client, study: Load):
    (link, _) = study(quiz=QUIZ | {"tries": 1, "otherwise": "stop"}, debriefing="About *context*.")
    agree(http, link)
    say(http, link, "quiz", {"0": {"what": 1}})
    page = http.get(link).text
    assert read_page(page).task is None
    assert "passed the quiz" in page
    assert "About <em>context</em>." in page


def test_parts_that_are_not_asked_are_refused(http: httpx.Client, study: Load):
    (link, _) = study()
    assert say(http, link, "quiz", {}).status_code == 404
    agree(http, link)
    for part in ("quiz", "demographics", "familiarity"):
        assert say(http, link, part, {}).status_code == 404
    for body in (
        {},
        {"link": 5},
        {"link": token(link), "part": "x"},
        {"link": "x", "part": "quiz", "key": ""},
    ):
        assert http.post("/t/before", json=body).status_code in (400, 410)
    bad = {"link": token(link), "part": "quiz", "key": "\x00", "answers": {}}
    assert http.post("/t/before", json=bad).status_code == 400
    assert sheets() == []


@pytest.mark.parametrize("data_use", ["used", "left_out"])
def test_who_withdraws_is_paid_for_what_was_submitted(http: httpx.Client, study: Load, data_use: str):
    from labelwright.server.store.models import Assignment, Withdrawal

    (link, _) = study(pools=pool(pay={"cents": 40}), debriefing="It was about context.")
    agree(http, link)
    hand_in(http, link, {"0": {"useful": 1}})
    http.get(link)
    assert "It was about context." not in http.get(f"{link}/stopped").text
    assert "$0.40" in http.get(f"{link}/withdraw").text
    http.post(f"{link}/withdraw", data={"data_use": "everything"})
    assert not Withdrawal.objects.exists()
    page = http.post(f"{link}/withdraw", data={"data_use": data_use}, follow_redirects=True).text
    assert "You have withdrawn" in page
    assert "$0.40" in page
    assert "It was about context." in page
    done, given_back = Assignment.objects.order_by("id")
    assert (done.state, done.paid_state, done.data_use) == ("submitted", "owed", data_use)
    assert given_back.state == "returned"
    # The first word counts, and nothing more is offered.
    http.post(f"{link}/withdraw", data={"data_use": "used"})
    assert Withdrawal.objects.get().data_use == data_use
    assert read_page(http.get(link).text).task is None


def test_who_withdrew_can_hand_nothing_in_any_more(http: httpx.Client, study: Load):
    from labelwright.server.offering.actions.leases import expire_leases
    from labelwright.server.results.actions.rater_export import get_rater_answers
    from labelwright.server.store.models import Answer, Assignment, StudyRow

    (link, _) = study(familiarity=[KNOWN])
    agree(http, link)
    batch = str(Assignment.objects.get().place.batch_id)
    say(http, link, "familiarity", {"0": {"known": 2}}, batch)
    task = read_page(http.get(link).text).task
    assert task is not None
    # The time ran out, but the place is still free.
    Assignment.objects.update(lease_until=datetime.now(UTC))
    expire_leases(datetime.now(UTC))
    http.post(f"{link}/withdraw", data={"data_use": "left_out"})
    late = {"answers": {"0": {"useful": 1}}}
    sent = http.post("/t/submit", json=late, headers={"X-Labelwright-Visit": task["visit"]})
    assert (sent.status_code, sent.json()["code"]) == (409, "work_ended")
    assert say(http, link, "familiarity", {"0": {"known": 1}}, batch).status_code == 404
    assert not Answer.objects.exists()
    (told,) = get_rater_answers(StudyRow.objects.get())
    assert (told["value"], told["data_use"]) == ("2", "left_out")


def test_feedback_and_guidelines_travel_to_the_export(http: httpx.Client, study: Load):
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import StudyRow

    design = study_data()["designs"]["reply"] | {
        "guidelines": {"version": "1.3", "text": "Long.", "hard_cases": [{"case": "A?", "decision": "B."}]},
        "feedback": [{"name": "clear", "type": "text", "text": "Was anything unclear?"}],
    }
    (link, _) = study(designs={"reply": design})
    page = agree(http, link)
    assert "Was anything unclear?" in page
    assert "B." in http.get(f"{link}/instructions").text
    hand_in(http, link, {"0": {"useful": 1}, "1": {"clear": "no"}})
    rows = {row["question"]: row for row in get_answers(StudyRow.objects.get())}
    assert [(rows[name]["role"], rows[name]["guidelines"]) for name in ("useful", "clear")] == [
        ("item", "1.3"),
        ("task", "1.3"),
    ]
    assert rows["clear"]["item"] is None
