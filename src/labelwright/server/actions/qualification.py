"""Qualifications: opened when a study is loaded, scored against the reference, decided, and told with reasons."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _

from labelwright.corpus import Dialogue, Item, ItemsPart, make_items, turn_records
from labelwright.crowd import LaidBatch, MemberState, Unit
from labelwright.crowd.qualification import (
    CONDITION,
    Applicant,
    Given,
    QualificationPart,
    QualificationRule,
    Scored,
    pick,
    rank,
    score,
)
from labelwright.crowd.states import STORED
from labelwright.errors import LabelwrightError, did_you_mean
from labelwright.server.actions.audit import record
from labelwright.server.actions.mail import in_language_of
from labelwright.server.actions.messages import write_to_rater
from labelwright.server.actions.pools import enter_pools, get_pool
from labelwright.server.store import loading
from labelwright.server.store.models import Batch, Member, Pool, Rater, Study, StudyVersion, Withdrawal
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study as StudyFile
from labelwright.task import Reference, StoredItem, TasksPart, group_items, misplaced_gold
from labelwright.task.questions import Question


class NoSuchItem(LabelwrightError):
    """Reference answers to an item that the corpus does not give."""

    code: ClassVar[str] = "no_such_item"


class NotAQualification(LabelwrightError):
    """A pool that has no qualification."""

    code: ClassVar[str] = "not_a_qualification"


class NotFinished(LabelwrightError):
    """An applicant who cannot be decided on yet, or not again."""

    code: ClassVar[str] = "not_finished"


@dataclass(frozen=True, slots=True)
class Ranked:
    """An applicant in the ranking."""

    pseudonym: str
    rater: int
    answered: int
    scored: Scored | None
    """None until every reference answer can be compared."""
    finished_at: datetime | None
    qualified: bool | None
    place: int | None
    picked: bool
    """Whether the rule would let them in now."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All applicants of a pool, the best first, then those who are still at work."""

    pool: Pool
    part: QualificationPart
    wanted: int
    """Items that each applicant is asked about."""
    applicants: list[Ranked]


def open_qualifications(
    version: StudyVersion,
    study: StudyFile,
    pools: dict[str, Pool],
    dialogues: Sequence[Dialogue],
    now: datetime,
) -> None:
    """A batch for each qualification: every item once for each applicant there is room for. Part of loading."""
    parts = {name: pool.qualification for name, pool in study.pools.items() if pool.qualification}
    if not parts:
        return
    whole = ItemsPart(kind=study.items.kind, passages=study.items.passages)
    known = {item.key: item for item in make_items(dialogues, whole, study.seed)}
    for name, part in parts.items():
        keys = _keys(study, part)
        missing = [key for key in keys if key not in known]
        if missing:
            raise NoSuchItem(
                f'the corpus gives no item "{missing[0]}", which pool "{name}" asks about.',
                do=did_you_mean(missing[0], known),
            )
        items = [known[key] for key in keys]
        _check_references(study, CONDITION + name, items, dialogues)
        stored = loading.store_items(version.study_id, dialogues, items)
        units = group_items(items, TasksPart(items_per_task=part.items_per_task), study.seed)
        laid = LaidBatch("", tuple(Unit(keys, ("",)) for keys in units), None, None)
        asked = loading.Asked(part.design, {"": study.pools[name].raters})
        asking = loading.Asking({CONDITION + name: asked}, study.seed)
        batch = loading.open_batch(version, pools[name], stored, laid, asking, now)
        Batch.objects.filter(pk=batch.pk).update(purpose=Batch.Purpose.QUALIFY)


