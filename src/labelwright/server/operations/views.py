"""For those who run the server: is it alive, and can it work?"""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from psycopg_pool import PoolTimeout

_at_schema: list[bool] = []


def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"alive": True})


def readyz(request: HttpRequest) -> JsonResponse:
    """The process can work: the database answers and has the tables of this release."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        ready, why = _schema_is_current(), "the database schema is out of date"
    except (DatabaseError, PoolTimeout):
        ready, why = False, "the database does not answer"
    return JsonResponse({"ready": ready} | ({} if ready else {"why": why}), status=200 if ready else 503)


def moved_file(request: HttpRequest, name: str) -> HttpResponse:
    """A static file under the address of another release; it stands at that of this one, if it is still there."""
    try:
        there = request.path != static(name) and finders.find(name) is not None
    except SuspiciousFileOperation:
        # Out of our folders; Django would write a traceback for each try.
        there = False
    if not there:
        raise Http404
    return HttpResponseRedirect(static(name))


def _schema_is_current() -> bool:
    # A schema that was right once stays right for this process; only a wrong one is looked at again.
    if not _at_schema:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _at_schema.append(True)
    return True
