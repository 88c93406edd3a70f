"""Environment variables: read and checked once, with a clear error for each invalid value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from labelwright.context import ModelAccess
from labelwright.errors import LabelwrightError

SHORTEST_KEY = 32
PAGES_VARIABLE = "LABELWRIGHT_PAGES"
"""Set by the server for itself; all other processes run jobs and commands."""
DEMO_KEYS = {
    "LABELWRIGHT_SECRET_KEY": "demo-secret-key-for-loopback-only-and-nothing-else",
    "LABELWRIGHT_LINK_KEY": "demo-link-key-for-loopback-only-and-nothing-else",
    "LABELWRIGHT_PSEUDONYM_KEY": "demo-pseudonym-key-for-loopback-only-and-nothing-else",
}


class BadSetting(LabelwrightError):
    """A setting that is missing or invalid."""

    code: ClassVar[str] = "bad_setting"


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server that messages to raters go through."""

    host: str
    port: int
    user: str
    password: str
    encryption: str
    """"tls" (STARTTLS), "ssl" or "none"."""
    sender: str


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long the database lets a statement run, wait for a lock, or leave a transaction idle."""

    statement_seconds: int
    lock_seconds: int
    idle_seconds: int

    def options(self) -> str:
        """The limits as connection options.

        >>> TimeLimits(30, 5, 60).options()
        '-c statement_timeout=30s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s'
        """
        return (
            f"-c statement_timeout={self.statement_seconds}s -c lock_timeout={self.lock_seconds}s "
            f"-c idle_in_transaction_session_timeout={self.idle_seconds}s"
        )


JOB_LIMITS = TimeLimits(statement_seconds=3600, lock_seconds=60, idle_seconds=600)
"""For the worker and for commands, which load and export whole studies."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Every setting of an installation."""

    database_url: str
    secret_key: str
    link_key: str
    """Signs links; changing it makes every link invalid that the previous key did not sign."""
    previous_secret_key: str | None
    """Sessions that it signed are still valid."""
    previous_link_key: str | None
    """Links that it signed are still valid."""
    pseudonym_key: str
    """Derives raters' names in releases. Separate from the secret key, because changing it renames every rater."""
    base_url: str
    allowed_hosts: list[str]
    demo: bool
    behind_proxy: bool
    database_connections: int
    """Database connections for the requests of raters, in each process."""
    limits: TimeLimits
    body_seconds: int
    """How long a client may take to send a body."""
    transaction_pooler: bool
    """Whether DATABASE_URL leads to a pooler that gives a session away after each transaction."""
    backup_folder: Path | None
    requester_requests: int
    """Requests of requesters that run at once in each process, each with a connection of its own."""
    requesters_waiting: int
    """Further requests of requesters that may wait for their turn in each process."""
    figures_seconds: int
    """How long the figures of a study are kept before they are computed again."""
    static_root: Path | None
    export_folder: Path
    """Where the worker writes exports and the server finds them; both must have it."""
    log_level: str
    private_webhooks: bool
    """Whether webhooks may be sent to private addresses and without encryption."""
    models: ModelAccess
    """The language models that study files may use."""
    mail: MailSettings | None
    """If None, no mail is sent and raters see messages only on their own pages."""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Environment:
        """The settings in `values`; raises BadSetting."""
        demo = values.get("LABELWRIGHT_DEMO") == "1"
        base_url = values.get("LABELWRIGHT_BASE_URL", "http://127.0.0.1:8000").rstrip("/")
        hosts = values.get("LABELWRIGHT_ALLOWED_HOSTS", "127.0.0.1,localhost")
        static_root = values.get("LABELWRIGHT_STATIC_ROOT")
        backup_folder = values.get("LABELWRIGHT_BACKUP_DIR")
        export_folder = values.get("LABELWRIGHT_EXPORT_DIR") or "~/.local/state/labelwright/exports"
        return cls(
            database_url=_database_url(values),
            secret_key=_key(values, "LABELWRIGHT_SECRET_KEY", demo=demo),
            link_key=_key(values, "LABELWRIGHT_LINK_KEY", demo=demo),
            previous_secret_key=_previous_key(values, "LABELWRIGHT_SECRET_KEY"),
            previous_link_key=_previous_key(values, "LABELWRIGHT_LINK_KEY"),
            pseudonym_key=_key(values, "LABELWRIGHT_PSEUDONYM_KEY", demo=demo),
            base_url=base_url,
            allowed_hosts=[host.strip() for host in hosts.split(",") if host.strip()],
            demo=demo,
            behind_proxy=values.get("LABELWRIGHT_BEHIND_PROXY") == "1",
            database_connections=_number(values, "LABELWRIGHT_DATABASE_CONNECTIONS", 8),
            limits=_page_limits(values) if values.get(PAGES_VARIABLE) == "1" else JOB_LIMITS,
            body_seconds=_number(values, "LABELWRIGHT_BODY_SECONDS", 20),
            transaction_pooler=values.get("LABELWRIGHT_TRANSACTION_POOLER") == "1",
            backup_folder=Path(backup_folder) if backup_folder else None,
            requester_requests=_number(values, "LABELWRIGHT_REQUESTER_REQUESTS", 2),
            requesters_waiting=_number(values, "LABELWRIGHT_REQUESTERS_WAITING", 6),
            figures_seconds=_number(values, "LABELWRIGHT_FIGURES_SECONDS", 30),
            static_root=Path(static_root) if static_root else None,
            export_folder=Path(export_folder).expanduser(),
            log_level=values.get("LABELWRIGHT_LOG_LEVEL", "INFO").upper(),
            private_webhooks=values.get("LABELWRIGHT_PRIVATE_WEBHOOKS") == "1",
            models=ModelAccess.read(values),
            mail=_mail(values),
        )


