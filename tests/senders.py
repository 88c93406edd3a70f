"""Senders of calls that are killed: one process is made ready, and each doomed sender is a copy of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime

POINTS = ("before_call", "after_effect", "before_commit")
"""Where a sender dies: before it calls, while it waits for the answer, and with the answer before it is stored."""
READY = """
import json, os, signal, sys
from datetime import datetime
from labelwright.server.config.startup import set_up
set_up()
from labelwright.crowd.platform import PLATFORMS
from labelwright.server.paying import jobs
list(PLATFORMS)
import boto3.session

class Doomed:
    def __init__(self, to, point):
        self.to, self.point, self.find, self.close = to, point, to.find, to.close

    def send(self, call):
        if self.point == "before_call":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = self.to.send(call)
        if self.point == "before_commit":
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

for line in sys.stdin:
    told = json.loads(line)
    child = os.fork()
    if not child:
        os.environ.update(told["environment"])
        connect = lambda name: Doomed(PLATFORMS[name].connect(os.environ), told["point"])
        jobs.send_next(datetime.fromisoformat(told["now"]), connect)
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class DoomedSenders:
    """Makes senders that die at a point."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", READY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def die(self, point: str, now: datetime, is_waiting: Callable[[], bool]) -> None:
        """One sender takes the call that is due and dies; `is_waiting` says when the platform holds its answer back."""
        settings = {name: value for name, value in os.environ.items() if name.startswith("LABELWRIGHT_")}
        self._tell(json.dumps({"point": point, "now": now.isoformat(), "environment": settings}))
        child = int(self._hear())
        if point == "after_effect":
            until = time.monotonic() + 60
            while not is_waiting() and time.monotonic() < until:
                time.sleep(0.01)
            os.kill(child, signal.SIGKILL)
        assert int(self._hear()) == -signal.SIGKILL

    def close(self) -> None:
        """Ends the process that is ready."""
        self._process.communicate(timeout=30)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()
