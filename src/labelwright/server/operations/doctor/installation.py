"""Checks of what is installed and set on this machine."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding

LEAST_FREE_BYTES = 1_000_000_000
VENDORED = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.js")
LOOPBACK = ("127.0.0.1", "localhost")


def python() -> Diagnosis:
    """The version of Python; needs no settings."""
    return finding(
        "Python",
        sys.version_info >= (3, 11),
        sys.version.split()[0],
        "Labelwright needs Python 3.11 or newer.",
    )


def address(environment: Environment) -> Diagnosis:
    """The server answers to the host name in its links."""
    host = urlsplit(environment.base_url).hostname or ""
    known = host in environment.allowed_hosts or "*" in environment.allowed_hosts
    return finding("Address", known, environment.base_url, f"Add {host} to LABELWRIGHT_ALLOWED_HOSTS.")


def encryption(environment: Environment) -> Diagnosis:
    """Links to other machines use https."""
    safe = environment.base_url.startswith("https://") or urlsplit(environment.base_url).hostname in LOOPBACK
    return finding(
        "Encryption", safe, "https, or this machine only", "Links are credentials. Serve them over https."
    )


def scripts(environment: Environment) -> Diagnosis:
    """The scripts for charts are installed."""
    folder = Path(__file__).parents[2] / "web" / "static" / "vendor"
    missing = [name for name in VENDORED if not (folder / name).exists()]
    return finding(
        "Charts",
        not missing,
        "scripts installed",
        "The scripts for charts are missing. Reinstall Labelwright.",
    )


def disk(environment: Environment) -> Diagnosis:
    """There is room on the disk."""
    free = shutil.disk_usage(Path.cwd()).free
    return finding(
        "Disk",
        free > LEAST_FREE_BYTES,
        f"{free / 1e9:.1f} GB free",
        "Less than 1 GB is free. Free some disk space.",
    )


CHECKS: tuple[Check, ...] = (address, encryption, scripts, disk)
