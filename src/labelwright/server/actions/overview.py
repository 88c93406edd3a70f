"""What a requester sees of a study: how far it is, what it says, what needs a person. Reads only.

Every function takes the user and looks only at that user's studies; others are as if they were not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.crowd import PaidState, Pay
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.question_figures import QuestionFigures, get_question_figures
from labelwright.server.store import models as store
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study

POINTS_IN_TIME = 60


@dataclass(frozen=True, slots=True)
class ConditionProgress:
    """How far one condition is."""

    name: str
    stored: int
    wanted: int
    flagged: int
    seconds: tuple[float, float, float] | None
    """Lower quartile, median, upper quartile."""


@dataclass(frozen=True, slots=True)
class Overview:
    """All that the page of a study shows."""

    study: Study
    row: store.Study
    version: int
    sha256: str
    loaded_at: datetime
    conditions: list[ConditionProgress]
    questions: list[QuestionFigures]
    over_time: list[tuple[datetime, int]]
    at_work: int
    raters: int
    to_review: int
    unflagged: int
    late_answers: int
    questions_waiting: int
    owed: list[Pay]
    """What is owed, by currency; each piece of work at the pay of the version it was done under."""
    seconds: float | None
    """Median over all conditions."""

    @property
    def stored(self) -> int:
        """Judgments stored and tallied."""
        return sum(condition.stored for condition in self.conditions)

    @property
    def wanted(self) -> int:
        """Ratings wanted in all."""
        return sum(condition.wanted for condition in self.conditions)


def get_studies(user: store.User) -> list[dict[str, Any]]:
    """The studies of a user, newest first, with how far each is."""
    found = rows(
        """SELECT s.public_id, s.name, s.created_at, v.id, v.n, b.wanted,
                  (SELECT count(*) FROM place p WHERE p.batch_id = ANY(b.ids) AND p.state = 'filled')
           FROM study s
           JOIN LATERAL (SELECT id, n FROM study_version WHERE study_id = s.id ORDER BY n DESC LIMIT 1) v ON true
           JOIN LATERAL (SELECT sum(wanted)::bigint AS wanted, array_agg(id) AS ids FROM batch
                         WHERE version_id = v.id AND purpose = 'collect') b ON true
           WHERE s.owner_id = %s OR %s ORDER BY s.created_at DESC""",
        [user.pk, user.is_superuser],
    )
    return [
        {
            "public_id": public_id,
            "name": name,
            "title": study_of(version).title,
            "created_at": created,
            "version": n,
            "wanted": wanted,
            "stored": stored,
        }
        for public_id, name, created, version, n, wanted, stored in found
    ]


def get_owned(user: store.User, public_id: str) -> store.Study:
    """A study that this user may see; raises NotHere, whether it is another's or nobody's."""
    if not public_id.isalnum():
        raise NotHere
    query = store.Study.objects.all() if user.is_superuser else store.Study.objects.filter(owner=user)
    try:
        return query.get(public_id=public_id)
    except store.Study.DoesNotExist:
        raise NotHere from None


def get_overview(user: store.User, public_id: str) -> Overview:
    """The figures of a study at this moment."""
    row = get_owned(user, public_id)
    version = row.versions.latest("n")
    batches = list(store.Batch.objects.filter(version=version, purpose=store.Batch.Purpose.COLLECT))
    ids = [batch.pk for batch in batches]
    study = study_of(version.pk)
    conditions = _conditions(study, batches)
    states = dict(rows("SELECT state, count(*) FROM assignment WHERE study_id = %s GROUP BY 1", [row.pk]))
    return Overview(
        study=study,
        row=row,
        version=version.n,
        sha256=version.sha256,
        loaded_at=version.loaded_at,
        conditions=conditions,
        questions=get_question_figures(study, ids),
        over_time=_over_time(ids),
        at_work=states.get("open", 0),
        raters=rows("SELECT count(*) FROM rater_count WHERE study_id = %s AND scope = 'submitted'", [row.pk])[
            0
        ][0],
        to_review=_count(
            """flag WHERE study_id = %s AND "then" <> 'nothing'""", row.pk, "DISTINCT assignment_id"
        ),
        unflagged=_count("assignment WHERE study_id = %s AND unflagged", row.pk),
        late_answers=states.get("expired_answered", 0),
        questions_waiting=_count(
            """message m WHERE m.study_id = %s AND m.kind = 'question'
               AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)""",
            row.pk,
        ),
        owed=owed(row.pk),
        seconds=_median_seconds(row.pk),
    )


def owed(study: int, rater: int | None = None, state: str = PaidState.OWED) -> list[Pay]:
    """What is owed (or paid) in a study, or to one rater in it, by currency; a new version changes nothing of it."""
    sums: dict[str, int] = {}
    for version, pool, n in rows(
        """SELECT a.version_id, p.name, count(*) FROM assignment a
           JOIN task t ON t.id = a.task_id JOIN pool p ON p.id = t.pool_id
           WHERE a.study_id = %(study)s AND a.paid_state = %(state)s
             AND (%(rater)s::bigint IS NULL OR a.rater_id = %(rater)s)
           GROUP BY 1, 2""",
        {"study": study, "rater": rater, "state": state},
    ):
        pay = study_of(version).pool_of(pool).pay
        sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents * n
    return [Pay(cents=cents, currency=currency) for currency, cents in sorted(sums.items()) if cents]


def _count(what: str, study: int, of: str = "*") -> int:
    return int(rows(f"SELECT count({of}) FROM {what}", [study])[0][0])


def _conditions(study: Study, batches: list[store.Batch]) -> list[ConditionProgress]:
    ids = [batch.pk for batch in batches]
    flagged = dict(
        rows(
            """SELECT t.condition, count(DISTINCT f.assignment_id) FROM flag f
               JOIN assignment a ON a.id = f.assignment_id JOIN task t ON t.id = a.task_id
               WHERE f.study_id = %s AND t.batch_id = ANY(%s) AND f."then" <> 'nothing' GROUP BY 1""",
            [batches[0].study_id, ids],
        )
    )
    worked = {
        name: (stored, (low, middle, high))
        for name, stored, (low, middle, high) in rows(
            """SELECT t.condition, count(*), percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY a.seconds)
               FROM assignment a JOIN task t ON t.id = a.task_id
               WHERE a.study_id = %s AND t.batch_id = ANY(%s) AND a.data_use = 'used' AND NOT a.unflagged GROUP BY 1""",
            [batches[0].study_id, ids],
        )
    }
    return [
        ConditionProgress(
            name=name,
            stored=worked[name][0] if name in worked else 0,
            wanted=_wanted(study, name, batches),
            flagged=flagged.get(name, 0),
            seconds=worked[name][1] if name in worked else None,
        )
        for name in study.conditions
    ]


def _wanted(study: Study, condition: str, batches: list[store.Batch]) -> int:
    """Ratings wanted in a condition, over all batches and groups."""
    # A rater can do each unit once for each kind of task that spoils only its like.
    stage = study.conditions[condition].stage
    spoils = study.spoils()
    kinds = len({spoils[name].own for name in study.conditions_of(stage)})
    return sum(
        tasks // kinds * study.redundancy_of(condition, group)
        for batch in batches
        # A batch of a later stage carries its name as its topic.
        if (batch.topic if batch.topic in study.stages else None) == stage
        for group, tasks in (batch.group_tasks or {"": batch.tasks}).items()
    )


def _over_time(batches: list[int]) -> list[tuple[datetime, int]]:
    """Judgments added up over time, in at most sixty steps."""
    found = rows(
        "SELECT min(a.submitted_at), max(a.submitted_at) FROM assignment a JOIN task t ON t.id = a.task_id "
        "WHERE t.batch_id = ANY(%s)",
        [batches],
    )
    first, last = found[0]
    if first is None:
        return []
    step = max((last - first) / POINTS_IN_TIME, timedelta(seconds=1))
    total, points = 0, [(first, 0)]
    for at, n in rows(
        """SELECT date_bin(%s, a.submitted_at, %s) + %s, count(*) FROM assignment a JOIN task t ON t.id = a.task_id
           WHERE t.batch_id = ANY(%s) AND a.submitted_at IS NOT NULL AND a.data_use = 'used'
           GROUP BY 1 ORDER BY 1""",
        [step, first, step, batches],
    ):
        total += n
        points.append((at, total))
    return points


def _median_seconds(study: int) -> float | None:
    found = rows(
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM assignment WHERE study_id = %s",
        [study],
    )
    median = found[0][0]
    return None if median is None else float(median)
