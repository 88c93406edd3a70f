"""Writes the tables of docs/reference/study-file.md from the schema of study files:

.venv/bin/python -m scripts.study_file
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from labelwright.corpus.reading import READERS
from labelwright.study import json_schema
from labelwright.study._schema import DescribedSchema
from labelwright.task.questions import QUESTION_TYPES

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "study-file.md"
BEGIN, END = "<!-- keys -->\n", "<!-- end of keys -->"
Schema = dict[str, Any]

NAME_PATTERNS = {
    "^[a-z0-9][a-z0-9-]{0,59}$": "small letters, digits and hyphens",
    "^[A-Za-z][A-Za-z0-9_-]{0,39}$": "a name",
    "^[a-z][a-z0-9_]{0,39}$": "a name in small letters",
    "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$": "a language code",
    "^[A-Z]{3}$": "three capital letters",
    "^[A-Z]{2}$": "two capital letters",
}
WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
EXAMPLES = {
    "corpus": """
corpus:
  reader: chat_messages
  path: dialogues.jsonl
  sample: {method: uniform, n: 200}
""",
    "items": """
items: {kind: exchange, turns_before: 3, per_dialogue: 1}
""",
    "tasks": """
tasks: {items_per_task: 30, gold_one_in: 10}
""",
    "scales.NAME": """
scales:
  useful:
    points:
      - {code: 1, name: Not useful, score: 0}
      - {code: 2, name: Somewhat useful, score: 0.5}
      - {code: 3, name: Very useful, meaning: The user can now decide or act., score: 1}
      - {code: 0, name: I cannot tell, no_answer: true}
""",
    "aspects.NAME": """
aspects:
  usefulness: {title: Usefulness, aim: Whether the reply helps the user to decide., redundancy: 5}
""",
    "conditions.NAME": """
conditions:
  short: {context: C0}
  long: {context: {turns_before: 7, next_turn: true}, redundancy: 5}
""",
    "stages.NAME": """
stages:
  second: {question: chosen, keep: most, raters: other}
""",
    "context": """
context:
  model: {name: my-model, address: "http://127.0.0.1:8080/v1", budget_cents: 500}
  review_share: 0.3
""",
    "assignment": """
assignment: {same_item: other_aspect}
""",
    "sets.NAME": """
sets:
  shared: {items: 20}
""",
    "plan": """
plan:
  main: {compares: systems, aspect: usefulness, between: [heron, wren], smallest_difference: 0.1}
  secondary:
    - {kind: shift, aspect: usefulness, hypothesis: More context raises usefulness.}
  sample: {items: 200, ratings: 1200, power: 0.8}
  exclude: [too_fast]
""",
    "batches": """
batches:
  timezone: Europe/Rome
  daily: {first_day: 2027-03-01, at: "09:00"}
""",
    "pools.NAME": """
pools:
  own:
    platform: link
    raters: 40
    caps: {tasks: 10, conditions: 3}
    pay: {cents: 40, currency: USD}
""",
    "review": """
review:
  takes: sample
  share: 0.1
  second_opinions: 0.05
  reasons:
    - {name: Time, text: "This task took you [how long]. The reply takes about two minutes to read."}
""",
    "consent": """
consent:
  text: This study is run by the Dialogue Group of our university.
  points: [I am at least 18 years old., I have read the information above.]
""",
    "retention": """
retention: {visits: 7, personal_data: 365}
""",
    "quiz": """
quiz:
  tries: 2
  questions:
    - ask: {name: judged, type: yes_no, text: Do you judge the whole conversation?}
      right: {answer: false, reason: You judge only the marked reply.}
""",
    "gold.NAME.NAME": """
gold:
  m02#4:
    useful: {answer: 1, reason: "The user asked for something short."}
""",
}
"""An example for each part where it helps, by the place of the part in a study file."""
PLACES = {"Reference": "gold.NAME.NAME", "EntitiesPart": "context.entities"}
"""Parts that are best known from another place than the one where a study file meets them first."""
LONGEST_DEFAULT = 80
"""The longest default that is shown; the meaning of a longer one says it in words."""
LARGEST = 10**9
"""Limits from here on only keep numbers storable, and are left out."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the study file that has keys of its own."""

    place: str
    """Where it is first used; NAME stands for a name that the file chooses."""
    schema: Schema


