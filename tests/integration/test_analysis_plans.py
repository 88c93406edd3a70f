"""Analysis plans: registered when a version is loaded, never changed, and shown wherever the study is described."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.desk import anyones_reviewer, client_of, get
from tests.integration.test_versions import File, rate, visitors
from tests.rows import rows
from tests.studies import NOW, parse

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

PLAN: dict[str, Any] = {"main": {"aspect": "usefulness"}, "sample": {"ratings": 24}}


def planned(data: dict[str, Any]) -> None:
    data["plan"] = PLAN


def changed(data: dict[str, Any]) -> None:
    data["plan"] = PLAN | {"stopping": "After a week."}


def unplanned(data: dict[str, Any]) -> None:
    del data["plan"]


def test_a_plan_is_registered_before_the_first_rating_and_each_change_with_the_ratings_before_it():
    from django.db import DatabaseError, transaction

    from labelwright.server.results.actions.export import get_scales
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import PlanRow
    from labelwright.server.studies.actions.plans import get_plan_history
    from labelwright.study import plan_digest, plan_of_record

    file = File(planned)
    loaded = file.load()
    first = parse(file.text).canonical_plan
    rate(visitors(loaded, 1)[0], 3)
    file.load(lambda data: data.update(title="Same plan, another title"), minutes=5)
    file.load(changed, minutes=10)
    file.load(unplanned, minutes=15)
    history = get_plan_history(loaded.study)
    assert [(each.version, each.ratings_before) for each in history] == [(1, 0), (3, 3), (4, 3)]
    assert (history[0].canonical, history[0].digest) == (first, plan_digest(first))
    assert history[1].registered_at == NOW + timedelta(minutes=10)
    assert plan_of_record(history) == history[0]
    with pytest.raises(DatabaseError, match="cannot be changed"), transaction.atomic():
        PlanRow.objects.update(ratings_before=0)

    logged = rows(
        "SELECT subject, before->>'hash', after->>'hash' FROM audit WHERE what = 'analysis_plan' ORDER BY id"
    )
    assert logged == [
        ("version 1", None, history[0].digest),
        ("version 3", history[0].digest, history[1].digest),
        ("version 4", history[1].digest, ""),
    ]
    exported = get_scales(loaded.study)["analysis_plans"]
    assert [(each["version"], each["sha256"], each["ratings_before"]) for each in exported] == [
        (each.version, each.digest, each.ratings_before) for each in history
    ]
    compute_figures(loaded.study)
    client = client_of(anyones_reviewer())
    root = f"/studies/{loaded.study.public_id}"
    assert f"{history[0].digest[:7]}</span>, registered before the first rating" in get(client, root)
    versions = get(client, f"{root}/versions")
    assert all(each.digest in versions for each in history)
    assert "after 3 ratings" in versions
    assert "The plan was removed." in versions


def test_the_work_of_a_qualification_is_no_rating():
    from labelwright.server.store.models import Task
    from labelwright.server.studies.queries.plans import count_ratings

    file = File()
    loaded = file.load()
    rate(visitors(loaded, 1)[0], 2)
    assert count_ratings(loaded.study.pk) == 2
    Task.objects.update(condition="qualification:own")
    assert count_ratings(loaded.study.pk) == 0
