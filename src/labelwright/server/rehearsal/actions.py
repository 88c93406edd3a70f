"""A rehearsal: a copy of a study in a separate database, where simulated raters work in simulated time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import yaml

from labelwright.corpus import Dialogue
from labelwright.crowd import BadLink
from labelwright.server.access.actions.links import get_visitor, hash_token
from labelwright.server.config.startup import migrate
from labelwright.server.offering.actions.leases import WorkEnded, expire_leases, return_work
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.people.actions.joining import make_links
from labelwright.server.people.actions.qualification import decide_qualification, get_ranking
from labelwright.server.rating.actions import questionnaire
from labelwright.server.rating.actions.answers import PlaceGone, submit
from labelwright.server.rating.actions.consent import record_consent
from labelwright.server.rating.actions.next_step import offer_next
from labelwright.server.rating.actions.questionnaire import Due
from labelwright.server.rating.actions.task_page import get_task
from labelwright.server.rehearsal import queries
from labelwright.server.results.actions.export import get_answers
from labelwright.server.store.models import Pool, StudyRow
from labelwright.server.store.queue import periodic_work
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.loading import get_study, load_study
from labelwright.server.studies.actions.stages import advance_all
from labelwright.server.tallies.actions import get_owed
from labelwright.simulate import (
    Act,
    End,
    Event,
    NoTask,
    RehearsalOutcome,
    SimulatedRater,
    SimulatedTask,
    StoredWork,
    Timeline,
    make_outcome,
    simulated_task,
)
from labelwright.study import Study, check_study, yaml_lines

FOR_GOOD = (NoWork.CAP, NoWork.RETURNS, NoWork.QUIZ, NoWork.WITHDRAWN)
FOREVER = datetime.max.replace(tzinfo=UTC)
PERIOD = timedelta(hours=1)
"""How often periodic work is done in simulated time, besides whenever a lease runs out."""
WITHOUT_MODEL = {"need": "heuristic", "summary": "extractive"}
"""The kinds that replace texts of a language model."""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A study that is open to simulated raters."""

    study: Study
    row: StudyRow
    pool: int
    """The pool that does the study's work."""
    applies_to: str | None
    """The pool with a qualification that raters apply to first, if there is one."""
    links: list[str]
    """The address of each rater."""
    pseudonyms: list[str]


def open_rehearsal(text: str, dialogues: Sequence[Dialogue], raters: int, now: datetime) -> Rehearsed:
    """Migrates the database, loads the study and makes the links."""
    migrate()
    text = without_model(text)
    study, _ = check_study(text)
    assert study is not None
    return _with_links(load_study(study, text, dialogues, now, opened=True).study, raters, now)


def join_rehearsal(name: str, raters: int, now: datetime) -> Rehearsed:
    """Opens a rehearsal of a study that is already loaded."""
    return _with_links(get_study(name), raters, now)


def _with_links(row: StudyRow, raters: int, now: datetime) -> Rehearsed:
    study = study_of(row.versions.latest("n").pk)
    applies_to = next(iter(study.pool.requires), None)
    entered = Pool.objects.get(study=row, name=applies_to or study.pool_name)
    works = Pool.objects.get(study=row, name=study.pool_name)
    made = make_links(row, entered, raters, study.pool_of(entered.name).link_days, now)[:raters]
    links, pseudonyms = [link.address for link in made], [link.pseudonym for link in made]
    return Rehearsed(study, row, works.pk, applies_to, links, pseudonyms)


def without_model(text: str) -> str:
    """The study file with texts that need no language model instead of those that do: a rehearsal calls none.

    A file that needs none is left unchanged.
    """
    study, _ = check_study(text)
    assert study is not None
    if not any(condition.context.asked_kinds for condition in study.conditions.values()):
        return text
    data, _ = yaml_lines.load(text)
    named = list((data.get("contexts") or {}).values())
    own = [condition.get("context") for condition in data["conditions"].values() if condition]
    for recipe in filter(lambda each: isinstance(each, dict), [*named, *own]):
        recipe.update({part: made for part, made in WITHOUT_MODEL.items() if recipe.get(part) == "llm"})
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


def live_fast(life: Timeline, rehearsed: Rehearsed, until: datetime = FOREVER) -> None:
    """Runs a simulated crowd through the actions, one event after the other; the same seed gives the same run.

    If the study has a qualification, everybody applies first, and those who are admitted do the work. Later
    events than `until` do not happen, and tasks that are begun by then stay open.
    """
    tokens = [link.rsplit("/", 1)[1] for link in rehearsed.links]
    _live(life, rehearsed, tokens, until)
    if rehearsed.applies_to and life.worked:
        now = max(work.ended for work in life.worked)
        links = _let_in(rehearsed, rehearsed.applies_to, now)
        life.dismiss(number for number, name in enumerate(rehearsed.pseudonyms) if name not in links)
        life.invite(now)
        _live(life, rehearsed, [links.get(name, "") for name in rehearsed.pseudonyms], until)


