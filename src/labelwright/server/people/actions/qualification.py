"""Qualifications: scored against the reference, decided, and announced to applicants."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _

from labelwright.crowd import MemberState
from labelwright.crowd.qualification import (
    Applicant,
    Given,
    QualificationPart,
    QualificationRule,
    Scored,
    pick,
    rank,
    score,
)
from labelwright.errors import LabelwrightError
from labelwright.scales import Scale
from labelwright.server.access.actions.audit import log_change
from labelwright.server.people import queries
from labelwright.server.people.actions.messages import write_to_rater
from labelwright.server.people.actions.pools import enter_pools, get_pool
from labelwright.server.store.models import Batch, Member, Pool, Rater, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import in_language
from labelwright.study import Study
from labelwright.task import Reference
from labelwright.task.questions import Question


class NotAQualification(LabelwrightError):
    """A pool that has no qualification."""

    code: ClassVar[str] = "not_a_qualification"


class NotFinished(LabelwrightError):
    """An applicant who has not finished, or was already decided on."""

    code: ClassVar[str] = "not_finished"


@dataclass(frozen=True, slots=True)
class ApplicantLine:
    """An applicant in the ranking."""

    pseudonym: str
    rater: int
    answered: int
    scored: Scored | None
    """None until the applicant has finished."""
    finished_at: datetime | None
    qualified: bool | None
    place: int | None
    picked: bool
    """Whether the rule would admit them now."""


@dataclass(frozen=True, slots=True)
class ApplicantRanking:
    """All applicants of a pool, the best first, then those who have not finished."""

    pool: Pool
    part: QualificationPart
    wanted: int
    """Items that every applicant is asked about."""
    applicants: list[ApplicantLine]


def get_ranking(study: StudyRow, pool_name: str) -> ApplicantRanking:
    """Every applicant with their score so far; raises NotAQualification."""
    file = study_of(study.versions.latest("n").pk)
    pool = get_pool(study, pool_name)
    part = file.pools[pool_name].qualification if pool_name in file.pools else None
    if part is None:
        raise NotAQualification(f'the pool "{pool_name}" has no qualification.')
    wanted = len(qualification_keys(file, part))
    done = _by_rater(get_submitted(pool, file, part))
    finished = {rater: max(one.at for one in work) for rater, work in done.items() if len(work) >= wanted}
    scales = _scales(file, part)
    scored = {
        rater: score([answer for one in done[rater] for answer in one.given], part.measure, scales)
        for rater in finished
    }
    members = list(Member.objects.filter(pool=pool).select_related("rater").order_by("number"))
    order = rank(
        Applicant(m.rater.pseudonym, scored[m.rater_id], finished[m.rater_id])
        for m in members
        if m.rater_id in scored
    )
    places = {applicant.name: place for place, applicant in enumerate(order, start=1)}
    picked = set(_picked(part.rule, order, members))
    applicants = [
        ApplicantLine(
            pseudonym=m.rater.pseudonym,
            rater=m.rater_id,
            answered=len(done.get(m.rater_id, [])),
            scored=scored.get(m.rater_id),
            finished_at=finished.get(m.rater_id),
            qualified=m.qualified,
            place=places.get(m.rater.pseudonym),
            picked=m.rater.pseudonym in picked,
        )
        for m in members
    ]
    applicants.sort(key=lambda a: (a.place is None, a.place or 0))
    return ApplicantRanking(pool, part, wanted, applicants)


@transaction.atomic
def decide_qualification(
    study: StudyRow, pool_name: str, qualified: Iterable[str], who: str, now: datetime
) -> list[str]:
    """Admits the named applicants and refuses all others who have finished; returns the pools that gained members.

    Earlier decisions stay, and applicants who have not finished remain undecided. Every applicant who was
    decided on gets a message. Locks the pool, so that two people cannot decide at once.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=get_pool(study, pool_name).pk)
    ranking = get_ranking(study, pool.name)
    undecided = {a.pseudonym: a for a in ranking.applicants if a.scored and a.qualified is None}
    chosen = list(qualified)
    wrong = [name for name in chosen if name not in undecided]
    if wrong:
        raise NotFinished(f"{wrong[0]} has not finished, or was already decided on.")
    for name, applicant in undecided.items():
        assert applicant.scored is not None
        value = None if math.isnan(applicant.scored.value) else applicant.scored.value
        Member.objects.filter(pool=pool, rater_id=applicant.rater).update(
            qualified=name in chosen, decided_at=now, score=value
        )
        after = {"pool": pool.name, "qualified": name in chosen, "score": value}
        log_change(study.pk, who, "qualify", name, now, after=after)
    file = study_of(study.versions.latest("n").pk)
    entered = enter_pools(study, file, [undecided[name].rater for name in chosen], now)
    _announce(study, file, [applicant.rater for applicant in undecided.values()], who, now)
    return entered


