"""Page one: five answers that a manager understands, and a methods paragraph to paste into a paper."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.report.sources import Sources
from labelwright.report.terms import term_name
from labelwright.report.tree import Json
from labelwright.report.wording import between, count_of, decimal, listed, p_value, percent


def answers(sources: Sources, decision: Json | None, sections: Sequence[Json]) -> list[Json]:
    """The five lines: which is better, by how much, how certain, do raters agree, what was excluded."""
    parts = {part["key"]: part for part in sections}
    return [*_about_difference(sources, decision, parts), _about_agreement(parts), _about_exclusion(sources)]


def _about_difference(sources: Sources, decision: Json | None, parts: dict[str, Json]) -> list[Json]:
    if decision and decision["questions"]:
        return _about_systems(decision)
    if decision and decision["unranked"]:
        return _about_unranked(decision["unranked"])
    return _about_conditions(sources, parts)


def _about_unranked(questions: Sequence[Json]) -> list[Json]:
    """Candidates were compared, but not so that systems can be ranked."""
    whys = [f"{each['question']}: not ranked, because {each['why']}" for each in questions]
    return [
        _line("better", "Which system is better?", *whys),
        _line("difference", "By how much?", "See the section about preferences."),
        _line("certainty", "How certain is that?", "That cannot be computed from these data."),
    ]


def _line(key: str, question: str, *sentences: str) -> Json:
    """One question with its answer, a sentence or two per line."""
    return {"key": key, "question": question, "answer": list(filter(None, sentences))}


def _about_systems(decision: Json) -> list[Json]:
    several = len(decision["questions"]) > 1
    better = [_named(each, several, _better(each, decision["level"])) for each in decision["questions"]]
    much = [_named(each, several, _how_much(each)) for each in decision["questions"]]
    sure = [_named(each, several, _how_certain(each, decision)) for each in decision["questions"]]
    return [
        _line("better", "Which system is better?", *better),
        _line("difference", "By how much?", *much),
        _line(
            "certainty", "How certain is that?", *sure, f"This holds for other {decision['over']} like these."
        ),
    ]


def _named(each: Json, several: bool, sentence: str) -> str:
    return f"{each['question']}: {sentence}" if several else sentence


def _better(each: Json, level: float) -> str:
    names = [one["system"] for one in each["scores"]]
    if each["winner"]:
        others = [name for name in names if name != each["winner"]]
        than = others[0] if len(others) == 1 else f"each of the other {len(others)} systems"
        return f"{each['winner']} is better than {than}."
    if len(names) == 2:
        return f"Neither {names[0]} nor {names[1]}: the data do not show that one is better."
    certain = [row for row in each["pairs"] if (row["p_holm"] or 1.0) < 1 - level]
    pairs = [
        f"{row['first']} than {row['second']}"
        if row["difference"]["value"] > 0
        else f"{row['second']} than {row['first']}"
        for row in certain
    ]
    known = f" Certainly better: {listed(pairs)}." if pairs else ""
    return f"No system is better than all others for certain.{known}"


def _largest(each: Json) -> Json:
    """The comparison to report: of the first two systems, or the only one."""
    best = each["winner"] or each["scores"][0]["system"]
    own = [row for row in each["pairs"] if best in {row["first"], row["second"]}] or each["pairs"]
    return min(own, key=lambda row: abs(row["difference"]["value"] or 0.0))


def _how_much(each: Json) -> str:
    row = _largest(each)
    scores = {one["system"]: one["score"]["value"] for one in each["scores"]}
    first, second = row["first"], row["second"]
    cell = row["difference"]
    reversed_ = cell["value"] is not None and cell["value"] < 0
    if reversed_:
        first, second = second, first
    if "preferred" in row:
        chance = _turned(row["preferred"], 1.0) if reversed_ else row["preferred"]
        return (
            f"Leaving out ties, raters prefer {first} to {second} in {percent(chance['value'])} "
            f"{between(chance, share=True)} of comparisons."
        )
    if reversed_:
        cell = _turned(cell, 0.0)
    return (
        f"On a scale from 0 to 1, {first} scores {decimal(scores[first])} and {second} {decimal(scores[second])}: a "
        f"difference of {decimal(cell['value'])} {between(cell)}."
    )


def _turned(cell: Json, total: float) -> Json:
    """The cell seen from the other system; the two values sum to `total`."""
    ends = (("value", "value"), ("low", "high"), ("high", "low"))
    return {key: None if cell[other] is None else total - cell[other] for key, other in ends}


def _how_certain(each: Json, decision: Json) -> str:
    row = _largest(each)
    p = row["p_holm"]
    many = decision["comparisons"]
    family = f", corrected for {many} comparisons" if many > 1 else ""
    if p is None:
        return "That cannot be computed from these data."
    if p >= 0.2:
        return (
            f"A difference of this size is no surprise between equally good systems (p {_equals(p)}{family})."
        )
    chance = "fewer than 1 in 1,000" if p < 0.001 else percent(p)
    return f"Of studies with equally good systems, {chance} would show such a difference (p {_equals(p)}{family})."


def _equals(p: float) -> str:
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


def _about_conditions(sources: Sources, parts: dict[str, Json]) -> list[Json]:
    """Without systems, the largest difference between conditions is the answer."""
    none = "The ratings name no systems, so no system can be called better."
    rows = _rows(parts, "shift", "shift")
    if not sources.material.several_conditions or not rows:
        return [
            _line("better", "Which system is better?", none),
            _line("difference", "By how much?", "There is nothing to compare."),
            _line("certainty", "How certain is that?", "There is nothing to compare."),
        ]
    certain = [row for row in rows if (row["p_holm"] if row["p_holm"] is not None else 1.0) < 0.05]
    defined = [row for row in rows if row["difference"]["value"] is not None]
    if not defined:
        return [_line("better", "Which system is better?", none)]
    most = max(defined, key=lambda row: abs(row["difference"]["value"]))
    names = [f"{row['second']} ({row['question']})" for row in certain]
    verdict = (
        f"Scores differ for certain from {rows[0]['first']} in {listed(names)}."
        if certain
        else f"No condition can be told from {rows[0]['first']} by its scores."
    )
    much = (
        f"The largest shift is {decimal(most['difference']['value'], sign=True)} {between(most['difference'], sign=True)}, "
        f"from {most['first']} to {most['second']} ({most['question']})."
    )
    family = f", corrected for {len(rows)} comparisons" if len(rows) > 1 else ""
    p = most["p_holm"]
    sure = f"p {_equals(p)}{family}." if p is not None else "That cannot be computed from these data."
    return [
        _line("better", "Which system is better?", none, verdict),
        _line("difference", "By how much?", much),
        _line("certainty", "How certain is that?", sure),
    ]


def _rows(parts: dict[str, Json], section: str, key: str) -> list[Json]:
    blocks = parts[section]["blocks"] if section in parts else []
    return [
        row for block in blocks if block["type"] == "table" and block["key"] == key for row in block["rows"]
    ]


def _about_agreement(parts: dict[str, Json]) -> Json:
    question = "Do raters agree?"
    blocks = parts["agreement"]["blocks"] if "agreement" in parts else []
    sentences = [
        _agreement_sentence(block)
        for block in blocks
        if block["type"] == "table" and block["key"] != "agreement-differences"
    ]
    found = [sentence for sentence in sentences if sentence]
    if not found:
        spans = _rows(parts, "spans", "span-agreement")
        values = [row["jaccard"]["value"] for row in spans if row["jaccard"]["value"] is not None]
        if not values:
            return _line("agreement", question, "That cannot be computed from these data.")
        return _line(
            "agreement",
            question,
            f"All raters of a text marked the same characters for {_range(values, percent)} of what any of them marked.",
        )
    return _line("agreement", question, *found)


def _agreement_sentence(block: Json) -> str:
    shares = [row["percentage"]["value"] for row in block["rows"] if row.get("percentage")]
    kappas = [row["fleiss_kappa"]["value"] for row in block["rows"] if row.get("fleiss_kappa")]
    shares, kappas = ([value for value in values if value is not None] for values in (shares, kappas))
    if not shares:
        return ""
    name = block["caption"].removeprefix("Agreement on ").split(" by condition")[0]
    kappa = (
        f" ({term_name('fleiss_kappa')} {_range(kappas, decimal)}; 0 is chance, 1 is perfect)"
        if kappas
        else ""
    )
    where = ", depending on the condition" if len(shares) > 1 else ""
    return f"On {name}, two raters give the same label in {_range(shares, percent)} of cases{where}{kappa}."


def _range(values: Sequence[float], write: object) -> str:
    low, high = (write(value) for value in (min(values), max(values)))  # type: ignore[operator]
    return str(low) if low == high else f"{low} to {high}"


def _about_exclusion(sources: Sources) -> Json:
    question = "What was excluded?"
    material = sources.material
    total, gone = len(material.excluded), int(material.excluded.sum())
    if gone:
        share = percent(gone / total)
        return _line("excluded", question, f"{gone:,} of {count_of(total, 'judgment')} ({share}).")
    if not total:
        return _line("excluded", question, "Not known: the data hold only what was left.")
    if material.marks_exclusion or sources.facts.quality is not None:
        return _line("excluded", question, f"Nothing: all {count_of(total, 'judgment')} count.")
    return _line(
        "excluded", question, "Not known: the data hold only what was left, or do not mark what was not."
    )


def methods(sources: Sources, decision: Json | None) -> str:
    """How the study was done and analysed, as a paragraph for a paper."""
    return " ".join(filter(None, [*_collected(sources), *_analysed(sources, decision), *_planned(sources)]))


def _collected(sources: Sources) -> list[str]:
    material = sources.material
    ratings, items = len(material.kept), material.number_of("item")
    raters = material.number_of("rater") if material.names_raters else None
    who = f" by {count_of(raters, 'rater')}" if raters is not None else ""
    asked = listed([each.asked.name for each in sources.questions])
    under = (
        f" under {len(material.conditions)} conditions ({listed(material.conditions)})"
        if material.several_conditions
        else ""
    )
    systems = (
        f" They come from {len(material.systems)} systems ({listed(material.systems)})."
        if material.systems
        else ""
    )
    gone = int(material.excluded.sum())
    out = (
        f" Quality control excluded {gone:,} of {len(material.excluded):,} collected judgments."
        if gone
        else ""
    )
    facts = sources.facts
    marked = [f"{each.name} ({count_of(len(each.texts), 'text')})" for each in material.given.spans]
    return [
        f"Raters marked parts of texts in {listed(marked, 20)}." if marked else "",
        ""
        if not sources.questions
        else f"{count_of(items, 'item')} were judged for {asked}{who}{under}; {count_of(ratings, 'judgment')} count.{systems}{out}",
        facts.design.sampling if facts.design else "",
        facts.raters.recruited if facts.raters else "",
        _recoded(material.given.recodings),
    ]


def _recoded(phrases: Sequence[str]) -> str:
    return f"Labels were recoded before the analysis: {'; '.join(phrases)}." if phrases else ""


def _analysed(sources: Sources, decision: Json | None) -> list[str]:
    if not sources.questions:
        return [
            "Agreement is measured on marked characters (J and J_k), with bootstrap intervals over texts."
        ]
    found = [sources.method]
    if decision:
        family = (
            f", with Holm's correction over {decision['comparisons']} comparisons"
            if decision["comparisons"] > 1
            else ""
        )
        preferred = [any("preferred" in row for row in each["pairs"]) for each in decision["questions"]]
        of = listed(["mean scores"] * (not all(preferred)) + ["log strengths"] * any(preferred))
        found.append(
            f"Systems are compared by t tests of {of}, with standard errors clustered by {decision['over']} "
            f"and Satterthwaite's degrees of freedom{family}."
        )
    if sources.material.given.preferences:
        found.append("Strengths follow the model of Bradley and Terry with Davidson's ties.")
    found.append("p-values within a table are corrected by Holm's method.")
    return found


def _planned(sources: Sources) -> list[str]:
    plan = sources.facts.plan
    if plan is None:
        return []
    when = "before the first rating" if not plan.ratings_before else f"after {plan.ratings_before:,} ratings"
    return [f"The analysis plan was fixed {when} (SHA-256 {plan.digest[:12]})."]
