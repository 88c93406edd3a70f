"""The settings file: environment variables of an installation, one `NAME=value` per line.

The file is also valid for `EnvironmentFile=` of systemd and `env_file:` of Compose. These read quotes and backslashes
differently, so we reject both.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import DEMO_KEYS

FILE_NAME = "labelwright.env"
FILE_VARIABLE = "LABELWRIGHT_SETTINGS"
LINE = re.compile(r"(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)")
OPEN_TO_OTHERS = 0o007

TEMPLATE = """\
# Settings of a Labelwright server. Environment variables take precedence over this file.
# Keep a copy of the keys in a safe place: without them, links stop working and addresses cannot be read.
# Write values without quotes. docs/reference/settings.md lists all settings.

DATABASE_URL={database_url}
LABELWRIGHT_BASE_URL={address}
LABELWRIGHT_ALLOWED_HOSTS={hosts}
{proxy}
{keys}
"""


class BadSettingsFile(LabelwrightError):
    """A settings file that is missing, invalid or open to others."""

    code: ClassVar[str] = "bad_settings_file"


def apply_settings_file(environment: MutableMapping[str, str], named: Path | None = None) -> Path | None:
    """Adds the settings of the file to the environment, and returns its path; variables that are set stay as they are.

    The file is `named`, or the one in LABELWRIGHT_SETTINGS, or `labelwright.env` in the current folder. Nothing
    happens if there is none, or if LABELWRIGHT_SETTINGS is empty.
    """
    path = named or _found(environment.get(FILE_VARIABLE))
    if path is None:
        return None
    for name, value in read_settings_file(path).items():
        environment.setdefault(name, value)
    # Processes that we start read the same file, wherever they run.
    environment[FILE_VARIABLE] = str(path.resolve())
    return path


def _found(variable: str | None) -> Path | None:
    if variable is not None:
        return Path(variable) if variable else None
    here = Path(FILE_NAME)
    return here if here.exists() else None


def read_settings_file(path: Path) -> Mapping[str, str]:
    """The settings in a file; raises BadSettingsFile."""
    try:
        status, text = path.stat(), path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise BadSettingsFile(
            f"the settings file cannot be read: {getattr(error, 'strerror', None) or error}.",
            where=str(path),
            do="Create one with `labelwright init DIR`.",
        ) from error
    if status.st_uid not in (0, os.geteuid()) or status.st_mode & OPEN_TO_OTHERS:
        raise BadSettingsFile(
            "the settings file contains keys, but other people can read or change it.",
            where=str(path),
            expected="a file that belongs to you or to root and is closed to others.",
            do=f"Run `chmod 600 {path}`.",
        )
    lines = enumerate(text.splitlines(), start=1)
    return dict(
        _setting(f"{path}:{number}", line.strip())
        for number, line in lines
        if line.strip()[:1] not in ("", "#")
    )


def _setting(where: str, line: str) -> tuple[str, str]:
    found = LINE.fullmatch(line)
    if not found:
        raise BadSettingsFile("this line is not a setting.", where=where, expected="NAME=value.")
    name, value = found["name"], found["value"].strip()
    if "\\" in value or value[:1] in ("'", '"'):
        raise BadSettingsFile(
            f"the value of {name} contains quotes or a backslash.",
            where=where,
            do="Write the value without quotes; in an address, write a backslash as %5C.",
        )
    return name, value


def write_settings_file(path: Path, database_url: str, address: str) -> None:
    """Writes a new settings file with fresh keys that only its owner can read; raises BadSettingsFile if it exists."""
    url = urlsplit(address)
    local = url.hostname in ("127.0.0.1", "localhost")
    text = TEMPLATE.format(
        database_url=database_url,
        address=address.rstrip("/"),
        hosts="127.0.0.1,localhost" if local else f"{url.hostname},127.0.0.1,localhost",
        proxy="LABELWRIGHT_BEHIND_PROXY=1\n" if url.scheme == "https" else "",
        keys="\n".join(f"{name}={secrets.token_urlsafe(48)}" for name in DEMO_KEYS),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError as error:
        raise BadSettingsFile(
            "there is a settings file already. New keys would invalidate every link.",
            where=str(path),
            do="Edit the file, or choose another folder.",
        ) from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
