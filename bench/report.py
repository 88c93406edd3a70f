"""Benchmark of a report: 960,000 judgments within a minute, and within twice the time of bare DuckDB queries.

The data is generated and the same on every run: 40,000 dialogues with a reply of each of two systems, judged by four of 600
raters under three conditions. The queries compute the same figures with the same intervals in plain SQL, as far as SQL can:
sums by group in the engine, and the last step (a formula over 200 groups) in numpy, as in the report. The report also audits
a sample, estimates replicates and draws the page, which no query does.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from bench.harness import SMALL, compare, main, within
from labelwright.analysis import read_labels
from labelwright.report import Report, ReportInput, make_report, render_html

DATA = Path(__file__).parent / ".data"
DIALOGUES = 400 if SMALL else 40_000
CONDITIONS = ("C_0", "C_3", "C_7")
CODES = range(1, 6)
GROUPS = 200
SEED = 1


def labels_file() -> Path:
    """A Parquet file with 960,000 judgments, if the benchmark is not run at a small size."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"report-{DIALOGUES}.parquet"
    if not path.exists():
        duckdb.connect().sql(
            f"""copy (select 'd' || d || '-' || s as item, 'd' || d as dialogue, ['alpha', 'beta'][s + 1] as system,
                'C_' || [0, 3, 7][c + 1] as condition, 'usefulness' as aspect,
                'r' || ((hash(d * 6 + s * 3 + c) % 600 + r * (1 + hash(d * 6 + s * 3 + c + 1) % 149)) % 600) as rater,
                case when hash(d * 10 + r * 100 + c + s) % 100 < 45 then 1 + (hash(d * 2 + s) % 5)::int
                     else 1 + (hash(d * 31 + r * 7 + c * 3 + s) % 5)::int end as label,
                round(5 + (hash(d * 7 + r + c + s * 11) % 4000) / 100, 1) as seconds,
                1 + (hash(d * 17 + r + c + s) % 5)::int as confidence,
                ((d * 2 + s) * 3 + c) * 4 + r as assignment,
                hash(d * 13 + r * 5 + c + s) % 100 < 4 as excluded
                from range({DIALOGUES}) t(d), range(2) u(s), range(3) v(c), range(4) w(r)) to '{path}' (format parquet)"""
        )
    return path


def report() -> Report:
    """All numbers of the report, from the file."""
    return make_report(ReportInput("Bench", read_labels(labels_file(), repeated="unchecked")), SEED)


def page() -> None:
    """The report as a page."""
    render_html(report())


# The group that a dialogue is left out with; any assignment at random will do.
_GROUP = f"hash(dialogue) % {GROUPS}"
_COUNTS = ", ".join(f"count(*) filter (label = {k}) as n{k}" for k in CODES)
_PAIRS = ", ".join(f"sum(n{i} * (n{j} - {int(i == j)}) / (n - 1)) as p{i}{j}" for i in CODES for j in CODES)


