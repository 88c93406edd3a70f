"""What the pages of releases show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.release.data_sheet import SECTIONS, SheetAnswers
from labelwright.release.personal_data import HitDecision, HitKind
from labelwright.server.releasing.actions.files import Readiness
from labelwright.server.results.pages.exports import STATES, State
from labelwright.server.store.models import PersonalHit, PreparedExport
from labelwright.server.web.desk import Context

KINDS = {HitKind.EMAIL: "Mail address", HitKind.PHONE: "Phone number", HitKind.PLATFORM_ID: "Platform ID"}
DECISIONS = {
    HitDecision.KEEP: "Keep",
    HitDecision.REPLACE: "Hide",
    HitDecision.LEAVE_OUT: "Leave text out",
}
DECIDED = {
    HitDecision.KEEP: "Kept",
    HitDecision.REPLACE: "Hidden",
    HitDecision.LEAVE_OUT: "Text left out",
}
SOURCES = {
    "answer": "answers",
    "rater_sheet": "answers about the rater",
    "dialogue": "dialogues",
    "item": "items",
    "context": "generated texts",
    "generation": "requests to a language model",
    "flag": "flags",
}


@dataclass(frozen=True, slots=True)
class ReleaseStep:
    """One line of the checklist."""

    name: str
    done: bool
    text: str
    href: str = ""
    go: str = ""


def checklist(ready: Readiness, root: str) -> list[ReleaseStep]:
    """What to do before a release, in order."""
    return [
        ReleaseStep(
            "Collection",
            ready.is_closed,
            "The study is closed."
            if ready.is_closed
            else "The study is not closed. You can release it now, but later answers are not part of the release.",
            "" if ready.is_closed else f"{root}/state",
            "Close study",
        ),
        _search(ready, root),
        ReleaseStep(
            "Data sheet",
            not ready.open_fields,
            "Every field is answered."
            if not ready.open_fields
            else f"{len(ready.open_fields)} fields are open. The documents of the release mark them as open.",
            f"{root}/release/data-sheet",
            "Fill in",
        ),
    ]


def _search(ready: Readiness, root: str) -> ReleaseStep:
    page = f"{root}/release/personal-data"
    if ready.scan is None or ready.scan.scanned_at is None:
        return ReleaseStep("Personal data", False, "The texts have not been searched yet.", page, "Search")
    if ready.hits.open:
        n = ready.hits.open
        text = f"{n:,} text{'s' if n > 1 else ''} may be personal data. Somebody has to decide before the release."
        return ReleaseStep("Personal data", False, text, page, "Decide")
    found = f"{ready.hits.found:,} found, all decided." if ready.hits.found else "Nothing was found."
    return ReleaseStep(
        "Personal data", True, f"{ready.scan.texts:,} texts searched. {found}", page, "Look again"
    )


def release(ready: Readiness, files: Sequence[PreparedExport], root: str) -> Context:
    """The checklist and the files."""
    return {
        "steps": checklist(ready, root),
        "refused": ready.hits.open > 0,
        "files": [_file(file) for file in files],
        "under_way": any(file.state in (State.WAITING, State.WRITING) for file in files),
    }


def _file(file: PreparedExport) -> Context:
    return {
        "of": file,
        "state": STATES[State(file.state)],
        "ready": file.state == State.READY,
        "writing": file.state == State.WRITING,
        "failed": file.state == State.FAILED,
        "percent": min(99, 100 * file.written // max(file.total, 1)),
    }


def personal_data(ready: Readiness, hits: Sequence[tuple[PersonalHit, str]]) -> Context:
    """The texts that were found, each with the text around it."""
    searching = ready.scan is not None and (
        ready.scan.scanned_at is None or ready.scan.asked_at > ready.scan.scanned_at
    )
    return {
        "scan": ready.scan,
        "counts": ready.hits,
        "searching": searching,
        "hits": [_hit(hit, around) for hit, around in hits],
        "decisions": [(str(decision), name) for decision, name in DECISIONS.items()],
    }


def _hit(hit: PersonalHit, around: str) -> Context:
    before, _, after = around.partition(hit.text)
    return {
        "of": hit,
        "kind": KINDS[HitKind(hit.kind)],
        "before": before,
        "after": after,
        "source": SOURCES.get(hit.source, "other texts"),
        "decided": DECIDED[HitDecision(hit.decision)] if hit.decision else "",
    }


def data_sheet(sheet: SheetAnswers) -> Context:
    """The form of the data sheet, with the answers so far."""
    return {
        "sections": [
            {
                "title": section.title,
                "fields": [
                    {"of": each, "value": sheet[each.name], "open": not sheet[each.name]}
                    for each in section.fields
                ],
            }
            for section in SECTIONS
        ],
        "open": len(sheet.open),
    }
