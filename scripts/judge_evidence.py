"""Measures how models compare with people in eight published sets, and what intervals and probes do in simulations.

`make judges` writes bench/judges.json, the chart and the tables of docs/explanation/judges.md. The data are not part of
this repository: set LABELWRIGHT_DATA to their folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelwright.agreement import Bootstrap, Estimate, Interval
from labelwright.analysis import Labels
from labelwright.charts import LIGHT, Chart, alt, rows_of, save
from labelwright.judging import (
    Evidence,
    ProbeResult,
    ThreeScores,
    agree_with_people,
    estimate_mean,
    make_panel,
    order_bias,
    paired_bias,
    propose_calls,
    split_sides,
    stand_in,
)
from labelwright.judging.choice import EQUAL_SHARE
from labelwright.judging.estimates import find_influences, three_scores
from labelwright.judging.influence import interval_of
from labelwright.judging.sides import model_codes
from tests.reproduction.published import DATA
from tests.unit.judging.adaptive import EXCESS, ITEMS, TRUTH, Asked, Tasks, ask_in_rounds
from tests.unit.judging.endpoints import judge_length, judge_order
from tests.unit.judging.simulated import clustered, mean_of_model, rare_label, rarely_off

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "bench" / "judges.json"
PAGE = ROOT / "docs" / "explanation" / "judges.md"
PICTURE = ROOT / "docs" / "pictures" / "judges.svg"
SETS = {
    "mtbench": "MT-Bench: better of two conversations",
    "summeval": "SummEval: summaries, 1 to 5",
    "10k_prompts": "10k prompts: quality, 1 to 5",
    "cebab_stars": "CEBaB: stars of a review",
    "cebab_aspects": "CEBaB: sentiment of an aspect",
    "wax": "WAX: relation of two words",
    "framing": "Framing: frames in news",
    "lesion": "Lesion: features of skin images",
}
ASPECTS = ("coherence", "consistency", "fluency", "relevance")
RUNS = 1000


def main() -> None:
    """Measures everything (about two minutes), or with `page` only writes the page again."""
    if sys.argv[1:] != ["page"]:
        found = {
            "sets": list(_sets()),
            "summeval": [_coverage(aspect) for aspect in ASPECTS],
            "clusters": list(_clusters()),
            "rare": list(_rare()),
            "adaptive": list(_adaptive()),
            "probes": [_probe("order"), _probe("length")],
        }
        FIGURES.write_text(json.dumps(found, indent=1) + "\n")
        save(draw(found["sets"]), PICTURE)
    PAGE.write_text(with_tables(PAGE.read_text(), json.loads(FIGURES.read_text())))


def _sets() -> Iterator[dict[str, Any]]:
    published = json.loads((DATA / "model-judges" / "alt-test-figures.json").read_text())["figures"]
    for name in SETS:
        labels = Labels.read(DATA / "model-judges" / f"{name}.csv")
        sides = split_sides(labels)
        figures = {each["model"]: each for each in published if each["set"] == name}
        for model in sides.models:
            panel = make_panel(sides, model)
            test = stand_in(panel, figures[model]["epsilon"], figures[model]["scoring"])
            found = agree_with_people(panel, Bootstrap(1000))
            yield {
                "set": name,
                "model": model,
                "epsilon": test.epsilon,
                "people": _alpha(found.people),
                "judge": _alpha(found.judge),
                "compared": found.comparison,
                "winning_rate": round(test.winning_rate, 4),
                "advantage": round(test.advantage, 4),
                "stands_in": test.passes,
            }


def _alpha(estimate: Estimate) -> dict[str, float]:
    assert estimate.interval is not None
    found = {"value": estimate.value, "low": estimate.interval.low, "high": estimate.interval.high}
    return {name: round(value, 4) for name, value in found.items()}


def _coverage(aspect: str, model: str = "gpt-4o") -> dict[str, Any]:
    """Estimates from 100 random labels of one aspect of SummEval, where the label of every item is known."""
    sides = split_sides(Labels.read(DATA / "model-judges" / "summeval.csv"))
    judged = {name: code for name, code in model_codes(sides.model(model)).items() if name.endswith(aspect)}
    ratings, names = sides.people.named_ratings()
    scores = np.zeros((len(names), 3))
    scores[ratings.item, ratings.rater] = np.array(ratings.codes, dtype=float)[ratings.code]
    chosen = np.array([name in judged for name in names])
    scores, labels = scores[chosen], np.array([float(judged[name]) for name in names if name in judged])
    truth, found = scores.mean(), []
    for run in range(RUNS):
        draws = np.random.default_rng(run)
        items = draws.choice(len(labels), 100, replace=False)
        one = scores[items, draws.integers(0, 3, 100)]
        found.append(estimate_mean(Evidence(items, None, one, labels, np.arange(len(labels)), (1.0, 5.0))))
    covered = [each.combined.interval.low <= truth <= each.combined.interval.high for each in found]  # type: ignore[union-attr]
    return {
        "aspect": aspect,
        "coverage": float(np.mean(covered)),
        "width": round(float(np.mean([each.combined.width for each in found])), 4),
        "people_width": round(float(np.mean([each.people.width for each in found])), 4),
        "widest": round(float(np.max([each.combined.width / each.people.width for each in found])), 4),
        "worth": float(np.median([each.worth for each in found])),
        "model_error": round(float(labels.mean() - truth), 4),
        "excess_coverage": _share_covered(found, float(labels.mean() - truth)),
    }


def _share_covered(found: Sequence[ThreeScores | Asked], truth: float) -> float:
    """How often the interval of the model's error covers it."""
    return _share_of([each.excess.interval for each in found], truth)


