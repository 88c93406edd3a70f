"""SQL of items as lists show them: their lines, labels and words are counted again from places, flags and the tallies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.crowd import PlaceState, RaterKind
from labelwright.server.store.models import Batch, TaskItem
from labelwright.server.store.rows import literal, records, run

NOTHING = "nothing"
"""The value of `then` of a flag that asks for no review."""
CLEAR_SHARE = 0.6
"""A label that fewer of the raters gave is not clear."""


@dataclass(frozen=True, slots=True)
class TalliedName:
    """A code that was given under a version to a judgment of this stored name."""

    version: int
    question: str
    code: int


def tallied_names(study: int) -> list[TalliedName]:
    """Every stored name and code that counts in a study."""
    return records(
        TalliedName,
        """SELECT DISTINCT version_id AS version, question, code FROM tally
           WHERE study_id = %s AND left_out = '' AND n > 0""",
        [study],
    )


def store_labels(study: int, items: Sequence[int], counted: Sequence[tuple[TalliedName, str]]) -> None:
    """Counts the labels of items again.

    `counted` holds the names and codes that are labels, each with the name under which the candidates or sentences of
    an item are joined.
    """
    run("DELETE FROM item_label WHERE study_id = %s AND item_id = ANY(%s)", [study, list(items)])
    run(
        f"""WITH given AS (
              SELECT y.item_id, y.condition, y.question, c.joined, y.code, sum(y.n) AS n,
                     max(sum(y.n)) OVER (PARTITION BY y.item_id, y.condition, y.question) AS most
              FROM unnest(%(versions)s::bigint[], %(questions)s::text[], %(codes)s::int[], %(joined)s::text[])
                     AS c(version, question, code, joined)
              JOIN item_tally y ON y.version_id = c.version AND y.question = c.question AND y.code = c.code
              WHERE y.study_id = %(study)s AND y.item_id = ANY(%(items)s)
                AND y.rater_kind = {literal(RaterKind.PERSON)}
              GROUP BY 1, 2, 3, 4, 5 HAVING sum(y.n) > 0),
            label AS (
              SELECT item_id, condition, question, joined, sum(n) AS n, max(n) / sum(n) AS share,
                     1 - sum(n * (n - 1)) / nullif(sum(n) * (sum(n) - 1), 0) AS disagreement,
                     CASE WHEN count(*) FILTER (WHERE n = most) = 1
                          THEN min(code) FILTER (WHERE n = most) END AS code
              FROM given GROUP BY 1, 2, 3, 4)
            INSERT INTO item_label (study_id, item_id, condition, question, n, code, share, disagreement)
            SELECT %(study)s, item_id, condition, question, n, code, share, disagreement FROM label
            UNION ALL
            SELECT %(study)s, item_id, condition, joined, sum(n), NULL, min(share), max(disagreement) FROM label
            WHERE joined <> question GROUP BY item_id, condition, joined""",
        {
            "study": study,
            "items": list(items),
            "versions": [name.version for name, _ in counted],
            "questions": [name.question for name, _ in counted],
            "codes": [name.code for name, _ in counted],
            "joined": [joined for _, joined in counted],
        },
    )


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """The parts that a rater marked."""

    item: int
    condition: str
    value_json: str


def marked_answers(
    study: int, items: Sequence[int], question: str, versions: Sequence[int]
) -> list[MarkedAnswer]:
    """The counted answers about items to a question that asks to mark parts."""
    return records(
        MarkedAnswer,
        """SELECT item_id AS item, condition, value::text AS value_json FROM counted_answer
           WHERE study_id = %s AND item_id = ANY(%s) AND question = %s AND version_id = ANY(%s)
             AND left_out = '' AND NOT unflagged""",
        [study, list(items), question, list(versions)],
    )


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far pairs of raters marked the same parts of an item in a condition."""

    item: int
    condition: str
    raters: int
    mean: float
    """Not a number for a single rater."""


def store_overlaps(study: int, label: str, overlaps: Sequence[Overlap]) -> None:
    """Stores what is missing from full overlap as the disagreement of a label.

    A question without a box for "nothing" has no other label: everybody marked something.
    """
    run(
        """INSERT INTO item_label (study_id, item_id, condition, question, n, code, share, disagreement)
           SELECT %(study)s, o.item, o.condition, %(label)s, o.raters, NULL, 1, 1 - nullif(o.mean, 'NaN')
           FROM unnest(%(items)s::bigint[], %(conditions)s::text[], %(raters)s::int[], %(means)s::float8[])
                  AS o(item, condition, raters, mean)
           ON CONFLICT (study_id, item_id, condition, question) DO UPDATE SET disagreement = excluded.disagreement""",
        {
            "study": study,
            "label": label,
            "items": [each.item for each in overlaps],
            "conditions": [each.condition for each in overlaps],
            "raters": [each.raters for each in overlaps],
            "means": [each.mean for each in overlaps],
        },
    )


