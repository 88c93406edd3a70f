"""Benchmarks of the analysis, compared with plain DuckDB, and with other libraries for information.

The data is generated and the same on every run: items with five ratings each by 700 raters, who give
the item's true code, one of five, in about half of the ratings.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import duckdb

from bench.harness import compare, main, within
from labelwright.agreement import Bootstrap
from labelwright.analysis import Labels, measure_agreement
from labelwright.analysis.aggregation import majority_of_patterns
from labelwright.scales import Point, Scale
from labelwright.tables import local_engine

DATA = Path(__file__).parent / ".data"
SCALE = Scale(points=tuple(Point(code=code, name=f"point {code}") for code in range(5)))
MEASURES = ("percentage", "fleiss_kappa", "alpha_nominal")


def labels_file(items: int, *, named: bool = False, shuffled: bool = True) -> Path:
    """A Parquet file with five labels for each item, in random order unless sorting them would take too long."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"{'named' if named else 'numbered'}-{items}.parquet"
    if not path.exists():
        name = "'dialogue-' || lpad(i::varchar, 9, '0')" if named else "i"
        # The five raters of an item are at equal distances of at most 139, so none of the 700 judges it twice.
        engine = duckdb.connect(config={"memory_limit": "3GB", "temp_directory": str(DATA / "spill")})
        engine.sql(
            f"""copy (select {name} as item, ((hash(i) % 700 + r * (1 + hash(i * 3 + 1) % 139)) % 700)::int as rater,
                (case when hash(i * 10 + r) % 100 < 55 then hash(i) % 5 else hash(i * 31 + r * 7) % 5 end)::tinyint as label
                from range({items}) t(i), range(5) s(r) {"order by hash(i * 5 + r)" if shuffled else ""}) to '{path}' (format parquet)"""
        )
    return path


def per_item(path: Path, memory: str | None = None) -> None:
    """Percentage, Fleiss, alpha, majority and label distribution from one pass over the file."""
    labels = Labels.read(path, scale=SCALE, engine=local_engine(memory) if memory else None)
    [counts] = labels.counts().values()
    found = [each.of(counts.sums()) for each in _count_measures()]
    majority_of_patterns(counts)
    assert len(found) == len(MEASURES)
    assert counts.distribution.sum() > 0.99


def _count_measures():  # type: ignore[no-untyped-def]
    from labelwright.agreement import get_measure

    return [get_measure(name) for name in MEASURES]


def bare_patterns(path: Path) -> None:
    """The same counts in hand-written SQL: items by pattern of code counts, packed into one sum per item."""
    weights = " ".join(f"when {code} then {2.0 ** (8 * code)}::double" for code in range(5))
    duckdb.connect().sql(
        f"""select pattern, ratings, count(*) from (
            select item, sum(case label {weights} else {2.0**40}::double end) as pattern, count(*) as ratings
            from '{path}' group by item) group by all"""
    ).to_arrow_table()


def bare_item_counts(path: Path) -> None:
    """Counts per item and label, then per pattern: the obvious SQL."""
    columns = ", ".join(f"count(*) filter (label = {code}) as n{code}" for code in range(5))
    duckdb.connect().sql(
        f"select n0, n1, n2, n3, n4, count(*) from (select item, {columns} from '{path}' group by item) group by all"
    ).to_arrow_table()


def bench_per_item() -> None:
    """10 million labels, 2 million items, 700 raters."""
    for named in (False, True):
        path = labels_file(2_000_000, named=named)
        kind = "named" if named else "numbered"
        compare(
            f"per-item measures, 10M labels, {kind} items / packed SQL",
            lambda p=path: per_item(p),
            lambda p=path: bare_patterns(p),
            1.3,
        )
        compare(
            f"per-item measures, 10M labels, {kind} items / plain SQL",
            lambda p=path: per_item(p),
            lambda p=path: bare_item_counts(p),
            1.3,
        )


def pairwise(path: Path) -> None:
    """Mean pairwise Cohen's kappa."""
    measure_agreement(Labels.read(path, scale=SCALE), ["cohen_kappa"], bootstrap=None)


def bare_self_join(path: Path) -> None:
    """The cells of the contingency table of every pair of raters."""
    duckdb.connect().sql(
        f"""select a.rater, b.rater, a.label, b.label, count(*) from '{path}' a
            join '{path}' b on a.item = b.item and a.rater < b.rater group by all"""
    ).to_arrow_table()


def bare_pair_sums(path: Path) -> None:
    """The same self-join, with only the columns that kappa needs."""
    weight = (
        "case {}.label " + " ".join(f"when {c} then {2.0 ** (10 * c)}::double" for c in range(5)) + " end"
    )
    duckdb.connect().sql(
        f"""select a.rater, b.rater, count(*), sum((a.label = b.label)::int), sum({weight.format("a")}),
            sum({weight.format("b")}) from '{path}' a
            join '{path}' b on a.item = b.item and a.rater < b.rater group by all"""
    ).to_arrow_table()


def bench_pairwise() -> None:
    """10 million labels, 20 million pairs of ratings."""
    path = labels_file(2_000_000)
    compare(
        "mean pairwise kappa, 10M labels / self-join of cells",
        lambda: pairwise(path),
        lambda: bare_self_join(path),
        1.3,
    )
    compare(
        "mean pairwise kappa, 10M labels / self-join of sums",
        lambda: pairwise(path),
        lambda: bare_pair_sums(path),
        1.3,
    )


def bench_bootstrap() -> None:
    """1,000 replicates of alpha on 1 million labels, compared with reading the file and computing alpha once."""
    path = labels_file(200_000)

    def alpha(bootstrap: Bootstrap | None) -> None:
        measure_agreement(Labels.read(path, scale=SCALE), ["alpha_nominal"], bootstrap=bootstrap)

    compare(
        "1,000 bootstrap replicates of alpha, 1M labels / alpha once",
        lambda: alpha(Bootstrap(1000)),
        lambda: alpha(None),
        20,
    )


