"""Accounts by command: list, password, transfer and remove; and old logins are deleted."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.commands import run
from tests.integration.test_requester import PASSWORD, login
from tests.processes import Server
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]


@pytest.fixture
def study(database: str) -> Any:
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("leaving@example.org", PASSWORD)
    add_user("staying@example.org", PASSWORD)
    text = study_text()
    return load_study(parse(text), text, dialogues(1), NOW, owner, opened=True).study


def test_an_owner_is_removed_only_after_the_studies_are_transferred(study: Any, server: Server):
    from allauth.mfa.totp.internal.auth import TOTP

    from labelwright.server.access.actions.users import OwnsStudies, StudyNotOwned, UserNotFound, get_user
    from labelwright.server.store.models import Audit, LoginSession, User

    TOTP.activate(get_user("leaving@example.org"), "JBSWY3DPEHPK3PXP")
    listed = [line.split("\t") for line in run("user", "list").stdout.splitlines()]
    assert listed == [
        ["leaving@example.org", "tiny", "second factor", "never"],
        ["staying@example.org", "-", "-", "never"],
    ]
    with pytest.raises(OwnsStudies, match="owns tiny"):
        run("user", "remove", "leaving@example.org", "--yes")
    with pytest.raises(StudyNotOwned, match="does not own x"):
        run("user", "transfer", "leaving@example.org", "staying@example.org", "--study", "x")
    moved = run("user", "transfer", "leaving@example.org", "staying@example.org")
    assert moved.stdout.strip() == "staying@example.org now owns tiny."
    study.refresh_from_db()
    assert study.owner == get_user("staying@example.org")
    assert Audit.objects.get(what="transfer").after == {"owner": "staying@example.org"}

    with closing(login(server, "staying@example.org")) as session:
        assert session.get("/studies").url.path == "/studies"
        done = run("user", "password", "staying@example.org", "--remove-second-factor")
        # The old session ends with the old password.
        assert session.get("/studies").url.path == "/accounts/login/"
    with closing(login(server, "staying@example.org", done.stdout.split()[-1])) as session:
        assert session.get("/studies").url.path == "/studies"
    assert run("user", "remove", "leaving@example.org", "--yes").exit_code == 0
    assert not User.objects.filter(username="leaving@example.org").exists()
    assert LoginSession.objects.count() == 1
    with pytest.raises(UserNotFound):
        run("user", "password", "leaving@example.org")


def test_old_logins_and_sessions_are_deleted(study: Any):
    from axes.models import AccessAttempt, AccessLog

    from labelwright.server.access.actions.users import get_user
    from labelwright.server.store.models import CodeAttempt, LoginSession
    from labelwright.server.store.queue import periodic_work

    now, user = datetime.now(UTC), get_user("staying@example.org")
    day = timedelta(days=1)
    for n in range(40):
        at = now - n * day
        attempt = AccessAttempt.objects.create(
            username=f"guess{n}", ip_address="192.0.2.7", user_agent="x", failures_since_start=1
        )
        log = AccessLog.objects.create(username="staying@example.org", ip_address="192.0.2.7")
        # Both set the time of their creation themselves.
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=at)
        AccessLog.objects.filter(pk=log.pk).update(attempt_time=at)
        LoginSession.objects.create(session_key=f"s{n}", session_data="", expire_date=now + (20 - n) * day)
        CodeAttempt.objects.create(user=user, at=at)
    work = periodic_work()["delete_old_logins"]
    while work(now):
        pass
    # Today's attempts; 30 days of logins; sessions that have not expired (20 of the 40 are in the past).
    counted = [model.objects.count() for model in (AccessAttempt, AccessLog, LoginSession, CodeAttempt)]
    assert counted == [1, 30, 20, 1]