def _check_references(
    study: StudyFile, condition: str, items: Sequence[Item], dialogues: Sequence[Dialogue]
) -> None:
    """Raises NoSuchItem for a reference answer that its item cannot have, such as a span beyond its text."""
    turns = {dialogue.key: turn_records(dialogue.turns) for dialogue in dialogues}
    askings = {
        item.key: [
            study.asking(
                condition, StoredItem(item.kind, turns[item.dialogue], item.target, item.payload, item.key)
            )
        ]
        for item in items
    }
    gold = {item.key: study.gold[item.key] for item in items}
    for problem in misplaced_gold(gold, askings, [study.design(condition)]):
        raise NoSuchItem(f"{problem}.", do="Correct `gold` in the study file.")


def get_ranking(study: Study, pool_name: str) -> Ranking:
    """Every applicant with what they scored so far; raises NotAQualification."""
    file = study_of(study.versions.latest("n").pk)
    pool = get_pool(study, pool_name)
    part = file.pools[pool_name].qualification if pool_name in file.pools else None
    if part is None:
        raise NotAQualification(f'the pool "{pool_name}" has no qualification.')
    wanted = len(_keys(file, part))
    done = _by_rater(get_submitted(pool, file, part))
    finished = {rater: max(one.at for one in work) for rater, work in done.items() if len(work) >= wanted}
    codes = _codes(file, part)
    scored = {
        rater: score([answer for one in done[rater] for answer in one.given], part.measure, codes)
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
        Ranked(
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
    return Ranking(pool, part, wanted, applicants)


@transaction.atomic
def decide_qualification(
    study: Study, pool_name: str, qualified: Iterable[str], who: str, now: datetime
) -> list[str]:
    """Lets the named applicants in and tells every other one who has finished that they are not.

    What was decided before stays; who is still at work is not decided on. Gives the names of the
    pools that somebody entered. Locks the pool, so that two people cannot decide at once.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=get_pool(study, pool_name).pk)
    ranking = get_ranking(study, pool.name)
    undecided = {a.pseudonym: a for a in ranking.applicants if a.scored and a.qualified is None}
    chosen = list(qualified)
    wrong = [name for name in chosen if name not in undecided]
    if wrong:
        raise NotFinished(f"{wrong[0]} has not finished, or was decided on before.")
    for name, applicant in undecided.items():
        assert applicant.scored is not None
        value = None if math.isnan(applicant.scored.value) else applicant.scored.value
        Member.objects.filter(pool=pool, rater_id=applicant.rater).update(
            qualified=name in chosen, decided_at=now, score=value
        )
        after = {"pool": pool.name, "qualified": name in chosen, "score": value}
        record(study.pk, who, "qualify", name, now, after=after)
    file = study_of(study.versions.latest("n").pk)
    entered = enter_pools(study, file, [undecided[name].rater for name in chosen], now)
    _tell(study, file, [applicant.rater for applicant in undecided.values()], who, now)
    return entered


def _tell(study: Study, file: StudyFile, raters: list[int], who: str, now: datetime) -> None:
    """A message to each applicant who was decided on; the result itself stands on their own page."""
    with in_language_of(file):
        text = _(
            "The qualification is decided. You find the result, with your answers beside the reference, on your page."
        )
    for rater in Rater.objects.filter(pk__in=raters, forgotten_at=None).order_by("pk"):
        write_to_rater(study, who, rater, text, now)


def let_rule_decide(study: Study, pool_name: str, who: str, now: datetime) -> list[str]:
    """Lets in whom the rule of the study file picks among those who have finished."""
    ranking = get_ranking(study, pool_name)
    if ranking.part.rule is None:
        raise NotAQualification(
            f'the qualification of "{pool_name}" has no rule.', do="Pick the applicants yourself."
        )
    chosen = [a.pseudonym for a in ranking.applicants if a.picked and a.qualified is None]
    return decide_qualification(study, pool_name, chosen, who, now)


def _picked(rule: QualificationRule | None, order: list[Applicant], members: list[Member]) -> list[str]:
    """Whom the rule lets in; who was let in before takes up room, who was refused does not come back.

    Who is excluded, has withdrawn or was forgotten takes the room of nobody who would work.
    """
    if rule is None:
        return []
    decided = {m.rater.pseudonym: m.qualified for m in members if m.qualified is not None}
    room = None if rule.best is None else rule.best - sum(map(bool, decided.values()))
    gone = _gone(members)
    undecided = [
        applicant for applicant in order if applicant.name not in decided and applicant.name not in gone
    ]
    if room is None:
        return pick(rule, undecided)
    return pick(rule.model_copy(update={"best": room}), undecided) if room > 0 else []


def _gone(members: list[Member]) -> set[str]:
    """The members who take no further part; of a person who was forgotten, the membership is excluded."""
    raters = [member.rater_id for member in members]
    withdrawn = set(Withdrawal.objects.filter(rater__in=raters).values_list("rater_id", flat=True))
    return {
        member.rater.pseudonym
        for member in members
        if member.state == MemberState.EXCLUDED or member.rater_id in withdrawn
    }


def _codes(file: StudyFile, part: QualificationPart) -> dict[str, tuple[int, ...]]:
    scales = {
        question.name: question.answer_scales(file.scales).get("")
        for question in file.designs[part.design].questions
    }
    return {name: scale.codes for name, scale in scales.items() if scale}


_SUBMITTED = """
SELECT s.rater_id, i.key, s.submitted_at, coalesce(i.payload -> 'passage' ->> 'text', d.turns -> i.target ->> 'text'),
       coalesce((SELECT jsonb_object_agg(a.question, jsonb_build_array(a.value, a.code)) FROM answer a
                 WHERE a.assignment_id = s.id AND a.position = x.position), '{}')::text,
       s.version_id, i.id
FROM task t JOIN assignment s ON s.task_id = t.id JOIN task_item x ON x.task_id = t.id
JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
WHERE t.batch_id = ANY(%(batches)s) AND t.pool_id = %(pool)s AND i.key = ANY(%(keys)s)
  AND s.state = ANY(%(stored)s) AND (%(rater)s::bigint IS NULL OR s.rater_id = %(rater)s)
ORDER BY s.id, x.position
"""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What an applicant submitted about one item: an answer for each reference, None where none was given."""

    rater: int
    at: datetime
    reply: str
    given: list[Given]
    version: int
    item: int


def _by_rater(found: Iterable[Submitted]) -> dict[int, list[Submitted]]:
    grouped: dict[int, list[Submitted]] = {}
    for submitted in found:
        grouped.setdefault(submitted.rater, []).append(submitted)
    return grouped


def get_submitted(
    pool: Pool, file: StudyFile, part: QualificationPart, rater: int | None = None
) -> Iterable[Submitted]:
    """Over all versions, because nobody is asked twice."""
    questions = {question.name: question for question in file.designs[part.design].questions}
    batches = Batch.objects.filter(study_id=pool.study_id, purpose=Batch.Purpose.QUALIFY)
    values = {
        "batches": list(batches.values_list("pk", flat=True)),
        "pool": pool.pk,
        "keys": list(_keys(file, part)),
        "stored": list(STORED),
        "rater": rater,
    }
    for person, key, at, reply, answers, version, item in rows(_SUBMITTED, values):
        told = json.loads(answers)
        given = [
            _compared(key, questions[name], told.get(name, (None, None)), wanted)
            for name, wanted in file.gold[key].items()
            if name in questions
        ]
        yield Submitted(person, at, reply, given, version, item)


def _compared(key: str, question: Question, told: Sequence[Any], reference: Reference) -> Given:
    value, code = told
    right_code = question.code(reference.answer)
    # Of a choice that was explained, the choice counts.
    right = (code is not None and code == right_code) or reference.met_by(value)
    return Given(key, question.name, value, code, reference.answer, right_code, right=right)


def _keys(file: StudyFile, part: QualificationPart) -> tuple[str, ...]:
    return part.items or tuple(file.gold)
