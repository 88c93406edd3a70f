"""The settings file: written once with fresh keys, read by every command, overruled by the environment."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import BadSetting, Environment
from labelwright.server.config.settings_file import (
    BadSettingsFile,
    apply_settings_file,
    read_settings_file,
    write_settings_file,
)

URL = "postgresql://ana@db.example.org/eval"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "server" / "labelwright.env"
    write_settings_file(path, URL, "https://eval.example.org")
    return path


def test_a_new_file_is_private_complete_and_has_fresh_keys(file: Path):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = Environment.read(read_settings_file(file))
    assert (found.database_url, found.base_url, found.behind_proxy) == (URL, "https://eval.example.org", True)
    assert "eval.example.org" in found.allowed_hosts
    write_settings_file(file.with_name("other.env"), URL, "http://127.0.0.1:8000")
    other = Environment.read(read_settings_file(file.with_name("other.env")))
    assert not other.behind_proxy
    keys = {key for one in (found, other) for key in (one.secret_key, one.link_key, one.pseudonym_key)}
    assert len(keys) == 6


def test_a_file_is_never_overwritten(file: Path):
    before = file.read_text()
    with pytest.raises(BadSettingsFile, match="New keys would invalidate every link"):
        write_settings_file(file, URL, "https://eval.example.org")
    assert file.read_text() == before


def test_variables_take_precedence_and_the_file_is_passed_on(file: Path):
    environment = {"LABELWRIGHT_SETTINGS": str(file), "DATABASE_URL": "postgresql:///mine"}
    assert apply_settings_file(environment) == file
    assert environment["DATABASE_URL"] == "postgresql:///mine"
    assert environment["LABELWRIGHT_BASE_URL"] == "https://eval.example.org"
    assert environment["LABELWRIGHT_SETTINGS"] == str(file)
    empty = {"LABELWRIGHT_SETTINGS": ""}
    assert apply_settings_file(empty) is None
    assert empty == {"LABELWRIGHT_SETTINGS": ""}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('DATABASE_URL="postgresql:///x"', ":3: the value of DATABASE_URL contains quotes or a backslash."),
        ("DATABASE_URL=a\\b", ":3: the value of DATABASE_URL contains quotes or a backslash."),
        ("export DATABASE_URL=x", ":3: this line is not a setting. Expected NAME=value."),
    ],
)
def test_a_line_that_programs_would_read_differently_is_named(tmp_path: Path, line: str, problem: str):
    path = tmp_path / "labelwright.env"
    path.write_text(f"# comment\n\n{line}\n")
    path.chmod(0o600)
    with pytest.raises(BadSettingsFile) as raised:
        read_settings_file(path)
    assert problem in str(raised.value)


def test_a_file_that_others_can_read_is_refused(file: Path):
    file.chmod(0o640)
    read_settings_file(file)
    file.chmod(0o644)
    with pytest.raises(BadSettingsFile, match="Run `chmod 600"):
        read_settings_file(file)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs a command in a folder without any setting; what it printed, or its error."""
    app = register_commands()
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, **environment: str) -> str:
        with monkeypatch.context() as patched:
            for name in [name for name in os.environ if name.startswith(("LABELWRIGHT_", "DATABASE_URL"))]:
                patched.delenv(name)
            for name, value in environment.items():
                patched.setenv(name, value)
            # The settings file adds to the environment; the copy is thrown away.
            patched.setattr(os, "environ", os.environ.copy())
            done = CliRunner().invoke(app, arguments)
        return str(done.exception) if isinstance(done.exception, LabelwrightError) else done.output

    return command


def test_commands_find_the_file_by_folder_option_and_variable(tmp_path: Path, run: Callable[..., str]):
    assert "Only you can read it" in run("init", "here")
    file = tmp_path / "here" / "labelwright.env"
    file.write_text("DATABASE_URL=postgresql:///x\nLABELWRIGHT_SECRET_KEY=short\n")
    unread, found = "DATABASE_URL is missing", "LABELWRIGHT_SECRET_KEY is missing, too short"
    assert unread in run("doctor")
    assert found in run("--settings", "here/labelwright.env", "doctor")
    assert found in run("doctor", LABELWRIGHT_SETTINGS=str(file))
    file.rename(tmp_path / "labelwright.env")
    assert found in run("doctor")
    assert unread in run("doctor", LABELWRIGHT_SETTINGS="")
    assert "gone.env: the settings file cannot be read: No such file" in run(
        "--settings", "gone.env", "doctor"
    )


def test_short_keys_in_a_file_are_refused(file: Path):
    text = file.read_text()
    key = read_settings_file(file)["LABELWRIGHT_LINK_KEY"]
    file.write_text(text.replace(key, "short"))
    with pytest.raises(BadSetting, match="LABELWRIGHT_LINK_KEY"):
        Environment.read(read_settings_file(file))
