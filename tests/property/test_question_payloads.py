"""What the server takes is exactly what the model of a question allows, whatever is sent to the endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelwright.analysis import measure_agreement, read_export
from labelwright.outside.rater_browser import read_page
from labelwright.release import Format, write_rows
from labelwright.task import Asking, TaskDesign, check_answers
from labelwright.task.questions import QUESTION_TYPES, Question
from labelwright.testing.questions import JSON_VALUES, SCALES, example_asking, spoilt
from tests.processes import Server
from tests.studies import example_study, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.once]

Load = Callable[..., list[str]]
every_type = pytest.mark.parametrize("kind", QUESTION_TYPES.values(), ids=QUESTION_TYPES)
EXAMPLES = 40
"""Tries for each type; each may take up one task."""

texts = st.text(max_size=40) | st.sampled_from(["\x00", "\ud800", "👩‍🚀", "مرحبا", "e\u0301", "word " * 400])
numbers = st.integers() | st.floats() | st.integers(-5, 105)
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts | st.sampled_from(JSON_VALUES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def payloads(question: Question, asking: Asking) -> st.SearchStrategy[Any]:
    """Answers as the type draws them, spoilt ones, and anything at all; now and then in the wrong place."""
    samples = st.integers(0, 2**32).map(lambda seed: question.sample(asking, np.random.default_rng(seed)))
    bad = samples.flatmap(lambda sample: st.sampled_from(list(spoilt(sample))))
    placed = (samples | samples | bad | plain).map(lambda value: {"0": {question.name: value}})
    misplaced = plain | plain.map(lambda value: {"0": value}) | plain.map(lambda v: {"0": {"unknown": v}})
    return st.one_of(placed, placed, placed, misplaced)


class Rater:
    """One rater who is given task after task; a task that was not taken is tried again."""

    def __init__(self, http: httpx.Client, link: str, kind: str) -> None:
        self._http, self._link = http, link
        self._visit: str | None = None
        self._kind = kind
        http.post(f"{link}/consent", data={"agree": "yes"})

    def asking(self) -> Asking:
        """What the questions of the task in hand lean on; the next task is taken where there is none."""
        from labelwright.server.store.models import ItemRow

        if self._visit is None:
            task = read_page(self._http.get(self._link).text).task
            assert task is not None, "there are more tasks than tries"
            self._visit = task["visit"]
        item = ItemRow.objects.get(taskitem__task__assignment__state="open")
        return replace(example_asking(self._kind), key=item.key, seed=study_data()["seed"])

    def submit(self, answers: Any) -> httpx.Response:
        """Sends answers as they are, also those that no JSON library would write."""
        body = json.dumps({"answers": answers})
        response = self._http.post(
            "/t/submit", content=body, headers={"X-Labelwright-Visit": str(self._visit)}
        )
        if response.status_code == httpx.codes.OK:
            self._visit = None
        return response


def stored() -> list[tuple[str, Any, int | None]]:
    """The rows of the newest submission."""
    from labelwright.server.store.models import Answer

    newest = Answer.objects.order_by("-assignment_id").values_list("assignment_id", flat=True).first()
    assert newest is not None
    found = Answer.objects.filter(assignment_id=newest).order_by("question")
    return [(answer.question, answer.value, answer.code) for answer in found]


@every_type
def test_the_endpoint_takes_what_the_model_allows_and_nothing_else(
    server: Server, study: Load, kind: type[Question]
):
    from labelwright.server.store.models import Answer

    example = dict(kind.EXAMPLES[0])
    parts = example_study(example, kind=kind.EXAMPLE_ITEM, size=EXAMPLES * 2)
    (link,) = study(raters=1, **parts)
    design = TaskDesign.model_validate(parts["designs"]["only"])
    asking = example_asking(kind.EXAMPLE_ITEM)
    seen = set()
    with httpx.Client(base_url=server.root, timeout=20) as http:
        rater = Rater(http, link, kind.EXAMPLE_ITEM)

        @settings(max_examples=EXAMPLES)
        @given(payloads(design.questions[0], asking))
        def tries(answers: Any) -> None:
            checked, problems = check_answers(design, [rater.asking()], answers)
            before = Answer.objects.count()
            response = rater.submit(answers)
            seen.add(response.status_code)
            if problems:
                assert response.status_code == httpx.codes.UNPROCESSABLE_ENTITY, response.text
                assert [p["message"] for p in response.json()["problems"]] == [p.message for p in problems]
                assert Answer.objects.count() == before
            else:
                assert response.status_code == httpx.codes.OK, response.text
                expected = sorted((a.question, a.value, a.code) for a in checked)
                assert Answer.objects.count() == before + len(expected)
                assert not expected or stored() == expected

        tries()
    assert seen == {httpx.codes.OK, httpx.codes.UNPROCESSABLE_ENTITY}


@every_type
def test_answers_come_back_from_store_export_and_analysis(
    server: Server, study: Load, kind: type[Question], tmp_path: Path
):
    from labelwright.server.results.actions.export import COLUMNS, get_answers, get_scales
    from labelwright.server.store.models import StudyRow

    questions = [dict(example) | {"aspect": "quality"} for example in kind.EXAMPLES[:1]]
    parts = example_study(*questions, kind=kind.EXAMPLE_ITEM, size=3)
    links = study(raters=3, **(parts | {"redundancy": 3}))
    design = TaskDesign.model_validate(parts["designs"]["only"])
    random = np.random.default_rng(11)
    sent = []
    with httpx.Client(base_url=server.root, timeout=20) as http:
        for link in links:
            rater = Rater(http, link, kind.EXAMPLE_ITEM)
            for _ in range(3):
                asking = rater.asking()
                answer = {"0": {q.name: q.sample(asking, random) for q in design.questions}}
                assert rater.submit(answer).status_code == httpx.codes.OK
                sent += check_answers(design, [asking], answer)[0]
    row = StudyRow.objects.get()
    path = tmp_path / "out.parquet"
    assert write_rows(path, Format.PARQUET, COLUMNS, get_answers(row)) == len(sent)
    path.with_suffix(".scales.json").write_text(json.dumps(get_scales(row)))
    exported = list(get_answers(row))
    assert sorted((e["question"], e["label"] is None, e["label"] or 0) for e in exported) == sorted(
        (a.question, a.code is None, a.code or 0) for a in sent
    )
    whole = sorted(json.dumps(a.value, sort_keys=True) for a in sent if a.question == questions[0]["name"])
    assert sorted(_again(e["value"]) for e in exported if e["question"] == questions[0]["name"]) == whole
    if any(answer.code is not None for answer in sent):
        labels = read_export(path, include=("attention", "no_aspect"))
        assert len(labels.fetch(["item"])) == sum(a.code is not None for a in sent)
        for found in measure_agreement(labels, ["percentage"], bootstrap=None).rows:
            assert 0 <= found.estimates["percentage"].value <= 1


def _again(value: str) -> str:
    """An exported value as JSON; text is exported as it is."""
    try:
        return json.dumps(json.loads(value), sort_keys=True)
    except ValueError:
        return json.dumps(value, sort_keys=True)


def test_the_scales_of_examples_are_those_of_the_suite():
    # Else the endpoint would be compared with another model than its own.
    assert set(SCALES) == set(example_study()["scales"])