@dataclass(slots=True)
class Reference:
    """The parts of a schema, in the order in which a study file meets them."""

    schema: Schema
    parts: dict[str, Part] = field(default_factory=dict)
    """By the name of the definition."""

    def __post_init__(self) -> None:
        self._visit("", self.schema)

    def _visit(self, place: str, schema: Schema) -> None:
        for key, value in schema.get("properties", {}).items():
            for inner, name in _definitions(f"{place}.{key}".lstrip("."), value):
                if name not in self.parts:
                    place_of_part = PLACES.get(name, inner)
                    self.parts[name] = Part(place_of_part, self.schema["$defs"][name])
                    self._visit(place_of_part, self.schema["$defs"][name])

    def write(self) -> str:
        """All tables as Markdown."""
        top = [name for name in self.parts if self._place(name).count(".") == 0]
        sections = ["## Keys of a study", self._table(self.schema)]
        for key in self.schema["properties"]:
            for name, part in self.parts.items():
                if part.place.split(".")[0] == key and not _type_of(part.schema):
                    level = "##" if name in top or part.place == f"{key}.NAME" else "###"
                    sections += self._section(level, part.place, part)
        return "\n\n".join([*sections, *self._questions(), *self._rules(), *self._readers(), ""])

    def _place(self, name: str) -> str:
        return self.parts[name].place

    def _section(self, level: str, title: str, part: Part) -> Iterator[str]:
        yield f"{level} {title}"
        yield part.schema.get("description", "")
        if part.place in EXAMPLES:
            yield f"```yaml{EXAMPLES[part.place]}```"
        yield self._table(part.schema)

    def _questions(self) -> Iterator[str]:
        kinds = self._tagged("type")
        shared = _shared(kinds)
        yield "## Questions"
        yield "Every question has these keys, and those of its type. [Questions](questions.md) explains each type."
        yield self._table(next(iter(kinds.values())).schema, shared, shared=True)
        for kind, part in kinds.items():
            yield f"### type: {kind}"
            yield part.schema["description"].split("\n\n")[0]
            example = yaml.safe_dump(
                [dict(QUESTION_TYPES[kind].EXAMPLES[0])], sort_keys=False, allow_unicode=True, width=110
            )
            yield f"```yaml\n{example}```"
            own = set(part.schema["properties"]) - shared
            if own:
                yield self._table(part.schema, own)

    def _rules(self) -> Iterator[str]:
        kinds = self._tagged("rule")
        shared = _shared(kinds)
        yield "## Quality rules"
        yield "Every rule has these keys, and its own."
        yield self._table(next(iter(kinds.values())).schema, shared, shared=True)
        for kind, part in kinds.items():
            yield f"### rule: {kind}"
            yield part.schema["description"].split("\n\n")[0]
            yield self._table(part.schema, set(part.schema["properties"]) - shared)

    def _readers(self) -> Iterator[str]:
        yield "## Options of readers"
        yield "`corpus.options` has the keys of its reader. [Corpus](corpus.md#readers) says what each one reads."
        # Other packages may have added readers of their own.
        for name in sorted(
            name for name in READERS if READERS[name].read.__module__.startswith("labelwright.")
        ):
            options = READERS[name].options.model_json_schema(schema_generator=DescribedSchema)
            yield f"### reader: {name}"
            yield READERS[name].what
            yield self._table(options) if options.get("properties") else "It has no options."

    def _tagged(self, key: str) -> dict[str, Part]:
        found = {_type_of(part.schema, key): part for part in self.parts.values()}
        return {kind: part for kind, part in sorted(found.items()) if kind}

    def _table(self, schema: Schema, only: set[str] | None = None, *, shared: bool = False) -> str:
        required = schema.get("required", [])
        lines = [
            f"| `{key}` | {'see below' if shared and 'const' in value else self._type(value)} | {_default(value, required=key in required)} "
            f"| {_cell(value.get('description', ''))} |"
            for key, value in schema["properties"].items()
            if only is None or key in only
        ]
        return "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *lines])

    def _type(self, value: Schema) -> str:
        if "$ref" in value:
            return self._link(value["$ref"])
        if "anyOf" in value:
            return " or ".join(self._type(each) for each in value["anyOf"] if each != {"type": "null"})
        if "oneOf" in value:
            of_questions = value["discriminator"]["propertyName"] == "type"
            return "[question](#questions)" if of_questions else "[rule](#quality-rules)"
        return self._plain_type(value)

    def _plain_type(self, value: Schema) -> str:
        if "const" in value or "enum" in value:
            return " or ".join(f"`{each}`" for each in value.get("enum", [value.get("const")]))
        if value.get("type") == "array":
            inner = value.get("items") or value["prefixItems"][0]
            return f"list of{_most(value)} {self._type(inner)}"
        if value.get("type") == "object":
            return self._mapping(value)
        return f"{WORDS.get(value.get('type', ''), 'any value')}{_limits(value)}"

    def _mapping(self, value: Schema) -> str:
        inner = next(iter(value.get("patternProperties", {}).values()), value.get("additionalProperties"))
        return f"by name: {self._type(inner)}" if isinstance(inner, dict) else "by name: any value"

    def _link(self, ref: str) -> str:
        place = self._place(ref.rsplit("/", 1)[1])
        return f"[{place.rsplit('.', 1)[-1] if not place.endswith('NAME') else place}](#{_anchor(place)})"


