"""Builds the image, starts the containers of compose.yaml, and lets a browser judge a task in them.

Usage: python -m scripts.containers    (as root; with Docker, or podman, podman-compose, buildah, runc and dnsname)

BASE_IMAGE, POSTGRES_IMAGE and PROXY_IMAGE name the images to use, LABELWRIGHT_IMAGE one that is already built.
Without BASE_IMAGE and without Docker, a base is made with debootstrap, and Debian's PostgreSQL and nginx stand in for
the official images.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import ssl
import subprocess
import tempfile
import time
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.deployment.machine import BASE, Machine, package_folders

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FIGURES = ROOT / "bench" / "deployment.json"
HOST, HTTPS_PORT, HTTP_PORT = "eval.example.org", "8443", "8480"
DEMO = "/opt/labelwright/lib/python3.11/site-packages/labelwright/studies/demo/study.yaml"
# Containers must not ask for higher limits than this machine has.
PODMAN_SETTINGS = """\
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
"""
NOT_IN_A_BASE = (
    "systemd-sysv",
    "systemd",
    "dbus",
    "dbus-bin",
    "dbus-daemon",
    "dbus-session-bus-common",
    "dbus-system-bus-common",
)


def run(*command: str, **more: Any) -> str:
    """The output of a command that must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


class Podman:
    """podman and podman-compose for running, buildah for building."""

    def __init__(self, folder: Path) -> None:
        settings = folder / "containers.conf"
        settings.write_text(PODMAN_SETTINGS)
        os.environ["CONTAINERS_CONF"] = str(settings)

    program = "podman"
    compose = ("podman-compose",)
    image = "localhost/labelwright"

    def build(self, tag: str, file: Path, context: Path, base: str) -> None:
        """Builds an image; pip's configuration and local packages are those of this machine."""
        shared = [*package_folders(), "/root/.config/pip"]
        volumes = [f"--volume={path}:{path}:ro" for path in shared if Path(path).is_dir()]
        run(
            "buildah", "bud", "--isolation", "chroot", "--network", "host", "--format", "docker", *volumes,
            f"--build-arg=BASE_IMAGE={base}", f"--tag={tag}", f"--file={file}", str(context),
        )  # fmt: skip

    def make_base(self) -> str:
        """An image of a Debian without systemd, made with debootstrap."""
        name = "labelwright-base:bookworm"
        if subprocess.run(["podman", "image", "exists", name], check=False).returncode == 0:
            return f"localhost/{name}"
        with tempfile.TemporaryDirectory(dir=BASE.parent) as folder:
            machine = Machine(Path(folder) / "root")
            machine.create()
            subprocess.run(
                ["chroot", str(machine.folder), "dpkg", "--purge", "--force-all", *NOT_IN_A_BASE], check=False
            )
            # The certificates of this machine were copied with the sources of packages.
            subprocess.run(["chroot", str(machine.folder), "update-ca-certificates"], check=True)
            for bulk in (
                "usr/share/doc",
                "usr/share/man",
                "usr/share/locale",
            ):
                shutil.rmtree(machine.folder / bulk, ignore_errors=True)
            packed = subprocess.Popen(["tar", "-C", str(machine.folder), "-c", "."], stdout=subprocess.PIPE)
            run("podman", "import", "-", name, stdin=packed.stdout)
        return f"localhost/{name}"


class Docker:
    """Docker for everything."""

    def __init__(self, folder: Path) -> None:
        del folder

    program = "docker"
    compose = ("docker", "compose")
    image = "labelwright"

    def build(self, tag: str, file: Path, context: Path, base: str) -> None:
        """Builds an image."""
        run(
            "docker",
            "build",
            f"--build-arg=BASE_IMAGE={base}",
            f"--tag={tag}",
            f"--file={file}",
            str(context),
        )

    def make_base(self) -> str:
        """The default base image."""
        return "debian:bookworm-slim"


def choose(folder: Path) -> Docker | Podman:
    """Docker if its daemon answers, otherwise podman."""
    docker = (
        shutil.which("docker")
        and subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0
    )
    if docker:
        return Docker(folder)
    missing = [name for name in ("podman", "podman-compose", "buildah", "runc") if not shutil.which(name)]
    assert not missing, f"install docker, or {' '.join(missing)}"
    return Podman(folder)


