"""The files in deploy/ are valid, and name only what exists."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from scripts.deployment.guide import read_steps

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\blabelwright_[a-z_]+\b")


def known_metrics() -> set[str]:
    """The metrics that the code names; Prometheus adds suffixes to counters and histograms."""
    text = "".join(
        (ROOT / "src/labelwright/server" / folder / "metrics.py").read_text()
        for folder in ("config", "operations")
    )
    names = set(METRIC.findall(text))
    return names | {name + end for name in names for end in ("_total", "_bucket", "_sum", "_count")}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    units = tmp_path / "units"
    shutil.copytree(DEPLOY / "systemd", units)
    for unit in units.glob("*.service"):
        # The program is installed on servers only.
        unit.write_text(unit.read_text().replace("/opt/labelwright/.venv/bin/labelwright", "/bin/true"))
    named = [str(unit) for unit in (*units.glob("*.service"), *units.glob("*.timer"))]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *named],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "labelwright" in line]
    assert (done.returncode, ours) == (0, [])


def test_every_service_restarts_and_has_no_privileges() -> None:
    shared = (DEPLOY / "systemd/labelwright-.service.d/common.conf").read_text()
    for line in ("NoNewPrivileges=yes", "PrivateTmp=yes", "ProtectSystem=strict", "User=labelwright"):
        assert line in shared
    services = {unit.stem: unit.read_text() for unit in (DEPLOY / "systemd").glob("labelwright-*.service")}
    assert len(services) == 4
    assert [name for name, text in services.items() if "Restart=always" not in text] == ["labelwright-backup"]


def test_dashboard_and_alerts_name_metrics_that_exist() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((DEPLOY / "grafana/labelwright.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    named = {name for expression in asked for name in METRIC.findall(expression)}
    assert len(named) > 5
    assert named - known_metrics() == set()
    assert all(rule["annotations"]["action"] for rule in rules)


def test_the_guide_copies_files_that_exist() -> None:
    steps = list(read_steps(ROOT / "docs/how-to/deploy.md"))
    assert [step.kind for step in steps].count("upgrade") == 1
    named = re.findall(
        r"/opt/labelwright/((?:deploy|studies)/[\w@./-]+)", "".join(step.commands for step in steps)
    )
    assert len(named) > 4
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_containers_have_no_privileges_and_name_no_registry() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    for name in ("migrate", "web1", "web2", "worker"):
        assert services[name]["read_only"], name
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["security_opt"] == ["no-new-privileges"]
    recipe = (ROOT / "Containerfile").read_text()
    assert re.search(r"^USER \d+$", recipe, re.MULTILINE)
    assert "HEALTHCHECK" in recipe
    images = [re.sub(r"\$\{\w+:-(.*)\}", r"\1", service["image"]) for service in services.values()]
    images += re.findall(r"^ARG BASE_IMAGE=(.*)$", recipe, re.MULTILINE)
    assert [image for image in images if "/" in image] == []
