"""Writes the software bill of materials: every package that a server installs, in the CycloneDX format.

    python -m scripts.sbom dist/labelwright.cdx.json

The lists are those that are installed: requirements/server.txt, and the chart libraries of package-lock.json.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)(.*?)(?=^[A-Za-z0-9]|\Z)", re.MULTILINE | re.DOTALL)
Component = dict[str, Any]


def make_sbom(root: Path = ROOT) -> dict[str, Any]:
    """The bill of materials; always the same for the same lock files, in an environment made from them."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    components = [*_python_packages(root), *_chart_libraries(root)]
    name, version = project["name"], project["version"]
    about = {
        "type": "application",
        "bom-ref": f"pkg:pypi/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "licenses": [{"license": {"id": project["license"]}}],
    }
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([about, components], sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {"component": about},
        "components": components,
        "dependencies": [
            {"ref": about["bom-ref"], "dependsOn": sorted(each["bom-ref"] for each in components)},
        ],
    }


def _python_packages(root: Path) -> Iterator[Component]:
    for name, version, rest in PINNED.findall((root / "requirements" / "server.txt").read_text()):
        hashes = [
            {"alg": "SHA-256", "content": found} for found in re.findall(r"sha256:([0-9a-f]{64})", rest)
        ]
        licence = _python_licence(name, version)
        yield _component(f"pkg:pypi/{name.lower()}@{quote(version)}", name, version, licence) | {
            # One for each file of the release: the lock file allows any of them.
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": f"https://pypi.org/project/{name}/{version}/",
                    "hashes": hashes,
                }
            ]
        }


def _python_licence(name: str, version: str) -> str | None:
    """The licence that an installed package declares; None if it is not installed in this version."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    if found.version != version or "License-Expression" not in found.metadata:
        return None
    return found.metadata["License-Expression"]


def _chart_libraries(root: Path) -> Iterator[Component]:
    """The packages that are served to browsers, and what they contain."""
    locked = json.loads((root / "package-lock.json").read_text())["packages"]
    found = {}
    for path, package in locked.items():
        if not path or package.get("dev"):
            continue
        name, version = path.rpartition("node_modules/")[2], package["version"]
        algorithm, _, content = package["integrity"].partition("-")
        found[name, version] = _component(
            f"pkg:npm/{quote(name)}@{version}", name, version, package.get("license")
        ) | {
            "hashes": [
                {
                    "alg": algorithm.upper().replace("SHA", "SHA-"),
                    "content": base64.b64decode(content).hex(),
                }
            ]
        }
    yield from found.values()


def _component(purl: str, name: str, version: str, licence: str | None) -> Component:
    made: Component = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return made | ({"licenses": [{"expression": licence}]} if licence else {})


def main(to: str) -> None:
    """Writes the file and says how many packages it lists."""
    made = make_sbom()
    path = Path(to)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"Wrote {path} with {len(made['components'])} packages.\n")


if __name__ == "__main__":
    main(sys.argv[1])
