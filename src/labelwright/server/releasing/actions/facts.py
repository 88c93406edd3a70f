"""What a release says about its study, read from the study and its work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version

from labelwright.release.data_sheet import SheetAnswers
from labelwright.release.facts import ReleasedQuestion, ReleaseFacts
from labelwright.release.personal_data import HitDecision
from labelwright.release.split_table import PublishedTable
from labelwright.scales import Scale
from labelwright.server.releasing.queries.data import systems_of, work_facts
from labelwright.server.results.actions.export import scales_by_question
from labelwright.server.store.models import PersonalHit, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import scale_under


def get_facts(
    row: StudyRow, tables: list[PublishedTable], sheet: SheetAnswers, pictures: str, now: datetime
) -> ReleaseFacts:
    """Everything that the documents of a release are made from."""
    newest = row.versions.latest("n")
    study, work = study_of(newest.pk), work_facts(row.pk)
    hidden = PersonalHit.objects.filter(
        study=row, decision__in=[HitDecision.REPLACE, HitDecision.LEAVE_OUT]
    ).count()
    return ReleaseFacts(
        name=row.name,
        title=study.title,
        language=study.language,
        version=newest.n,
        labelwright=version("labelwright"),
        made_at=now,
        sheet=sheet,
        tables=tuple(tables),
        questions=tuple(_questions(study, scales_by_question(newest.pk))),
        conditions={name: _shown(study, name) for name in study.conditions},
        aspects={name: aspect.title for name, aspect in study.aspects.items()},
        systems=systems_of(row.pk),
        dialogues=work.dialogues,
        items=work.items,
        raters=work.raters,
        models=work.models,
        submissions=work.submissions,
        answers=work.answers,
        excluded=work.excluded,
        redundancy=study.redundancy,
        first_at=work.first_at,
        last_at=work.last_at,
        median_seconds=work.median_seconds,
        pay=_pay(study),
        rules=tuple(dict.fromkeys(rule.rule for rule in study.quality)),
        consent=study.consent.text,
        qualification=any(pool.qualification for pool in study.pools.values()),
        gold=len(study.gold),
        hidden=hidden,
        pictures=pictures,
    )


def _questions(study: Study, scales: dict[str, Scale]) -> Iterator[ReleasedQuestion]:
    for condition in study.conditions:
        for question in study.design(condition).questions:
            scale = scale_under(question.name, scales)
            yield ReleasedQuestion(
                name=question.name,
                condition=condition,
                text=question.text,
                aspect=question.aspect or "",
                kind=question.type_name(),
                points={point.code: point.name for point in scale.points} if scale else {},
            )


def _shown(study: Study, condition: str) -> str:
    recipe = study.condition(condition).context.model_dump(exclude_defaults=True, mode="json")
    return ", ".join(f"{name}: {value}" for name, value in recipe.items()) or "the dialogue as it is"


def _pay(study: Study) -> str:
    pay = study.pool.pay
    if not pay.cents:
        return "Raters were not paid by task."
    return f"Raters were offered {pay.cents / 100:.2f} {pay.currency} for each task."
