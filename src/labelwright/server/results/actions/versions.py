"""The versions of a study: what each changed, the ratings given under it, and whether labels moved. Reads only; a job computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from labelwright.agreement import correct_tests
from labelwright.analysis import Movement, measure_movement
from labelwright.crowd import Pay
from labelwright.server.results import queries
from labelwright.server.results.queries import VersionCode, VersionWork
from labelwright.server.store.models import StudyRow, StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.plans import get_plan_history
from labelwright.server.tallies.actions.judgments import JoinedVersions, Judged, judged_in
from labelwright.study import RegisteredPlan, Study
from labelwright.task import scale_under


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version of a study."""

    n: int
    loaded_at: datetime
    changes: list[str]
    """What it kept and what it made new; empty for the first version."""
    same_meaning: str
    submitted: int
    """Submissions made under it."""
    counted: int
    """Those that count in the newest version."""
    owed: list[Pay]
    """Pay for the submissions made under it, paid or not."""


@dataclass(frozen=True, slots=True)
class VersionLabels:
    """The labels of one question, by the version that they were given under."""

    judged: Judged
    counts: dict[int, dict[int, int]]
    """How often each code was given, by the number of the version."""
    movement: Movement | None
    """Whether labels moved; None if all were given under one version."""


@dataclass(frozen=True, slots=True)
class VersionHistory:
    """The versions of a study, the newest first, and the labels that the overview joins."""

    study: Study
    row: StudyRow
    versions: list[VersionLine]
    labels: list[VersionLabels]
    plans: list[RegisteredPlan]
    """The analysis plans that were registered, the oldest first."""


def measure_history(row: StudyRow) -> VersionHistory:
    """The versions of a study with the ratings and the pay of each. Reads every submission, so only jobs call it."""
    versions = list(row.versions.order_by("-n"))
    newest = versions[0]
    work = queries.work_by_version(row.pk, newest.pk)
    study = study_of(newest.pk)
    return VersionHistory(
        study,
        row,
        [_line(version, [each for each in work if each.version == version.pk]) for version in versions],
        _labels(
            JoinedVersions.of(row), queries.codes_by_version(row.pk), {each.pk: each.n for each in versions}
        ),
        get_plan_history(row),
    )


def _line(version: StudyVersion, work: Sequence[VersionWork]) -> VersionLine:
    study, sums = study_of(version.pk), dict[str, int]()
    for each in work:
        pay = study.pool_of(each.pool).pay
        sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents * each.payable
    return VersionLine(
        version.n,
        version.loaded_at,
        version.change.get("lines", []),
        version.same_meaning,
        sum(each.submitted for each in work),
        sum(each.counted for each in work),
        [Pay(cents=cents, currency=currency) for currency, cents in sorted(sums.items()) if cents],
    )


def _labels(
    joined: JoinedVersions, codes: Sequence[VersionCode], numbers: Mapping[int, int]
) -> list[VersionLabels]:
    """The labels that the overview joins, by version."""
    found = []
    for judged in judged_in(joined.newest):
        versions = set(joined.asking(judged))
        given = [
            each
            for each in codes
            if each.version in versions
            and scale_under(each.question, {judged.name: judged.scale}) is not None
        ]
        if given:
            found.append(_labels_of(joined.newest, judged, given, numbers))
    return _corrected(found)


def _labels_of(
    study: Study, judged: Judged, given: Sequence[VersionCode], numbers: Mapping[int, int]
) -> VersionLabels:
    counts: dict[int, dict[int, int]] = {}
    for each in given:
        codes = counts.setdefault(numbers[each.version], {})
        codes[each.code] = codes.get(each.code, 0) + each.n
    if len(counts) < 2:
        return VersionLabels(judged, counts, None)
    # The same item under two conditions is two things to judge, and so are two candidates of an item.
    units: dict[tuple[int, str, str], int] = {}
    single = [each for each in given if each.code in judged.scale.labels for _ in range(each.n)]
    movement = measure_movement(
        [units.setdefault((each.item, each.condition, each.question), len(units)) for each in single],
        [each.version for each in single],
        [each.code for each in single],
        seed=study.seed % 2**32,
    )
    return VersionLabels(judged, counts, movement)


def _corrected(labels: list[VersionLabels]) -> list[VersionLabels]:
    """With Holm's correction over the questions."""
    tested = [each for each in labels if each.movement]
    corrected = correct_tests([each.movement.test for each in tested if each.movement])
    tests = dict(zip([each.judged.name for each in tested], corrected, strict=True))
    return [
        replace(each, movement=replace(each.movement, test=tests[each.judged.name]))
        if each.movement
        else each
        for each in labels
    ]
