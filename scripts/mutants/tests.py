"""Which tests are asked about which line."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage

QUIET = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", "--hypothesis-seed=0", "-m", "not postgres")
FOLDERS = ("tests/unit", "tests/property")


@dataclass(frozen=True)
class Tests:
    """The tests of unit, property and docstrings, by the lines they run."""

    by_line: Mapping[str, Mapping[int, Sequence[str]]]
    """Path below src/labelwright, line, ids of tests; a line run only by an import has none."""
    seconds: Mapping[str, float]

    def of(self, path: str, line: int) -> list[str]:
        """The tests that may notice a change of this line, the quickest first.

        A line that runs on import (a limit of a field, a default) may be noticed by any test of its module or
        of the folder named like its package.
        """
        lines = self.by_line.get(path, {})
        found = set(lines.get(line, ()))
        if "" in found:
            package = path.split("/", 1)[0]
            mirror = (f"tests/unit/{package}/", f"src/labelwright/{package}/", "tests/unit/study/")
            found.update(test for tests in lines.values() for test in tests)
            found.update(test for test in self.seconds if test.startswith(mirror))
        return sorted(found - {""}, key=lambda test: self.seconds.get(test, 0.0))


def record_tests(tree: Path, packages: Sequence[str], kept: Path) -> Tests:
    """Run all tests once and note what each of them runs; kept until a file of the tree changes."""
    kept.mkdir(parents=True, exist_ok=True)
    stored = kept / f"tests-{digest(tree, packages)}.json"
    if not stored.exists():
        for old in kept.glob("tests-*.json"):
            old.unlink()
        stored.write_text(json.dumps(_record(tree, packages)))
    content = json.loads(stored.read_text())
    by_line = {
        path: {int(line): tests for line, tests in lines.items()}
        for path, lines in content["by_line"].items()
    }
    return Tests(by_line, content["seconds"])


def digest(tree: Path, packages: Iterable[str]) -> str:
    summed = hashlib.sha256("\n".join(packages).encode())
    for folder in ("src", "tests"):
        for path in sorted((tree / folder).rglob("*.py")):
            summed.update(path.relative_to(tree).as_posix().encode() + path.read_bytes())
    return summed.hexdigest()[:16]


def _record(tree: Path, packages: Sequence[str]) -> dict[str, object]:
    settings, data, seconds = (tree / name for name in ("mutants.cfg", "mutants.coverage", "seconds.json"))
    sources = "".join(f"\n    {tree}/src/labelwright/{package}" for package in packages)
    settings.write_text(f"[run]\ndata_file = {data}\nsource ={sources}\n")
    doctests = [f"src/labelwright/{package}" for package in packages]
    here = str(Path(__file__).parents[2])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest"),
            *("-p", "scripts.mutants.recording", *QUIET, *FOLDERS, *doctests),
        ],
        cwd=tree,
        env=environment(tree, also=here) | {"MUTANTS_SECONDS": str(seconds)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"The tests must pass before mutants are tried.\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return {"by_line": _lines(tree, data), "seconds": json.loads(seconds.read_text())}


def _lines(tree: Path, data: Path) -> dict[str, dict[int, list[str]]]:
    measured = coverage.CoverageData(str(data))
    measured.read()
    root = tree / "src" / "labelwright"
    return {
        Path(file).relative_to(root).as_posix(): measured.contexts_by_lineno(file)
        for file in measured.measured_files()
    }


def environment(tree: Path, also: str = "") -> dict[str, str]:
    path = f"{tree}/src" + (f":{also}" if also else "")
    return os.environ | {"PYTHONPATH": path, "HYPOTHESIS_STORAGE_DIRECTORY": str(tree / ".hypothesis")}
