"""Spark on a real cluster on this machine, a master and two workers as processes of their own, compared with DuckDB.

Agreement of 10 and of 100 million labels, and the categories and the sample of a corpus: equal rows and equal figures.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from bench.corpus import EACH, SEED, turns_file
from bench.harness import SMALL, compare, main
from labelwright import tables
from labelwright.agreement import Bootstrap
from labelwright.analysis import Labels, majority, measure_agreement
from labelwright.corpus import CategoriesPart, SamplePart, classify, sample
from labelwright.scales import Point, Scale

DATA = Path(__file__).parent / ".data"
SCALE = Scale(points=tuple(Point(code=code, name=f"point {code}") for code in range(5)))
MEASURES = ("percentage", "fleiss_kappa", "alpha_nominal")
LABELS = (20_000,) if SMALL else (10_000_000, 100_000_000)
DIALOGUES = 2_000 if SMALL else 1_000_000
MEMORY = "1g" if SMALL else "3g"


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def standalone_cluster(workers: int = 2) -> Iterator[str]:
    """The address of a master with workers of one core each, started with the scripts of pyspark."""
    import pyspark

    spark = Path(pyspark.__file__).parent
    address = f"spark://127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory(prefix="lw-spark-") as folder, ExitStack() as running:
        environment = os.environ | {
            "SPARK_HOME": str(spark),
            "SPARK_LOCAL_DIRS": folder,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }

        def start(role: str, *arguments: str) -> None:
            command = [str(spark / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}", *arguments]
            log = running.enter_context((Path(folder) / "log").open("ab"))
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            running.callback(process.wait, 20)
            running.callback(process.terminate)

        port = address.rsplit(":", 1)[1]
        start("master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
        for _ in range(workers):
            start(
                "worker.Worker", "--cores", "1", "--memory", MEMORY, "--work-dir", folder, "--webui-port", "0", address
            )  # fmt: skip
        yield address


@contextmanager
def spark_engine() -> Iterator[Any]:
    """Our engine on such a cluster."""
    settings = f"--driver-memory {MEMORY} --executor-memory {MEMORY} --conf spark.driver.host=127.0.0.1"
    settings += " --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=16"
    settings += " --conf spark.ui.showConsoleProgress=false --conf spark.log.level=ERROR --conf spark.scheduler.minRegisteredResourcesRatio=1"
    os.environ["PYSPARK_SUBMIT_ARGS"] = settings + " pyspark-shell"
    with standalone_cluster() as address, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = tables.connect(address)
        try:
            yield engine
        finally:
            engine.disconnect()


def labels_file(labels: int) -> Path:
    """Five labels of each item in each of two conditions, as the labels of several models would be."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"conditions-{labels}.parquet"
    if not path.exists():
        engine = duckdb.connect(config={"memory_limit": "3GB", "temp_directory": str(DATA / "spill")})
        engine.sql(
            f"""copy (select 'dialogue-' || lpad(i::varchar, 9, '0') as item, 'c' || c as condition, r::int as rater,
                  (case when hash(i * 10 + r + c) % 100 < 55 then hash(i) % 5 else hash(i * 31 + r * 7 + c) % 5 end)::int
                  as label from range({labels // 10}) t(i), range(2) u(c), range(5) s(r)) to '{path}' (format parquet)"""
        )
    return path


def agreement(engine: Any, labels: int) -> str:
    """Agreement with intervals, both conditions together, which keeps their items together."""
    read = Labels.read(f"file://{labels_file(labels)}", scale=SCALE, engine=engine, repeated="unchecked")
    return measure_agreement(read, MEASURES, bootstrap=Bootstrap(200, seed=1)).json()


def by_condition(engine: Any, labels: int) -> str:
    """Agreement of each condition, from counts alone."""
    read = Labels.read(f"file://{labels_file(labels)}", scale=SCALE, engine=engine, repeated="unchecked")
    return measure_agreement(read, MEASURES, ["condition"], bootstrap=None).json()


def corpus(engine: Any) -> pa.Table:
    """Classified and sampled dialogues."""
    turns = tables.read(f"file://{turns_file(DIALOGUES)}", engine)
    drawn = SamplePart(method="per_stratum", n=10 if SMALL else EACH)
    found = sample(classify(turns, CategoriesPart(preset="lets_go")), drawn, SEED)
    return tables.fetch(found, ["dialogue", "category", "sample_weight"])


def votes(engine: Any, labels: int) -> list[Any]:
    """The majority label of every item, fetched."""
    read = Labels.read(f"file://{labels_file(labels)}", scale=SCALE, engine=engine, repeated="unchecked")
    return majority(read.where(condition="c0"), "lowest").frame().sort_by("item").to_pylist()


def bench_cluster() -> None:
    """Every figure on the cluster and on DuckDB: equal, with the time of each."""
    with spark_engine() as engine:
        both: list[Any] = []

        def timed(name: str, work: Any) -> None:
            both.clear()
            start = time.perf_counter()
            both.append(work(engine))
            spark = time.perf_counter() - start
            start = time.perf_counter()
            both.append(work(None))
            local = time.perf_counter() - start
            assert both[0] == both[1], name
            compare(f"{name}: DuckDB / Spark on a cluster of two workers", lambda: local, lambda: spark, None)

        for labels in LABELS:
            timed(f"agreement by condition, {labels:,} labels", lambda e, n=labels: by_condition(e, n))
            timed(f"agreement with intervals, {labels:,} labels", lambda e, n=labels: agreement(e, n))
        timed(f"categories and sample of {DIALOGUES:,} dialogues", corpus)
        timed(f"majority labels, {LABELS[0]:,} labels", lambda e: votes(e, LABELS[0]))


if __name__ == "__main__":
    main({"cluster": bench_cluster})
