"""Health and readiness checks for administrators."""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from psycopg.errors import DiskFull
from psycopg_pool import PoolTimeout

from labelwright.server.web.requests import client_address

_at_schema: list[bool] = []
# More rows than fit into this much memory, so PostgreSQL writes them to a temporary file of some megabytes. This needs no
# table, leaves nothing behind, and fails as soon as the disk of the database is full.
LITTLE_MEMORY = "SET LOCAL work_mem = '64kB'"
WRITE_TO_DISK = "SELECT count(*) FROM generate_series(1, 100000)"


def readyz(request: HttpRequest) -> JsonResponse:
    """The process can serve requests: the database responds, can be written to, and has the current schema."""
    try:
        why = _obstacle()
    except (DatabaseError, PoolTimeout) as error:
        full = isinstance(error.__cause__, DiskFull)
        why = "the disk of the database is full" if full else "the database is not responding"
    return JsonResponse(
        {"ready": True} if not why else {"ready": False, "why": why}, status=503 if why else 200
    )


def _obstacle() -> str | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        if cursor.fetchone() == ("on",):
            return "the database is read-only"
        cursor.execute(LITTLE_MEMORY)
        cursor.execute(WRITE_TO_DISK)
    return None if _schema_is_current() else "the database schema is out of date"


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
