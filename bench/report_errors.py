"""How often a report names the wrong better system, and how often it finds a real difference.

`python -m bench.report_errors` simulates studies without a difference at the level of the analysis (10,000), of
preferences (1,000) and through whole reports (400), and studies with a difference, whose power it compares with the
prediction of `predict_power`.
It writes bench/report-errors.json, and the table in docs/reference/report.md is made from it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from labelwright.agreement import Bootstrap
from labelwright.analysis import Comparisons, Labels
from labelwright.analysis.ranking.power import predict_power
from labelwright.analysis.ranking.systems import ScoredRatings, rank_scored
from labelwright.report import ReportInput, make_report
from labelwright.report.arrays import RatingArrays
from labelwright.report.closed_form import ClosedFigures
from labelwright.report.decision import DecidedFigures, decide_among, decide_rankings
from labelwright.report.material import ReportMaterial
from labelwright.report.preferences import AskedComparison, PreferenceSet
from labelwright.seeds import generator

RESULTS = Path(__file__).with_name("report-errors.json")
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "report.md"
MARKS = ("<!-- errors -->", "<!-- end of errors -->")
ANALYSES, WHOLE, POWER, COVERED, PREFERENCES = 10_000, 400, 1_500, 1_000, 1_000
# Ranks do not depend on replicates; only "first in" does.
FEW = Bootstrap(2)


@dataclass(frozen=True)
class Design:
    """A study: every rater of a reply gives points from 0 to 4 for each question."""

    name: str
    dialogues: int = 24
    systems: int = 2
    questions: int = 1
    conditions: int = 3
    raters: int = 16
    ratings: int = 3
    """Per reply and condition."""
    effect: float = 0.0
    """How much better the first system is, on a latent scale on which a reply varies by 1."""
    taste: float = 0.3
    """How much raters differ in how much they like a system."""
    leniency: float = 0.5


DESIGNS = (
    Design("two systems"),
    Design("three systems", systems=3),
    Design("two questions", questions=2),
    Design("few dialogues", dialogues=12),
    # With fewer than ten raters, the report speaks for these raters; their tastes are then no chance.
    Design("five raters", raters=5, taste=0.0),
)
DIFFERENT = Design("a difference", effect=0.75, dialogues=40, raters=20)


def draw(
    design: Design, rng: np.random.Generator, people: np.random.Generator | None = None
) -> list[ScoredRatings]:
    """One study: the scored ratings of every question. `people` draws raters who are the same in all studies."""
    shape = (design.dialogues, design.systems, design.conditions, design.ratings)
    dialogue, system, condition, _ = np.indices(shape).reshape(4, -1)
    who = np.stack(
        [
            rng.permutation(design.raters)[: design.ratings]
            for _ in range(design.dialogues * design.systems * design.conditions)
        ]
    ).ravel()
    found = []
    for _ in range(design.questions):
        quality = np.zeros(design.systems)
        quality[0] = design.effect
        reply = rng.normal(size=(design.dialogues, 1)) + rng.normal(size=(design.dialogues, design.systems))
        shown = rng.normal(0, 0.2, (design.dialogues, design.systems, design.conditions))
        who_they_are = people or rng
        taste = who_they_are.normal(0, design.taste, (design.raters, design.systems))
        lenient = who_they_are.normal(0, design.leniency, design.raters)
        felt = (
            quality[system]
            + reply[dialogue, system]
            + shown[dialogue, system, condition]
            + taste[who, system]
            + lenient[who]
            + rng.normal(size=len(who))
        )
        score = np.clip(np.round(felt + 2), 0, 4) / 4
        item = dialogue * design.systems + system
        names = tuple(f"system {n + 1}" for n in range(design.systems))
        group = np.arange(design.dialogues * design.systems) // design.systems
        found.append(ScoredRatings(item, system, who, score, np.ones(len(group)), names, group))
    return found


def rows_of(
    design: Design, rng: np.random.Generator, people: np.random.Generator | None = None
) -> dict[str, Any]:
    """The same study as rows of labels."""
    questions = draw(design, rng, people)
    per = design.ratings * design.conditions
    rows: dict[str, list[Any]] = {
        name: [] for name in ("item", "dialogue", "system", "rater", "condition", "aspect", "label")
    }
    for number, scored in enumerate(questions):
        assert scored.rater is not None
        assert scored.group is not None
        condition = np.tile(np.repeat(np.arange(design.conditions), design.ratings), len(scored.item) // per)
        rows["item"] += [f"i{n}" for n in scored.item]
        rows["dialogue"] += [f"d{n}" for n in scored.group[scored.item]]
        rows["system"] += [scored.names[n] for n in scored.system]
        rows["rater"] += [f"r{n}" for n in scored.rater]
        rows["condition"] += [f"C_{n}" for n in condition]
        rows["aspect"] += [f"question {number + 1}"] * len(scored.item)
        rows["label"] += np.round(scored.score * 4).astype(int).tolist()
    return rows


def names_a_winner(decision: Any) -> bool:
    """Whether any question calls a pair of systems different for certain."""
    limit = 1 - decision["level"]
    return any(
        row["p_holm"] is not None and row["p_holm"] < limit
        for each in decision["questions"]
        for row in each["pairs"]
    )


def analysed(work: tuple[Design, int]) -> bool:
    """Whether the analysis of one study finds a difference."""
    design, seed = work
    rankings = [
        (str(n), rank_scored(each, FEW)) for n, each in enumerate(draw(design, generator(seed, design.name)))
    ]
    return names_a_winner(decide_rankings(rankings))


def reported(work: tuple[Design, int]) -> bool:
    """Whether the whole report of one study finds a difference."""
    design, seed = work
    labels = Labels.read(rows_of(design, generator(seed, "whole", design.name)))
    return names_a_winner(make_report(ReportInput("Simulated", labels), seed).tree["decision"])


@dataclass(frozen=True)
class Tasting:
    """A study in which raters compare the replies of two systems, neither of which is better."""

    items: int = 40
    raters: int = 20
    ratings: int = 5
    """Per item."""
    ties: float = 0.15
    item_spread: float = 0.8
    taste: float = 0.5
    """How much raters differ in which system they like, on the scale of log strengths."""


def compared(seed: int) -> bool:
    """Whether one study of preferences names a better system."""
    design, rng = Tasting(), generator(seed, "preferences")
    deserved = rng.normal(0, design.item_spread, design.items)
    taste = rng.normal(0, design.taste, design.raters)
    item = np.repeat(np.arange(design.items), design.ratings)
    rater = np.concatenate(
        [rng.choice(design.raters, design.ratings, replace=False) for _ in range(design.items)]
    )
    first_wins = rng.random(len(item)) < 1 / (1 + np.exp(-(deserved[item] + taste[rater])))
    tied = rng.random(len(item)) < design.ties
    many = len(item)
    kept = Comparisons(
        ("a",) * many,
        ("b",) * many,
        tuple(None if tie else "a" if wins else "b" for tie, wins in zip(tied, first_wins, strict=True)),
        item=tuple(map(str, item)),
        rater=tuple(map(str, rater)),
    )
    found = PreferenceSet(AskedComparison("better", "Better", pair=(0, 1)), kept, kept)
    figures = DecidedFigures.of_preferences(found, found.strengths(0.95), 0.95)
    return names_a_winner(decide_among([figures], 0.95, None))


LARGE = Design("large", dialogues=600, raters=60, ratings=3)


def arrays_of(design: Design, rng: np.random.Generator) -> RatingArrays:
    """One study with one question, as the report reads it."""
    # Intervals of large studies are about these raters, so that these are the same in all studies.
    rows = rows_of(design, rng, generator(0, "people"))
    labels = Labels.read(pa.table(rows), repeated="unchecked")
    return ReportMaterial.read(ReportInput("Simulated", labels)).questions[0].kept


def large_figures(data: RatingArrays, seed: int) -> ClosedFigures:
    """The figures of a large study."""
    return ClosedFigures(data, "C_0", Bootstrap(seed=seed))


@cache
def large_truth() -> tuple[float, float]:
    """Fleiss' kappa and the mean score that these raters would show with very many dialogues."""
    many = replace(LARGE, dialogues=40_000)
    found = large_figures(arrays_of(many, generator(0, "truth")), 0)
    scores = found.scores(["condition"]).get("score", condition="C_0")
    return found.agreement().get("fleiss_kappa", condition="C_0").value, scores.value


