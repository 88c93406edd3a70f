"""Scores of systems and their differences, from people only, from the model only, and combined."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import scipy

from labelwright.agreement import Code, NoOrder, holm
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NotLabels
from labelwright.analysis.results import html_table, text_table
from labelwright.judging.errors import NotRandom, TooFew
from labelwright.judging.estimates import (
    FEWEST_LABELLED,
    Evidence,
    MeanScore,
    ThreeInfluences,
    ThreeScores,
    find_influences,
    three_scores,
)
from labelwright.judging.sides import PeopleAndModels, item_values_of, model_codes
from labelwright.scales import Scale

Drawn: TypeAlias = Mapping[str, float]
"""For each item, how probable it was that people would be asked to rate it."""
PROBABILITY = "probability"
"""The column with the probability by which an item was drawn for people."""
ALL = "all items"
# Two normal deviates differ by this much once in a thousand times.
_SUSPICIOUS = 3.3


@dataclass(frozen=True)
class ScoreRow:
    """The scores of one system, or the difference of two."""

    name: str
    scores: ThreeScores
    p: float | None = None
    """For a difference: the p-value of the combined estimate, with Holm's correction over all pairs."""

    def record(self) -> dict[str, Any]:
        """Plain values for a data frame or JSON."""
        found: dict[str, Any] = {"name": self.name, "weight": _plain(self.scores.weight)}
        found |= {"labelled": self.scores.labelled, "items": self.scores.items, "worth": self.scores.worth}
        for way in ("people", "model", "combined", "excess"):
            score: MeanScore = getattr(self.scores, way)
            low, high = (score.interval.low, score.interval.high) if score.interval else (None, None)
            found[way] = {"value": _plain(score.value), "low": low, "high": high}
        return found | ({} if self.p is None else {"p_holm": _plain(self.p)})


