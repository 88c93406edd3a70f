"""Sections about the study itself: design and flow, raters and pay, feedback, versions, plan, limits, repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from labelwright.report.cells import column, figure, section, table, text, unknown
from labelwright.report.facts import DesignFacts, Distribution, FlowStep, PlanFacts, PlannedAnalysis
from labelwright.report.sources import Sources
from labelwright.report.tree import Json
from labelwright.report.wording import amount, count_of, listed

_FLOW_NAMES = {"items": "Items", "raters": "Raters", "judgments": "Judgments"}
MOST_COMMENTS = 200


def design_section(sources: Sources) -> Json:
    """What was asked about what, the sizes of the sample, and the flow from imported to kept."""
    facts = sources.facts
    sample = [_sample_table(sources)] if sources.questions else []
    blocks = [*sample, *(_design_blocks(facts.design) if facts.design else [])]
    if facts.design is None:
        blocks.append(
            unknown(
                "The instructions, task designs and sampling are not known, because the file does not say."
            )
        )
    blocks += _flow_blocks(facts.flow)
    return section("design", "Design and sample", blocks)


def _sample_table(sources: Sources) -> Json:
    material = sources.material
    names = [
        "item",
        *(["dialogue"] if material.dialogue else []),
        *(["rater"] if material.names_raters else []),
    ]
    rows = []
    for condition in material.conditions:
        ratings = material.ratings_in(condition)
        row: Json = {"condition": condition, "ratings": ratings}
        row |= {name: material.number_of(name, condition) for name in names}
        row["per_item"] = ratings / row["item"] / len(sources.questions) if row["item"] else None
        rows.append(row)
    columns = [
        column("condition", "Condition"),
        *(column(name, f"{name.capitalize()}s", "count") for name in names),
        column("ratings", "Judgments", "count"),
        column("per_item", "Per item and question", "number"),
    ]
    return table("sample", "Items, raters and judgments in use, by condition.", columns, rows)


def _design_blocks(design: DesignFacts) -> list[Json]:
    blocks = [text(design.purpose, design.sampling)] if design.purpose or design.sampling else []
    if design.conditions:
        columns = [
            column("name", "Condition"),
            column("about", "What raters see"),
            column("design", "Task design"),
            column("redundancy", "Ratings per item", "count"),
        ]
        rows = [each.model_dump() for each in design.conditions]
        blocks.append(table("conditions", "Conditions of the study file.", columns, rows))
    if design.designs:
        columns = [
            column("name", "Task design"),
            column("title", "Title"),
            column("questions", "Questions"),
            column("guidelines", "Guidelines"),
            column("minutes", "Minutes", "number"),
        ]
        rows = [{**each.model_dump(), "questions": " / ".join(each.questions)} for each in design.designs]
        blocks.append(
            table("designs", "Task designs, with their questions as raters read them.", columns, rows)
        )
    return blocks


def _flow_blocks(flow: Sequence[FlowStep] | None) -> list[Json]:
    if not flow:
        return [unknown("How many items, raters and judgments were dropped on the way is not known.")]
    columns = [
        column("kind", "Of"),
        column("name", "Step"),
        column("count", "Number", "count"),
        column("dropped", "Dropped before it, and why"),
    ]
    rows = [
        {
            "kind": _FLOW_NAMES[step.kind],
            "name": step.name,
            "count": step.count,
            "dropped": "; ".join(f"{each.count:,} {each.reason}" for each in step.dropped),
        }
        for step in flow
    ]
    caption = "Flow of items, raters and judgments, from imported to kept."
    drawn = [{"panel": row["kind"], "name": row["name"], "value": row["count"]} for row in rows]
    return [table("flow", caption, columns, rows), figure("flow", caption, "bars", rows=drawn, axis="number")]


def rater_section(sources: Sources) -> Json:
    """Who worked, how much each of them did, and what they earned."""
    facts = sources.facts.raters
    blocks: list[Json] = []
    if sources.material.names_raters:
        blocks.append(_workload(sources))
    elif sources.questions:
        blocks.append(unknown("The ratings do not say who gave them, so the number of raters is not known."))
    if facts is None:
        blocks.append(unknown("Recruitment, demographics and pay are not known."))
        return section("raters", "Raters, demographics and pay", blocks)
    blocks += [text(facts.recruited)] if facts.recruited else []
    blocks += _demographics(facts.demographics)
    if facts.pay is None:
        blocks.append(unknown("What raters earned is not known."))
    else:
        pay = facts.pay
        values = {
            "Reward per task": pay.reward,
            "Paid to all raters": pay.paid,
            "Platform fees": pay.fees,
            "Hourly, median over raters": pay.hourly,
            "Hourly, first quartile": pay.hourly_low,
            "Hourly, third quartile": pay.hourly_high,
        }
        rows = [
            {"what": name, "amount": amount(n, pay.currency)} for name, n in values.items() if n is not None
        ]
        blocks.append(
            table("pay", "What raters earned.", [column("what", "Pay"), column("amount", "Amount")], rows)
        )
    return section("raters", "Raters, demographics and pay", blocks)


def _workload(sources: Sources) -> Json:
    material = sources.material
    done = np.bincount(material.columns["rater"].number[material.kept])
    numbers = done[done > 0]
    quarters = np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1]).tolist()
    names = ("fewest", "first quartile", "median", "third quartile", "most")
    rows = [
        {"what": f"Judgments of a rater, {name}", "n": n} for name, n in zip(names, quarters, strict=True)
    ]
    rows.insert(0, {"what": "Raters", "n": len(numbers)})
    columns = [column("what", "Workload"), column("n", "Number", "count")]
    return table("workload", "How many judgments each rater gave.", columns, rows)


def _demographics(found: Sequence[Distribution]) -> list[Json]:
    if not found:
        return [unknown("Nobody asked raters about themselves.")]
    rows = [
        {
            "question": each.question,
            "answer": answer.name,
            "n": answer.count,
            "share": answer.count / max(sum(one.count for one in each.answers), 1),
        }
        for each in found
        for answer in each.answers
    ]
    columns = [
        column("question", "Question"),
        column("answer", "Answer"),
        column("n", "Raters", "count"),
        column("share", "Share", "share"),
    ]
    return [table("demographics", "What raters said about themselves.", columns, rows)]


def feedback_section(sources: Sources) -> Json:
    """Free-text feedback with the themes that a person assigned."""
    found = sources.facts.feedback
    if found is None:
        return section("feedback", "Feedback", [unknown("No free-text feedback is known.")])
    if not found:
        return section("feedback", "Feedback", [text("No rater left a comment.")])
    themes = Counter(theme for each in found for theme in each.themes)
    blocks = []
    if themes:
        rows = [{"theme": name, "n": n, "share": n / len(found)} for name, n in themes.most_common()]
        columns = [
            column("theme", "Theme"),
            column("n", "Comments", "count"),
            column("share", "Share", "share"),
        ]
        blocks.append(table("themes", "Themes of the comments, assigned by a person.", columns, rows))
    else:
        blocks.append(unknown("Nobody has assigned themes to the comments yet."))
    shown = found[:MOST_COMMENTS]
    columns = [column("text", "Comment"), column("themes", "Themes"), column("condition", "Condition")]
    comments = [{**each.model_dump(exclude={"themes"}), "themes": ", ".join(each.themes)} for each in shown]
    some = f" The first {MOST_COMMENTS} of {len(found):,}." if len(found) > MOST_COMMENTS else ""
    blocks.append(table("comments", f"Comments of raters.{some}", columns, comments))
    return section("feedback", "Feedback", blocks)


def version_section(sources: Sources) -> Json:
    """The versions of the study file, and what changed."""
    found = sources.facts.versions
    if not found:
        return section("versions", "Versions", [unknown("The versions of the study file are not known.")])
    columns = [
        column("version", "Version", "count"),
        column("loaded_at", "Loaded"),
        column("changes", "What changed"),
        column("judgments", "Judgments", "count"),
        column("digest", "SHA-256"),
    ]
    rows = [{**each.model_dump(), "changes": "; ".join(each.changes) or "–"} for each in found]
    return section("versions", "Versions", [table("versions", "Versions of the study file.", columns, rows)])


def plan_section(sources: Sources, missing: Sequence[str]) -> Json:
    """The analysis plan, and what departs from it. `missing` are planned analyses without a result."""
    plan = sources.facts.plan
    title = "Analysis plan"
    if plan is None:
        why = (
            "No analysis plan is known, so nothing shows which analyses were chosen before the ratings were seen. "
            "Read all results as exploratory."
        )
        return section("plan", title, [unknown(why)])
    when = (
        "before the first rating"
        if not plan.ratings_before
        else f"after {count_of(plan.ratings_before, 'rating')}"
    )
    blocks = [
        text(f"The plan was fixed on {plan.fixed_at}, {when}. Its SHA-256 is {plan.digest}."),
        _planned_table(plan),
    ]
    departures = [{"what": each.what, "why": each.why, "at": each.at} for each in plan.departures]
    departures += [
        {"what": f"Planned, but not possible: {each}", "why": "The report has no such result.", "at": ""}
        for each in missing
    ]
    if departures:
        columns = [column("what", "Departure"), column("why", "Reason"), column("at", "When")]
        blocks.append(table("departures", "Departures from the plan.", columns, departures))
    else:
        blocks.append(text("Nothing departs from the plan."))
    return section("plan", title, blocks)


def _planned_table(plan: PlanFacts) -> Json:
    every = [("main", plan.main), *(("secondary", each) for each in plan.secondary)]
    rows = [{"role": role, "analysis": _analysis_text(each)} for role, each in every if each]
    columns = [column("role", "Role"), column("analysis", "Analysis")]
    return table("planned", "Planned analyses.", columns, rows)


def _analysis_text(planned: PlannedAnalysis) -> str:
    if planned.text:
        return planned.text
    parts = [planned.kind, planned.measure, planned.aspect, planned.question]
    across = f"across {planned.across} {listed(planned.values)}".strip() if planned.across else ""
    return ", ".join(part for part in (*parts, across) if part)


def limit_section(sources: Sources) -> Json:
    """What the data cannot show."""
    found = [*sources.facts.limits, *_own_limits(sources)]
    rows = [{"limit": each} for each in dict.fromkeys(found)]
    if not rows:
        return section(
            "limits", "Limits", [text("The report found no limits beyond those stated at each table.")]
        )
    return section(
        "limits",
        "Limits",
        [table("limits", "What these data cannot show.", [column("limit", "Limit")], rows)],
    )


def _own_limits(sources: Sources) -> list[str]:
    material = sources.material
    if material.given.labels is None:
        return []
    found = list(material.labels.caveats)
    if not material.names_raters:
        found.append("Who gave each rating is not known: nothing here speaks for other raters.")
    if sources.facts.plan is None:
        found.append("No analysis plan was fixed before the ratings: all results are exploratory.")
    if not material.dialogue:
        found.append("The dialogue of each item is not known: items of one dialogue count as independent.")
    if not material.excluded.any() and sources.facts.quality is None:
        found.append("What quality control excluded is not known; the file holds what was left after it.")
    return found


def repeat_section(sources: Sources) -> Json:
    """What is needed to make the same report again."""
    found = sources.facts.repeat
    rows = [{"what": "Seed of the report", "value": str(sources.seed)}]
    if found is not None:
        rows += [{"what": "Labelwright", "value": found.labelwright}] if found.labelwright else []
        rows += [{"what": "Study", "value": found.study}] if found.study else []
        for name, values in (("Seed", found.seeds), ("SHA-256", found.hashes), ("Version", found.software)):
            rows += [{"what": f"{name} of {key}", "value": str(value)} for key, value in values.items()]
    columns = [column("what", "What"), column("value", "Value")]
    blocks = [table("repeat", "Seeds, versions and hashes.", columns, rows)]
    if found is None:
        blocks.append(unknown("The hashes of the files and the versions of the software are not known."))
    return section("repeat", "How to repeat this", blocks)
