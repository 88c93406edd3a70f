"""The second factor: it cannot be guessed, and its secrets cannot be read in the database."""

from __future__ import annotations

import importlib
import json
import re
import time
from contextlib import closing
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.at_once import at_once
from tests.integration.test_requester import PASSWORD, login
from tests.processes import Server
from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

EMAIL = "factor@example.org"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def user(database: str) -> Any:
    """A user with a second factor and recovery codes."""
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP

    from labelwright.server.access.actions.users import add_user

    made, _ = add_user(EMAIL, PASSWORD)
    TOTP.activate(made, SECRET)
    RecoveryCodes.activate(made)
    return made


def right_code() -> str:
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

    return format_hotp_value(hotp_value(SECRET, int(time.time()) // 30))


def send_code(client: httpx.Client, code: str) -> httpx.Response:
    page = client.get("/accounts/2fa/authenticate/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token, page.url
    form = {"code": code, "csrfmiddlewaretoken": token[1]}
    return client.post("/accounts/2fa/authenticate/", data=form, headers={"Referer": str(page.url)})


def test_a_second_factor_cannot_be_guessed(server: Server, user: Any):
    from labelwright.server.access.actions.second_factor import LIMITS

    (_, most), _ = LIMITS
    with closing(login(server, EMAIL)) as guesser:
        assert guesser.get("/studies").url.path != "/studies"
        for _ in range(most):
            assert send_code(guesser, "000000").status_code == 200
        locked = send_code(guesser, right_code())
        assert locked.status_code == 429
        assert "too many wrong codes" in locked.text
        # Another login, and so another session, changes nothing; time does.
        with closing(login(server, EMAIL)) as again:
            assert send_code(again, right_code()).status_code == 429
            rows("UPDATE code_attempt SET at = at - interval '16 minutes'")
            assert send_code(again, right_code()).url.path == "/studies"
    # The right code clears the count.
    assert rows("SELECT count(*) FROM code_attempt") == [(0,)]


def test_codes_sent_at_once_are_counted_one_by_one(user: Any):
    from labelwright.server.access.actions.second_factor import LIMITS, TooManyCodes, count_attempt

    checked: list[bool] = []

    def guess() -> None:
        try:
            count_attempt(user.pk, NOW)
            checked.append(True)
        except TooManyCodes:
            pass

    at_once(20, guess)
    (window, most), (_, most_a_day) = LIMITS
    assert len(checked) == most
    # A patient guesser meets the second limit.
    for n in range(1, 20):
        for _ in range(most):
            try:
                count_attempt(user.pk, NOW + n * window + timedelta(seconds=n))
                checked.append(True)
            except TooManyCodes:
                pass
    assert len(checked) == most_a_day


def test_secrets_are_not_readable_in_the_database(user: Any):
    from allauth.mfa.models import Authenticator

    from labelwright.server.access.actions.second_factor import UnreadableSecret, unseal_secret

    stored = {row.type: row.data for row in Authenticator.objects.all()}
    assert SECRET not in json.dumps(stored)
    assert unseal_secret(stored["totp"]["secret"]) == SECRET
    # A seed in the clear would be 80 hexadecimal digits.
    assert not re.fullmatch(r"[0-9a-f]+", stored["recovery_codes"]["seed"])
    with pytest.raises(UnreadableSecret):
        unseal_secret("stored under another key")


def test_the_migration_encrypts_secrets_that_exist(user: Any):
    from allauth.mfa.models import Authenticator
    from django.apps import apps

    from labelwright.server.store.secrets import Purpose, unseal

    migration = importlib.import_module("labelwright.server.store.migrations.0008_access")
    clear = {
        "totp": {"secret": SECRET},
        "recovery_codes": {"seed": "ab" * 40, "used_mask": 5, "migrated_codes": ["11112222"]},
    }
    for kind, data in clear.items():
        Authenticator.objects.filter(type=kind).update(data=data)
    # Run twice, as after a crash: what is encrypted stays as it is.
    from django.db import transaction

    with transaction.atomic():
        migration.seal_secrets(apps, None)
        migration.seal_secrets(apps, None)
    sealed = {row.type: row.data for row in Authenticator.objects.all()}
    for secret in (SECRET, "ab" * 40, "11112222"):
        assert secret not in json.dumps(sealed)
    assert unseal(sealed["recovery_codes"]["migrated_codes"][0].encode(), Purpose.SECOND_FACTOR) == "11112222"
    assert sealed["recovery_codes"]["used_mask"] == 5
    with transaction.atomic():
        migration.open_secrets(apps, None)
    assert {row.type: row.data for row in Authenticator.objects.all()} == clear
