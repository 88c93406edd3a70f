"""The soak, shortened: everything under a simulated crowd, and its judge of growth."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.soak_figures import Figures

pytestmark = [pytest.mark.postgres, pytest.mark.parallel]

SOAK_MINUTES = "0.5"


def test_a_short_soak_is_steady_and_loses_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "bench.soak"],
        cwd=Path(__file__).parents[2],
        env={k: v for k, v in os.environ.items() if k != "DATABASE_URL"} | {"SOAK_MINUTES": SOAK_MINUTES},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "steady: nothing grew, nothing lost, nothing twice" in done.stdout


def figures(**samples: list[float]) -> Figures:
    return Figures({name: list(values) for name, values in samples.items()})


def test_a_leak_is_told_and_warming_up_is_not():
    # 60 samples; the second quarter is 15 to 29, the last 45 to 59, so a rise of 1 MB a sample is 30 MB.
    warming = [100.0 + min(n, 15) * 10 for n in range(60)]
    leaking = [100.0 + n for n in range(60)]
    assert figures(server=warming).faults(20) == []
    assert figures(server=leaking).faults(20) == ["server: grew from 122 to 152"]
    assert figures(connections=[10.0] * 60).faults(20) == []
    assert figures(connections=[10.0] * 40 + [14.0] * 20).faults(20) == ["connections: grew from 10 to 14"]
    # Threads that open their connection late.
    assert figures(connections=[27.0] * 40 + [30.0] * 20).faults(40) == []
    assert figures(connections=[27.0] * 40 + [33.0] * 20).faults(40) == ["connections: grew from 27 to 33"]
    assert figures(connections=[10.0, 30.0] * 30).faults(20) == ["connections: 30 of at most 20"]
    assert figures(server=[1.0] * 3).faults(20) == ["only 3 samples of server"]


def test_sessions_that_warm_up_are_no_leak_of_the_database():
    sessions = [24.0] * 40 + [26.0] * 20
    warming = Figures({"postgresql, MB": [144.0] * 40 + [175.0] * 20, "connections": sessions})
    assert warming.faults(40) == []
    leaking = Figures({"postgresql, MB": [144.0] * 40 + [230.0] * 20, "connections": sessions})
    assert leaking.faults(40) == ["postgresql, MB: grew from 144 to 230"]