class Queries:
    """The queries, one method per section of the report."""

    def __init__(self) -> None:
        self.engine = duckdb.connect()
        self.engine.sql(f"create view every as select * from '{labels_file()}'")
        self.engine.sql("create view kept as select * from every where not excluded")

    def rows(self, query: str) -> Any:
        """The columns of a result."""
        return self.engine.sql(query).fetchnumpy()

    def sample(self) -> None:
        """Sizes by condition, and the workload of raters."""
        self.rows(
            "select condition, count(*), count(distinct item), count(distinct dialogue), count(distinct rater) from kept group by 1"
        )
        self.rows(
            "select quantile_cont(n, [0, .25, .5, .75, 1]) from (select count(*) as n from kept group by rater)"
        )

    def systems(self, source: str, where: str = "true") -> float:
        """Mean scores of systems with the variances of clusters; the p-value needs nothing else."""
        found = self.rows(
            f"""with r as (select item, dialogue, rater, system, (label - 1) / 4.0 as score from {source} where {where}),
            i as (select item, system, count(*) as n, avg(score) as mean from r group by all),
            s as (select system, avg(mean) as mean, count(*) as items from i group by 1),
            f as (select dialogue, rater, (case system when 'alpha' then 1 else -1 end)
                  * (score - s.mean) / i.n / s.items as e from r join i using (item, system) join s using (system))
            select (select sum(e * e) from (select sum(e) as e from f group by dialogue)) as d,
                   (select sum(e * e) from (select sum(e) as e from f group by rater)) as r,
                   (select sum(e * e) from (select sum(e) as e from f group by dialogue, rater)) as b,
                   (select list(mean order by system) from s) as means,
                   (select count(*) from (select system, sum(mean * mean) from i group by 1)) as k"""
        )
        first, second = found["means"][0]
        return float(first - second)

    def labels(self) -> None:
        """Distributions and majority labels."""
        self.rows("select condition, label, count(*) from kept group by all")
        self.rows(
            f"""with i as (select item, condition, {_COUNTS} from kept group by all),
            m as (select *, greatest({", ".join(f"n{k}" for k in CODES)}) as most from i)
            select condition, {", ".join(f"count(*) filter (n{k} = most) as m{k}" for k in CODES)} from m group by 1"""
        )

    def scores(self) -> None:
        """Mean scores by condition, in groups."""
        self.rows(
            f"""select condition, {_GROUP} as g, sum(mean), count(*) from (select condition, item, any_value(dialogue) as dialogue,
            avg((label - 1) / 4.0) as mean from kept group by all) group by all"""
        )

    def agreement(self, source: str, among: str = "true") -> float:
        """Coincidences of labels by condition and group, from which all measures are computed; Fleiss' kappa of C_0."""
        found = self.rows(
            f"""select condition, {_GROUP} as g, count(*) as items, {", ".join(f"sum(n{k} / n) as s{k}" for k in CODES)}, {_PAIRS}
            from (select condition, item, any_value(dialogue) as dialogue, count(*)::double as n, {_COUNTS} from {source}
            where {among} group by all) where n >= 2 group by all"""
        )
        own = found["condition"] == CONDITIONS[0]
        agreed = sum(found[f"p{k}{k}"][own].sum() for k in CODES)
        return float(agreed)

    def pairs(self, source: str) -> None:
        """Sums for every pair of raters: Cohen's kappa."""
        self.rows(
            f"""with c as (select a.condition, a.rater as x, b.rater as y, a.label as i, b.label as j, count(*) as n
            from {source} a join {source} b on a.item = b.item and a.condition = b.condition and a.rater < b.rater group by all),
            p as (select condition, x, y, sum(n) as n, sum(n) filter (i = j) as agreed,
            {", ".join(f"coalesce(sum(n) filter (i = {k}), 0) * coalesce(sum(n) filter (j = {k}), 0)" + f" as e{k}" for k in CODES)}
            from c group by all)
            select condition, sum(n * (coalesce(agreed, 0) / n - (e1 + e2 + e3 + e4 + e5) / (n * n))
            / nullif(1 - (e1 + e2 + e3 + e4 + e5) / (n * n), 0)) / sum(n) from p group by 1"""
        )

    def consistency(self) -> None:
        """Equal majority labels of every two conditions, and the pooled counts that tests need."""
        pools = ", ".join(f"a.n{k} + b.n{k} as n{k}" for k in CODES)
        self.rows(
            f"""with i as (select item, condition, count(*) as n, {_COUNTS} from kept group by all),
            m as (select *, greatest({", ".join(f"n{k}" for k in CODES)}) as most from i),
            l as (select *, case when {" + ".join(f"(n{k} = most)::int" for k in CODES)} > 1 then -1
                  {" ".join(f"when n{k} = most then {k}" for k in CODES)} end as label from m)
            select a.condition, b.condition, {pools}, a.n as own, count(*), count(*) filter (a.label = b.label and a.label > 0)
            from l a join l b on a.item = b.item and a.condition < b.condition group by all"""
        )

    def shifts(self, value: str) -> None:
        """Differences of item means to the first condition, in groups."""
        self.rows(
            f"""with i as (select item, condition, any_value(dialogue) as dialogue, avg({value}) as mean from kept group by all)
            select b.condition, hash(b.dialogue) % {GROUPS} as g, sum(b.mean - a.mean), sum((b.mean - a.mean) ** 2), sum(a.mean),
            count(*) from i a join i b on a.item = b.item and a.condition = 'C_0' and b.condition <> 'C_0' group by all"""
        )

    def times(self) -> None:
        """Quartiles of the time per task, item and judgment."""
        self.rows(
            """select condition, quantile_cont(s, [.25, .5, .75]), quantile_cont(s / i, [.25, .5, .75]),
            quantile_cont(s / n, [.25, .5, .75]) from (select assignment, any_value(condition) as condition,
            any_value(seconds) as s, count(distinct item) as i, count(*) as n from kept group by 1) group by 1"""
        )

    def exclusion(self) -> None:
        """Shares excluded by condition, with the variances of clusters."""
        self.rows(
            """with s as (select condition, avg(excluded::int) as share, count(*) as n from every group by 1),
            f as (select item, rater, condition, (excluded::int - share) / n as e from every join s using (condition)),
            c as (select item, rater, sum(e) filter (condition = 'C_0') as a, sum(e) filter (condition = 'C_3') as b,
            sum(e) filter (condition = 'C_7') as c from f group by all)
            select (select count(*) from (select item, sum(a), sum(b), sum(c) from c group by 1)),
            (select count(*) from (select rater, sum(a), sum(b), sum(c) from c group by 1)), sum(a * a), sum(b * b) from c"""
        )

    def confidence(self) -> None:
        """Rank correlation of confidence and agreement, by condition."""
        agreed = " + ".join(f"n{k} * (n{k} - 1)" for k in CODES)
        self.rows(
            f"""with i as (select condition, item, avg(confidence) as c, count(*) as n, {_COUNTS} from kept group by all),
            a as (select condition, c, ({agreed}) / (n * (n - 1)) as a from i where n > 1),
            r as (select condition, rank() over (partition by condition order by c) + (count(*) over (partition by condition, c)) / 2.0
            as x, rank() over (partition by condition order by a) + (count(*) over (partition by condition, a)) / 2.0 as y from a)
            select condition, corr(x, y) from r group by 1"""
        )

    def run(self) -> None:
        """Every figure of the report, before and after exclusion where the report has both."""
        self.sample()
        for source in ("kept", "every"):
            self.systems(source)
            self.agreement(source)
            self.pairs(source)
            self.scores()
        for condition in CONDITIONS:
            self.systems("kept", f"condition = '{condition}'")
        for condition in CONDITIONS[1:]:
            common = f"item in (select item from kept where condition = '{condition}')"
            self.agreement("kept", f"condition in ('C_0', '{condition}') and {common}")
        self.labels()
        self.consistency()
        self.shifts("(label - 1) / 4.0")
        self.shifts("seconds")
        self.times()
        self.exclusion()
        self.confidence()


