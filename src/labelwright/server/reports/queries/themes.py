"""SQL of themes: the texts of raters, and the themes that people assigned to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import DataUse, RaterKind
from labelwright.crowd.qualification import CONDITION
from labelwright.server.store.rows import Values, column, counts, literal, records
from labelwright.server.web.desk.tables import TableQuery, Total, bounded_total

# Texts of people in the main work. Excluded data are among them: what a rater says about a task stays true.
_TEXTS = f"""
FROM counted_answer a JOIN rater r ON r.id = a.rater_id
LEFT JOIN item i ON i.id = a.item_id
WHERE a.study_id = %(study)s AND a.question = ANY(%(questions)s) AND a.rater_kind = {literal(RaterKind.PERSON)}
  AND NOT starts_with(a.condition, '{CONDITION}') AND jsonb_typeof(a.value) = 'string' AND btrim(a.value #>> '{{}}') <> ''"""
_MARKS = """SELECT {} FROM theme_mark m WHERE m.study_id = a.study_id AND m.assignment_id = a.assignment_id
            AND m.position = a.position AND m.question = a.question"""
_SHOWN = f"""
  AND (%(asked)s = '' OR a.question = %(asked)s)
  AND (%(pattern)s::text IS NULL OR a.value #>> '{{}}' ILIKE %(pattern)s::text)
  AND (%(theme)s::bigint IS NULL OR CASE WHEN %(theme)s::bigint = 0 THEN NOT EXISTS ({_MARKS.format(1)})
       ELSE EXISTS ({_MARKS.format(1)} AND m.theme_id = %(theme)s::bigint) END)"""


@dataclass(frozen=True, slots=True)
class RaterText:
    """One text of a rater."""

    id: int
    text: str
    question: str
    condition: str
    rater: str
    excluded: bool
    submitted_at: datetime
    item: int | None
    """None for a text about a whole task."""
    key: str | None
    themes: list[int]


def find_texts(study: int, questions: Sequence[str], query: TableQuery) -> list[RaterText]:
    """A page of the texts, and one more."""
    # The order is made of constants.
    return records(
        RaterText,
        f"""SELECT a.id, a.value #>> '{{}}' AS text, a.question, a.condition, r.pseudonym AS rater,
                   a.data_use = {literal(DataUse.LEFT_OUT)} AS excluded, a.submitted_at, a.item_id AS item, i.key,
                   ARRAY({_MARKS.format("m.theme_id")} ORDER BY m.theme_id) AS themes
            {_TEXTS} {_SHOWN} {query.order_by}""",
        _values(study, questions, query),
    )


def count_texts(study: int, questions: Sequence[str], query: TableQuery) -> Total:
    """How many texts there are, up to a bound."""
    return bounded_total(_TEXTS + _SHOWN, _values(study, questions, query))


def _values(study: int, questions: Sequence[str], query: TableQuery) -> Values:
    theme = query.chosen.get("theme")
    return {
        "study": study,
        "questions": list(questions),
        "asked": query.chosen.get("question", ""),
        "pattern": query.pattern,
        "theme": None if theme is None else 0 if theme == "none" else int(theme),
    }


def count_by_theme(study: int) -> dict[int, int]:
    """The number of texts of each theme that has any."""
    return counts("SELECT theme_id, count(*)::int FROM theme_mark WHERE study_id = %s GROUP BY 1", [study])


def mark_texts(study: int, theme: int, answers: Sequence[int], who: str, now: datetime) -> list[int]:
    """Assigns a theme to texts; the answers that did not have it."""
    return column(
        """WITH marked AS (
             INSERT INTO theme_mark (study_id, theme_id, assignment_id, position, question, marked_by, marked_at)
             SELECT a.study_id, %s, a.assignment_id, a.position, a.question, %s, %s FROM answer a
             WHERE a.study_id = %s AND a.id = ANY(%s) ON CONFLICT DO NOTHING
             RETURNING assignment_id, position, question)
           SELECT a.id FROM answer a JOIN marked m USING (assignment_id, position, question)
           WHERE a.study_id = %s ORDER BY 1""",
        [theme, who, now, study, list(answers), study],
    )


def unmark_texts(study: int, theme: int, answers: Sequence[int]) -> list[int]:
    """Removes a theme from texts; the answers that had it."""
    return column(
        """WITH removed AS (
             DELETE FROM theme_mark m USING answer a
             WHERE m.study_id = %s AND m.theme_id = %s AND a.study_id = m.study_id AND a.id = ANY(%s)
               AND a.assignment_id = m.assignment_id AND a.position = m.position AND a.question = m.question
             RETURNING a.id)
           SELECT id FROM removed ORDER BY 1""",
        [study, theme, list(answers)],
    )


@dataclass(frozen=True, slots=True)
class ThemedText:
    """One text with the names of its themes, for the report."""

    text: str
    themes: list[str]
    condition: str
    rater: str


def themed_texts(study: int, questions: Sequence[str], most: int) -> list[ThemedText]:
    """The texts of a study in the order of their submission; those with a theme first, and at most so many."""
    named = """SELECT t.name FROM theme_mark m JOIN theme t ON t.id = m.theme_id AND t.study_id = m.study_id
               WHERE m.study_id = a.study_id AND m.assignment_id = a.assignment_id AND m.position = a.position
                 AND m.question = a.question ORDER BY t.name"""
    return records(
        ThemedText,
        f"""SELECT text, themes, condition, rater FROM (
              SELECT a.id, a.value #>> '{{}}' AS text, a.condition, r.pseudonym AS rater, ARRAY({named}) AS themes
              {_TEXTS}) found
            ORDER BY cardinality(themes) = 0, id LIMIT %(most)s""",
        {"study": study, "questions": list(questions), "most": most},
    )


def texts_among(study: int, questions: Sequence[str], answers: Sequence[int]) -> list[int]:
    """Those of the answers that are texts of raters."""
    return column(
        f"SELECT a.id {_TEXTS} AND a.id = ANY(%(answers)s)",
        {"study": study, "questions": list(questions), "answers": list(answers)},
    )