def with_keys(page: str) -> str:
    """The page with the tables of the schema."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + Reference(json_schema()).write() + END + after


def _definitions(place: str, value: Schema) -> Iterator[tuple[str, str]]:
    """The definitions that a value leads to, with their places."""
    if "$ref" in value:
        yield place, value["$ref"].rsplit("/", 1)[1]
    for each in (*value.get("anyOf", ()), *value.get("oneOf", ())):
        yield from _definitions(place, each)
    if isinstance(value.get("items"), dict):
        yield from _definitions(place, value["items"])
    named = [*value.get("patternProperties", {}).values(), value.get("additionalProperties")]
    for each in named:
        if isinstance(each, dict):
            yield from _definitions(f"{place}.NAME", each)


def _type_of(schema: Schema, key: str = "") -> str:
    """The type of a question or the name of a rule; empty for other parts."""
    for name in (key,) if key else ("type", "rule"):
        kind = schema.get("properties", {}).get(name, {}).get("const")
        if kind:
            return str(kind)
    return ""


def _shared(kinds: dict[str, Part]) -> set[str]:
    """The keys that all types have."""
    return set.intersection(*(set(part.schema["properties"]) for part in kinds.values()))


def _default(value: Schema, *, required: bool) -> str:
    if required:
        return "required"
    default = value.get("default")
    if default in (None, "", [], {}) or isinstance(default, dict):
        return ""
    written = json.dumps(default, ensure_ascii=False).strip('"')
    return f"`{written}`" if len(written) < LONGEST_DEFAULT else ""


def _most(value: Schema) -> str:
    return f" at most {value['maxItems']}" if "maxItems" in value else ""


def _limits(value: Schema) -> str:
    """The limits of a text or a number, in words."""
    if "pattern" in value:
        return f": {NAME_PATTERNS.get(value['pattern'], 'of a fixed form')}"
    if "maxLength" in value:
        most = value["maxLength"]
        return f", at most {most:,} characters" if most > 1 else ", one character"
    low: Any = value.get("minimum", value.get("exclusiveMinimum"))
    high: Any = value.get("maximum", value.get("exclusiveMaximum", LARGEST))
    above = "exclusiveMinimum" in value
    if low is None or low <= -LARGEST:
        return ""
    if high < LARGEST:
        return f", {'above ' if above else ''}{low:,} to {high:,}"
    return f", {'above' if above else 'at least'} {low:,}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _anchor(place: str) -> str:
    return place.lower().replace(".", "")


if __name__ == "__main__":
    PAGE.write_text(with_keys(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
