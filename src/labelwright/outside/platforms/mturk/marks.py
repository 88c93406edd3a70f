"""Tokens and marks by which a request of ours is known again, and the receipt in a submitted form."""

from __future__ import annotations

import hashlib
from xml.etree import ElementTree as ET

RECEIPT_FIELD = "receipt"


def token(letter: str, *parts: object) -> str:
    """A request token: always the same for the same parts.

    >>> token("b", "bonus|X|1") == token("b", "bonus|X|1"), len(token("b", "x"))
    (True, 41)
    """
    joined = "|".join(map(str, parts))
    return letter + hashlib.sha256(joined.encode()).hexdigest()[:40]


def session_name(assignment: str, worker: str) -> str:
    """What a visit is called: the id of an assignment that somebody gave up goes to another worker.

    >>> session_name("3A", "A1"), read_session("3A:A1")
    ('3A:A1', ('3A', 'A1'))
    """
    return f"{assignment}:{worker}"


def read_session(session: str) -> tuple[str, str]:
    """The ids of the assignment and the worker of a visit."""
    assignment, _, worker = session.partition(":")
    return assignment, worker


def annotation(publication: str, number: int) -> str:
    """What is written on a HIT for the requester only, so that it is found again.

    >>> annotation("pub-1", 0)
    'labelwright/pub-1/0'
    """
    return f"labelwright/{publication}/{number}"


def read_annotation(text: str, publication: str) -> int | None:
    """The number of a HIT within a publication; None if it is none of it.

    >>> read_annotation("labelwright/pub-1/2", "pub-1"), read_annotation("labelwright/pub-12/0", "pub-1")
    (2, None)
    """
    before, _, number = text.rpartition("/")
    return int(number) if before == f"labelwright/{publication}" and number.isdecimal() else None


def bonus_mark(code: str) -> str:
    """The end of the reason of a bonus.

    >>> bonus_mark("7C21-98AF")
    '(7C21-98AF)'
    """
    return f"({code})"


def receipt_in(answer: str) -> str:
    """The receipt in the XML of a submitted form; empty if there is none, or if the XML is not what it should be."""
    if "<!" in answer:
        # Documents with types or entities can make parsers read files or fill memory.
        return ""
    try:
        root = ET.fromstring(answer)  # noqa: S314  without types and entities
    except ET.ParseError:
        return ""
    for given in root:
        texts = {each.tag.rpartition("}")[2]: each.text or "" for each in given}
        if texts.get("QuestionIdentifier") == RECEIPT_FIELD:
            return texts.get("FreeText", "")[:200]
    return ""
