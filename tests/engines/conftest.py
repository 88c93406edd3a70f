"""The engines that every function of `labelwright.tables` must give equal results on."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest


def _duckdb() -> Any:
    import ibis

    return ibis.duckdb.connect()


def _spark() -> Any:
    pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 (openjdk-17-jre-headless)")
    import ibis
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
    }
    builder = SparkSession.builder.master("local[2]").appName("labelwright-tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return ibis.pyspark.connect(builder.getOrCreate())


@pytest.fixture(scope="session")
def duckdb_engine() -> Any:
    return _duckdb()


@pytest.fixture(scope="session")
def spark_engine() -> Iterator[Any]:
    with warnings.catch_warnings():
        # Spark and Ibis warn about each other's versions; that is not what is tested here.
        warnings.simplefilter("ignore")
        engine = _spark()
    yield engine
    engine._session.stop()


@pytest.fixture(params=["duckdb", "spark"])
def engine(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(f"{request.param}_engine")
