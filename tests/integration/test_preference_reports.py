"""The report of studies in which candidates are compared: the right system wins, and equal ones do not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from labelwright.corpus import Dialogue, Turn
from tests.integration.test_assignment import visitors
from tests.studies import NOW, parse, study_data, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

ITEMS, RATERS, REDUNDANCY = 12, 10, 4
ASKED = {
    "preference": {"name": "preferred", "type": "preference", "text": "Which reply is better?"},
    "ranking": {"name": "preferred", "type": "ranking", "text": "Put the replies in order."},
}
FIRST, SECOND = {"preference": -1, "ranking": [1, 2]}, {"preference": 1, "ranking": [2, 1]}


def corpus() -> list[Dialogue]:
    return [
        Dialogue(
            f"talk-{n}",
            (Turn("user", f"A film like {n}?"),),
            {"candidates": [{"text": f"Try {name} {n}.", "system": name} for name in ("wren", "heron")]},
        )
        for n in range(ITEMS)
    ]


def report_of(kind: str, prefers_heron: Callable[[int], bool], folder: Path) -> Any:
    """The report of a study; each answer is made from the number of the task."""
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.reports.actions.report import write_study_report
    from labelwright.server.studies.actions.loading import load_study

    designs = study_data()["designs"]
    designs["reply"]["questions"] = [ASKED[kind] | {"aspect": "usefulness"}]
    text = study_text(
        items={"kind": "candidates"}, designs=designs, conditions={"all": {}}, redundancy=REDUNDANCY,
        pools={"own": {"platform": "link", "raters": RATERS}},
    )  # fmt: skip
    loaded = load_study(parse(text), text, corpus(), NOW, opened=True)
    # In turn, so that every rater rates something.
    crowd = visitors(loaded, RATERS)
    for done in range(ITEMS * REDUNDANCY):
        held = offer(crowd[done % RATERS], NOW)
        assert isinstance(held, Offer)
        answer = (SECOND if prefers_heron(done) else FIRST)[kind]
        submit(held.token, {"0": {"preferred": answer}}, NOW + timedelta(seconds=30))
    return write_study_report(loaded.study, folder, NOW, lambda _: None).tree


@pytest.mark.parametrize("kind", ASKED)
def test_the_preferred_system_is_the_better_one(kind: str, tmp_path: Path):
    # Ten of eleven answers prefer the second candidate, heron.
    tree = report_of(kind, lambda done: done % 11 != 0, tmp_path)
    assert tree["answers"][0]["answer"] == ["heron is better than wren."]
    (question,) = tree["decision"]["questions"]
    assert question["winner"] == "heron"
    (much,) = tree["answers"][1]["answer"]
    assert much.startswith("Leaving out ties, raters prefer heron to wren in 89.6% [")
    assert "preferences" in [part["key"] for part in tree["sections"]]
    page = (tmp_path / "report.html").read_text()
    assert "Strength of each system" in page


def test_no_system_wins_if_raters_are_divided(tmp_path: Path):
    tree = report_of("preference", lambda done: done % 2 == 0, tmp_path)
    assert tree["decision"]["questions"][0]["winner"] is None
    assert tree["answers"][0]["answer"] == [
        "Neither heron nor wren: the data do not show that one is better."
    ]


def test_a_system_that_never_loses_wins_by_the_signs_of_items_and_raters(tmp_path: Path):
    tree = report_of("preference", lambda _: True, tmp_path)
    assert tree["answers"][0]["answer"] == ["heron is better than wren."]
    # Raters are fewer than items, and each of them may have one opinion of all.
    assert tree["decision"]["questions"][0]["pairs"][0]["p"] == 2.0 ** (1 - RATERS)