def _share_of(intervals: Sequence[Interval | None], truth: float) -> float:
    """How often intervals cover the truth."""
    return float(np.mean([each is not None and each.low <= truth <= each.high for each in intervals]))


def _clusters() -> Iterator[dict[str, Any]]:
    designs: list[dict[str, Any]] = [
        {"dialogues": 200, "raters": 20, "labelled": 100, "ratings": 2},
        {"dialogues": 200, "raters": 12, "labelled": 100, "ratings": 2},
        {"dialogues": 120, "raters": 20, "labelled": 100, "ratings": 3},
        {"dialogues": 160, "raters": 40, "labelled": 150, "ratings": 1, "quality": 0.0},
        {"dialogues": 80, "raters": 15, "labelled": 40, "ratings": 2},
    ]
    for design in designs:
        found = [estimate_mean(clustered(np.random.default_rng(run), **design)) for run in range(RUNS)]
        covered = [each.combined.interval.low <= 3 <= each.combined.interval.high for each in found]  # type: ignore[union-attr]
        widest = max(each.combined.width / each.people.width for each in found)
        excess = _share_covered(found, mean_of_model(design.get("quality", 1.0)) - 3)
        yield {
            **design,
            "coverage": float(np.mean(covered)),
            "excess_coverage": excess,
            "widest": round(float(widest), 4),
        }


def _rare() -> Iterator[dict[str, Any]]:
    """How often intervals of differences cover the truth if few items make them."""
    for labelled in (40, 100, 200):
        for share in (0.02, 0.05, 0.2):
            covered = {}
            for upwards in (0.5, 0.8, 1.0):
                found = [
                    estimate_mean(rarely_off(np.random.default_rng(run), labelled, share, upwards))
                    for run in range(RUNS)
                ]
                covered[str(upwards)] = _share_covered(found, share * (2 * upwards - 1))
            differences = [_difference(run, labelled, share).combined for run in range(RUNS)]
            moved = [interval_of(each.value, each.spread, (-1.0, 1.0), 0.95, "items") for each in differences]
            yield {
                "labelled": labelled,
                "share": share,
                "excess": covered,
                "differences": _share_of([each.interval for each in differences], 0.0),
                "moved_only": _share_of(moved, 0.0),
            }


