"""The report of a study: every figure with its interval, as one tree of numbers, and as a page, figures and tables.

found = make_report(ReportInput("My study", read_labels("labels.csv")), seed=1)
write_report(found, Path("report"))
"""

from labelwright.report.facts import Facts
from labelwright.report.files import write_report
from labelwright.report.input import ReportInput
from labelwright.report.making import make_report
from labelwright.report.page import render_html
from labelwright.report.reading import ReadingOptions, read_export_input, read_input
from labelwright.report.tree import Report

__all__ = [
    "Facts",
    "ReadingOptions",
    "Report",
    "ReportInput",
    "make_report",
    "read_export_input",
    "read_input",
    "render_html",
    "write_report",
]
