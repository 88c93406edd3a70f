"""Checks of our role in the database, and of the limits that it sets."""

from __future__ import annotations

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding
from labelwright.server.store.rows import column, counts, value

TIMEOUTS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
MOST_USED_SHARE = 0.8


def privileges(environment: Environment) -> Diagnosis:
    """Our role may do nothing outside its own database."""
    powerful = value(
        """SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
           FROM pg_roles WHERE rolname = current_user"""
    )
    return finding(
        "Database role",
        not powerful,
        "no special privileges",
        "The role in DATABASE_URL has privileges over the whole database server. Use one without.",
    )


def timeouts(environment: Environment) -> Diagnosis:
    """No statement, lock or forgotten transaction can hold up the others for ever."""
    unset = column(
        "SELECT name FROM unnest(%s::text[]) AS name WHERE current_setting(name) = '0'", [TIMEOUTS]
    )
    return finding(
        "Database timeouts",
        not unset,
        "set",
        f"{', '.join(unset)} not set. Set them with `ALTER ROLE ... SET ...` in PostgreSQL.",
    )


def connections(environment: Environment) -> Diagnosis:
    """PostgreSQL has connections to spare."""
    found = counts(
        """SELECT 'used', count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'
           UNION ALL SELECT 'most', current_setting('max_connections')::bigint"""
    )
    return finding(
        "Connections",
        found["used"] < MOST_USED_SHARE * found["most"],
        f"{found['used']} of {found['most']} in use",
        f"{found['used']} of {found['most']} are in use. Raise max_connections, or use a pooler.",
    )


def privacy(environment: Environment) -> Diagnosis:
    """The connection to a database on another machine is encrypted."""
    exposed = value(
        """SELECT NOT ssl AND inet_server_addr() IS NOT NULL AND NOT inet_server_addr() <<= '127.0.0.0/8'
             AND inet_server_addr() <> '::1'
           FROM pg_stat_ssl WHERE pid = pg_backend_pid()"""
    )
    return finding(
        "Database connection",
        not exposed,
        "local or encrypted",
        "Add `?sslmode=verify-full` to DATABASE_URL, and turn on ssl in PostgreSQL.",
    )


CHECKS: tuple[Check, ...] = (privileges, timeouts, connections, privacy)
