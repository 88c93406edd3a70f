"""The facts that a report needs besides the ratings: design, versions, money and what is needed to repeat it. Reads only."""

from __future__ import annotations

from datetime import datetime
from importlib import metadata
from urllib.parse import quote

from django.conf import settings

from labelwright import __version__
from labelwright.report.facts import (
    ConditionFact,
    DesignFacts,
    Facts,
    FeedbackFact,
    Links,
    MoneyFacts,
    RepeatFacts,
    TaskDesignFact,
    VersionFact,
)
from labelwright.server.reports.actions.flow import Flow, get_flow
from labelwright.server.reports.actions.plan_facts import get_plan_facts
from labelwright.server.reports.actions.quality_facts import get_quality_facts
from labelwright.server.reports.actions.rater_facts import get_earnings, get_rater_facts
from labelwright.server.reports.actions.themes import get_text_questions
from labelwright.server.reports.queries import facts as queries
from labelwright.server.reports.queries.themes import themed_texts
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.study import Study

SOFTWARE = ("numpy", "scipy", "duckdb", "pyarrow")
MOST_TEXTS = 10_000
"""Texts of raters that a report counts; it quotes far fewer."""


def get_facts(row: StudyRow, now: datetime) -> Facts:
    """Every fact that the database knows. Reads every submission, so only jobs and commands call it."""
    newest = row.versions.latest("n")
    study, flow = study_of(newest.pk), get_flow(row)
    return Facts(
        made_at=now.isoformat(timespec="seconds"),
        design=_design(study, flow),
        versions=tuple(_versions(row)),
        flow=tuple(flow.steps),
        raters=get_rater_facts(row, study),
        quality=get_quality_facts(row.pk, study),
        money=_money(row, study, flow),
        feedback=_feedback(row),
        plan=get_plan_facts(row, flow.excluded),
        limits=tuple(_limits(row, flow)),
        repeat=_repeat(row, study),
        links=_links(row),
    )


def _design(study: Study, flow: Flow) -> DesignFacts:
    return DesignFacts(
        purpose=next((design.purpose for design in study.designs.values() if design.purpose), ""),
        language=study.language,
        conditions=tuple(
            ConditionFact(
                name=name,
                about=condition.context.in_words if study.items.kind == "exchange" else "",
                design=study.design_name(name),
                redundancy=study.redundancy_of(name) if not study.pool.groups else None,
            )
            for name, condition in study.conditions.items()
        ),
        designs=tuple(
            TaskDesignFact(
                name=name,
                title=design.title,
                questions=tuple(question.text for question in (*design.questions, *design.feedback)),
                guidelines=design.guidelines.version if design.guidelines else "",
                minutes=design.minutes,
            )
            for name, design in study.designs.items()
        ),
        sampling=_sampling(study),
        dialogues=flow.items.dialogues,
        items=flow.items.asked,
    )


def _sampling(study: Study) -> str:
    sample = study.corpus.sample
    if sample is None:
        return "Every dialogue of the corpus was used."
    drawn = {
        "uniform": f"{sample.n:,} dialogues were drawn at random",
        "proportional": f"{sample.n:,} dialogues were drawn, each {sample.by} by its share of the corpus",
        "proportions": f"{sample.n:,} dialogues were drawn, each {sample.by} by a given share",
        "per_stratum": f"{sample.n:,} dialogues were drawn from each {sample.by}",
    }[sample.method]
    return f"{drawn} (seed {study.seed})."


def _versions(row: StudyRow) -> list[VersionFact]:
    judgments = queries.judgments_by_version(row.pk)
    return [
        VersionFact(
            version=version.n,
            digest=version.sha256,
            loaded_at=version.loaded_at.isoformat(timespec="seconds"),
            changes=tuple(version.change.get("lines", [])),
            judgments=judgments.get(version.n, 0),
        )
        for version in row.versions.order_by("n")
    ]


def _money(row: StudyRow, study: Study, flow: Flow) -> MoneyFacts:
    earned = get_earnings(row)
    currency = next(iter(earned), study.pool.pay.currency)
    return MoneyFacts(
        currency=currency,
        submitted=flow.submitted,
        accepted=flow.used,
        cost=sum(each.cents for each in earned[currency]) if earned else None,
    )


def _feedback(row: StudyRow) -> tuple[FeedbackFact, ...] | None:
    asked = get_text_questions(row)
    if not asked:
        return None
    return tuple(
        FeedbackFact(text=each.text, themes=tuple(each.themes), condition=each.condition, rater=each.rater)
        for each in themed_texts(row.pk, list(asked), MOST_TEXTS)
    )


def _limits(row: StudyRow, flow: Flow) -> list[str]:
    found = []
    if flow.used < flow.wanted:
        found.append(f"The collection is not complete: {flow.used:,} of {flow.wanted:,} ratings are in use.")
    if undecided := queries.count_undecided(row.pk):
        found.append(
            f"{undecided:,} flagged task{' waits' if undecided == 1 else 's wait'} for a verdict; their data are in use."
        )
    return found


def _repeat(row: StudyRow, study: Study) -> RepeatFacts:
    hashes = {}
    for version in row.versions.order_by("n"):
        hashes[f"study file, version {version.n}"] = version.sha256
        hashes[f"corpus, version {version.n}"] = version.corpus_sha256
    return RepeatFacts(
        labelwright=__version__,
        study=row.name,
        seeds={"study file": study.seed},
        hashes=hashes,
        software={name: metadata.version(name) for name in SOFTWARE},
    )


def _links(row: StudyRow) -> Links:
    root = f"{settings.BASE_URL}/studies/{quote(row.public_id)}"
    # The list of items has filters for the condition and the question; a system is found by the search.
    return Links(items=f"{root}/items?condition={{condition}}", raters=f"{root}/raters", study=root)
