"""Reports of the published data, made by one command each, hold the figures of the papers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from labelwright.outside.platforms.marked_texts import read_span_set
from labelwright.report import ReadingOptions, Report, ReportInput, make_report, read_input, render_html
from labelwright.report.reading import Recoding
from tests.reproduction.context_study import ASPECTS, CONDITIONS
from tests.reproduction.figures import recomputed_here
from tests.reproduction.published import DATA, needs_data, recomputed
from tests.unit.report.test_report import table_of

pytestmark = [needs_data, pytest.mark.once]

RECODINGS = (
    *(
        Recoding({"aspect": "relevance", "condition": name}, {0: 0, 1: 0, 2: 1})
        for name in ("C_0", "C_3", "C_7")
    ),
    *(Recoding({"aspect": "usefulness", "condition": name}, {1: 0, 2: 1, 3: 2}) for name in ("C_0", "C_7")),
)


@cache
def context_report() -> Report:
    """The report of the twelve files of the context study."""
    options = ReadingOptions(recodings=RECODINGS)
    return make_report(read_input(Path(DATA / "siro-context"), "Context study", options=options), seed=0)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_context_study_tables_1_and_2(aspect):
    rows = table_of(context_report(), f"agreement-{aspect}-{ASPECTS.index(aspect) + 1}")["rows"]
    found = {row["condition"]: row for row in rows}
    for condition in CONDITIONS:
        for figure, measure in (("tau", "kendall_tau_b"), ("kappa", "cohen_kappa")):
            name = f"siro.{figure}.{aspect}.{condition}"
            assert found[condition][measure]["value"] == pytest.approx(recomputed_here()[name], abs=1e-9), (
                name
            )


def test_context_study_figures_3_and_4():
    for aspect in ASPECTS:
        table = table_of(context_report(), f"consistency-{aspect}-{ASPECTS.index(aspect) + 1}")
        found = {frozenset((row["first"], row["second"])): row["same"]["value"] for row in table["rows"]}
        names = [name for name in recomputed_here() if name.startswith(f"siro.cross.{aspect}.")]
        assert names
        for name in names:
            pair = frozenset(name.rsplit(".", 1)[1].split("~"))
            assert 100 * found[pair] == pytest.approx(recomputed_here()[name], abs=1e-9), name


def test_mixed_usefulness_codes_are_on_page_one():
    mixed = [each for each in context_report().tree["audit"]["findings"] if each["kind"] == "mixed_codes"]
    assert any("usefulness" in each["where"] and each["severity"] == "wrong" for each in mixed), mixed
    page = render_html(context_report()).split("<nav")[0]
    # Which conditions use which codes, as the README of the data says.
    assert "usefulness" in page.split("different codes")[0].rsplit("<li>", 1)[1]
    assert "1, 2, 3" in page
    assert "Recoded before the analysis: usefulness C_0 and usefulness C_7 (1 to 0, 2 to 1, 3 to 2)" in page


SETS = {
    "MTurk_regular_paragraph": "snippet_annotation/mturk/paragraph/*paragraph-regular*.csv",
    "MTurk_master_paragraph": "snippet_annotation/mturk/paragraph/*paragraph-master*.csv",
    "Prolific_paragraph": "snippet_annotation/prolific/*.csv",
    "Expert_paragraph": "snippet_annotation/mturk/paragraph/*paragraph-expert*.csv",
    "MTurk_regular_sentence": "snippet_annotation/mturk/sentence/*sentences-regular.csv",
    "MTurk_master_sentence": "snippet_annotation/mturk/sentence/*sentences-masters.csv",
    "large_scale": "large_scale/topics_1-2/**/group-*.csv",
    "large_scale_all": "large_scale/all/**/group-*.csv",
}


@cache
def snippet_report() -> Report:
    """The report of all marked passages and sentences of the snippet study."""
    sets = tuple(
        read_span_set(name, (DATA / "cast-snippets").glob(pattern)) for name, pattern in SETS.items()
    )
    return make_report(ReportInput("Snippets", None, spans=sets, span_reference="Expert_paragraph"), seed=0)


def rows_by_set(key: str) -> dict[str, dict[str, Any]]:
    return {row["set"]: row for row in table_of(snippet_report(), key)["rows"]}


def test_snippet_study_table_2():
    found = rows_by_set("span-agreement")
    for name in SETS:
        for k in ("J", "J_4", "J_3", "J_2"):
            if (key := f"cast.table2.{k}.{name}") in recomputed_here():
                own = found[name]["jaccard" if k == "J" else f"jaccard_{k[2:]}"]
                assert own["value"] == pytest.approx(recomputed_here()[key], abs=1e-9), key
    assert found["large_scale_all"]["jaccard"]["value"] == pytest.approx(
        recomputed_here()["cast.repo.J.large_scale_all"], abs=1e-9
    )
    assert found["large_scale_all"]["raters"] == recomputed("cast.n.workers")


def test_snippet_study_table_3():
    rows = table_of(snippet_report(), "span-reference")["rows"]
    found = {(row["set"], row["combined"]): row for row in rows}
    names = [name for name in recomputed_here() if name.startswith("cast.table3.")]
    assert len(names) == 15
    for key in names:
        _, _, figure, name = key.split(".")
        combined = figure.removeprefix("F1_")
        assert found[name, combined]["f1"]["value"] == pytest.approx(recomputed_here()[key], abs=1e-9), key
    assert found["large_scale", "mean"]["f1"]["value"] == pytest.approx(
        recomputed("cast.6.2.F1_mean.large_scale"), abs=0.001
    )
    precision = recomputed("cast.repo.P_mean.MTurk_master_paragraph")
    assert found["MTurk_master_paragraph", "mean"]["precision"]["value"] == pytest.approx(
        precision, abs=0.001
    )


def test_snippet_study_tables_1_and_4_and_section_6():
    effort, sizes = rows_by_set("span-effort"), rows_by_set("span-sizes")
    for name in ("MTurk_regular_paragraph", "MTurk_master_paragraph", "Expert_paragraph"):
        assert effort[name]["seconds"] == recomputed(f"cast.table1.time.{name}")
    assert effort["large_scale_all"]["paid"] == pytest.approx(recomputed("cast.large_scale.reward"))
    every = sizes["large_scale_all"]
    assert every["spans"] == pytest.approx(recomputed("cast.table4.snippets_per_annotation"), abs=0.001)
    assert every["words"] == pytest.approx(recomputed("cast.table4.snippet_length"), abs=0.001)
    assert every["nobody"] == recomputed("cast.unanswerable")[0]
    # Their file of confidences differs from the released answers in some texts, so only the sign and size agree.
    rho = rows_by_set("span-confidence")["large_scale_all"]["correlation"]["value"]
    assert rho == pytest.approx(recomputed("cast.6.3.confidence")["spearman"], abs=0.05)
