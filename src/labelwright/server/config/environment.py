"""Environment variables: read and checked once, with a clear error for each invalid value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from labelwright.errors import LabelwrightError

SHORTEST_KEY = 32
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
class Environment:
    """Every setting of an installation."""

    database_url: str
    secret_key: str
    link_key: str
    """Signs raters' links; changing it makes every link invalid."""
    pseudonym_key: str
    """Derives raters' names in releases. Separate from the secret key, because changing it renames every rater."""
    base_url: str
    allowed_hosts: list[str]
    demo: bool
    behind_proxy: bool
    database_connections: int
    static_root: Path | None
    export_folder: Path
    """Where the worker writes exports and the server finds them; both must have it."""
    log_level: str
    mail: MailSettings | None
    """If None, no mail is sent and raters see messages only on their own pages."""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Environment:
        """The settings in `values`; raises BadSetting."""
        demo = values.get("LABELWRIGHT_DEMO") == "1"
        base_url = values.get("LABELWRIGHT_BASE_URL", "http://127.0.0.1:8000").rstrip("/")
        hosts = values.get("LABELWRIGHT_ALLOWED_HOSTS", "127.0.0.1,localhost")
        static_root = values.get("LABELWRIGHT_STATIC_ROOT")
        export_folder = values.get("LABELWRIGHT_EXPORT_DIR") or "~/.local/state/labelwright/exports"
        return cls(
            database_url=_database_url(values),
            secret_key=_key(values, "LABELWRIGHT_SECRET_KEY", demo=demo),
            link_key=_key(values, "LABELWRIGHT_LINK_KEY", demo=demo),
            pseudonym_key=_key(values, "LABELWRIGHT_PSEUDONYM_KEY", demo=demo),
            base_url=base_url,
            allowed_hosts=[host.strip() for host in hosts.split(",") if host.strip()],
            demo=demo,
            behind_proxy=values.get("LABELWRIGHT_BEHIND_PROXY") == "1",
            database_connections=_number(values, "LABELWRIGHT_DATABASE_CONNECTIONS", 8),
            static_root=Path(static_root) if static_root else None,
            export_folder=Path(export_folder).expanduser(),
            log_level=values.get("LABELWRIGHT_LOG_LEVEL", "INFO").upper(),
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


def _number(values: Mapping[str, str], name: str, default: int) -> int:
    text = values.get(name, str(default))
    if not text.isdigit() or int(text) < 1:
        raise BadSetting(f'{name} is "{text}".', expected="a whole number of at least 1.")
    return int(text)
