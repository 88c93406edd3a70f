"""Making: the tree of a report from its input."""

from __future__ import annotations

from collections.abc import Iterator

from labelwright.report.answers import answers, methods
from labelwright.report.auditing import audit_material, audit_section, audit_tree
from labelwright.report.decision import decide
from labelwright.report.input import ReportInput
from labelwright.report.material import ReportMaterial
from labelwright.report.planning import mark_tables, missing_analyses
from labelwright.report.sections.effort import cost_section, time_section
from labelwright.report.sections.labels import (
    agreement_section,
    confidence_section,
    consistency_section,
    label_section,
    shift_section,
)
from labelwright.report.sections.preferences import preference_section
from labelwright.report.sections.quality import quality_section
from labelwright.report.sections.spans import span_section
from labelwright.report.sections.study import (
    design_section,
    feedback_section,
    limit_section,
    plan_section,
    rater_section,
    repeat_section,
    version_section,
)
from labelwright.report.sections.systems import system_section
from labelwright.report.sources import Sources
from labelwright.report.terms import glossary
from labelwright.report.tree import FORMAT, Json, Report

_MADE = (
    design_section,
    rater_section,
    system_section,
    preference_section,
    label_section,
    agreement_section,
    consistency_section,
    shift_section,
    span_section,
    time_section,
    quality_section,
    cost_section,
    confidence_section,
    feedback_section,
    version_section,
)
_WITHOUT_LABELS = (
    design_section,
    rater_section,
    span_section,
    cost_section,
    feedback_section,
    version_section,
)
"""The sections of a report that has only marked texts."""


def make_report(given: ReportInput, seed: int) -> Report:
    """All numbers of the report. The same input and seed give the same tree, to the last digit."""
    sources = Sources(ReportMaterial.read(given), seed)
    made = _MADE if given.labels is not None else _WITHOUT_LABELS
    sections = [part for make in made if (part := make(sources))]
    plan = given.facts.plan
    mark_tables(sections, plan)
    missing = missing_analyses(sections, plan) if plan else []
    audited = audit_tree(*audit_material(sources.material, seed))
    sections += [
        plan_section(sources, missing),
        audit_section(audited),
        limit_section(sources),
        repeat_section(sources),
    ]
    decision = decide(sources)
    used = set(_terms(sections))
    return Report(
        {
            "format": FORMAT,
            "title": given.title,
            "authors": list(given.facts.authors),
            "made_at": given.facts.made_at,
            "seed": seed,
            "judgments": len(sources.material.kept),
            "version": given.facts.versions[-1].model_dump() if given.facts.versions else None,
            "files": dict(given.facts.repeat.hashes) if given.facts.repeat else {},
            "plan": None if plan is None else {"digest": plan.digest, "fixed_at": plan.fixed_at},
            "answers": answers(sources, decision, sections),
            "decision": decision,
            "audit": audited,
            "recodings": list(given.recodings),
            "methods": methods(sources, decision),
            "sections": _numbered(sections),
            "glossary": glossary(used | ({"planned"} if plan else set())),
            "links": given.facts.links.model_dump(),
        }
    )


def _terms(sections: list[Json]) -> Iterator[str]:
    yield "interval"
    for part in sections:
        for block in part["blocks"]:
            yield from (each["term"] for each in block.get("columns", ()) if each["term"])


def _numbered(sections: list[Json]) -> list[Json]:
    """The sections with the numbers of their tables and figures, which text and files refer to."""
    tables = figures = 0
    for place, part in enumerate(sections, 1):
        part["number"] = place
        for block in part["blocks"]:
            if block["type"] == "table":
                tables += 1
                block["number"] = tables
            if block["type"] == "figure":
                figures += 1
                block["number"] = figures
    return sections