def _difference(run: int, labelled: int, share: float) -> ThreeScores:
    evidence, first = rare_label(np.random.default_rng(run), labelled, share)
    found = find_influences(evidence, first) - find_influences(evidence, ~first)
    return three_scores(evidence, found, is_difference=True)


def _adaptive() -> Iterator[dict[str, Any]]:
    wanted = 0.13
    for chances, equal_share, tasks in (
        ("by expected error", EQUAL_SHARE, Tasks()),
        ("equal", 1.0, Tasks()),
        ("by expected error", EQUAL_SHARE, Tasks(3)),
        ("by expected error", EQUAL_SHARE, Tasks(3, alike=0.4)),
    ):
        found = [ask_in_rounds(run, wanted, equal_share=equal_share, tasks=tasks) for run in range(RUNS)]
        covered = [each.combined.interval.low <= TRUTH <= each.combined.interval.high for each in found]  # type: ignore[union-attr]
        yield {
            "chances": chances,
            "tasks": tasks.words,
            "wanted": wanted,
            "items": ITEMS,
            "coverage": float(np.mean(covered)),
            "excess_coverage": _share_covered(found, EXCESS),
            "half_width": round(float(np.mean([each.combined.spread.half_width() for each in found])), 4),
            "rated": round(float(np.mean([each.rated for each in found])), 1),
            "stopped": float(np.mean([each.stopped for each in found])),
        }


def _probe(kind: Any) -> dict[str, Any]:
    ask = {"order": judge_order, "length": judge_length}[kind]
    find = {"order": order_bias, "length": paired_bias}[kind]
    proposed = propose_calls(kind)

    def present(bias: float) -> int:
        results = (
            ProbeResult(kind, find(*ask(np.random.default_rng(run), proposed.pairs, bias)))
            for run in range(RUNS)
        )
        return sum(each.presence == "present" for each in results)

    return {"kind": kind, "calls": proposed.calls, "found": present(0.1), "accused": present(0.0)}


def draw(sets: list[dict[str, Any]]) -> Chart:
    """People's and models' agreement in every set; models that may stand in are filled."""
    order = list(SETS.values())
    people = {each["set"]: each["people"] for each in sets}
    judges = [
        {"set": SETS[each["set"]], **each["judge"], "model": each["model"], "fill": each["stands_in"]}
        for each in sets
    ]
    y = alt.Y("set:N", sort=order, title=None, axis=alt.Axis(labelLimit=260))
    x = alt.X("value:Q", title="Krippendorff's alpha", scale=alt.Scale(domain=[-0.2, 1]))
    own = [{"set": SETS[name], **value} for name, value in people.items()]
    base = alt.Chart(rows_of(own)).encode(y=y)
    interval = base.mark_rule(color=LIGHT["ink"], yOffset=-7).encode(x=alt.X("low:Q"), x2="high:Q")
    square = base.mark_square(filled=False, color=LIGHT["ink"], size=64, yOffset=-7).encode(x=x)
    points = (
        alt.Chart(rows_of(judges))
        .mark_circle(size=64, yOffset=6, opacity=1, strokeWidth=1.5, stroke=LIGHT["accent"])
        .encode(
            x=x,
            y=y,
            fill=alt.condition("datum.fill", alt.value(LIGHT["accent"]), alt.value(LIGHT["paper"])),
        )
    )
    return alt.layer(interval, square, points).properties(width=420, height=alt.Step(40))


