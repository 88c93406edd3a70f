"""Attention checks and gold items: mixed in unseen, marked in the background, apart from judgments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from labelwright.errors import LabelwrightError
from labelwright.outside.rater_browser import read_page
from tests.processes import Server
from tests.studies import NOW, pool, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.once]

Load = Callable[..., list[str]]
LOOK = {"name": "look", "type": "attention", "asks": "turns_shown", "text": "How many turns are shown?"}
GOLD = {"d0#4": {"useful": {"answer": 3, "reason": "secret-reason"}}, "d1#4": {"useful": 3}}
RULES = [{"rule": "gold_failed"}, {"rule": "attention_failed"}]


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20) as client:
        yield client


def design(*more: dict[str, Any]) -> dict[str, Any]:
    made = study_data()["designs"]["reply"]
    return {"reply": made | {"questions": [*made["questions"], *more]}}


def work(http: httpx.Client, link: str, answer: Callable[[str], Any]) -> list[str]:
    """Works until nothing is left; the pages that were shown."""
    http.post(f"{link}/consent", data={"agree": "yes"})
    pages = []
    while (page := read_page(text := http.get(link).text)).task is not None:
        pages.append(text)
        sent = http.post(
            "/t/submit", json={"answers": answer(text)}, headers={"X-Labelwright-Visit": page.task["visit"]}
        )
        assert sent.status_code == 200, sent.text
    return pages


def outline(page: str) -> str:
    """A page without its text, its numbers and the tokens of its visit: elements, attributes and names of fields."""
    task = read_page(page).task
    assert task is not None
    page = re.sub(r"<i class=[^>]*></i>|<script id=\"page\".*?</script>", "", page, flags=re.DOTALL)
    tags = re.findall(r"<[^>]+>", page)
    return "".join(re.sub(r"\d+", "0", tag) for tag in tags) + str(sorted(task))


def test_gold_items_look_like_any_other_and_stay_out_of_the_tallies(http: httpx.Client, study: Load):
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import Flag, GoldResult, StudyRow, Tally, TaskItem

    (link, other) = study(
        size=6, gold=GOLD, tasks={"gold_one_in": 3}, quality=RULES, redundancy=2, pools=pool(),
        conditions={"C0": {"context": {"turns_before": 0}}},
    )  # fmt: skip
    assert sorted(TaskItem.objects.filter(role="gold").values_list("item__key", flat=True)) == [
        "d0#4",
        "d1#4",
    ]
    pages = work(http, link, lambda _: {"0": {"useful": 3}})
    others = work(http, other, lambda _: {"0": {"useful": 1}})
    # Each rater judges the four items that are not gold, and meets gold once in three tasks.
    right, wrong = len(pages) - 4, len(others) - 4
    assert 1 <= min(right, wrong) <= max(right, wrong) <= 2
    assert not any("gold" in page.lower() or "secret-reason" in page for page in pages)
    # Apart from what every task has of its own (texts, numbers, tokens), all pages are the same.
    assert len({outline(page) for page in pages}) == 1
    flag_block(NOW)
    assert sorted(GoldResult.objects.values_list("right", flat=True)) == [False] * wrong + [True] * right
    flags = list(Flag.objects.values_list("rule", "evidence"))
    assert flags == [("gold_failed", {"wrong": ["0:useful"], "right_share": 0.0, "at_least": 0.7})] * wrong
    tallied = sorted(Tally.objects.values_list("left_out", "code", "n"))
    assert tallied == [("", 1, 4), ("", 3, 4), ("gold", 1, wrong), ("gold", 3, right)]
    roles = [row["role"] for row in get_answers(StudyRow.objects.get())]
    assert (roles.count("gold"), roles.count("item")) == (right + wrong, 8)


def test_gold_that_does_not_fit_the_corpus_is_told_when_the_study_is_loaded(study: Load):
    with pytest.raises(
        LabelwrightError, match=r'gold names the item "d9#4", which is not in the corpus\. Did you mean'
    ):
        study(gold={"d9#4": {"useful": 3}}, tasks={"gold_one_in": 3})


def test_an_attention_check_counts_what_this_condition_shows(http: httpx.Client, study: Load):
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.store.models import Answer, Flag

    conditions = {"SECRET2": {"context": {"turns_before": 2}}}
    (link, other) = study(designs=design(LOOK), conditions=conditions, quality=RULES, size=2, redundancy=2)

    def options(page: str) -> list[str]:
        block = page[page.index('data-question="look"') :]
        return [part.split("<")[0] for part in block.split('class="nm" dir="auto">')[1:6]]

    # Two turns before the exchange, and the two of the exchange.
    pages = work(http, link, lambda page: {"0": {"useful": 3, "look": options(page).index("4") + 1}})
    work(http, other, lambda page: {"0": {"useful": 3, "look": options(page).index("3") + 1}})
    assert len(pages) == 2
    assert not any("attention" in page or "checks" in page for page in pages)
    stored = list(Answer.objects.filter(question="look").order_by("id").values_list("value", "code"))
    assert stored == [({"chosen": "4", "right": True}, 1)] * 2 + [({"chosen": "3", "right": False}, 0)] * 2
    flag_block(NOW)
    assert list(Flag.objects.values_list("rule", flat=True)) == ["attention_failed"] * 2


def test_feedback_never_tells_a_rater_whether_a_check_was_passed(http: httpx.Client, study: Load):
    from labelwright.server.people.actions.messages import give_feedback
    from labelwright.server.profiles.actions.comparison import get_work
    from labelwright.server.store.models import Answer, Assignment

    (link, other) = study(designs=design(LOOK), size=1, redundancy=2, quality=RULES)
    for each in (link, other):
        work(http, each, lambda _: {"0": {"useful": 3, "look": 1}})
    done = Assignment.objects.select_related("study", "rater").earliest("id")
    give_feedback(done.study, "me", done.rater, [done.pk], "Look again.", NOW)
    page = http.get(f"{link}/me").text
    assert "Very useful" in page
    for secret in ("right&quot;", LOOK["text"], "chosen"):
        assert secret not in page
    # The requester sees it.
    (beside, *_), _ = get_work([done.rater_id], 1)
    (look,) = [answer for answer in beside.answers if answer.question == LOOK["text"]]
    assert look.passed == Answer.objects.get(assignment=done, question="look").value["right"]
