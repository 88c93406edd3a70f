"""The human evaluation data sheet (HEDS 3.0), in the JSON form that its web form reads and writes.

Belz and Thomson (2025), https://aclanthology.org/2025.gem-1.6/; the form is at https://nlp-heds.github.io. A file holds
an entry for each field of the form, by the id of its element: the value under "data", by criterion for the questions
about quality criteria. What only a person can say is left open, and marked as open where a text can say so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from labelwright.release.facts import ReleasedQuestion, ReleaseFacts

_PAPER = "heds-paper_and_resources"
_SAMPLE = "heds-sample_evaluators_design-sample"
_EVALUATORS = "heds-sample_evaluators_design-evaluators"
_DESIGN = "heds-sample_evaluators_design-experimental_design"
_CRITERION = "heds-criteria-criterion"
_ELICITATION = f"{_CRITERION}-response_elicitation"
_ETHICS = "heds-ethics"
# The numbers of languages in the list of the form, for those that our pages and corpora are in most often.
_LANGUAGES = {
    "en": (42, "41. English"),
    "fr": (49, "48. French"),
    "fi": (48, "47. Finnish"),
    "nl": (40, "39. Dutch, Flemish"),
    "cs": (37, "36. Czech"),
    "da": (38, "37. Danish"),
    "et": (44, "43. Estonian"),
}
Sheet = dict[str, dict[str, Any]]


def fill_heds(facts: ReleaseFacts) -> Sheet:
    """The data sheet of a study, with everything that the study itself says."""
    return {**_references(facts), **_sample(facts), **_design(facts), **_criteria(facts), **_ethics(facts)}


def _text(element: str, number: str, text: str) -> Sheet:
    return {element: {"data": {"": text}, "control": {}, "number": number}}


def _choice(element: str, number: str, option: int, name: str, more: str | None = None) -> Sheet:
    """A chosen option of a question, and the text beside it."""
    chosen = {"data": {"": True}, "control": {}, "text": {"": f"{option}. {name}"}, "number": number}
    described = {} if more is None else _text(f"{element}-other_text", number, more)
    return {f"{element}-{option}": chosen, **described}


def _references(facts: ReleaseFacts) -> Sheet:
    sheet = facts.sheet
    people = f"{_PAPER}-names_and_affiliations"
    contact = ("name", "affiliation", "email")
    found: Sheet = {}
    if sheet["reference"].startswith("http"):
        name = "The main paper reporting the experiment is here (enter URL)."
        found |= _choice(f"{_PAPER}-paper-link", "1.1.1", 1, name, sheet["reference"])
    if sheet["resources"]:
        name = "The resources used in the experiment can be found here (enter URL(s))."
        found |= _choice(f"{_PAPER}-resources-links", "1.2", 1, name, sheet["resources"])
    about = f"{facts.title}. {sheet.stated('description')} Criteria: {', '.join(facts.aspects.values())}."
    found |= _text(f"{_PAPER}-paper-experiment_identification", "1.1.2", about)
    for part, number in (("person_completing_this_sheet", "1.3.1"), ("contact_author", "1.3.2")):
        for place, each in enumerate(contact, start=1):
            found |= _text(f"{people}-{part}-{each}", f"{number}.{place}", sheet.stated(f"contact_{each}"))
    chosen = {"data": {"": True}, "control": {}, "text": {"": "8. Text: dialogue"}, "number": "2.1"}
    found["heds-system-input_types-8"] = chosen
    if known := _LANGUAGES.get(facts.language.split("-", maxsplit=1)[0]):
        place, name = known
        language = {"data": {"": True}, "control": {}, "text": {"": name}, "number": "2.4"}
        found[f"heds-system-input_languages-{place}"] = language
    return found


def _sample(facts: ReleaseFacts) -> Sheet:
    sheet = facts.sheet
    systems = f" of {len(facts.systems)} systems ({', '.join(facts.systems)})" if facts.systems else ""
    paid = "not paid" not in facts.pay
    found = _text(
        f"{_SAMPLE}-number_of_system_outputs",
        "3.1.1",
        f"{facts.items:,} items{systems}, in {facts.dialogues:,} dialogues",
    )
    if sheet["sampling"]:
        found |= _choice(
            f"{_SAMPLE}-system_output_selection", "3.1.2", 6, "Other (please describe)", sheet["sampling"]
        )
    found |= _text(f"{_EVALUATORS}-number_of_evaluators", "3.2.1", str(facts.raters))
    payment = (1, "Paid (monetary compensation)") if paid else (3, "Not paid")
    found |= _choice(f"{_EVALUATORS}-evaluators-payment", "3.2.2.2", *payment)
    found |= _text(f"{_EVALUATORS}-recruitment_method", "3.2.3", sheet.stated("recruitment"))
    training = "Raters read the instructions before their first task. " + (
        "They had to pass a qualification. " if facts.qualification else ""
    )
    found |= _text(f"{_EVALUATORS}-training_practice", "3.2.4", training + sheet.stated("expertise"))
    found |= _text(f"{_EVALUATORS}-characteristics", "3.2.5", sheet.stated("biases"))
    return found


def _design(facts: ReleaseFacts) -> Sheet:
    found = _text(
        f"{_DESIGN}-collection_method", "3.3.2", f"Web pages of Labelwright {facts.labelwright}. {facts.pay}"
    )
    method = f"{_DESIGN}-quality_assurance-method"
    if facts.rules or facts.gold:
        automatic = "Automatic quality checking methods are used during and/or after evaluation"
        found |= _choice(method, "3.3.3.1", 2, automatic)
        found |= _choice(
            method, "3.3.3.1", 3, "Manual quality checking methods are used during/post evaluation"
        )
    if facts.excluded:
        found |= _choice(
            method, "3.3.3.1", 5, "Some evaluations are excluded because of failed quality checks"
        )
    checks = [
        f"Rules that flag work: {', '.join(facts.rules)}." if facts.rules else "",
        f"{facts.gold:,} items have known answers." if facts.gold else "",
        f"People decided on flagged work; {facts.excluded:,} of {facts.submissions:,} submissions are excluded.",
    ]
    found |= _text(f"{_DESIGN}-quality_assurance-description", "3.3.3.2", " ".join(filter(None, checks)))
    found |= _text(f"{_DESIGN}-what_evaluators_see-link", "3.3.4.1", "The folder “task” of the release")
    shown = "; ".join(f"{name}: {about}" for name, about in facts.conditions.items())
    found |= _text(f"{_DESIGN}-what_evaluators_see-description", "3.3.4.2", f"By condition: {shown}")
    limited = "Evaluators must complete each individual assessment within a set amount of time"
    found |= _choice(f"{_DESIGN}-evaluator_freedom", "3.3.5", 2, limited)
    asked = "Evaluators can ask questions during the evaluation"
    found |= _choice(f"{_DESIGN}-evaluators_can_ask_questions", "3.3.6", 1, asked)
    place = "Raters used their own device, where and when they chose."
    return found | _text(f"{_DESIGN}-evaluators_place_of_choosing", "3.3.8", place)


def _criteria(facts: ReleaseFacts) -> Sheet:
    """Section 4: every answer by the name of the criterion."""
    by_aspect: dict[str, list[ReleasedQuestion]] = defaultdict(list)
    for question in facts.questions:
        if question.aspect:
            by_aspect[question.aspect].append(question)
    names = {aspect: facts.aspects.get(aspect, aspect) for aspect in by_aspect}
    shown = {name: place == 0 for place, name in enumerate(names.values())}
    found: Sheet = {_CRITERION: {"data": {}, "control": shown, "text": {}, "number": ""}}
    for aspect, questions in by_aspect.items():
        for element, (number, text) in _answers_about(questions, names[aspect]).items():
            entry = found.setdefault(element, {"data": {}, "control": {}, "number": number})
            entry["data"][names[aspect]] = text
    return found


def _answers_about(questions: list[ReleasedQuestion], name: str) -> Mapping[str, tuple[str, str]]:
    texts = dict.fromkeys(question.text for question in questions)
    points = next((question.points for question in questions if question.points), {})
    values = "; ".join(f"{code} = {words}" for code, words in points.items())
    return {
        f"{_ELICITATION}-qc_name-participant_criterion_name": ("4.3.1.1", name),
        f"{_ELICITATION}-participant_criterion_definiiton": (
            "4.3.2",
            "See the study file and its guidelines.",
        ),
        f"{_ELICITATION}-size_of_scale": ("4.3.3", str(len(points)) if points else "N/A"),
        f"{_ELICITATION}-list_or_range": ("4.3.4", values or "N/A"),
        f"{_ELICITATION}-task_description": ("4.3.6", "N/A" if points else " | ".join(texts)),
        f"{_ELICITATION}-verbatim_question": ("4.3.7", " | ".join(texts)),
        f"{_ELICITATION}-response_aggregation": (
            "4.3.9",
            "The most frequent answer is the label; all ratings and their distribution are published.",
        ),
        f"{_ELICITATION}-inter_annotator-agreement": (
            "4.3.11.1",
            "Krippendorff’s alpha and others; see the report.",
        ),
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement": ("4.3.12.1", "IntraAA not assessed"),
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement_score": (
            "4.3.12.2",
            "IntraAA not assessed",
        ),
    }


def _ethics(facts: ReleaseFacts) -> Sheet:
    sheet = facts.sheet
    found = _text(f"{_ETHICS}-review_body", "5.1", sheet.stated("ethics_review"))
    found |= _text(f"{_ETHICS}-impact_assessments", "5.4", sheet.stated("impact_assessment"))
    kinds = (
        ("personal_data", "5.2", "personal data", "personal_data"),
        ("special_category_data", "5.3", "special category data", "special_data"),
    )
    for element, number, kind, field in kinds:
        if sheet[field] == "no":
            name = f"No, {kind} as defined by GDPR was neither evaluated nor collected."
            found |= _choice(f"{_ETHICS}-{element}", number, 1, name)
        elif sheet[field] == "yes":
            name = f"Yes, {kind} as defined by GDPR was evaluated and/or collected"
            handling = sheet.stated("personal_data_handling")
            found |= _choice(f"{_ETHICS}-{element}", number, 2, name, handling)
    return found