def _let_in(rehearsed: Rehearsed, pool: str, now: datetime) -> dict[str, str]:
    """The tokens of admitted applicants, by pseudonym: those that the rule picks, or all who have finished."""
    ranking = get_ranking(rehearsed.row, pool)
    ruled = ranking.part.rule is not None
    chosen = [
        a.pseudonym
        for a in ranking.applicants
        if a.scored and a.qualified is None and (a.picked or not ruled)
    ]
    decide_qualification(rehearsed.row, pool, chosen, "rehearsal", now)
    works = Pool.objects.get(pk=rehearsed.pool)
    made = make_links(rehearsed.row, works, 0, rehearsed.study.pool.link_days, now)
    return {link.pseudonym: link.address.rsplit("/", 1)[1] for link in made}


def _live(life: Timeline, rehearsed: Rehearsed, tokens: Sequence[str], until: datetime) -> None:
    study = rehearsed.row.pk
    swept, opens = life.opened, queries.next_opening(study)
    while moments := [at for at in (life.next_at(), opens) if at is not None and at <= until]:
        if opens == min(moments):
            run_periodic(opens)
            life.invite(opens)
            opens = queries.next_opening(study)
            continue
        [event] = life.due()
        if life.lapsed(event.at) or event.at - swept > PERIOD:
            run_periodic(event.at)
            swept = event.at
        if event.act is not Act.LOOK:
            life.ended(event, _end(event))
            continue
        found = _look(tokens[event.rater], life.raters[event.rater], event.at)
        life.looked(event, found)
        if isinstance(found, NoTask) and is_over(rehearsed.pool, event.at):
            life.end()


def is_over(pool: int, now: datetime) -> bool:
    """Whether all work of a pool is done, and no later stage opens now."""
    return queries.is_complete(pool) and not advance_all(now)


def run_periodic(now: datetime) -> None:
    """Everything that a worker does, until nothing is left to do."""
    for work in periodic_work().values():
        while work(now):
            pass


def lapse(visits: list[str]) -> None:
    """Ends the leases of visits over HTTP whose simulated time has run out."""
    now = datetime.now(UTC)
    queries.end_leases([hash_token(visit) for visit in visits], now)
    while expire_leases(now + timedelta(milliseconds=1)):
        pass


def get_outcome(
    rehearsed: Rehearsed, raters: Sequence[SimulatedRater], life: Timeline, *, timed: bool
) -> tuple[RehearsalOutcome, list[dict[str, Any]]]:
    """The figures of a rehearsal, and its answers; raters have numbers instead of pseudonyms.

    `timed` says whether the server knew the simulated time; otherwise its flags mean nothing.
    """
    numbers = {pseudonym: number for number, pseudonym in enumerate(rehearsed.pseudonyms)}
    answers = [
        {**answer, "rater": f"r{numbers[answer['rater']]}"}
        for answer in get_answers(rehearsed.row)
        if answer["rater"] in numbers and answer["condition"] in rehearsed.study.conditions
    ]
    study, pays = rehearsed.study, rehearsed.study.pool.pay.cents
    applied_pays = study.pool_of(rehearsed.applies_to or "").pay.cents
    stored = [
        StoredWork(
            numbers[work.pseudonym],
            pays if work.pool == rehearsed.pool else applied_pays,
            work.flagged if timed else None,
            applied=work.pool != rehearsed.pool,
            gold=work.gold,
        )
        for work in queries.submissions(rehearsed.row.pk)
        if work.pseudonym in numbers
    ]
    outcome = make_outcome(
        rehearsed.study,
        raters,
        life.opened,
        life.worked,
        stored,
        answers,
        get_owed(rehearsed.row.pk),
        queries.wanted(rehearsed.pool),
    )
    return outcome, answers


def _look(token: str, rater: SimulatedRater, now: datetime) -> SimulatedTask | NoTask:
    try:
        visitor = get_visitor(token, now)
    except BadLink:
        # A study that outlives its links loses its raters; so it would with people.
        return NoTask.NEVER
    if not visitor.consented:
        record_consent(visitor, now)
        visitor = get_visitor(token, now)
    while isinstance(met := offer_next(visitor, now), Due):
        study = study_of(visitor.version)
        answers = rater.answer(met.sheets, study.known_before(met.part), met.tries)
        questionnaire.answer(visitor, met.part, met.key, answers, now)
    if isinstance(met, NoWork):
        return NoTask.NEVER if met in FOR_GOOD else NoTask.FOR_NOW
    task = get_task(met.assignment)
    study = study_of(task.version)
    items = [study.asking(task.condition, shown.item) for shown in task.items]
    lease = (task.lease_until - now).total_seconds()
    return simulated_task(met.token, study, study.design(task.condition), items, lease)


def _end(event: Event) -> End:
    try:
        if event.act is Act.RETURN:
            return_work(event.ticket)
            return End.RETURNED
        submit(event.ticket, event.answers, event.at)
    except (PlaceGone, WorkEnded):
        return End.REFUSED
    return End.STORED
