"""A pytest plugin that records which test runs which line, and how long each test takes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

seconds: dict[str, float] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    measured = coverage.Coverage.current()
    assert measured is not None
    measured.switch_context(item.nodeid)
    yield
    measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    Path(os.environ["MUTANTS_SECONDS"]).write_text(json.dumps(seconds))
