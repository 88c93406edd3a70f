"""Health and readiness checks for administrators."""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from psycopg_pool import PoolTimeout

from labelwright.server.web.requests import client_address

_at_schema: list[bool] = []


def healthz(request: HttpRequest) -> JsonResponse:
    """The process is running."""
    return JsonResponse({"alive": True})


def readyz(request: HttpRequest) -> JsonResponse:
    """The process can serve requests: the database responds and its schema is up to date."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        ready, why = _schema_is_current(), "the database schema is out of date"
    except (DatabaseError, PoolTimeout):
        ready, why = False, "the database is not responding"
    return JsonResponse({"ready": ready} | ({} if ready else {"why": why}), status=200 if ready else 503)


def proxy_check(request: HttpRequest) -> JsonResponse:
    """What arrived of this request after the proxy, for `labelwright doctor`; clients learn only about themselves."""
    return JsonResponse({"https": request.is_secure(), "address": client_address(request)})


def moved_file(request: HttpRequest, name: str) -> HttpResponse:
    """Redirects from a static file's address in another release to its current address, if the file still exists."""
    try:
        there = request.path != static(name) and finders.find(name) is not None
    except SuspiciousFileOperation:
        # The path is outside our folders; Django would log a traceback for each attempt.
        there = False
    if not there:
        raise Http404
    return HttpResponseRedirect(static(name))


def _schema_is_current() -> bool:
    # Once the schema is current, it stays current for this process, so only an outdated one is checked again.
    if not _at_schema:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _at_schema.append(True)
    return True
