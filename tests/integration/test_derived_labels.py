"""From several answers to one label: stored, tallied, shown to the requester, exported and analysed; confidence beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labelwright.analysis import item_means, item_scores, measure_agreement, read_export
from labelwright.release import Format, write_rows
from tests.studies import NOW, example_study, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

QUESTIONS: list[dict[str, Any]] = [
    {"name": "recommends", "type": "yes_no", "text": "Does the reply recommend a movie?"},
    {
        "name": "fits",
        "type": "yes_no",
        "text": "Does it fit?",
        "when": {"question": "recommends", "is": "yes"},
    },
    {"name": "sure", "type": "confidence", "text": "How sure are you?"},
    {
        "name": "wrong",
        "type": "choices",
        "aspect": "flaws",
        "text": "What is wrong with it?",
        "required": False,
        "options": [{"code": 1, "name": "Too long"}, {"code": 2, "name": "Too old"}],
    },
]
LABEL: dict[str, Any] = {
    "name": "relevance",
    "aspect": "quality",
    "scale": "relevance",
    "rules": [
        {"when": {"question": "recommends", "is": "no"}, "code": 9},
        {"when": {"question": "fits", "is": "yes"}, "code": 1},
    ],
    "otherwise": 0,
}
RELEVANCE = {
    "points": [
        {"code": 0, "name": "Not relevant", "score": 0},
        {"code": 1, "name": "Relevant", "score": 1},
        {"code": 9, "name": "No recommendation", "no_answer": True},
    ]
}
FITS, UNFIT = {"recommends": True, "fits": True}, {"recommends": True, "fits": False}
NONE = {"recommends": False, "fits": True}
# Two raters, the same three items in the same order: they agree on the first, and the third has one judgment.
GIVEN: list[list[dict[str, Any]]] = [
    [FITS | {"sure": 90}, UNFIT | {"sure": 20, "wrong": [2]}, NONE | {"sure": 50}],
    [FITS | {"sure": 80}, FITS | {"sure": 30}, FITS | {"sure": 60}],
]


@pytest.fixture
def judged(database: str) -> Any:
    """A study with the answers above, tallied."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    parts = example_study(*QUESTIONS, size=3, labels=[LABEL])
    parts["scales"]["relevance"] = RELEVANCE
    parts["aspects"]["flaws"] = {"title": "Flaws"}
    corpus = parts.pop("corpus")
    text = study_text(**parts | {"redundancy": 2})
    owner, _ = add_user("mine@example.org", "a long password of a test")
    loaded = load_study(parse(text), text, corpus, NOW, owner, opened=True)
    for answers, link in zip(GIVEN, make_links(loaded.study, Pool.objects.get(), 2, 60, NOW), strict=True):
        visitor = get_visitor(link.token, NOW)
        for given in answers:
            submit(offer(visitor, NOW).token, {"0": given}, NOW)
    assert flag_block(NOW)
    return loaded.study


def test_a_label_goes_all_the_way(judged: Any, tmp_path: Path):
    from labelwright.server.results.actions.export import COLUMNS, get_answers, get_scales
    from labelwright.server.store.models import Tally

    tallied = {(t.question, t.code): t.n for t in Tally.objects.all()}
    assert {code: tallied.get(("relevance", code), 0) for code in (0, 1, 9)} == {0: 1, 1: 4, 9: 1}
    assert (tallied["fits", 1], tallied["fits", 0]) == (4, 1), "the hidden answer was not stored"
    path = tmp_path / "out.parquet"
    write_rows(path, Format.PARQUET, COLUMNS, get_answers(judged))
    path.with_suffix(".scales.json").write_text(json.dumps(get_scales(judged)))
    rows = [row for row in get_answers(judged) if row["question"] == "relevance"]
    assert sorted((row["name"], row["confidence"]) for row in rows) == [
        ("No recommendation", 50), ("Not relevant", 20),
        ("Relevant", 30), ("Relevant", 60), ("Relevant", 80), ("Relevant", 90),
    ]  # fmt: skip
    labels = read_export(path).where(aspect="quality")
    # The first item agrees and the second does not; the third has one label, because "no recommendation" is none.
    (found,) = measure_agreement(labels, ["percentage"], bootstrap=None).rows
    assert found.estimates["percentage"].value == 0.5
    assert sorted(item_scores(labels).values()) == [0.5, 1, 1]
    # The means of 90 and 80, of 20 and 30, and of 50 and 60.
    assert sorted(item_means(labels, "confidence").values()) == [25, 55, 85]


def test_the_requester_reads_what_was_counted(judged: Any):
    from labelwright.server.results.actions.overview import measure_overview

    overview = measure_overview(judged)
    assert [(figure.name, figure.text) for figure in overview.questions] == [
        ("wrong.1", "What is wrong with it? Too long"),
        ("wrong.2", "What is wrong with it? Too old"),
        ("relevance", "Quality (derived)"),
    ]
    assert overview.questions[-1].labels == {"one": {0: 1, 1: 4, 9: 1}}
    # Six answers each to "recommends" and "sure", five to "fits".
    assert overview.left_out == {"no_aspect": 17}