@dataclass(frozen=True)
class ScoreTable:
    """The scores of all systems in three ways, and the differences of each two."""

    model: str
    systems: tuple[ScoreRow, ...]
    differences: tuple[ScoreRow, ...] = ()
    where: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()

    @property
    def worth(self) -> int:
        """How many more rated items the model is worth, over all systems."""
        return sum(row.scores.worth for row in self.systems)

    @property
    def complete(self) -> bool:
        """Whether people rated every item that the model judged."""
        return all(row.scores.labelled == row.scores.items for row in self.systems)

    @property
    def sentence(self) -> str:
        """What the model is worth, in a sentence."""
        labelled = sum(row.scores.labelled for row in self.systems)
        if self.complete:
            return (
                f"People rated every item that {self.model} judged, so its labels add nothing to the scores."
            )
        if not self.worth:
            return f"{self.model} is worth no more human labels: with it, intervals are as wide as without."
        return (
            f"{self.model} is worth {self.worth:,} more human labels: with it, the {labelled:,} items rated by people give "
            f"intervals as narrow as {labelled + self.worth:,} would."
        )

    def records(self) -> list[dict[str, Any]]:
        """One plain record for each system and each difference."""
        here = dict(self.where or {}) | {"model": self.model}
        return [here | row.record() for row in (*self.systems, *self.differences)]

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        heads = [
            "",
            "people only",
            "model only",
            "combined",
            "model minus people",
            "weight",
            "rated",
            "items",
            "worth",
        ]
        return heads, [_cells(row) for row in (*self.systems, *self.differences)]

    @property
    def title(self) -> str:
        """What the table is about."""
        named = ", ".join(str(value) for value in (self.where or {}).values() if value is not None)
        return f"Scores with {self.model}" + (f": {named}" if named else "")

    def __repr__(self) -> str:
        return "\n".join([self.title, text_table(*self.cells()), self.sentence, *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption=self.title, notes=(self.sentence, *self.notes))

    def json(self) -> str:
        """The table as JSON."""
        return json.dumps(self.records(), ensure_ascii=False, indent=2, default=str)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _cells(row: ScoreRow) -> list[str]:
    scores = row.scores
    weight = "" if math.isnan(scores.weight) else f"{scores.weight:.2f}"
    worth = f"{scores.worth:,}" if row.p is None else f"p {row.p:.3f}"
    texts = [describe(score) for score in (scores.people, scores.model, scores.combined, scores.excess)]
    return [row.name, *texts, weight, f"{scores.labelled:,}", f"{scores.items:,}", worth]


def describe(score: MeanScore) -> str:
    """A score with its interval: `3.92 [3.81, 4.03]`."""
    if math.isnan(score.value):
        return "undefined"
    if score.interval is None:
        return f"{score.value:.2f}"
    return f"{score.value:.2f} [{score.interval.low:.2f}, {score.interval.high:.2f}]"


@dataclass(frozen=True, eq=False)
class Gathered:
    """The evidence of one question, with the names of its items."""

    model: str
    evidence: Evidence
    names: tuple[str, ...]
    system: tuple[str, ...]
    """For each item; all the same if systems are not known."""
    left_out: int
    """Rated items that the model did not judge."""


def gather(
    sides: PeopleAndModels, model: str, *, drawn: Drawn | bool | None = None, cluster: str | None = None
) -> Gathered:
    """The evidence of one question.

    `drawn` says how people's items were chosen: True if all had the same chance, or the probability of each
    item. By default, the column `probability` says so. Raises NotRandom without either, unless people rated everything.
    """
    people, judge = sides.people.in_memory(), sides.model(model).in_memory()
    numbers = code_numbers(sides.labels)
    judged = {name: numbers[code] for name, code in model_codes(judge).items() if code in numbers}
    ratings, rated_names = people.named_ratings(by=())
    names = tuple(sorted(judged))
    place = {name: number for number, name in enumerate(names)}
    at = np.array([place.get(name, -1) for name in rated_names], dtype=np.int64)
    score = np.array([numbers.get(code, math.nan) for code in ratings.codes])[ratings.code]
    kept = (at[ratings.item] >= 0) & ~np.isnan(score)
    everywhere = sides.labels
    of_dialogue = item_values_of(everywhere, cluster) if cluster else None
    evidence = Evidence(
        item=at[ratings.item][kept],
        rater=None if ratings.positions else ratings.rater[kept],
        score=score[kept],
        model=np.array([judged[name] for name in names], dtype=float),
        dialogue=np.unique([str(of_dialogue[name]) for name in names], return_inverse=True)[1]
        if of_dialogue
        else np.arange(len(names)),
        bounds=(min(numbers.values()), max(numbers.values())),
    )
    _check_enough(evidence)
    probability = _probability(sides, evidence, names, drawn)
    systems = item_values_of(everywhere, "system") if everywhere.has("system") else {}
    return Gathered(
        model,
        evidence if probability is None else _with(evidence, probability),
        names,
        tuple(str(systems.get(name, ALL)) for name in names),
        int((at < 0).sum()),
    )


def _with(evidence: Evidence, probability: np.ndarray) -> Evidence:
    return Evidence(
        evidence.item,
        evidence.rater,
        evidence.score,
        evidence.model,
        evidence.dialogue,
        evidence.bounds,
        probability,
    )


def code_numbers(labels: Labels) -> dict[Code, float]:
    """The number of each code that a mean can be formed of: its declared score, or the code. Raises NoOrder."""
    ordered = labels.ordered_codes()
    scale = _scale(labels)
    scores = {point.code: point.score for point in scale.points} if scale else {}
    if any(score is not None for score in scores.values()):
        return {code: float(score) for code, score in scores.items() if score is not None}
    if ordered.no_order or any(isinstance(code, str) for code in ordered.codes):
        raise NoOrder(
            f"these labels have no mean: {ordered.no_order or 'they are text'}.",
            expected="labels with an order.",
            do="Declare the scale of the labels with --scale.",
        )
    return {code: float(code) for code in ordered.codes if code not in ordered.outside}


def _scale(labels: Labels) -> Scale | None:
    asked = labels.values("question") if labels.has("question") else []
    return labels.scale_in(
        {"question": asked[0] if len(asked) == 1 else None, "aspect": labels.only_aspect()}
    )


def _check_enough(evidence: Evidence) -> None:
    rated = int((evidence.ratings_of > 0).sum())
    if rated < FEWEST_LABELLED:
        raise TooFew(
            f"people rated {rated} of the items that the model judged.",
            expected=f"at least {FEWEST_LABELLED}; {FEWEST_LABELLED - rated} more would do.",
            do="Draw them at random from all items.",
            rated=rated,
        )


def _probability(
    sides: PeopleAndModels, evidence: Evidence, names: tuple[str, ...], drawn: Drawn | bool | None
) -> np.ndarray | None:
    if drawn is True or (evidence.ratings_of > 0).all():
        return None
    given = drawn or (item_values_of(sides.labels, PROBABILITY) if sides.labels.has(PROBABILITY) else {})
    if all(value is None for value in given.values()):
        raise NotRandom(
            "it is not known how the items that people rated were chosen. If somebody chose them, for example because "
            "the model was unsure, people's scores do not speak for the other items, and no interval would be right.",
            expected=f"a column `{PROBABILITY}` with the chance of each item to be rated, or --random if every item "
            "had the same chance.",
            do="Let Labelwright draw the items, or draw them with a seed and keep the probabilities.",
        )
    values = np.array([_chance(given.get(name), name) for name in names])
    has_ratings = evidence.ratings_of > 0
    rated = values[has_ratings]
    if np.isnan(rated).any():
        missing = names[int(np.flatnonzero(has_ratings & np.isnan(values))[0])].replace("\x1f", ", ")
        raise NotRandom(
            f"item {missing} was rated, but the probability by which it was drawn is not known.",
            expected=f"a number above 0 and at most 1 in the column `{PROBABILITY}` of every rated item.",
        )
    return None if len(set(rated.tolist())) == 1 else np.where(np.isnan(values), 1.0, values)


def _chance(value: Any, name: str) -> float:
    if value is None:
        return math.nan
    if not 0 < float(value) <= 1:
        raise NotLabels(
            f"item {name} has the probability {value}.", expected="a number above 0 and at most 1."
        )
    return float(value)


def compare_systems(gathered: Gathered, level: float = 0.95) -> ScoreTable:
    """The score of each system and the difference of each two, in three ways.

    Systems of the same dialogues are compared within them, as far as both have ratings there.
    """
    evidence, systems = gathered.evidence, np.array(gathered.system)
    groups = {name: systems == name for name in sorted(set(gathered.system))}
    known = {name: chosen for name, chosen in groups.items() if (evidence.ratings_of[chosen] > 0).sum() >= 2}
    found = {name: find_influences(evidence, chosen) for name, chosen in known.items()}
    rows = [ScoreRow(name, three_scores(evidence, found[name], known[name], level=level)) for name in known]
    return ScoreTable(
        gathered.model,
        tuple(rows),
        _differences(evidence, found, known, level),
        notes=(*_notes(gathered), *_unknown(groups, known)),
    )


def _differences(
    evidence: Evidence, found: Mapping[str, ThreeInfluences], known: Mapping[str, np.ndarray], level: float
) -> tuple[ScoreRow, ...]:
    pairs = list(combinations(found, 2))
    scores = [
        three_scores(
            evidence,
            found[one] - found[other],
            known[one] | known[other],
            is_difference=True,
            level=level,
        )
        for one, other in pairs
    ]
    corrected = holm([_p_of(each.combined) for each in scores])
    return tuple(
        ScoreRow(f"{one} - {other}", score, p)
        for (one, other), score, p in zip(pairs, scores, corrected, strict=True)
    )


def _p_of(score: MeanScore) -> float:
    spread = score.spread
    if not spread.error > 0:
        return math.nan
    return float(2 * scipy.stats.t.sf(abs(score.value) / spread.error, spread.freedom))


def _notes(gathered: Gathered) -> tuple[str, ...]:
    evidence = gathered.evidence
    notes = [f"{level_of(evidence)}"]
    if gathered.left_out:
        notes.append(f"Left out: {gathered.left_out:,} rated items that the model did not judge.")
    if evidence.probability is not None:
        notes.append("Items count by the inverse of the probability by which they were drawn.")
    elif warning := suspicion(evidence):
        notes.append(warning)
    return tuple(notes)


def level_of(evidence: Evidence) -> str:
    """What the intervals of this evidence speak for."""
    if evidence.grouping.rater is None:
        return "95% intervals are for these raters and other items."
    return "95% intervals are for other items and other raters."


def suspicion(evidence: Evidence) -> str:
    """A warning if the model scores rated items so differently that chance hardly chose them; empty if not."""
    rated = evidence.ratings_of > 0
    ours, others = evidence.model[rated], evidence.model[~rated]
    if len(others) < 2 or len(ours) < 2:
        return ""
    error = math.sqrt(ours.var(ddof=1) / len(ours) + others.var(ddof=1) / len(others))
    gap = float(ours.mean() - others.mean())
    if error == 0 or abs(gap) < _SUSPICIOUS * error:
        return ""
    return (
        f"The model scores the items that people rated {abs(gap):.2f} {'higher' if gap > 0 else 'lower'} than the others, "
        "which happens to fewer than 1 in 1,000 random draws. Check how they were chosen."
    )


def _unknown(groups: Mapping[str, np.ndarray], known: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    without = [name for name in groups if name not in known]
    return (f"Fewer than two rated items: {', '.join(without)}.",) if without else ()


def estimate(
    sides: PeopleAndModels,
    model: str | None = None,
    *,
    drawn: Drawn | bool | None = None,
    cluster: str | None = None,
) -> list[ScoreTable]:
    """The scores of every aspect and question; `sides` come from `split_sides`."""
    chosen = sides.chosen(model)
    tables = []
    for where, part in sides.slices():
        found = compare_systems(gather(part, chosen, drawn=drawn, cluster=cluster))
        tables.append(
            ScoreTable(found.model, found.systems, found.differences, where=where, notes=found.notes)
        )
    return tables
