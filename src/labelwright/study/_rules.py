"""Quality rules that do not fit the rest of their study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labelwright.errors import with_hint
from labelwright.quality import RuleNeed
from labelwright.study.model import Study


def misplaced_rules(study: Study) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Rules about questions or codes that the study does not have, or about typing that it does not record.

    Each with its place in the study file.
    """
    codes = {
        question.name: question.option_codes(study.scales)
        for design in study.designs.values()
        for question in design.questions
    }
    for index, rule in enumerate(study.quality):
        who, place = f'rule "{rule.rule}"', ("quality", index)
        if RuleNeed.TYPING in rule.needs and not study.record_typing:
            yield place, f"{who} is about typing, which is recorded only with `record_typing: true`."
        for question, named in rule.used_codes().items():
            if question not in codes:
                what = f'{who} is about question "{question}", which no design asks. Questions: {", ".join(codes)}.'
                yield place, with_hint(what, question, codes)
            elif unknown := sorted(named - set(codes[question])):
                known = ", ".join(map(str, codes[question])) or "none"
                yield place, f'{who} names code {unknown[0]} of question "{question}". Codes: {known}.'
