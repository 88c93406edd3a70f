"""Two stages: what raters chose in the first becomes the items of the second."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from labelwright.corpus import Dialogue, Turn, split_sentences
from labelwright.outside.rater_browser import read_page
from labelwright.testing.llm_endpoint import EndpointReply, LlmEmulator, completion
from tests.processes import Process, Server
from tests.rows import rows
from tests.studies import parse, pool, study_data, study_text

pytestmark = pytest.mark.postgres

Load = Callable[..., list[str]]
PASSAGE = "Lions live in Africa. 🦁 They sleep a lot. Some zoos keep them. Nobody knows why."
SENTENCES = [[sentence.start, sentence.end] for sentence in split_sentences(PASSAGE)]


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20) as client:
        yield client


def topic(key: str) -> Dialogue:
    passages = [{"id": "p", "text": PASSAGE, "level": 2}]
    return Dialogue(key, (Turn("user", "Where do lions live?", meta={"turn_id": key, "passages": passages}),))


def staged(**stage: Any) -> dict[str, Any]:
    design = study_data()["designs"]["reply"]
    choose = {"name": "which", "type": "sentences", "text": "Which sentences answer it?", "none": "None"}
    return {
        "items": {"kind": "query"},
        "designs": {"choose": design | {"questions": [choose]}, "rate": design},
        "conditions": {
            "FIRST": {"design": "choose"},
            "SECOND": {"design": "rate", "stage": "second", "redundancy": 1},
        },
        "stages": {"second": {"question": "which", **stage}},
        "redundancy": 3,
        "pools": pool(raters=4),
        "quality": [],
    }


def submit(http: httpx.Client, link: str, answers: Any) -> str:
    http.post(f"{link}/consent", data={"agree": "yes"})
    text = http.get(link).text
    task = read_page(text).task
    assert task is not None, text
    sent = http.post("/t/submit", json={"answers": answers}, headers={"X-Labelwright-Visit": task["visit"]})
    assert sent.status_code == 200, sent.text
    return text


def choose(http: httpx.Client, link: str, *chosen: int) -> None:
    submit(http, link, {"0": {"which": {"sentences": SENTENCES, "chosen": list(chosen)}}})


def advance(*, hurry: bool = False) -> tuple[int, int, int]:
    from labelwright.server.store.models import StudyRow
    from labelwright.server.studies.actions.stages import advance

    (done,) = advance(StudyRow.objects.get(), datetime.now(UTC), hurry=hurry)
    return done.items, done.wanted, done.waiting


def passages() -> list[str]:
    from labelwright.server.store.models import TaskItem

    tasks = TaskItem.objects.filter(task__condition="SECOND").order_by("item__key")
    return [item.item.payload["passage"]["text"] for item in tasks]


def test_what_most_chose_is_judged_by_others(http: httpx.Client, study: Load):

    from labelwright.server.store.models import ItemRow

    *three, fourth = study(raters=4, corpus=[topic("t1")], **staged(keep="most", raters="other"))
    choose(http, three[0], 0, 2)
    choose(http, three[1], 0)
    assert advance() == (0, 0, 1)
    choose(http, three[2], 0, 1)
    assert advance() == (1, 1, 0)
    # Run again, it opens nothing twice.
    assert advance() == (0, 0, 0)
    assert passages() == ["Lions live in Africa."]
    made = ItemRow.objects.get(payload__parent="t1--p")
    assert (made.key, made.payload["span"]) == ("t1--p/0-21", [0, 21])
    for link in three:
        assert read_page(http.get(link).text).task is None
    assert "Lions live in Africa." in submit(http, fourth, {"0": {"useful": 3}})


@pytest.mark.parametrize("first", ["model", "people"])
def test_a_model_rates_the_later_stage_too_but_only_people_choose_for_it(
    http: httpx.Client, database: Any, first: str
):
    from labelwright.server.judges.actions.cost import find_model, get_judge_cost, start_model
    from labelwright.server.judges.jobs import rate
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.studies.actions.loading import load_study

    def answer(body: dict[str, Any], _before: int) -> EndpointReply:
        last = {"which": {"chosen": [3]}}
        asked = body["response_format"]["json_schema"]["schema"]["properties"]["item_1"]["properties"]
        return completion(json.dumps({"item_1": last if "which" in asked else {"useful": 1}}))

    def have_rated() -> str:
        judge = find_model(row, None)
        start_model(judge, get_judge_cost(judge), "ana", datetime.now(UTC))
        return rate(judge.pk)

    with LlmEmulator(answer) as endpoint:
        model = {"name": "m", "address": endpoint.address, "parameters": {"max_tokens": 100}}
        changes = staged(keep="any") | {
            "pools": pool(raters=4) | {"judge": {"platform": "model", "model": model}}
        }
        text = study_text(**changes)
        row = load_study(parse(text), text, [topic("t1")], datetime.now(UTC), opened=True).study
        if first == "model":
            assert have_rated() == "none_left"
        for link in make_links(row, get_pool(row, "own"), 3, 60, datetime.now(UTC)):
            choose(http, f"/w/{link.token}", 0)
        # The model chose the last sentence, or has chosen nothing yet.
        assert advance() == (1, 1, 0)
        assert set(passages()) == {"Lions live in Africa."}
        # A version that changes instructions keeps the model's tasks of both stages.
        text = study_text(**changes, title="Another title")
        load_study(parse(text), text, [topic("t1")], datetime.now(UTC))
        assert have_rated() == "none_left"
    assert len(endpoint.bodies) == 2
    assert rows("""SELECT p.condition FROM assignment a JOIN place p ON p.id = a.place_id JOIN rater r ON r.id = a.rater_id
                   WHERE r.kind = 'model' AND a.submitted_at IS NOT NULL ORDER BY 1""") == [("FIRST",), ("SECOND",)]  # fmt: skip


def test_what_any_rater_chose_is_judged_by_the_same_raters(http: httpx.Client, study: Load):
    *three, fourth = study(raters=4, corpus=[topic("t1")], **staged(keep="any", raters="same"))
    for link, chosen in zip(three, ([0], [0, 3], []), strict=True):
        choose(http, link, *chosen)
    assert advance() == (2, 2, 0)
    assert passages() == ["Lions live in Africa.", "Nobody knows why."]
    http.post(f"{fourth}/consent", data={"agree": "yes"})
    assert read_page(http.get(fourth).text).task is None
    submit(http, three[2], {"0": {"useful": 1}})


def test_what_each_rater_chose_is_their_own_and_items_need_not_wait(http: httpx.Client, study: Load):
    corpus = [topic("t1"), topic("t2")]
    *three, _ = study(raters=4, corpus=corpus, **staged(keep="one", raters="same", opens="singly"))
    for link, chosen in zip(three, ([1], [1, 2], [3]), strict=True):
        choose(http, link, *chosen)
    # One of the two passages is full; each choice of each rater is an item of its own.
    items, _, waiting = advance()
    assert (items, waiting) in ((4, 1), (0, 2))
    for link in three:
        choose(http, link, 0)
    advance()
    assert len(passages()) == 7
    mine = submit(http, three[2], {"0": {"useful": 1}})
    assert "Nobody knows why." in mine or "Lions live in Africa." in mine


def test_a_study_advances_under_a_real_server_and_worker(http: httpx.Client, study: Load, tmp_path: Path):
    """Nobody calls `advance`: the worker's own timer opens the second stage."""
    *three, fourth = study(raters=4, corpus=[topic("t1")], **staged(keep="most", raters="other"))
    for link in three:
        choose(http, link, 0)
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        http.post(f"{fourth}/consent", data={"agree": "yes"})
        deadline = time.monotonic() + 60
        while read_page(http.get(fourth).text).task is None:
            assert time.monotonic() < deadline, worker.log.read_text()
            time.sleep(0.5)
        assert "Lions live in Africa." in submit(http, fourth, {"0": {"useful": 3}})
    finally:
        worker.stop()