def covered(seed: int) -> tuple[bool, bool, bool, bool]:
    """Whether the intervals of a large study hold the truth, and whether its tests find differences that are none."""
    found = large_figures(arrays_of(LARGE, generator(seed, "large")), seed)
    kappa = found.agreement().get("fleiss_kappa", condition="C_0")
    score = found.scores(["condition"]).get("score", condition="C_0")
    truth = large_truth()
    return (
        kappa.interval.low <= truth[0] <= kappa.interval.high,
        score.interval.low <= truth[1] <= score.interval.high,
        found.agreement_differences("fleiss_kappa")[0].test.p < 0.05,
        found.shifts()[0].test.p < 0.05,
    )


def spread(designs: tuple[Design, ...], runs: int) -> Iterator[tuple[Design, int]]:
    """As many studies of every design."""
    yield from ((designs[n % len(designs)], n) for n in range(runs))


def planned() -> float:
    """The power that a large pilot predicts, with the difference that it shows."""
    many = replace(DIFFERENT, dialogues=4_000, raters=2_000)
    [pilot] = draw(many, generator(0, "pilot"))
    scores = {each.system: each.score.value for each in rank_scored(pilot, FEW).systems}
    gap = scores["system 1"] - scores["system 2"]
    return predict_power(pilot, gap, dialogues=DIFFERENT.dialogues, raters=DIFFERENT.raters).power