def _pandas_counts(path: Path):  # type: ignore[no-untyped-def]
    import pandas as pd

    frame = pd.read_parquet(path, columns=["item", "label"])
    return frame.groupby(["item", "label"]).size().unstack(fill_value=0).to_numpy()


def _ours(path: Path, *measures: str) -> Callable[[], None]:
    return lambda: print(end=f"{measure_agreement(Labels.read(path), measures, bootstrap=None)!r:.0}")


def _statsmodels(path: Path) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa

    assert fleiss_kappa(_pandas_counts(path)) > 0


def _krippendorff(path: Path) -> None:
    import krippendorff

    assert krippendorff.alpha(value_counts=_pandas_counts(path), level_of_measurement="nominal") > 0


def _irrcac(path: Path) -> None:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.read_parquet(path)
    frame["position"] = frame.groupby("item").cumcount()
    wide = frame.pivot(index="item", columns="position", values="label")
    assert CAC(wide).gwet()["est"]["coefficient_value"] > 0


def _crowd_kit_frame(path: Path):  # type: ignore[no-untyped-def]
    import pandas as pd

    return pd.read_parquet(path).rename(columns={"item": "task", "rater": "worker"})


def _crowd_kit(path: Path) -> None:
    from crowdkit.aggregation import MajorityVote

    assert len(MajorityVote().fit_predict(_crowd_kit_frame(path)))


def _crowd_kit_votes(path: Path) -> None:
    """crowd-kit's computation of labels only; `fit_predict` also computes how often each rater is right."""
    from crowdkit.aggregation.utils import get_most_probable_labels, normalize_rows

    votes = _crowd_kit_frame(path)[["task", "label"]].value_counts()
    assert len(get_most_probable_labels(normalize_rows(votes.unstack("label", fill_value=0))))


def _ours_majority(path: Path) -> None:
    from labelwright.analysis import majority

    found = majority(Labels.read(path), "lowest")
    assert found.items is not None
    assert len(found.items) == len(found.label) == len(found.posterior)


def _nltk(path: Path) -> None:
    import pandas as pd
    from nltk.metrics.agreement import AnnotationTask

    frame = pd.read_parquet(path)
    task = AnnotationTask(list(zip(frame["rater"], frame["item"], frame["label"], strict=True)))
    assert task.alpha() > 0


def bench_peers() -> None:
    """From the same file to the printed number with other libraries and pandas, without import time."""
    warnings.simplefilter("ignore")
    cases = [
        ("Fleiss' kappa, 10M labels / statsmodels", 2_000_000, _statsmodels, ("fleiss_kappa",)),
        ("alpha nominal, 10M labels / krippendorff", 2_000_000, _krippendorff, ("alpha_nominal",)),
        ("Gwet's AC1, 10M labels / irrCAC", 2_000_000, _irrcac, ("gwet_ac1",)),
        ("alpha nominal, 1M labels / NLTK", 200_000, _nltk, ("alpha_nominal",)),
    ]
    for name, items, theirs, measures in cases:
        path = labels_file(items)
        theirs(labels_file(2_000))
        compare(name, _ours(path, *measures), lambda p=path, t=theirs: t(p), 0.1)


def bench_majority() -> None:
    """From the same file to every item's label and shares, without import time."""
    warnings.simplefilter("ignore")
    path = labels_file(2_000_000)
    for work in (_crowd_kit, _crowd_kit_votes, _ours_majority):
        work(labels_file(2_000))
    for name, theirs, bar in (
        ("crowd-kit", _crowd_kit, 0.1),
        ("crowd-kit without raters' skill", _crowd_kit_votes, None),
    ):
        compare(
            f"majority label of every item, 10M labels / {name}",
            lambda: _ours_majority(path),
            lambda t=theirs: t(path),
            bar,
        )


def bench_large() -> None:
    """100 million labels, 20 million items: per-item measures within 4 GB of memory."""
    for named in (False, True):
        seconds, gigabytes = _measured_apart(labels_file(20_000_000, named=named))
        kind = "named" if named else "numbered"
        print(f"  {seconds:.1f} s")
        within(f"memory, per-item measures, 100M labels, {kind} items", gigabytes, 4.0, "GB")


def bench_billion() -> None:
    """A thousand million labels, 200 million items: the same code in the same memory, with the disk."""
    seconds, gigabytes = _measured_apart(labels_file(200_000_000, shuffled=False))
    within("time, per-item measures, 1,000M labels, spilling", seconds, 3600.0, "s")
    within("memory, per-item measures, 1,000M labels, spilling", gigabytes, 4.0, "GB")


def _measured_apart(path: Path) -> tuple[float, float]:
    """Seconds and gigabytes of a process that does nothing else."""
    command = [sys.executable, "-m", "bench.agreement", "--measure", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, gigabytes = map(float, done.stdout.split())
    return seconds, gigabytes


def _measure_alone(path: Path) -> None:
    start = time.perf_counter()
    per_item(path, memory="2.5GB")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(time.perf_counter() - start, peak)


BENCHES = {
    "per-item": bench_per_item,
    "pairwise": bench_pairwise,
    "bootstrap": bench_bootstrap,
    "peers": bench_peers,
    "majority": bench_majority,
}

if __name__ == "__main__":
    if "--measure" in sys.argv:
        _measure_alone(Path(sys.argv[-1]))
    elif "large" in sys.argv:
        bench_large()
    elif "billion" in sys.argv:
        bench_billion()
    else:
        main(BENCHES)
