"""A wheel from a fresh clone contains what no commit contains, or is not built."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from labelwright.study.templates import template_names
from scripts.charts import FILES

ROOT = Path(__file__).parents[2]
WEB = "labelwright/server/web"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The committed files, without anything that was built."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    folder = tmp_path / "clone"
    folder.mkdir()
    subprocess.run(["tar", "-x"], input=archive.stdout, cwd=folder, check=True)
    return folder


def build(clone: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(clone / "dist")],
        cwd=clone,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_wheel_from_a_clone_has_charts_and_translations(clone: Path):
    # Instead of a download: the packages that `make setup-dev` has installed.
    (clone / "node_modules").symlink_to(ROOT / "node_modules")
    done = build(clone)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (clone / "dist").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"{WEB}/static/vendor/{Path(path).name}" for path in FILES.values()} <= names
    assert {f"{WEB}/locale/{language}/LC_MESSAGES/django.mo" for language in ("it", "ar")} <= names
    assert "labelwright/studies/demo/study.yaml" in names
    assert {f"labelwright/study/templates/{name}/study.yaml" for name in template_names()} <= names
    assert "labelwright/study/templates/spans/passages.jsonl" in names


def test_a_build_without_a_registry_says_what_to_do(clone: Path):
    done = build(clone, npm_config_registry="http://127.0.0.1:1")
    assert done.returncode != 0
    assert "The scripts that draw charts could not be downloaded from http://127.0.0.1:1/vega/" in (
        done.stdout + done.stderr
    )
    assert list((clone / "dist").glob("*")) == []
