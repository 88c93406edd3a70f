"""The audit of our own export: gold items, other questions and left-out data are no errors of the labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labelwright.analysis import read_export
from labelwright.analysis.audit import audit
from labelwright.release import Format, write_rows
from labelwright.simulate import Timeline, crowd, default_behaviour
from tests.integration.test_rehearsal import CORPUS
from tests.studies import NOW, pool, study_data, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

RATERS = 12
MORE: list[dict[str, Any]] = [
    {"name": "short", "type": "yes_no", "text": "Is it short?", "aspect": "usefulness"},
    {
        "name": "faults",
        "type": "choices",
        "text": "What is wrong with it?",
        "required": False,
        "options": [{"code": 1, "name": "Too long"}, {"code": 2, "name": "Too old"}],
    },
    {"name": "sure", "type": "confidence", "text": "How sure are you?"},
]


@pytest.fixture
def export(database: str, tmp_path: Path) -> Path:
    """The export of a study with several questions and gold items, with some data left out."""
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.results.actions.export import COLUMNS, get_answers, get_scales
    from labelwright.server.store.models import Assignment

    designs = study_data()["designs"]
    designs["reply"]["questions"][1:1] = MORE
    text = study_text(
        designs=designs,
        items={"per_dialogue": 1},
        gold={f"d{n}#1": {"useful": 1 + n % 3} for n in range(3)},
        tasks={"gold_one_in": 5},
        pools=pool(pay={"cents": 40}),
    )
    opened = open_rehearsal(text, CORPUS, RATERS, NOW)
    life = Timeline(crowd(RATERS, {"careful": 1}, 1, default_behaviour().steady(0.0)), NOW)
    live_fast(life, opened)
    run_periodic(life.worked[-1].ended)
    some = Assignment.objects.filter(state="submitted").order_by("pk")[:5]
    Assignment.objects.filter(pk__in=[each.pk for each in some]).update(data_use="left_out")
    for kind in Format:
        write_rows(tmp_path / f"out.{kind}", kind, COLUMNS, get_answers(opened.row))
    (tmp_path / "out.scales.json").write_text(json.dumps(get_scales(opened.row)))
    return tmp_path


def test_nothing_in_our_own_export_is_wrong(export: Path):
    read = audit([read_export(export / "out.parquet")])
    for kind in Format:
        found = audit([export / f"out.{kind}"])
        assert [str(each) for each in found if each.severity == "wrong"] == []
        assert (found.files, found.ratings) == (read.files, read.ratings)
        # Two conditions of one aspect are compared; other questions are sets of their own.
        assert found.files > 2
