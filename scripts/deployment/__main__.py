"""Follows docs/how-to/deploy.md on an empty machine, and then tries what can happen to a server.

Usage: python -m scripts.deployment [TRIAL ...]    (as root; without a trial: all of them)

`guide` makes the machine and follows the guide; the others use the machine that it left. Each trial prints its
figures and adds them to bench/deployment.json.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.deployment.guide import read_steps
from scripts.deployment.machine import Machine

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "deploy.md"
FIGURES = ROOT / "bench" / "deployment.json"
MACHINE = Path("/var/tmp/labelwright-machine")
SERVERS = ("labelwright-web@8001", "labelwright-web@8002")
CROWD = (
    "cd /opt/labelwright && runuser -u labelwright -- env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt "
    "LABELWRIGHT_SETTINGS=/etc/labelwright/labelwright.env .venv/bin/python -m scripts.deployment.crowd"
)

PATIENCE_SECONDS = 600

Figures = dict[str, Any]


def guide(machine: Machine) -> Figures:
    """Every command of the guide, and then judgments through https."""
    began = time.monotonic()
    _put_release(machine)
    for step in read_steps(PAGE):
        if step.kind == "":
            print(f"== {step.heading}", flush=True)
            said = machine.run(step.commands, show=step.heading in ("Check the installation", "Load a study"))
            link = re.search(r"https://eval\.example\.org/w/\S+", said)
    assert link, "the guide did not end with links"
    figures = json.loads(machine.run(f"{CROWD} judge {link[0]}").splitlines()[-1])
    assert figures["receipts"] > 0
    return {"judgments_through_https": figures["receipts"], "seconds": round(time.monotonic() - began)}


def crash(machine: Machine) -> Figures:
    """Kills servers, worker and PostgreSQL in turn while 50 raters work; everything comes back, nothing is lost."""
    kills = 0

    def harm() -> None:
        nonlocal kills
        for unit in (*SERVERS, "labelwright-worker", "postgresql@15-main", SERVERS[0], "nginx"):
            time.sleep(6)
            machine.run(f"systemctl kill --signal=SIGKILL --kill-who=all {unit}")
            kills += 1
        time.sleep(10)

    figures = _under_load(machine, harm)
    units = [*SERVERS, "labelwright-worker", "postgresql@15-main", "nginx"]
    assert machine.run(f"systemctl is-active {' '.join(units)}").split() == ["active"] * len(units)
    return {"kills": kills, **figures}


def upgrade(machine: Machine) -> Figures:
    """The guide's upgrade while 50 raters work."""
    [step] = [step for step in read_steps(PAGE) if step.kind == "upgrade"]

    def harm() -> None:
        time.sleep(5)
        began = time.monotonic()
        machine.run(step.commands)
        took["upgrade_seconds"] = round(time.monotonic() - began)
        time.sleep(5)

    took: Figures = {}
    return _under_load(machine, harm) | took


def restore(machine: Machine) -> Figures:
    """A backup under load, the loss of the database, a restore; old links work and raters go on."""
    took: Figures = {}

    def harm() -> None:
        time.sleep(8)
        began = time.monotonic()
        machine.run("labelwright backup")
        took["backup_seconds"] = round(time.monotonic() - began, 1)
        time.sleep(3)
        began = time.monotonic()
        machine.run(
            "systemctl stop labelwright-web@8001 labelwright-web@8002 labelwright-worker labelwright-metrics"
        )
        machine.run("cd / && runuser -u postgres -- dropdb --force labelwright")
        machine.run(
            "cd / && runuser -u postgres -- createdb --owner=labelwright --encoding=UTF8 --template=template0 labelwright"
        )
        machine.run("labelwright restore $(ls /var/backups/labelwright/*.dump | tail -n 1)")
        machine.run(
            "systemctl start labelwright-web@8001 labelwright-web@8002 labelwright-worker labelwright-metrics"
        )
        took["loss_to_running_seconds"] = round(time.monotonic() - began, 1)
        restored = _submitted(machine)
        time.sleep(20)
        took["submitted_after_the_restore"] = _submitted(machine) - restored
        assert took["submitted_after_the_restore"] > 0

    return _under_load(machine, harm, "--after-loss") | took


def _submitted(machine: Machine) -> int:
    count = "SELECT count(*) FROM assignment WHERE state = 'submitted'"
    return int(machine.run(f'cd / && runuser -u postgres -- psql -At labelwright -c "{count}"'))