def test_a_later_stage_goes_on_in_a_version_that_changes_only_instructions(http: httpx.Client, study: Load):
    from labelwright.server.store.models import Batch, StudyRow, StudyVersion
    from labelwright.server.studies.actions.loading import load_study
    from tests.rows import rows
    from tests.studies import parse

    links = study(raters=4, corpus=[topic("a")], **staged(raters="any"))
    for link in links[:3]:
        choose(http, link, 0, 2)
    assert advance() == (2, 2, 0)
    before = rows("SELECT id, task_id, state FROM place ORDER BY id")
    text = StudyVersion.objects.get().text.replace("Read the conversation.", "Read it all.")
    loaded = load_study(parse(text), text, [topic("a")], datetime.now(UTC), opened=True)
    assert loaded.change is not None
    assert (loaded.change.stay, loaded.change.new_tasks) == (3, 0)
    assert rows("SELECT id, task_id, state FROM place ORDER BY id") == before
    assert set(Batch.objects.values_list("version__n", "state")) == {(2, "open")}
    assert advance() == (0, 0, 0)
    # Another question in the first stage makes both stages new.
    text = text.replace("Which sentences answer it?", "Which sentences help?")
    again = load_study(parse(text), text, [topic("a")], datetime.now(UTC))
    assert again.change is not None
    assert (again.change.stay, again.change.new_tasks, again.wanted) == (0, 1, 3)
    assert StudyRow.objects.get().versions.count() == 3
