"""What we build from: pinned actions, scanned lists of packages, and a bill of materials of all that a server runs."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.sbom import make_sbom

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_actions_are_pinned_by_commit_with_their_version():
    used = [
        line for file in WORKFLOWS for line in file.read_text().splitlines() if "uses:" in line.split("#")[0]
    ]
    assert len(used) >= 5
    assert [line for line in used if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []


def test_every_list_of_pinned_packages_is_scanned():
    steps = [
        step
        for file in WORKFLOWS
        for job in yaml.safe_load(file.read_text())["jobs"].values()
        for step in job["steps"]
    ]
    assert {"run": "make audit"} in steps
    makefile = (ROOT / "Makefile").read_text()
    # The overrides of a resolution are not installed.
    assert "LOCKED := $(filter-out requirements/overrides.txt,$(wildcard requirements/*.txt))" in makefile
    assert "pip-audit" in makefile
    assert "npm audit" in makefile


def test_every_pinned_package_has_hashes():
    for file in sorted((ROOT / "requirements").glob("*.txt")):
        if file.name != "overrides.txt":
            found = re.findall(
                r"^[A-Za-z0-9._-]+==.*?(?=^[A-Za-z0-9]|\Z)", file.read_text(), re.MULTILINE | re.DOTALL
            )
            assert found, file.name
            assert not [package[:40] for package in found if "--hash=sha256:" not in package], file.name


def test_lists_are_installed_as_they_are_and_a_server_lacks_nothing():
    """Resolved again, a list fails as soon as a package that another one needs with an extra has a newer release."""
    for file in ("Makefile", "Containerfile"):
        installing = re.findall(r"pip install.*--require-hashes.*", (ROOT / file).read_text())
        assert installing
        assert [line for line in installing if "--no-deps" not in line] == []
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==", (ROOT / "requirements/server.txt").read_text(), re.MULTILINE)
    assert needed_by("labelwright", ("server",)) - {"labelwright"} <= set(pinned)


def needed_by(name: str, extras: tuple[str, ...]) -> set[str]:
    """An installed package with extras, and all that it needs, by canonical name."""
    found: set[tuple[str, tuple[str, ...]]] = set()
    waiting = {(name, extras)}
    while waiting:
        found.add(one := waiting.pop())
        for line in metadata.requires(one[0]) or ():
            needed = Requirement(line)
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *one[1])):
                waiting.add((canonicalize_name(needed.name), tuple(sorted(needed.extras))))
        waiting -= found
    return {each for each, _ in found}


def test_the_bill_of_materials_lists_what_a_server_runs():
    bill = make_sbom()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    listed = {each["purl"]: each for each in bill["components"]}
    assert len(listed) == len(bill["components"])
    pinned = re.findall(
        r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / "requirements/server.txt").read_text(), re.MULTILINE
    )
    assert len(pinned) > 40
    for name, version in pinned:
        (source,) = listed[f"pkg:pypi/{name}@{version}"]["externalReferences"]
        assert source["hashes"], name
    # The chart libraries are served to browsers; the tools that check our scripts are not.
    names = {each["name"] for each in bill["components"]}
    assert {"vega", "vega-lite", "vega-interpreter"} <= names
    assert not names & {"eslint", "typescript", "pytest"}
    assert bill["dependencies"][0]["dependsOn"] == sorted(listed)
    assert make_sbom() == bill
