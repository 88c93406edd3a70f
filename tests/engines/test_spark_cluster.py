"""Spark on a cluster of a master and two workers, processes of their own, gives what DuckDB gives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17 (openjdk-17-jre-headless)")
def test_a_cluster_gives_what_duckdb_gives() -> None:
    pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "bench.cluster"],
        env=os.environ | {"LABELWRIGHT_BENCH_SMALL": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    # Each line is printed after both results were found equal.
    assert done.stdout.count("DuckDB / Spark on a cluster of two workers") == 4