def main() -> None:
    """Builds, starts, judges, reports."""
    folder = Path(tempfile.mkdtemp(prefix="lw-containers-"))
    tool = choose(folder)
    figures: dict[str, Any] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "tool": tool.program}
    base = os.environ.get("BASE_IMAGE") or tool.make_base()
    if "LABELWRIGHT_IMAGE" not in os.environ:
        began = time.monotonic()
        tool.build("labelwright", ROOT / "Containerfile", ROOT, base)
        figures["build_seconds"] = round(time.monotonic() - began)
        os.environ["LABELWRIGHT_IMAGE"] = tool.image
    if isinstance(tool, Podman) and "POSTGRES_IMAGE" not in os.environ:
        for part in ("database", "proxy"):
            tool.build(f"labelwright-test-{part}", HERE / f"{part}.Containerfile", HERE, base)
        os.environ |= {
            "POSTGRES_IMAGE": "localhost/labelwright-test-database",
            "PROXY_IMAGE": "localhost/labelwright-test-proxy",
        }
    figures["image_megabytes"] = round(
        int(run(tool.program, "image", "inspect", "--format", "{{.Size}}", os.environ["LABELWRIGHT_IMAGE"]))
        / 1e6
    )
    _prepare(tool, folder)
    compose = [*tool.compose, "--project-name", "lwtest", "--file", str(ROOT / "compose.yaml")]
    try:
        began = time.monotonic()
        run(*compose, "up", "--detach", "--no-build")
        _wait_until_ready()
        figures["start_seconds"] = round(time.monotonic() - began, 1)
        figures |= _judge(tool)
    except BaseException:
        subprocess.run([*compose, "logs"], check=False)
        raise
    finally:
        subprocess.run([*compose, "down", "--volumes"], check=False)
    stored = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    FIGURES.write_text(json.dumps(stored | {"container": figures}, indent=2) + "\n")
    print(json.dumps(figures))


def _prepare(tool: Docker | Podman, folder: Path) -> None:
    """Settings with fresh keys, a certificate, and the variables of compose.yaml."""
    run(
        tool.program, "run", "--rm", "--user=0", f"--volume={folder}:/settings", os.environ["LABELWRIGHT_IMAGE"],
        "init", "/settings", "--address", f"https://{HOST}",
    )  # fmt: skip
    (folder / "tls").mkdir()
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}",
        "-keyout", str(folder / "tls/privkey.pem"), "-out", str(folder / "tls/fullchain.pem"),
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.environ |= {
        "DATABASE_PASSWORD": secrets.token_hex(16),
        "SERVER_NAME": HOST,
        "SETTINGS_FILE": str(folder / "labelwright.env"),
        "TLS_DIR": str(folder / "tls"),
        "HTTPS_PORT": HTTPS_PORT,
        "HTTP_PORT": HTTP_PORT,
    }


def _wait_until_ready() -> None:
    trusting = ssl._create_unverified_context()  # the certificate is our own
    request = urllib.request.Request(f"https://127.0.0.1:{HTTPS_PORT}/readyz", headers={"Host": HOST})
    until = time.monotonic() + 300
    while True:
        try:
            with urllib.request.urlopen(request, timeout=5, context=trusting):
                return
        except OSError:
            assert time.monotonic() < until, "the containers did not become ready"
            time.sleep(0.5)


def _judge(tool: Docker | Podman) -> dict[str, Any]:
    """Loads the demo study with commands in a container, and submits a task in a browser."""
    web = run(tool.program, "ps", "--filter", "name=web1", "--format", "{{.Names}}").split()[0]
    inside = (tool.program, "exec", web, "labelwright")
    run(*inside, "user", "add", "you@example.org")
    run(*inside, "study", "load", DEMO, "--owner", "you@example.org", "--open")
    links = run(*inside, "study", "links", "demo")
    link = re.search(rf"https://{HOST}/w/\S+", links)
    assert link, links
    _submit_in_browser(link[0])
    user = run(tool.program, "exec", web, "python", "-c", "import os; print(os.getuid())").strip()
    written = subprocess.run(
        [tool.program, "exec", web, "touch", "/opt/labelwright/x"], capture_output=True, check=False
    )
    assert user != "0", "the server runs as root"
    assert written.returncode != 0, "the root can be written to"
    return {"user": int(user), "read_only_root": True, "judged_in_browser": True}


def _submit_in_browser(link: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=[f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{HTTPS_PORT}"],
        )
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.goto(link)
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("3")
        with page.expect_response(lambda response: response.url.endswith("/t/submit")) as sent:
            page.get_by_role("button", name="Submit").click()
        # The page goes on to the next task at once, so the body of this answer can no longer be read.
        assert sent.value.status == 200, sent.value.status
        browser.close()


if __name__ == "__main__":
    main()
