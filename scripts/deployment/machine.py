"""A Debian machine with a running systemd in a folder: debootstrap makes it, systemd-nspawn boots it.

It shares the network of this machine, so ports 80, 443, 5432, 8001, 8002 and 9464 must be free. Sources of packages
(apt, pip, certificates) are those of this machine.
"""

from __future__ import annotations

import configparser
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

RELEASE = "bookworm"
BASE = Path("/var/tmp/labelwright-debian")
"""An installed system, kept because making it takes minutes; each trial starts from a copy."""
PACKAGES = "systemd,systemd-sysv,dbus,ca-certificates"
SOURCES = (
    "etc/apt/sources.list", "etc/apt/sources.list.d", "etc/apt/apt.conf.d", "etc/apt/preferences.d",
    "etc/pip.conf", "root/.config/pip/pip.conf", "usr/local/share/ca-certificates",
)  # fmt: skip
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CommandFailed(Exception):
    """A command in the machine ended with an error."""


@dataclass
class Machine:
    """One machine; `start` boots it, `stop` ends it, and its folder remains until the next `create`."""

    folder: Path
    process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """A fresh copy of the base system that can install packages."""
        if not (BASE / "etc" / "debian_version").exists():
            mirror = _output(
                "apt-get",
                "indextargets",
                "--format",
                "$(REPO_URI)",
                f"Codename: {RELEASE}",
                "Component: main",
            ).split()[0]
            _run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, str(BASE), mirror)
        shutil.rmtree(self.folder, ignore_errors=True)
        _run("cp", "--archive", str(BASE), str(self.folder))
        for name in SOURCES:
            here, there = Path("/") / name, self.folder / name
            if here.is_dir():
                shutil.copytree(here, there, dirs_exist_ok=True)
            elif here.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(here, there)
        (self.folder / "etc" / "hostname").write_text("labelwright\n")

    def start(self) -> None:
        """Boots the machine, and returns when systemd has started everything."""
        binds = [f"--bind-ro={path}" for path in package_folders()]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    "systemd-nspawn", "--boot", "--register=no", "--keep-unit", "--console=pipe",
                    "--resolv-conf=copy-host", f"--directory={self.folder}", "--machine=labelwright", *binds,
                ],
                env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "0"},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + 120
        while self.run("systemctl is-system-running", check=False).strip() not in ("running", "degraded"):
            assert time.monotonic() < until, "the machine did not boot"
            time.sleep(1)

    def stop(self) -> None:
        """Shuts the machine down."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def run(self, command: str, *, check: bool = True, show: bool = False) -> str:
        """Runs a shell command as root in the machine; its output."""
        done = subprocess.run(
            [*self._enter(), "bash", "-euo", "pipefail", "-c", command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        if show:
            print(done.stdout, end="", flush=True)
        if check and done.returncode != 0:
            raise CommandFailed(f"{command}\n{done.stdout}")
        return done.stdout

    def _enter(self) -> list[str]:
        assert self.process
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        leader = children[0] if children else "0"
        settings = [f"{name}={value}" for name, value in os.environ.items() if name.startswith("PIP_")]
        return [
            "nsenter", f"--target={leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root",
            "--wd", "env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
            *settings,
        ]  # fmt: skip


def package_folders() -> list[str]:
    """Local folders with Python packages that the configuration of pip names."""
    read = configparser.ConfigParser(interpolation=None)
    read.read(["/etc/pip.conf", "/root/.config/pip/pip.conf"])
    named = [text for section in read.values() for text in section.values()] + [
        os.environ.get("PIP_FIND_LINKS", "")
    ]
    paths = {word.removeprefix("file://").removesuffix("/simple") for text in named for word in text.split()}
    return sorted(path for path in paths if path.startswith("/opt/") and Path(path).is_dir())


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _output(*command: str) -> str:
    return subprocess.check_output(command, text=True)