def store_lines(study: int, newest: int, items: Sequence[int]) -> None:
    """Counts the lines of items again, after their labels; an item that no task wants and nobody rated has none.

    Ratings of all versions count; of the open places, those of the newest version.
    """
    run("DELETE FROM item_line WHERE study_id = %s AND item_id = ANY(%s)", [study, list(items)])
    run(
        """INSERT INTO item_line (study_id, item_id, condition, key, systems, gold, stored, wanted, flags,
                                  disagreement, unclear)
           SELECT i.study_id, i.id, t.condition, i.key,
                  CASE WHEN i.system <> '' THEN ARRAY[i.system] ELSE ARRAY(
                    SELECT c ->> 'system' FROM jsonb_array_elements(i.payload -> 'candidates') WITH ORDINALITY AS e(c, n)
                    WHERE c ->> 'system' IS NOT NULL ORDER BY n) END,
                  t.gold, t.stored, t.wanted, coalesce(f.flags, 0), l.disagreement, coalesce(l.unclear, 0)
           FROM (SELECT x.item_id, p.condition, bool_and(x.role = %(gold)s) AS gold, count(*) AS wanted,
                        count(*) FILTER (WHERE p.state = %(filled)s) AS stored
                 FROM task_item x JOIN place p ON p.task_id = x.task_id AND NOT p.gold
                 JOIN batch b ON b.id = p.batch_id AND b.purpose = %(collect)s
                 WHERE x.item_id = ANY(%(items)s) AND x.study_id = %(study)s AND p.state <> %(closed)s
                   AND (p.state = %(filled)s OR (b.version_id = %(newest)s AND NOT p.closing))
                 GROUP BY 1, 2) t
           JOIN item i ON i.id = t.item_id
           LEFT JOIN (SELECT x.item_id, p.condition, count(*) AS flags
                      FROM task_item x JOIN assignment s ON s.task_id = x.task_id JOIN flag f ON f.assignment_id = s.id
                      JOIN place p ON p.id = s.place_id
                      WHERE x.item_id = ANY(%(items)s) AND x.study_id = %(study)s AND f."then" <> %(nothing)s
                      GROUP BY 1, 2) f USING (item_id, condition)
           LEFT JOIN (SELECT item_id, condition, max(disagreement) AS disagreement,
                             count(*) FILTER (WHERE n > 1 AND share < %(clear)s AND position('*' IN question) = 0)
                               AS unclear
                      FROM item_label WHERE study_id = %(study)s AND item_id = ANY(%(items)s)
                      GROUP BY 1, 2) l USING (item_id, condition)""",
        {
            "study": study,
            "newest": newest,
            "items": list(items),
            "nothing": NOTHING,
            "clear": CLEAR_SHARE,
            "filled": PlaceState.FILLED,
            "closed": PlaceState.CLOSED,
            "gold": TaskItem.Role.GOLD,
            "collect": Batch.Purpose.COLLECT,
        },
    )


def store_words(study: int, items: Sequence[int]) -> None:
    """Stores the words of items that have none yet; an item never changes."""
    run(
        """INSERT INTO item_words (study_id, item_id, words)
           SELECT i.study_id, i.id, to_tsvector('simple', left(concat_ws(' ', i.key, i.system,
                    CASE WHEN i.kind = 'dialogue'
                         THEN (SELECT string_agg(t ->> 'text', ' ' ORDER BY n)
                               FROM jsonb_array_elements(d.turns) WITH ORDINALITY AS e(t, n))
                         ELSE concat_ws(' ', CASE WHEN i.target > 0 THEN d.turns -> (i.target - 1) ->> 'text' END,
                                        d.turns -> i.target ->> 'text') END,
                    i.payload -> 'passage' ->> 'text',
                    (SELECT string_agg(concat_ws(' ', c ->> 'system', c ->> 'text'), ' ' ORDER BY n)
                     FROM jsonb_array_elements(i.payload -> 'candidates') WITH ORDINALITY AS e(c, n))), 100000))
           FROM item i JOIN dialogue d ON d.id = i.dialogue_id
           WHERE i.study_id = %s AND i.id = ANY(%s)
           ON CONFLICT DO NOTHING""",
        [study, list(items)],
    )
