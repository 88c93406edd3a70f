"""Sessions of logged-in users: stored with the user and the browser, so that users see and end their own.

Django loads this module as its session engine.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from labelwright.server.store.models import LoginSession, User

BROWSER, STARTED, SEEN = "browser", "started_at", "seen_at"
SEEN_AGAIN = timedelta(minutes=5)
"""How exactly a session remembers its last use; every request would otherwise write to the database."""
BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


class SessionStore(DatabaseStore):
    """A session in our own table."""

    @classmethod
    def get_model_class(cls) -> type[LoginSession]:
        """The table."""
        return LoginSession

    def load(self) -> dict[str, Any]:
        """The data of the session, with the time of its last use."""
        data: dict[str, Any] = super().load()
        now = datetime.now(UTC)
        seen = _moment(data.get(SEEN))
        if SESSION_KEY in data and (seen is None or now - seen > SEEN_AGAIN):
            data[SEEN] = now.isoformat()
            self.modified = True
        return data

    def create_model_instance(self, data: dict[str, Any]) -> LoginSession:
        """The row of the session."""
        row = super().create_model_instance(data)
        assert isinstance(row, LoginSession)
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.browser = data.get(BROWSER, "")
        row.started_at, row.seen_at = _moment(data.get(STARTED)), _moment(data.get(SEEN))
        return row


def _moment(stored: str | None) -> datetime | None:
    return datetime.fromisoformat(stored) if stored else None


@dataclass(frozen=True, slots=True)
class OwnSession:
    """A session as its user sees it."""

    name: str
    """Stands for the key of the session, which is a credential and never on a page."""
    browser: str
    started_at: datetime | None
    seen_at: datetime | None
    current: bool


def mark_login(session: SessionBase, user_agent: str, now: datetime) -> None:
    """Notes in a new session when and with which browser it began."""
    session[BROWSER], session[STARTED], session[SEEN] = (
        browser_name(user_agent),
        now.isoformat(),
        now.isoformat(),
    )


def get_sessions(user: User, current: str | None, now: datetime) -> list[OwnSession]:
    """The sessions of a user, the present one first, then by their last use."""
    found = LoginSession.objects.filter(user=user, expire_date__gt=now)
    sessions = [
        OwnSession(_name(row.pk), row.browser, row.started_at, row.seen_at, row.pk == current)
        for row in found
    ]
    oldest = datetime.min.replace(tzinfo=UTC)
    return sorted(sessions, key=lambda session: (session.current, session.seen_at or oldest), reverse=True)


def end_session(user: User, name: str) -> bool:
    """Ends one session of a user; returns whether there was one."""
    keys = [key for key in _keys(user) if _name(key) == name]
    return bool(LoginSession.objects.filter(pk__in=keys, user=user).delete()[0])


def end_sessions(user: User, kept: str | None = None) -> int:
    """Ends all sessions of a user, except one; returns how many."""
    return LoginSession.objects.filter(user=user).exclude(pk=kept or "").delete()[0]


def _keys(user: User) -> list[str]:
    return list(LoginSession.objects.filter(user=user).values_list("pk", flat=True))


def _name(key: str) -> str:
    return hashlib.sha256(f"session {key}".encode()).hexdigest()[:16]


def browser_name(user_agent: str) -> str:
    """A browser in words, as exactly as a person needs it to recognise their own.

    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36")
    'Chrome on Linux'
    >>> browser_name("curl/8.1")
    'curl'
    """
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    if browser:
        return f"{browser} on {system}" if system else browser
    first = re.match(r"[\w-]{1,40}", user_agent)
    return first[0] if first else "Unknown browser"