def measure(jobs: int, only: str) -> dict[str, Any]:
    """All figures, or those of one kind; the others stay as they were."""
    found: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    with Pool(jobs) as pool:
        if only in {"", "analysis"}:
            wrong = list(pool.imap(analysed, spread(DESIGNS, ANALYSES), chunksize=50))
            by = {design.name: sum(wrong[n :: len(DESIGNS)]) for n, design in enumerate(DESIGNS)}
            found["analysis"] = {"studies": ANALYSES, "wrong": sum(wrong), "by_design": by, "bar": 560}
        if only in {"", "power"}:
            seen = list(pool.imap(analysed, spread((DIFFERENT,), POWER), chunksize=50))
            found["power"] = {
                "studies": POWER,
                "found": sum(seen),
                "planned": round(planned(), 4),
                "bar": 0.03,
            }
        if only in {"", "large"}:
            large_truth()
            seen = np.array(list(pool.imap(covered, range(COVERED), chunksize=10)))
            names = ("kappa covered", "score covered", "difference of kappa found", "shift found")
            found["large"] = {"studies": COVERED, **dict(zip(names, seen.sum(axis=0).tolist(), strict=True))}
        if only in {"", "preferences"}:
            wrong = list(pool.imap(compared, range(PREFERENCES), chunksize=10))
            found["preferences"] = {"studies": PREFERENCES, "wrong": sum(wrong), "bar": 64}
        if only in {"", "whole"}:
            wrong = list(pool.imap(reported, spread(SMALL, WHOLE), chunksize=2))
            found["whole"] = {"studies": WHOLE, "wrong": sum(wrong), "bar": 28}
    return found


# Whole reports take a second each, so their studies are small.
SMALL = (
    Design("two systems", dialogues=16, conditions=2),
    Design("two questions", dialogues=12, conditions=2, questions=2),
)


def page_table(found: dict[str, Any]) -> str:
    """The figures that were measured, as a table for the documentation."""
    rows = {
        "analysis": _analysis_rows,
        "preferences": _preference_rows,
        "whole": _whole_rows,
        "power": _power_rows,
        "large": _large_rows,
    }
    lines = ["| simulated studies | result | allowed |", "|---|---|---|"]
    for name, write in rows.items():
        lines += write(found[name]) if name in found else [f"| {name} | not measured | |"]
    return "\n".join(lines)


def _analysis_rows(found: dict[str, Any]) -> list[str]:
    parts = ", ".join(f"{name} {n:,}" for name, n in found["by_design"].items())
    result = f"a better system in {found['wrong']:,} ({parts})"
    return [f"| {found['studies']:,} without a difference, analysis only | {result} | {found['bar']:,} |"]


def _preference_rows(found: dict[str, Any]) -> list[str]:
    about = f"{found['studies']:,} preferences without a difference"
    return [f"| {about} | a better system in {found['wrong']:,} | {found['bar']:,} |"]


def _whole_rows(found: dict[str, Any]) -> list[str]:
    result = f"a better system in {found['wrong']:,}"
    return [f"| {found['studies']:,} without a difference, whole report | {result} | {found['bar']:,} |"]


def _power_rows(found: dict[str, Any]) -> list[str]:
    share = found["found"] / found["studies"]
    plan = f"within 3 points of {100 * found['planned']:.1f}%, as planned"
    return [f"| {found['studies']:,} with a difference | found in {100 * share:.1f}% | {plan} |"]


def _large_rows(found: dict[str, Any]) -> list[str]:
    many = found["studies"]
    share = {name: f"{n / many:.1%}" for name, n in found.items() if name != "studies"}
    return [
        (
            f"| {many:,} large ones with the same raters, closed form | intervals of Fleiss' kappa hold the true value in "
            f"{share['kappa covered']} | 95% |"
        ),
        f"| | intervals of the mean score in {share['score covered']} | 95% |",
        f"| | differences of kappa that are none are found in {share['difference of kappa found']} | 5% |",
        f"| | shifts that are none in {share['shift found']} | 5% |",
    ]


def write_page(found: dict[str, Any]) -> None:
    """Puts the table into the documentation."""
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    PAGE.write_text(f"{text[:start]}\n{page_table(found)}\n{text[end:]}", encoding="utf-8")


def main() -> None:
    """Measures and writes the results."""
    options = argparse.ArgumentParser()
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument(
        "--only", default="", choices=["", "analysis", "preferences", "power", "large", "whole"]
    )
    given = options.parse_args()
    found = measure(given.jobs, given.only)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_page(found)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
