"""Checks of a server that other people use: its account, settings, mail, metrics and backups."""

from __future__ import annotations

import os
import shutil
import smtplib
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import Environment, MailSettings
from labelwright.server.config.settings_file import FILE_VARIABLE
from labelwright.server.operations.backup import newest_backup, read_manifest
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding

OLDEST_BACKUP = timedelta(hours=26)
"""A nightly backup may take its time."""
MAIL_SECONDS = 5
CHANGED_BY_OTHERS = 0o022


def demo(environment: Environment) -> Diagnosis:
    """The keys are not those of the demo, which everybody knows."""
    return finding(
        "Demo", not environment.demo, "off", "LABELWRIGHT_DEMO is set. Unset it and set your own keys."
    )


def account(environment: Environment) -> Diagnosis:
    """The server runs without privileges; doctor is started as the server is."""
    return finding(
        "Account",
        os.geteuid() != 0,
        "not root",
        "This command runs as root. Run it, and the server, as a user without privileges.",
    )


def settings_file(environment: Environment) -> Diagnosis:
    """The settings file, which holds the keys, can be changed by its owner only."""
    given = os.environ.get(FILE_VARIABLE)
    if not given:
        return Diagnosis("Settings file", good=True, message="none; settings come from environment variables")
    mode = Path(given).stat().st_mode & 0o777
    # Reading a file that others can read already failed.
    return finding(
        "Settings file",
        not mode & CHANGED_BY_OTHERS,
        f"{given}, mode {mode:o}",
        f"{given} can be changed by its group. Run `chmod 640 {given}`.",
    )


def mail(environment: Environment) -> Diagnosis:
    """The mail server accepts us. No mail is sent."""
    if environment.mail is None:
        return Diagnosis("Mail", good=True, message="no mail server; messages appear only on raters' pages")
    try:
        _greet(environment.mail)
    except (OSError, smtplib.SMTPException) as error:
        message = f"{environment.mail.host} refused: {error}. Check LABELWRIGHT_MAIL_URL."
        return Diagnosis("Mail", good=False, message=message)
    return Diagnosis("Mail", good=True, message=f"{environment.mail.host} accepts our login")


def _greet(mail_settings: MailSettings) -> None:
    context = ssl.create_default_context()
    at = (mail_settings.host, mail_settings.port)
    with (
        smtplib.SMTP_SSL(*at, timeout=MAIL_SECONDS, context=context)
        if mail_settings.encryption == "ssl"
        else smtplib.SMTP(*at, timeout=MAIL_SECONDS)
    ) as server:
        if mail_settings.encryption == "tls":
            server.starttls(context=context)
        if mail_settings.user:
            server.login(mail_settings.user, mail_settings.password)
        server.noop()


def metrics(environment: Environment) -> Diagnosis:
    """The processes share a folder for metrics."""
    folder = os.environ.get("LABELWRIGHT_METRICS_DIR", "")
    return finding(
        "Metrics",
        bool(folder) and os.access(folder, os.W_OK),
        f"shared in {folder}",
        "Set LABELWRIGHT_METRICS_DIR to a folder that server, worker and `labelwright metrics` can write to.",
    )


def backup(environment: Environment) -> Diagnosis:
    """There is a recent backup."""
    folder = environment.backup_folder
    if folder is None:
        return Diagnosis(
            "Backup", good=False, message="Set LABELWRIGHT_BACKUP_DIR, and run `labelwright backup` daily."
        )
    newest = newest_backup(folder)
    if newest is None:
        return Diagnosis("Backup", good=False, message=f"{folder} has no backup. Run `labelwright backup`.")
    try:
        age = datetime.now(UTC) - datetime.fromisoformat(read_manifest(newest).made_at)
    except LabelwrightError as error:
        return Diagnosis("Backup", good=False, message=str(error))
    hours = age.total_seconds() / 3600
    return finding(
        "Backup",
        age < OLDEST_BACKUP,
        f"{hours:.1f} hours old",
        f"The newest backup is {hours:.0f} hours old. Check `systemctl status labelwright-backup.timer`.",
    )


def backup_space(environment: Environment) -> Diagnosis:
    """There is room for the next two backups."""
    folder = environment.backup_folder
    newest = newest_backup(folder) if folder else None
    if folder is None or newest is None:
        return Diagnosis("Backup space", good=False, message="Unknown until there is a backup.")
    free, needed = shutil.disk_usage(folder).free, 2 * newest.stat().st_size
    return finding(
        "Backup space",
        free > needed,
        f"{free / 1e9:.1f} GB free",
        f"{folder} has no room for two more backups.",
    )


def keys_apart(environment: Environment) -> Diagnosis:
    """Backups are not stored with the keys that make them readable."""
    folder = environment.backup_folder
    beside = sorted(file.name for file in folder.glob("*.env")) if folder else []
    return finding(
        "Keys apart",
        not beside,
        "no keys next to the backups",
        f"{folder} contains {', '.join(beside)}. Keep keys and backups in different places.",
    )


CHECKS: tuple[Check, ...] = (
    demo, account, settings_file, mail, metrics, backup, backup_space, keys_apart,
)  # fmt: skip
