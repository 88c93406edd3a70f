"""References within task designs: questions that depend on answers, derived labels, explained options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from labelwright.errors import with_hint
from labelwright.study.model import Study
from labelwright.task import DerivedLabel, TaskDesign, When
from labelwright.task.questions import Question

DesignProblem = tuple[tuple[Any, ...], str]
"""The path in the study file, and the problem."""


def broken_designs(study: Study) -> Iterator[DesignProblem]:
    """Every reference in the designs of a study to a question or code that does not exist.

    A `when` may only refer to earlier questions, so no question depends on itself, and the page and the
    server can decide in one pass.
    """
    for name, design in study.designs.items():
        where = ("designs", name)
        for part, questions in (("questions", design.questions), ("feedback", design.feedback)):
            for index, question in enumerate(questions):
                yield from _broken_question(study, questions, question, (*where, part, index))
        for index, label in enumerate(design.labels):
            yield from _broken_label(study, design, label, (*where, "labels", index))


def _broken_question(
    study: Study, asked: Sequence[Question], question: Question, here: tuple[Any, ...]
) -> Iterator[DesignProblem]:
    who = f'question "{question.name}"'
    if question.when is not None:
        yield from _broken_when(study, asked, question.when, (*here, "when"), who, before=here[-1])
    for path, name in question.used_names("questions"):
        if name not in [other.name for other in asked]:
            yield (*here, *path), _undefined(who, "is about", name, asked)
    for path, what in question.inconsistencies(study.scales):
        yield (*here, *path), f"{who} {what}"


def _broken_label(
    study: Study, design: TaskDesign, label: DerivedLabel, here: tuple[Any, ...]
) -> Iterator[DesignProblem]:
    who = f'label "{label.name}"'
    codes = study.scales[label.scale].codes if label.scale in study.scales else label.codes
    for index, rule in enumerate(label.rules):
        place = (*here, "rules", index)
        for when in rule.when:
            yield from _broken_when(study, design.questions, when, (*place, "when"), who)
        if rule.code not in codes:
            yield (*place, "code"), _no_point(who, rule.code, label.scale, codes)
    if label.otherwise is not None and label.otherwise not in codes:
        yield (*here, "otherwise"), _no_point(who, label.otherwise, label.scale, codes)


def _broken_when(
    study: Study,
    asked: Sequence[Question],
    when: When,
    here: tuple[Any, ...],
    who: str,
    before: int | None = None,
) -> Iterator[DesignProblem]:
    """`before` is the index of the question with the `when`; a label may refer to all questions."""
    earlier = asked[:before]
    other = next((question for question in earlier if question.name == when.question), None)
    if other is None:
        yield (*here, "question"), _not_before(asked, earlier, when.question, who)
        return
    codes = other.option_codes(study.scales)
    unknown = [code for code in when.codes if code not in codes]
    if when.codes and not codes:
        yield (
            here,
            f'{who} depends on an option of "{other.name}", which has no options. Use `answered: true`.',
        )
    elif unknown:
        yield (
            here,
            f'{who} depends on option {unknown[0]} of "{other.name}", which does not exist. Options: {_listed(codes)}.',
        )


def _not_before(asked: Sequence[Question], earlier: Sequence[Question], name: str, who: str) -> str:
    if who == f'question "{name}"':
        return f"{who} depends on itself."
    if name in [question.name for question in asked]:
        return f'{who} depends on "{name}", which is asked later. Move "{name}" up.'
    return _undefined(who, "depends on", name, earlier)


def _undefined(who: str, does: str, name: str, known: Sequence[Question]) -> str:
    names = [question.name for question in known]
    listed = f"Earlier questions: {', '.join(names)}." if names else "There are no earlier questions."
    return with_hint(f'{who} {does} question "{name}", which does not exist. {listed}', name, names)


def _no_point(who: str, code: int, scale: str, codes: Sequence[int]) -> str:
    return f'{who} uses code {code}, which is not on scale "{scale}". Codes of the scale: {_listed(codes)}.'


def _listed(codes: Sequence[int]) -> str:
    return ", ".join(map(str, codes))