def _database_url(values: Mapping[str, str]) -> str:
    url = values.get("DATABASE_URL", "")
    if not url.startswith(("postgresql://", "postgres://")):
        raise BadSetting(
            "DATABASE_URL is missing or not a PostgreSQL address.",
            expected="postgresql://user@host:5432/name.",
            do="Set it, or run `labelwright demo`, which includes a database.",
        )
    return url


def _mail(values: Mapping[str, str]) -> MailSettings | None:
    given, sender = values.get("LABELWRIGHT_MAIL_URL", ""), values.get("LABELWRIGHT_MAIL_FROM", "")
    if not given:
        return None
    url = urlsplit(given)
    encryptions = {"smtp": "tls", "smtps": "ssl", "smtp+plain": "none"}
    if url.scheme not in encryptions or not url.hostname or "@" not in sender:
        raise BadSetting(
            "LABELWRIGHT_MAIL_URL or LABELWRIGHT_MAIL_FROM is invalid.",
            expected="smtp://user:password@host:587 (or smtps://) and the sender address.",
        )
    return MailSettings(
        host=url.hostname,
        port=url.port or (465 if url.scheme == "smtps" else 587),
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        encryption=encryptions[url.scheme],
        sender=sender,
    )


def _key(values: Mapping[str, str], name: str, *, demo: bool) -> str:
    key = values.get(name) or (DEMO_KEYS[name] if demo else "")
    if len(key) < SHORTEST_KEY or (key in DEMO_KEYS.values() and not demo):
        raise BadSetting(
            f"{name} is missing, too short or the demo key.",
            expected=f"at least {SHORTEST_KEY} random characters.",
            do='Generate one with `python3 -c "import secrets; print(secrets.token_urlsafe(48))"`.',
        )
    return key


def _page_limits(values: Mapping[str, str]) -> TimeLimits:
    return TimeLimits(
        statement_seconds=_number(values, "LABELWRIGHT_STATEMENT_SECONDS", 30),
        lock_seconds=_number(values, "LABELWRIGHT_LOCK_SECONDS", 5),
        idle_seconds=60,
    )


def _previous_key(values: Mapping[str, str], name: str) -> str | None:
    """The key before the last rotation, if one is set; only our own keys sign, so it is checked like the others."""
    previous = f"{name}_PREVIOUS"
    return _key(values, previous, demo=False) if values.get(previous) else None


def _number(values: Mapping[str, str], name: str, default: int) -> int:
    text = values.get(name, str(default))
    if not text.isdigit() or int(text) < 1:
        raise BadSetting(f'{name} is "{text}".', expected="a whole number of at least 1.")
    return int(text)
