"""Figures of a model: its agreement beside people's, the stand-in test, and scores from both. Computed by a job."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from labelwright.agreement import Bootstrap, Estimate, NoOrder
from labelwright.analysis import read_export
from labelwright.analysis.data.labels import Labels
from labelwright.judging import (
    Gathered,
    NoModel,
    NotRandom,
    PeopleAndModels,
    TooFew,
    compare_models,
    compare_systems,
    gather,
    split_sides,
)
from labelwright.judging.comparison import ScoreRow
from labelwright.judging.estimates import estimate_mean
from labelwright.judging.report import JudgeRow
from labelwright.release import Format, write_rows
from labelwright.server.judges.actions.replies import compare_replies, get_reply_words
from labelwright.server.results.actions import export
from labelwright.server.store.models import ModelBudget, Pool, Rater, StudyRow
from labelwright.server.store.queue import DEFAULT, defer_once
from labelwright.server.store.versions import study_of

REPLICATES = 500
ALL_ITEMS = "All items"


@dataclass(frozen=True, slots=True)
class StoredJudgeFigures:
    """The figures of a model as they were last computed."""

    contents: dict[str, Any]
    at: datetime | None


def get_judge_figures(pool: int) -> StoredJudgeFigures:
    """The stored figures; empty if none were computed yet. Reads only."""
    budget = ModelBudget.objects.filter(pool_id=pool).first()
    if budget is None:
        return StoredJudgeFigures({}, None)
    return StoredJudgeFigures(budget.figures or {}, budget.figures_at)


def request_judge_figures(pool: int) -> None:
    """Defers a job that computes the figures again, unless one is already waiting."""
    defer_once("measure_judge", DEFAULT, lock=f"measure_judge/{pool}", pool=pool)


def measure_judge(pool: int, now: datetime) -> None:
    """Computes the figures of a model and stores them. Reads every answer of the study, so no page calls it."""
    row = Pool.objects.select_related("study").get(pk=pool)
    figures = _measured(row.study, row)
    ModelBudget.objects.filter(pool_id=pool).update(figures=figures, figures_at=now)


def read_labels(study: StudyRow, rows: Iterable[dict[str, Any]] | None = None) -> Labels:
    """The labels of people and models, as an export has them, or those in rows of an export."""
    with tempfile.TemporaryDirectory(prefix="labelwright-judge-") as folder:
        path = Path(folder) / "answers.parquet"
        write_rows(path, Format.PARQUET, export.COLUMNS, rows or export.get_answers(study), private=True)
        path.with_suffix(".scales.json").write_text(json.dumps(export.get_scales(study)))
        return read_export(path, include=("model",)).in_memory()


def _measured(study: StudyRow, pool: Pool) -> dict[str, Any]:
    name = Rater.objects.get(member__pool=pool).pseudonym
    try:
        sides = split_sides(read_labels(study))
        sides.chosen(name)
    except NoModel:
        return {"questions": [], "why": "The model has no answers that can be compared yet."}
    return {"questions": _questions(study, sides, name, pool.name)}


def _questions(study: StudyRow, sides: PeopleAndModels, name: str, pool: str) -> list[dict[str, Any]]:
    texts = study_of(study.versions.latest("n").pk).question_texts
    own = study_of(study.versions.latest("n").pk).model_pools[pool].own_systems
    words = get_reply_words(study.pk)
    found = []
    # People's labels are those without any model, so that one model is never compared with another.
    for where, part in sides.slices():
        if name not in part.labels.values("rater") or not part.people.values("rater"):
            continue
        report = compare_models(PeopleAndModels(part.labels, sides.models), bootstrap=Bootstrap(REPLICATES))
        [row] = [each for each in report.rows if each.stand_in.model == name]
        record = _question(row, where, texts) | _scores(part, name)
        about = {"question": record["question"], "name": str(where.get("question", ""))}
        probes = [about | each for each in compare_replies(part, name, words, own)]
        found.append(record | {"probes": probes})
    return found


def _question(row: JudgeRow, where: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    test = row.stand_in
    asked = str(where.get("question", ""))
    return {
        "question": texts.get(asked.split(".", maxsplit=1)[0], asked),
        "name": asked,
        "aspect": where.get("aspect"),
        "items": row.agreement.people.items,
        "people": _estimate(row.agreement.people),
        "judge": _estimate(row.agreement.judge),
        "difference": _estimate(row.agreement.difference),
        "compared": row.agreement.comparison,
        "verdict": row.verdict,
        "refused": test.refused,
        "explanation": test.explanation,
        "winning_rate": _plain(test.winning_rate),
        "wins": test.count("win"),
        "undecided": test.count("undecided"),
        "loses": test.count("lose"),
        "raters": [
            {
                "name": each.rater,
                "items": each.items,
                "value": each.difference,
                "low": each.interval.low,
                "high": each.interval.high,
                "result": each.result,
            }
            for each in sorted(test.raters, key=lambda each: -each.difference)
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "value": _plain(estimate.value),
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def gather_scores(part: PeopleAndModels, name: str) -> Gathered:
    """The evidence of one question; raises NotRandom, TooFew and NoOrder."""
    return gather(part, name, cluster="dialogue" if part.labels.has("dialogue") else None)


def _scores(part: PeopleAndModels, name: str) -> dict[str, Any]:
    """The scores in three ways, or why there are none."""
    try:
        gathered = gather_scores(part, name)
    except (NotRandom, TooFew, NoOrder) as error:
        return {"scores": [], "no_scores": str(error)}
    table, evidence = compare_systems(gathered), gathered.evidence
    return {
        "range": evidence.bounds,
        "overall": ScoreRow(ALL_ITEMS, estimate_mean(evidence)).record(),
        "scores": [row.record() for row in table.systems],
        "differences": [row.record() for row in table.differences],
        "worth": None if table.complete else table.worth,
        "ratings_per_label": len(evidence.item) / int((evidence.ratings_of > 0).sum()),
        "sentence": table.sentence,
        "notes": list(table.notes),
    }
