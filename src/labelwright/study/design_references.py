"""What task designs ask of each other: questions that hang on answers, labels made of them, options explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from labelwright.errors import with_hint
from labelwright.study.model import Study
from labelwright.task import DerivedLabel, TaskDesign, When
from labelwright.task.questions import Question

Found = tuple[tuple[Any, ...], str]
"""Where something is wrong in the study file, and what."""


def broken_designs(study: Study) -> Iterator[Found]:
    """Every name and code in the designs of a study that leads nowhere.

    A `when` may only look back: so nothing hangs on itself, and the page and the server
    decide in one pass.
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
) -> Iterator[Found]:
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
) -> Iterator[Found]:
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
) -> Iterator[Found]:
    """`before` is the place of the question that hangs on others; a label may look at all of them."""
    earlier = asked[:before]
    other = next((question for question in earlier if question.name == when.question), None)
    if other is None:
        yield (*here, "question"), _not_before(asked, earlier, when.question, who)
        return
    codes = other.option_codes(study.scales)
    unknown = [code for code in when.codes if code not in codes]
    if when.codes and not codes:
        yield here, f'{who} asks for an option of "{other.name}", which has none. Use `answered: true`.'
    elif unknown:
        yield here, f'{who} asks for option {unknown[0]} of "{other.name}". Options: {_listed(codes)}.'


def _not_before(asked: Sequence[Question], earlier: Sequence[Question], name: str, who: str) -> str:
    if who == f'question "{name}"':
        return f"{who} hangs on itself."
    if name in [question.name for question in asked]:
        return f'{who} hangs on "{name}", which is not asked before it. Move "{name}" up.'
    return _undefined(who, "hangs on", name, earlier)


def _undefined(who: str, does: str, name: str, known: Sequence[Question]) -> str:
    names = [question.name for question in known]
    listed = f"Questions before it: {', '.join(names)}." if names else "No question stands before it."
    return with_hint(f'{who} {does} question "{name}", which is not there. {listed}', name, names)


def _no_point(who: str, code: int, scale: str, codes: Sequence[int]) -> str:
    return f'{who} gives code {code}, which scale "{scale}" does not have. Its codes: {_listed(codes)}.'


def _listed(codes: Sequence[int]) -> str:
    return ", ".join(map(str, codes))
