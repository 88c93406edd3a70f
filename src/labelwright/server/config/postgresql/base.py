"""The database backend; Django looks for it under this module name."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Never uses a connection that a restart of PostgreSQL has broken.

    Django can let the pool check connections. The pool then pauses after each broken one, twice as long every time, so
    that a request after a restart waits for seconds or fails. Here the first broken connection replaces them all.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that responds; raises an error if there is none."""
        connection = super().get_new_connection(conn_params)
        if self.pool and not _responds(connection):
            self.pool.putconn(connection)
            self.pool.check()
            connection = super().get_new_connection(conn_params)
        return connection


def _responds(connection: psycopg.Connection[Any]) -> bool:
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return False
    return True