def with_tables(page: str, found: dict[str, Any]) -> str:
    """The page with its tables replaced by these figures."""
    for name, table in (
        ("sets", _table_of_sets(found["sets"])),
        ("summeval", _table_of_summeval(found["summeval"])),
        ("clusters", _table_of_clusters(found["clusters"])),
        ("rare", _table_of_rare(found["rare"])),
        ("adaptive", _table_of_adaptive(found["adaptive"])),
        ("probes", _table_of_probes(found["probes"])),
    ):
        begin, end = f"<!-- {name} of bench/judges.json -->", f"<!-- end of {name} -->"
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}\n\n{table}\n\n{end}{after}"
    return page


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _table_of_sets(sets: list[dict[str, Any]]) -> str:
    rows = [
        [
            each["set"],
            each["model"],
            f"{each['people']['value']:.2f} [{each['people']['low']:.2f}, {each['people']['high']:.2f}]",
            f"{each['judge']['value']:.2f} [{each['judge']['low']:.2f}, {each['judge']['high']:.2f}]",
            each["compared"],
            f"{each['epsilon']:g}",
            f"{each['winning_rate']:.2f}",
            f"{each['advantage']:.2f}",
            "may stand in" if each["stands_in"] else "may not",
        ]
        for each in sets
    ]
    heads = ["set", "model", "people with each other", "model with people", "compared with a person"]
    return _table([*heads, "epsilon", "winning rate", "advantage", "stand-in test"], rows)


def _table_of_summeval(rows: list[dict[str, Any]]) -> str:
    cells = [
        [
            each["aspect"],
            f"{each['coverage']:.1%}",
            f"{each['people_width']:.2f}",
            f"{each['width']:.2f}",
            f"{each['worth']:.0f}",
            f"{each['model_error']:+.2f}",
            f"{each['excess_coverage']:.1%}",
        ]
        for each in rows
    ]
    heads = ["aspect", "coverage", "width, people only", "width, combined", "worth", "error, model only"]
    return _table([*heads, "coverage, model minus people"], cells)


def _table_of_clusters(rows: list[dict[str, Any]]) -> str:
    cells = [
        [
            str(each["dialogues"]),
            str(each["raters"]),
            str(each["labelled"]),
            str(each["ratings"]),
            "nothing" if each.get("quality") == 0 else "good",
            f"{each['coverage']:.1%}",
            f"{each['excess_coverage']:.1%}",
            f"{each['widest']:.3f}",
        ]
        for each in rows
    ]
    heads = [
        "dialogues",
        "raters",
        "rated items",
        "ratings of each",
        "model",
        "coverage",
        "coverage, model minus people",
        "widest, relative to people",
    ]
    return _table(heads, cells)


def _table_of_rare(rows: list[dict[str, Any]]) -> str:
    cells = [
        [
            str(each["labelled"]),
            f"{each['share']:.0%}",
            *(f"{value:.1%}" for value in each["excess"].values()),
            f"{each['differences']:.1%}",
            f"{each['moved_only']:.1%}",
        ]
        for each in rows
    ]
    heads = [
        "rated items",
        "differ",
        "model minus people, both directions",
        "four of five upwards",
        "all upwards",
        "difference of two systems",
        "the same, moved only",
    ]
    return _table(heads, cells)


def _table_of_adaptive(rows: list[dict[str, Any]]) -> str:
    cells = [
        [
            each["chances"],
            each["tasks"],
            f"{each['wanted']:.2f}",
            f"{each['rated']:.0f} of {each['items']:,}",
            f"{each['coverage']:.1%}",
            f"{each['excess_coverage']:.1%}",
            f"{each['half_width']:.3f}",
            f"{each['stopped']:.0%}",
        ]
        for each in rows
    ]
    heads = [
        "chances",
        "items of a task",
        "half width wanted",
        "rated items",
        "coverage",
        "coverage, model minus people",
        "half width reached",
        "certain enough in four rounds",
    ]
    return _table(heads, cells)


def _table_of_probes(rows: list[dict[str, Any]]) -> str:
    cells = [
        [each["kind"], f"{each['calls']:,}", f"{each['found'] / RUNS:.1%}", f"{each['accused'] / RUNS:.1%}"]
        for each in rows
    ]
    return _table(["probe", "calls", "bias of 10% found", "honest judge accused"], cells)


if __name__ == "__main__":
    main()
