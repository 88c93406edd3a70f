"""The baseline of the HTTP benchmark: a bare Django view with the same two transactions in plain SQL, and a page.

It has no links, visits, caps, balance or checks, like a quick prototype.
"""

from __future__ import annotations

import json
import os
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "labelwright.server.config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.http import HttpRequest, HttpResponse, JsonResponse  # noqa: E402
from django.shortcuts import render  # noqa: E402
from django.urls import path  # noqa: E402

from bench.harness import SMALL  # noqa: E402
from labelwright.corpus import turn_records  # noqa: E402
from labelwright.server.rating.actions.task_page import Progress, ShownItem, ShownTask  # noqa: E402
from labelwright.server.rating.pages.task import task as task_page  # noqa: E402
from labelwright.task import StoredItem  # noqa: E402
from tests.studies import dialogue, parse, pool, study_text  # noqa: E402

PLACES = 10_000 if SMALL else 400_000


def _context() -> dict[str, Any]:
    """The template context, built once: the same page as ours, without the work of building its context."""
    study = parse(study_text(pools=pool()))
    item = StoredItem("exchange", turn_records(dialogue("d0").turns), 4, {}, "d0#4")
    now = datetime.now(UTC)
    shown = ShownTask(
        0, "SECRET0", now + timedelta(minutes=30), [ShownItem(item)], 0, {}, Progress(0, 10, None)
    )
    return task_page(study, shown, "", "", now)


def prepare(study: int) -> list[str]:  # noqa: ARG001  our side of the benchmark needs the study
    """Creates the two tables of a simple design; returns the names of its raters."""
    with connection.cursor() as cursor:
        cursor.execute(
            """DROP TABLE IF EXISTS bare_unit, bare_assignment;
               CREATE TABLE bare_unit (id bigserial PRIMARY KEY, open boolean NOT NULL DEFAULT true);
               CREATE INDEX bare_open ON bare_unit (id) WHERE open;
               CREATE TABLE bare_assignment (id bigserial PRIMARY KEY, unit bigint NOT NULL, rater text NOT NULL,
                 token text NOT NULL UNIQUE, answers jsonb, UNIQUE (unit, rater));"""
        )
        cursor.execute("INSERT INTO bare_unit SELECT FROM generate_series(1, %s)", [PLACES])
        cursor.execute("VACUUM ANALYZE bare_unit")
    return [f"rater{n}" for n in range(3000)]


def page(request: HttpRequest, rater: str) -> HttpResponse:
    """Claims a unit and shows it."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM bare_unit WHERE open ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
        (unit,) = cursor.fetchone()
        cursor.execute("UPDATE bare_unit SET open = false WHERE id = %s", [unit])
        cursor.execute(
            "INSERT INTO bare_assignment (unit, rater, token) VALUES (%s, %s, %s)", [unit, rater, token]
        )
    return render(request, "rating/task.html", CONTEXT | {"page": CONTEXT["page"] | {"visit": token}})


def submit(request: HttpRequest) -> HttpResponse:
    """Stores the answers."""
    answers = json.loads(request.body)["answers"]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE bare_assignment SET answers = %s WHERE token = %s RETURNING id",
            [json.dumps(answers), request.headers["X-Labelwright-Visit"]],
        )
        (assignment,) = cursor.fetchone()
    return JsonResponse({"receipt": assignment})


CONTEXT = _context()
urlpatterns = [path("w/<str:rater>", page), path("t/submit", submit)]
settings.ROOT_URLCONF = "bench.bare"
settings.MIDDLEWARE = []
application = WSGIHandler()
