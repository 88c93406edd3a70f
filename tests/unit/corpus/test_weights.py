"""Design weights: from a sample with unequal shares to the items of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from labelwright.analysis import Labels, normalised_scores
from labelwright.corpus import CorpusPart, Dialogue, ItemsPart, Turn, draw, draw_turns, make_items
from labelwright.corpus.dialogues import BadRecord
from labelwright.corpus.readers._rows import Row, RowOptions, dialogues_of
from labelwright.corpus.turns_table import turns_of
from labelwright.tables import fetch, read

# 90 dialogues of one system and 10 of another.
DIALOGUES = [
    Dialogue(f"d{n:02}", (Turn("user", "Hi"), Turn("system", "Yes.", "common" if n < 90 else "rare")))
    for n in range(100)
]


def part(**sample: Any) -> CorpusPart:
    given = {"reader": "csv", "path": "log.csv", "sample": {"by": "system", **sample}}
    return CorpusPart.model_validate(given)


def test_a_sample_with_unequal_shares_carries_its_weights_to_the_mean() -> None:
    drawn = draw(DIALOGUES, part(method="per_stratum", n=5), seed=3).dialogues
    items = make_items(drawn, ItemsPart(), seed=3)
    # 90% of the corpus are half of the sample: 0.9 / 0.5; 10% are the other half: 0.1 / 0.5.
    assert {(item.system, item.payload["weight"]) for item in items} == {("common", 1.8), ("rare", 0.2)}
    # The rare system is bad and the common one is good, so 90% of the corpus are good, but half of the sample.
    labels = Labels.read(
        {
            "item": [item.key for item in items],
            "label": [int(item.system == "common") for item in items],
            "weight": [item.payload["weight"] for item in items],
        }
    )
    assert normalised_scores(labels, by=(), bootstrap=None).get("score").value == pytest.approx(0.9)


def test_given_proportions_have_weights_and_equal_chances_have_none() -> None:
    given = part(method="proportions", n=20, proportions={"common": 0.25, "rare": 0.75})
    weights = {
        item.system: item.payload["weight"]
        for item in make_items(draw(DIALOGUES, given, 1).dialogues, ItemsPart(), 1)
    }
    # 5 and 10 are drawn, because there are only 10 rare ones: 0.9 / (5 / 15) and 0.1 / (10 / 15).
    assert weights == {"common": pytest.approx(2.7), "rare": pytest.approx(0.15)}
    for method in ("uniform", "proportional"):
        drawn = draw(DIALOGUES, part(method=method, n=20), 1).dialogues
        assert {item.payload.get("weight") for item in make_items(drawn, ItemsPart(), 1)} == {None}


def test_a_sampled_table_keeps_its_weights() -> None:
    turns, drawn = draw_turns(read(turns_of(DIALOGUES)), part(method="per_stratum", n=5), 3)
    rows = fetch(turns.inner_join(drawn.select("dialogue", "sample_weight"), "dialogue")).to_pylist()
    found = [
        each
        for each in dialogues_of((Row(row, "") for row in rows), RowOptions())
        if isinstance(each, Dialogue)
    ]
    assert {round(dialogue.weight, 6) for dialogue in found} == {1.8, 0.2}
    # A weight is not a fact about a turn, so the text under judgment keeps its hash.
    assert found[0].turns[0].meta == {}
    # Drawn once more, weights multiply: 0.5 of the sample each, so both strata weigh 1 in it.
    again = draw(found, part(method="per_stratum", n=2), 3).dialogues
    assert {round(dialogue.weight, 6) for dialogue in again} == {1.8, 0.2}
    wrong = dialogues_of([Row({**rows[0], "sample_weight": "heavy"}, "log:1")], RowOptions())
    assert [type(each) for each in wrong] == [BadRecord]


def test_the_command_writes_the_weights(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from labelwright.cli import register_commands
    from tests.studies import study_text

    pq.write_table(turns_of(DIALOGUES), tmp_path / "turns.parquet")
    corpus = {"reader": "csv", "path": "log.csv", "sample": {"by": "system", "method": "per_stratum", "n": 4}}
    (tmp_path / "study.yaml").write_text(study_text(corpus=corpus))
    command = ["corpus", "sample", str(tmp_path / "study.yaml"), str(tmp_path / "turns.parquet")]
    done = CliRunner().invoke(register_commands(), [*command, "--to", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    weights = pq.read_table(tmp_path / "out" / "turns.parquet")["sample_weight"].to_pylist()
    assert {round(weight, 6) for weight in weights} == {1.8, 0.2}
