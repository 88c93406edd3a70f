"""The areas of the server, in dependency order, with the job and URL modules of each."""

from __future__ import annotations

from pathlib import Path

PACKAGE = "labelwright.server"
AREAS = (
    "config",
    "store",
    "web",
    "access",
    "people",
    "contexts",
    "studies",
    "offering",
    "tallies",
    "paying",
    "publishing",
    "rating",
    "preview",
    "flagging",
    "profiles",
    "results",
    "judges",
    "review",
    "reports",
    "releasing",
    "team",
    "api",
    "rehearsal",
    "editor",
    "operations",
)
_SERVER = Path(__file__).parents[1]


def job_modules() -> list[str]:
    """The modules that register background jobs when they are imported.

    >>> "labelwright.server.studies.jobs" in job_modules()
    True
    """
    return _modules("jobs")


def url_modules() -> list[str]:
    """The URL modules of all areas.

    >>> url_modules()[-1]
    'labelwright.server.operations.urls'
    """
    return _modules("urls")


def _modules(name: str) -> list[str]:
    found = (area for area in AREAS if area != "config" and (_SERVER / area / f"{name}.py").exists())
    return [f"{PACKAGE}.{area}.{name}" for area in found]
