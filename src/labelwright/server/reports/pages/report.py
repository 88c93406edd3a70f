"""Template context of the page of the report."""

from __future__ import annotations

from typing import Any

from labelwright.server.reports.actions.report import ARCHIVE, FILES, NUMBERS, PAGE, ReportStatus
from labelwright.server.store.models import StudyReport
from labelwright.server.studies.actions.plans import get_plan_history
from labelwright.study import plan_of_record

Context = dict[str, Any]
State = StudyReport.State
ABOUT = {
    PAGE: "The whole report as one page that needs no other file",
    NUMBERS: "Every number of the report",
    ARCHIVE: "Page and numbers, figures as SVG, PNG and PDF, and tables as CSV and LaTeX",
}
STEPS = {State.WAITING: "Waiting for the worker", State.MAKING: "Beginning"}


def report(status: ReportStatus) -> Context:
    """The state of the report, its files, and the plan that it is compared with."""
    found = status.report
    state = State(found.state) if found else None
    return {
        "report": found,
        "under_way": state in (State.WAITING, State.MAKING),
        "step": (found.step if found and found.step else STEPS.get(state, "")) if state else "",
        "failed": state is State.FAILED,
        "outdated": status.outdated,
        "page": PAGE if PAGE in status.sizes else "",
        "files": [
            {"name": name, "about": ABOUT[name], "bytes": status.sizes[name]}
            for name in FILES
            if name in status.sizes
        ],
        "plan": plan_of_record(get_plan_history(status.study)),
    }
