"""`labelwright doctor --production`: what a server that other people use must have."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from labelwright.server.config.environment import Environment
from labelwright.server.operations.backup import back_up
from labelwright.server.operations.doctor import hosting, proxy
from tests.integration.test_commands import labelwright
from tests.processes import Server
from tests.smtp import MailServer

pytestmark = [pytest.mark.postgres, pytest.mark.once]


@pytest.fixture
def environment(database: str) -> Environment:
    return Environment.read(os.environ)


@pytest.fixture
def exposed(database: str, tmp_path: Path) -> Iterator[Server]:
    """A server that trusts a proxy, but has none in front of it."""
    server = Server(tmp_path / "server.log", LABELWRIGHT_BEHIND_PROXY="1")
    server.start()
    yield server
    server.stop()


def test_every_shortcoming_of_a_server_is_found(database: str):
    told = labelwright("doctor", "--production")
    assert told.returncode == 1
    for name in ("Demo", "Metrics", "Backup", "Certificate", "Proxy", "Database role"):
        assert f"wrong {name}: " in told.stdout, told.stdout
    assert "ok    Database timeouts: set" in told.stdout


def test_a_proxy_that_passes_on_forged_headers_is_found(environment: Environment, exposed: Server):
    told = proxy.forwarded(replace(environment, base_url=exposed.root, behind_proxy=True))
    assert not told.good
    assert told.message == (
        "In the proxy, set X-Forwarded-Proto to https, X-Forwarded-For to the client's address."
    )


def test_backups_are_recent_and_apart_from_keys(environment: Environment, tmp_path: Path):
    environment = replace(environment, backup_folder=tmp_path)
    assert "has no backup" in hosting.backup(environment).message
    dump = back_up(environment, tmp_path, keep=1)
    assert hosting.backup(environment).good
    assert hosting.backup_space(environment).good
    assert hosting.keys_apart(environment).good

    manifest = dump.with_suffix(".json")
    manifest.write_text(manifest.read_text().replace('"made_at": "20', '"made_at": "19'))
    assert "hours old" in hosting.backup(environment).message
    (tmp_path / "labelwright.env").touch()
    assert "contains labelwright.env" in hosting.keys_apart(environment).message


def test_a_mail_server_that_does_not_answer_is_found(environment: Environment):
    from labelwright.server.config.environment import MailSettings

    with MailServer() as server:
        mail = MailSettings("127.0.0.1", server.port, "", "", "none", "study@example.org")
        assert hosting.mail(replace(environment, mail=mail)).good
    assert not hosting.mail(replace(environment, mail=mail)).good


def test_a_settings_file_that_its_group_can_change_is_found(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "labelwright.env"
    file.touch()
    monkeypatch.setenv("LABELWRIGHT_SETTINGS", str(file))
    for mode, good in ((0o600, True), (0o640, True), (0o660, False)):
        file.chmod(mode)
        assert hosting.settings_file(environment).good is good
