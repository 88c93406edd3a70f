"""The files of a report: report.html, report.json, figures/*.svg, .png and .pdf, and tables/*.csv and .tex."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from labelwright.report.drawing import pictures_of, svg_of
from labelwright.report.page import render_html
from labelwright.report.tree import Json, Report
from labelwright.report.writing import csv_text, latex_text


def write_report(report: Report, folder: Path) -> list[Path]:
    """Writes all files of a report into a folder, which is made if it does not exist, and returns their paths."""
    written = []
    for name, content in report_files(report):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written.append(path)
    return written


def report_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The name and the content of every file, one after the other."""
    drawn = {block["key"]: svg_of(block) for block in _blocks(report) if block["type"] == "figure"}
    yield "report.html", render_html(report, drawn).encode()
    yield "report.json", f"{report.json()}\n".encode()
    for block in _blocks(report):
        name = f"{block['number']:02d}-{block['key']}"
        if block["type"] == "table":
            # Spreadsheets recognise UTF-8 by its mark.
            yield f"tables/{name}.csv", csv_text(block).encode("utf-8-sig")
            yield f"tables/{name}.tex", latex_text(block).encode()
        else:
            for form, content in pictures_of(drawn[block["key"]]).items():
                yield f"figures/{name}.{form}", content


def _blocks(report: Report) -> Iterator[Json]:
    for part in report.tree["sections"]:
        yield from (block for block in part["blocks"] if block["type"] in {"table", "figure"})
