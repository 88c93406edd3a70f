"""Requirements on the HTML of a question: names of its controls, and the elements that the script needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

CONTROLS = {"input", "textarea", "select", "button"}
ROLES = {"button", "checkbox", "option", "radio", "slider", "spinbutton", "textbox"}
ROOT = ("data-question", "data-position", "data-type", "data-missing")


def faults(html: str) -> list[str]:
    """What is wrong with the HTML of a question; empty if nothing is.

    >>> faults('<div class="q" data-question="a" data-position="0" data-type="x" data-missing="Say."><input></div>')
    ['there is no .err element', 'input has no name']
    """
    parser = _ElementParser()
    parser.feed(html)
    return [*_wrong_root(parser), *_wrong_ids(parser), *_nameless(parser)]


@dataclass
class _Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""
    labelled_by_parent: bool = False


class _ElementParser(HTMLParser):
    _VOID = frozenset({"input", "br", "img", "hr", "path", "circle", "use"})

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[_Element] = []
        self._open: list[_Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside_label = any(parent.tag == "label" for parent in self._open)
        made = _Element(tag, {name: value or "" for name, value in attrs}, labelled_by_parent=inside_label)
        self.elements.append(made)
        if tag not in self._VOID:
            self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag not in self._VOID:
            if self._open.pop().tag == tag:
                return

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data.strip()


def _wrong_root(parser: _ElementParser) -> Iterator[str]:
    roots = [e for e in parser.elements if "q" in e.attributes.get("class", "").split()]
    if len(roots) != 1 or roots[0] is not parser.elements[0]:
        yield "the outermost element, and only that, has the class q"
        return
    yield from (f"the root has no {name}" for name in ROOT if not roots[0].attributes.get(name))
    if not any("err" in e.attributes.get("class", "").split() for e in parser.elements):
        yield "there is no .err element"


def _wrong_ids(parser: _ElementParser) -> Iterator[str]:
    ids = [e.attributes["id"] for e in parser.elements if "id" in e.attributes]
    yield from (f"two elements have the id {one}" for one in sorted({i for i in ids if ids.count(i) > 1}))
    for element in parser.elements:
        for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
            named = element.attributes.get(attribute, "").split()
            yield from (f"{attribute} names {one}, which does not exist" for one in named if one not in ids)


def _nameless(parser: _ElementParser) -> Iterator[str]:
    labels = {e.attributes.get("for") for e in parser.elements if e.tag == "label" and e.text}
    for element in parser.elements:
        named = element.attributes
        is_control = element.tag in CONTROLS or named.get("role") in ROLES
        if not is_control or named.get("type") == "hidden":
            continue
        own_text = element.tag == "button" or "role" in named
        if not (
            element.labelled_by_parent
            or named.get("aria-label")
            or named.get("aria-labelledby")
            or (named.get("id") and named["id"] in labels)
            or (own_text and element.text)
        ):
            yield f"{element.tag} has no name"
