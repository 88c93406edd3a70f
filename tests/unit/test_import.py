"""`import labelwright` is quick and pulls in nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

import labelwright


def _python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_import_takes_under_half_a_second() -> None:
    code = "import time; t = time.perf_counter(); import labelwright; print(time.perf_counter() - t)"
    assert min(float(_python(code)) for _ in range(3)) < 0.5


def test_the_library_pulls_in_no_server_no_spark_and_no_model_library() -> None:
    code = (
        "import sys, labelwright; labelwright.Labels; labelwright.audit; labelwright.measure_agreement;"
        "heavy = {'django', 'pyspark', 'torch', 'transformers', 'openai', 'krippendorff', 'crowdkit'};"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    assert _python(code) == "[]"


@pytest.mark.parametrize(
    "code",
    [
        "from labelwright.cli import register_commands; register_commands()",
        "from labelwright.server.config.startup import set_up; set_up(); import labelwright.server.config.urls",
    ],
    ids=["commands", "server"],
)
def test_what_takes_a_second_to_import_waits_for_its_first_use(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABELWRIGHT_DEMO", "1")
    monkeypatch.setenv("DATABASE_URL", "postgresql:///none")
    slow = "{'altair', 'ibis', 'scipy.stats', 'vl_convert'}"
    assert _python(f"import sys; {code}; print(sorted({slow} & set(sys.modules)))") == "[]"


def _required(name: str, seen: set[str]) -> set[str]:
    """The distributions that installing one without extras brings, by what is installed here."""
    from importlib.metadata import PackageNotFoundError, requires

    from packaging.requirements import Requirement

    try:
        wanted = [Requirement(line) for line in requires(name) or []]
    except PackageNotFoundError:
        return seen
    for each in wanted:
        extras = each.extras or {""}
        fits = each.marker is None or each.marker.evaluate({"extra": ""})
        if fits and each.name.lower() not in seen:
            seen.add(each.name.lower())
            _required(each.name, seen)
            if "duckdb" in extras:
                seen.add("duckdb")
    return seen


def test_installing_the_bare_library_brings_no_server_no_spark_and_no_model_library() -> None:
    found = _required("labelwright", set())
    assert {"duckdb", "numpy", "typer"} <= found
    heavy = {
        "django",
        "pyspark",
        "torch",
        "transformers",
        "openai",
        "krippendorff",
        "crowd-kit",
        "boto3",
        "granian",
    }
    assert found & heavy == set()


def test_public_names_are_all_there() -> None:
    assert all(getattr(labelwright, name) is not None for name in labelwright.__all__)
    assert set(dir(labelwright)) == set(labelwright.__all__)
    with pytest.raises(AttributeError, match="nothing_such"):
        labelwright.nothing_such  # noqa: B018


def test_a_public_name_is_the_same_inside_and_outside() -> None:
    published = {name: getattr(labelwright, name) for name in labelwright.__all__ if name != "__version__"}
    assert [name for name, value in published.items() if value.__name__ != name] == []
    assert labelwright.measure_agreement is labelwright.analysis.measure_agreement
