"""Puts the scripts that draw charts into the folder that pages load them from.

They are taken from `node_modules` if it has the right versions, and otherwise from the npm registry, so that a user
needs no npm. Versions and checksums of packages are in package-lock.json, checksums of files in scripts/vendor.sha256.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import tarfile
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src" / "labelwright" / "server" / "web" / "static" / "vendor"
REGISTRY = "https://registry.npmjs.org"
FILES = {
    "vega": "build/vega.min.js",
    "vega-lite": "build/vega-lite.min.js",
    "vega-interpreter": "build/vega-interpreter.js",
}
BARE_IMPORT = re.compile(rb"^import \{ (.*) \} from .vega-util.;\n")

Read = Callable[[str], bytes]
"""Reads a file of a package by its path."""


class NoCharts(Exception):
    """The scripts could not be made."""


def make_charts(target: Path = TARGET) -> None:
    """Writes the scripts and their licences, unless they are there; raises NoCharts."""
    if _are_right(target):
        return
    target.mkdir(parents=True, exist_ok=True)
    for name, path in FILES.items():
        read = _package(name)
        (target / Path(path).name).write_bytes(_resolved(read(path)))
        (target / f"{name}.LICENSE").write_bytes(read("LICENSE"))
    if not _are_right(target):
        raise NoCharts("The chart scripts differ from scripts/vendor.sha256. Update both together.")


def _resolved(script: bytes) -> bytes:
    """The interpreter imports helpers by a bare name, which browsers cannot resolve; vega includes the same helpers."""
    return BARE_IMPORT.sub(rb"const { \1 } = globalThis.vega;\n", script)


def _are_right(target: Path) -> bool:
    lines = (ROOT / "scripts" / "vendor.sha256").read_text().splitlines()
    return all(_digest(target / name) == digest for digest, name in map(str.split, lines))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def _package(name: str) -> Read:
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"][f"node_modules/{name}"]
    installed = ROOT / "node_modules" / name
    about = installed / "package.json"
    if about.exists() and json.loads(about.read_text())["version"] == locked["version"]:
        return lambda path: (installed / path).read_bytes()
    return _downloaded(name, locked["version"], locked["integrity"])


def _downloaded(name: str, version: str, integrity: str) -> Read:
    registry = os.environ.get("npm_config_registry", REGISTRY).rstrip("/")  # noqa: SIM112  npm writes it so
    url = f"{registry}/{name}/-/{name}-{version}.tgz"
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            content = response.read()
    except OSError as error:
        raise NoCharts(
            f"The scripts that draw charts could not be downloaded from {url}: {error}. "
            "Set npm_config_registry to a mirror that you can reach, or run `npm ci` before the build."
        ) from error
    if integrity != "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode():
        raise NoCharts(f"{url} differs from its checksum in package-lock.json. Do not use it.")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        files = {file.name: member.read() for file in archive if (member := archive.extractfile(file))}
    return lambda path: files[f"package/{path}"]


if __name__ == "__main__":
    make_charts()
