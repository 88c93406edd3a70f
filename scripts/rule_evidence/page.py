"""The page on what the rules catch: its tables and its chart, made from stored measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt

from labelwright.charts import Chart, rows_of, save

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "rule-evidence.json"
PAGE = ROOT / "docs" / "explanation" / "quality-rules.md"
PICTURE = ROOT / "docs" / "pictures" / "rule-evidence.svg"
CURVE = ROOT / "docs" / "pictures" / "rule-strictness.svg"
KINDS = ("straight-lining", "random", "hasty", "colluding", "copying", "model-written", "bad", "careful")
USES = ("all work", "without flagged work", "collected again")


def read() -> dict[str, Any]:
    """The stored measurements."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def with_tables(page: str, results: dict[str, Any]) -> str:
    """The page with its tables."""
    for name, table in (
        ("crowds", _crowds(results["crowds"])),
        ("rules", _rules(results["crowds"])),
        ("curve", _curve(results["curve"])),
        ("lets-go", "\n".join(results["lets_go"]["table"]) + "\n"),
    ):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = page.partition(begin)
        page = before + begin + "\n" + table + "\n" + end + rest.partition(end)[2]
    return page


def _crowds(rows: list[dict[str, Any]]) -> str:
    head = [
        "behaviours",
        "bad raters",
        *(f"{kind} flagged" for kind in KINDS),
        *(f"labels: {use}" for use in USES),
    ]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in rows:
        cells = [row["behaviours"], f"{row['bad']:.0%}"]
        cells += [f"{row['flagged'].get(kind, 0):.1%}" for kind in KINDS]
        cells += [f"{row['accuracy'][use]:.1%}" for use in USES]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _rules(rows: list[dict[str, Any]]) -> str:
    held_out = [row for row in rows if row["behaviours"] == "held out"]
    head = ["rule", *(f"{row['bad']:.0%} bad: {which}" for row in held_out for which in ("bad", "careful"))]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for rule in held_out[0]["rules"]:
        cells = [f"{row['rules'][rule][which]:.1%}" for row in held_out for which in ("bad", "careful")]
        lines.append(f"| `{rule}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _curve(rows: list[dict[str, Any]]) -> str:
    head = [
        "`share`",
        "`below`",
        *(f"{name}: {which}" for name in ("tuned", "held out") for which in ("bad", "careful")),
    ]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for tuned in (row for row in rows if row["behaviours"] == "tuned"):
        level = (tuned["share"], tuned["below"])
        (held_out,) = (
            row for row in rows if row["behaviours"] == "held out" and (row["share"], row["below"]) == level
        )
        cells = [f"{row[which]:.1%}" for row in (tuned, held_out) for which in ("bad", "careful")]
        lines.append(f"| {level[0]:g} | {level[1]:g} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def draw_curve(rows: list[dict[str, Any]]) -> Chart:
    """Bad work that is flagged against careful work that is, from mild to strict settings."""
    return (
        alt.Chart(rows_of(rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("careful:Q", title="careful work that is flagged", axis=alt.Axis(format="%")),
            y=alt.Y(
                "bad:Q",
                title="bad work that is flagged",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0.7, 1]),
            ),
            order="share:Q",
            strokeDash=alt.StrokeDash("behaviours:N", sort=["tuned", "held out"], title=None),
        )
        .properties(
            width=420, height=220, description="Bad and careful work that is flagged, from mild to strict"
        )
    )


def draw(rows: list[dict[str, Any]]) -> Chart:
    """Work that is flagged by kind of rater, and labels that are right, by the share of bad raters."""
    flagged = [
        {
            "behaviours": row["behaviours"],
            "bad": f"{row['bad']:.0%}",
            "kind": "all bad raters" if kind == "bad" else kind,
            "share": row["flagged"][kind],
        }
        for row in rows
        for kind in KINDS
    ]
    right = [
        {
            "behaviours": row["behaviours"],
            "bad": f"{row['bad']:.0%}",
            "use": use,
            "share": row["accuracy"][use],
        }
        for row in rows
        for use in USES
    ]
    order = [f"{share:.0%}" for share in sorted({row["bad"] for row in rows})]
    kinds = ["all bad raters" if kind == "bad" else kind for kind in KINDS]
    panels = [
        alt.Chart(rows_of([each for each in flagged if each["behaviours"] == name]))
        .mark_point()
        .encode(
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("kind:N", sort=kinds, title=None),
            color=alt.Color("bad:O", sort=order, title="share of bad raters"),
        )
        .properties(width=300, height=alt.Step(22), title=f"Work that is flagged, {name} behaviours")
        for name in ("tuned", "held out")
    ]
    labels = [
        alt.Chart(rows_of([each for each in right if each["behaviours"] == name]))
        .mark_line(point=True)
        .encode(
            x=alt.X("bad:O", sort=order, title="bad raters", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("share:Q", title=None, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0.7, 1])),
            strokeDash=alt.StrokeDash("use:N", sort=list(USES), title=None),
        )
        .properties(width=300, height=160, title=f"Items whose majority label is right, {name}")
        for name in ("tuned", "held out")
    ]
    return alt.vconcat(alt.hconcat(*panels), alt.hconcat(*labels), spacing=28).properties(
        description="Flagged work by kind of rater, and right labels, with 5, 10 and 30% bad raters"
    )


def write(results: dict[str, Any]) -> None:
    """Stores measurements, and makes the tables and the chart of the page from them."""
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    save(draw(results["crowds"]), PICTURE)
    save(draw_curve(results["curve"]), CURVE)
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