def check(found: Report) -> None:
    """The queries and the report agree, as a sample of their figures shows."""
    tables = {b["key"]: b for part in found.tree["sections"] for b in part["blocks"] if b["type"] == "table"}
    queries = Queries()
    difference = tables["system-differences"]["rows"][0]["difference"]["value"]
    assert np.isclose(difference, queries.systems("kept")), difference
    row = tables["agreement-usefulness-1"]["rows"][0]
    total = queries.rows(
        "select count(*) as n from (select item from kept where condition = 'C_0' group by 1 having count(*) > 1)"
    )["n"][0]
    share = row["percentage"]["value"]
    pairs = queries.rows(
        f"""select avg(({" + ".join(f"n{k} * (n{k} - 1)" for k in CODES)}) / (n * (n - 1))) as share from (select item,
        count(*)::double as n, {_COUNTS} from kept where condition = 'C_0' group by 1) where n > 1"""
    )["share"][0]
    assert row["items"] == total
    assert np.isclose(share, pairs), (share, pairs)


def whole_report() -> None:
    """The report with its page: seconds, and against the bare queries."""
    start = time.perf_counter()
    found = report()
    render_html(found)
    within("report of 1M judgments with its page", time.perf_counter() - start, 60, "s")
    check(found)
    compare("report of 1M judgments, with its page / DuckDB queries", page, Queries().run, bar=2)


if __name__ == "__main__":
    main({"report": whole_report})