def _announce(study: StudyRow, file: Study, raters: list[int], who: str, now: datetime) -> None:
    """Writes to each applicant who was decided on; the result itself is on their own page."""
    with in_language(file.language):
        text = _(
            "The result of your qualification is ready. You will find it on your page, with your answers and the reference answers."
        )
    for rater in Rater.objects.filter(pk__in=raters, forgotten_at=None).order_by("pk"):
        write_to_rater(study, who, rater, text, now)


def let_rule_decide(study: StudyRow, pool_name: str, who: str, now: datetime) -> list[str]:
    """Admits the applicants that the rule of the study file picks among those who have finished."""
    ranking = get_ranking(study, pool_name)
    if ranking.part.rule is None:
        raise NotAQualification(
            f'the qualification of "{pool_name}" has no rule.', do="Pick the applicants yourself."
        )
    chosen = [a.pseudonym for a in ranking.applicants if a.picked and a.qualified is None]
    return decide_qualification(study, pool_name, chosen, who, now)


def _picked(rule: QualificationRule | None, order: list[Applicant], members: list[Member]) -> list[str]:
    """The applicants that the rule admits.

    Applicants admitted earlier count towards the rule's number; refused ones are not considered again.
    Excluded, withdrawn and deleted applicants are never picked.
    """
    if rule is None:
        return []
    decided = {m.rater.pseudonym: m.qualified for m in members if m.qualified is not None}
    room = None if rule.best is None else rule.best - sum(map(bool, decided.values()))
    inactive = _inactive(members)
    undecided = [
        applicant for applicant in order if applicant.name not in decided and applicant.name not in inactive
    ]
    if room is None:
        return pick(rule, undecided)
    return pick(rule.model_copy(update={"best": room}), undecided) if room > 0 else []


def _inactive(members: list[Member]) -> set[str]:
    """The excluded and withdrawn members; deleting a rater's data excludes their memberships."""
    withdrawn = queries.withdrawn([member.rater_id for member in members])
    return {
        member.rater.pseudonym
        for member in members
        if member.state == MemberState.EXCLUDED or member.rater_id in withdrawn
    }


def _scales(file: Study, part: QualificationPart) -> dict[str, Scale]:
    scales = {
        question.name: question.answer_scales(file.scales).get("")
        for question in file.designs[part.design].questions
    }
    return {name: scale for name, scale in scales.items() if scale}


@dataclass(frozen=True, slots=True)
class QualifyingWork:
    """An applicant's answers about one item, one for each reference answer; None where they gave none."""

    rater: int
    at: datetime
    reply: str
    given: list[Given]
    version: int
    item: int


def _by_rater(found: Iterable[QualifyingWork]) -> dict[int, list[QualifyingWork]]:
    grouped: dict[int, list[QualifyingWork]] = {}
    for submitted in found:
        grouped.setdefault(submitted.rater, []).append(submitted)
    return grouped


def get_submitted(
    pool: Pool, file: Study, part: QualificationPart, rater: int | None = None
) -> list[QualifyingWork]:
    """The work that applicants submitted, over all versions, because nobody is asked twice."""
    questions = {question.name: question for question in file.designs[part.design].questions}
    batches = Batch.objects.filter(study_id=pool.study_id, purpose=Batch.Purpose.QUALIFY)
    found = queries.qualifying_answers(
        list(batches.values_list("pk", flat=True)), pool.pk, qualification_keys(file, part), rater
    )
    return [
        QualifyingWork(
            row.rater,
            row.submitted_at,
            row.reply,
            [
                _compare(row.item_key, questions[name], row.answers.get(name, (None, None)), reference)
                for name, reference in file.gold[row.item_key].items()
                if name in questions
            ],
            row.version,
            row.item,
        )
        for row in found
    ]


def _compare(key: str, question: Question, given: tuple[Any, int | None], reference: Reference) -> Given:
    value, code = given
    right_code = question.code(reference.answer)
    # Where a choice comes with an explanation, only the choice counts.
    right = (code is not None and code == right_code) or reference.met_by(value)
    return Given(key, question.name, value, code, reference.answer, right_code, right=right)


def qualification_keys(file: Study, part: QualificationPart) -> tuple[str, ...]:
    """The keys of the items that a qualification asks about."""
    return part.items or tuple(file.gold)
