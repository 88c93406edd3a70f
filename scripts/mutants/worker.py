"""Runs pytest again and again, each time in a fork of a process that has loaded the slow libraries once.

Reads lines of JSON, `{"arguments": [...], "seconds": 30}`, and answers each with `passed`, `failed` or `late`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import time
import warnings

# Importing them takes three seconds, a test of one function a few milliseconds.
SLOW = ("scipy.stats", "ibis", "duckdb", "pandas", "pyarrow.parquet", "altair", "pydantic", "sklearn.metrics")
SLOW_ORACLES = ("crowdkit.aggregation", "irrCAC.raw", "krippendorff", "statsmodels.stats.inter_rater")


def main() -> None:
    warnings.simplefilter("ignore")
    for name in (*SLOW, *SLOW_ORACLES):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        asked = json.loads(line)
        print(run(asked["arguments"], asked["seconds"]), flush=True)


def run(arguments: list[str], seconds: float) -> str:
    child = os.fork()
    if not child:
        _in_the_child(arguments)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "passed" if status == 0 else "failed"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "late"


def _in_the_child(arguments: list[str]) -> None:
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    warnings.resetwarnings()
    status = 1
    try:
        import pytest

        status = int(pytest.main(arguments))
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
