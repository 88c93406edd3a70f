"""The start page tells of the task design that a rater will meet, wherever it stands in the study file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from labelwright.outside.rater_browser import read_page
from tests.integration.test_qualification import answers_with_mistakes, links_of, load, qualifying, work
from tests.integration.test_stages import advance, choose, http, staged, topic  # noqa: F401  http is a fixture
from tests.studies import NOW, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.once]

Load = Callable[..., list[str]]
CHOOSE, RATE, TRIAL = "Which sentences answer it?", "How useful is the marked reply?", "Is it a reply?"


def asked(http: httpx.Client, link: str) -> list[str]:
    """The questions that the start page names."""
    page = http.get(link).text
    assert 'name="agree"' in page
    return [text for text in (CHOOSE, RATE, TRIAL) if text in page]


def test_a_later_stage_is_told_to_those_who_come_for_it(http: httpx.Client, study: Load):
    parts = staged(keep="any", raters="other")
    # The design of the later stage stands first in the file.
    parts["designs"] = dict(reversed(parts["designs"].items()))
    *three, fourth = study(raters=4, corpus=[topic("t1")], **parts)
    assert asked(http, fourth) == [CHOOSE]
    for link in three:
        choose(http, link, 0)
    # All sentences are chosen; what comes next is not made yet, and then it is.
    assert asked(http, fourth) == [RATE]
    assert advance() == (1, 1, 0)
    assert asked(http, fourth) == [RATE]
    http.post(f"{fourth}/consent", data={"agree": "yes"})
    assert RATE in http.get(fourth).text


def test_a_qualification_is_told_to_applicants_alone(http: httpx.Client, server: Any, database: str):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.qualification import let_rule_decide

    reply = study_data()["designs"]["reply"]
    trial = reply | {"questions": [{**reply["questions"][0], "text": TRIAL}]}
    parts = qualifying(design="trial", rule={"best": 1})
    conditions = {"C": {"design": "reply"}}
    study = load(designs={"trial": trial, "reply": reply}, conditions=conditions, **parts).study
    ((_, applicant),) = links_of(study, "applicants", 1)
    door = make_open_link(study, get_pool(study, "applicants"), "mine@example.org", 5, 9, NOW)
    assert asked(http, f"/w/{applicant}") == [TRIAL]
    assert asked(http, "/j/" + open_address(study, door).rsplit("/", 1)[1]) == [TRIAL]
    work(applicant, answers_with_mistakes(0))
    let_rule_decide(study, "applicants", "me", NOW)
    ((_, expert),) = links_of(study, "experts")
    assert asked(http, f"/w/{expert}") == [RATE]


def test_each_rater_reads_of_the_condition_that_is_next_for_them(http: httpx.Client, study: Load):
    reply = study_data()["designs"]["reply"]
    other = reply | {"questions": [{**reply["questions"][0], "text": TRIAL}]}
    conditions = {"A": {"design": "reply"}, "B": {"design": "other"}}
    links = study(raters=4, designs={"reply": reply, "other": other}, conditions=conditions)
    for link in links:
        told = asked(http, link)
        http.post(f"{link}/consent", data={"agree": "yes"})
        page = http.get(link).text
        assert read_page(page).task is not None
        assert [text for text in (RATE, TRIAL) if text in page] == told