PGBOUNCER = """\
[databases]
labelwright = host=/run/postgresql dbname=labelwright user=labelwright
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
pidfile = /var/lib/labelwright/pgbouncer.pid
logfile = /var/lib/labelwright/pgbouncer.log
unix_socket_dir =
"""
SETTINGS = "/etc/labelwright/labelwright.env"


def pooler(machine: Machine) -> Figures:
    """pgbouncer in transaction mode with four sessions: refused without the setting, 50 raters with it."""
    machine.run("printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d")
    machine.run("apt-get install --yes --no-install-recommends pgbouncer && rm /usr/sbin/policy-rc.d")
    (machine.folder / "var/lib/labelwright/pgbouncer.ini").write_text(PGBOUNCER)
    machine.run("runuser -u labelwright -- pgbouncer -d /var/lib/labelwright/pgbouncer.ini")
    machine.run(f"cp --archive {SETTINGS} {SETTINGS}.direct")
    restart = (
        "systemctl restart labelwright-web@8001 labelwright-web@8002 labelwright-worker labelwright-metrics"
    )
    try:
        address = "postgresql://labelwright@127.0.0.1:6432/labelwright"
        machine.run(f"sed -i 's#^DATABASE_URL=.*#DATABASE_URL={address}#' {SETTINGS}")
        refused = machine.run("labelwright worker", check=False)
        assert "LABELWRIGHT_TRANSACTION_POOLER=1" in refused, refused
        machine.run(f"echo LABELWRIGHT_TRANSACTION_POOLER=1 >> {SETTINGS} && {restart}")
        machine.run("curl -sf --retry 90 --retry-delay 2 --retry-all-errors https://eval.example.org/readyz")
        figures = _under_load(machine, lambda: time.sleep(30))
        return {"sessions": 4, "refused_without_the_setting": True, **figures}
    finally:
        machine.run(f"mv {SETTINGS}.direct {SETTINGS} && {restart}")
        machine.run("kill $(cat /var/lib/labelwright/pgbouncer.pid)")


TRIALS: dict[str, Callable[[Machine], Figures]] = {
    "guide": guide, "crash": crash, "upgrade": upgrade, "restore": restore, "pooler": pooler,
}  # fmt: skip


def _put_release(machine: Machine) -> None:
    target = machine.folder / "opt" / "labelwright"
    target.mkdir(parents=True)
    archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(target)], stdin=archive.stdout, check=True)
    # A release has the chart scripts; here they save the way to the npm registry.
    vendor = "src/labelwright/server/web/static/vendor"
    if (ROOT / vendor).is_dir():
        subprocess.run(["cp", "-r", str(ROOT / vendor), str((target / vendor).parent)], check=True)


def _under_load(machine: Machine, harm: Callable[[], None], *options: str) -> Figures:
    """What 50 raters met while `harm` was done; raises an error if an acknowledged submission is lost or doubled."""
    machine.run("rm -f /tmp/crowd.*")
    machine.run(f"{CROWD} load")
    machine.run(f"nohup bash -c '{CROWD} work {' '.join(options)}' > /tmp/crowd.log 2>&1 &")
    _wait(machine, "test -e /tmp/crowd.started && echo started || true")
    try:
        harm()
    finally:
        machine.run("touch /tmp/crowd.stop")
    _wait(machine, "grep -hsE '^({|Traceback)' /tmp/crowd.log || true")
    said = machine.run("cat /tmp/crowd.log")
    assert "Traceback" not in said, said
    figures: Figures = json.loads(said.splitlines()[-1])
    assert figures["lost"] == 0, figures
    assert figures["stored_twice"] == 0, figures
    return figures


def _wait(machine: Machine, command: str) -> None:
    """Waits until a command prints something."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not machine.run(command):
        assert time.monotonic() < until, machine.run("cat /tmp/crowd.log")
        time.sleep(1)


def main(names: list[str]) -> None:
    """Runs the trials and writes their figures."""
    machine = Machine(MACHINE)
    if "guide" in names:
        machine.create()
    machine.start()
    try:
        for name in names:
            figures = TRIALS[name](machine)
            print(name, json.dumps(figures), flush=True)
            _write(name, figures)
    finally:
        machine.stop()


def _write(name: str, figures: Figures) -> None:
    stored = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    where = (
        f"{os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}, Debian 12, systemd"
    )
    stored[name] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": where, **figures}
    FIGURES.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or list(TRIALS))
