"""Spans and sentences from the endpoint through store and export into the measures."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from labelwright.agreement import spans
from labelwright.agreement.selections import selection_jaccard
from labelwright.corpus import Dialogue, Turn
from labelwright.release import Format, write_rows
from labelwright.task.questions.sentences import chosen_sentences
from labelwright.task.questions.spans import marked_spans
from tests.integration.test_hostile import visit
from tests.processes import Server
from tests.studies import pool

pytestmark = [pytest.mark.postgres, pytest.mark.once]

# 25 code points, of which the emoji is one: the offsets below hold only if it is counted as one.
PASSAGE = "Bikes 🚲 go free. Not now."
SENTENCES = [[0, 16], [17, 25]]
QUESTIONS = [
    {"name": "parts", "type": "spans", "text": "Mark what answers it.", "none": "Nothing", "max_spans": 3},
    {"name": "chosen", "type": "sentences", "text": "Which sentences?", "none": "None"},
]
BAD_PARTS: list[Any] = [
    "all",
    {"0": 5},
    [[0, 5], [3, 7]],
    [[0, 26]],
    [[-1, 4]],
    [[5, 6]],
    [[4, 4]],
    [[0, 5.0]],
    [[False, 5]],
    [["0", "5"]],
    [[0, 10**30]],
    [[0, 5, "kind"]],
    [[0, 1], [1, 2], [2, 3], [3, 4]],
]
BAD_SENTENCES: list[Any] = [
    [0],
    {"sentences": SENTENCES},
    {"sentences": SENTENCES, "chosen": [2]},
    {"sentences": SENTENCES, "chosen": [0, 0]},
    {"sentences": SENTENCES, "chosen": [True]},
    {"sentences": [[0, 16.0], [17, 25]], "chosen": [0]},
    {"sentences": [[0, 25]], "chosen": [0]},
]


@pytest.fixture
def links(study: Callable[..., list[str]]) -> list[str]:
    turn = Turn(
        "user", "My bike?", meta={"turn_id": "t_1", "passages": [{"id": "p", "text": PASSAGE, "level": 1}]}
    )
    design = {"title": "Passages", "lead": "Read.", "instructions": "Read.", "questions": QUESTIONS}
    return study(
        raters=3,
        corpus=[Dialogue("d0", (turn,))],
        items={"kind": "query"},
        designs={"only": design},
        conditions={"one": {"context": {"turns_before": 3}}},
        pools=pool(),
    )


def chosen(*positions: int) -> dict[str, Any]:
    return {"sentences": SENTENCES, "chosen": list(positions)}


def exported(path: Path) -> list[dict[str, Any]]:
    from labelwright.server.results.actions.export import COLUMNS, get_answers
    from labelwright.server.store.models import StudyRow

    write_rows(path, Format.JSONL, COLUMNS, get_answers(StudyRow.objects.get()))
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_raters_mark_comes_out_of_the_export_as_the_measures_take_it(
    links: list[str], server: Server, tmp_path: Path
):
    answers = [
        {"parts": [[6, 15], [0, 5]], "chosen": chosen(0)},  # "Bikes", "🚲 go free"
        {"parts": [[6, 10]], "chosen": chosen(1, 0)},  # "🚲 go"
        {"parts": [], "chosen": chosen()},
    ]
    with httpx.Client(base_url=server.root) as http:
        for link, given in zip(links, answers, strict=True):
            done = http.post("/t/submit", json={"answers": {"0": given}}, headers=visit(http, link))
            assert done.status_code == 200, done.text
    rows = exported(tmp_path / "out.jsonl")
    values = defaultdict(list)
    for row in rows:
        values[row["question"]].append(json.loads(row["value"]))

    marked = [marked_spans(value) for value in values["parts"]]
    assert marked == [[(0, 5), (6, 15)], [(6, 10)], []]
    assert PASSAGE[slice(*marked[0][1])] == "🚲 go free"
    # Of the 14 characters that the first rater marked, the second marked 4; the third marked none.
    assert spans.jaccard([marked[:2]], bootstrap=None).value == pytest.approx(4 / 14)
    assert spans.jaccard_k([marked], 2, bootstrap=None).value == pytest.approx(4 / 14)
    scores = spans.score_against_reference([marked[:1]], [[[(0, 15)]]], bootstrap=None)
    assert (scores.precision.value, scores.recall.value) == (1, pytest.approx(14 / 15))

    picked = [chosen_sentences(value) for value in values["chosen"]]
    assert picked == [[(0, 16)], [(0, 16), (17, 25)], []]
    # Two raters chose the first sentence, one of them the second too: 1 of 2 sentences by both.
    assert selection_jaccard([picked[:2]], bootstrap=None).value == pytest.approx(1 / 2)
    labels = {
        name: [(row["label"], row["name"]) for row in rows if row["question"] == name]
        for name in ("parts.found", "chosen.s0", "chosen.s1")
    }
    found, nothing = (1, "Something marked"), (0, "Nothing marked")
    yes, no = (1, "Chosen"), (0, "Not chosen")
    assert labels == {
        "parts.found": [found, found, nothing],
        "chosen.s0": [yes, yes, no],
        "chosen.s1": [no, yes, no],
    }


def test_hostile_spans_and_sentences_are_refused_and_nothing_is_stored(links: list[str], server: Server):
    from labelwright.server.store.models import Answer, Draft

    good = {"parts": [[0, 5]], "chosen": chosen(0)}
    bad = [good | {"parts": value} for value in BAD_PARTS] + [
        good | {"chosen": value} for value in BAD_SENTENCES
    ]
    with httpx.Client(base_url=server.root) as http:
        headers = visit(http, links[0])
        for given in bad:
            body = {"answers": {"0": given}, "save_id": "a", "revision": 0}
            for refused in (
                http.put("/t/save", json=body, headers=headers),
                http.post("/t/submit", json=body, headers=headers),
            ):
                assert refused.status_code == 422, given
                assert refused.json()["problems"][0]["message"].endswith(".")
        assert not Answer.objects.exists()
        assert not Draft.objects.exists()
